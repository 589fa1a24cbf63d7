"""Mini Crosswords (Tree of Thoughts, section 4.3): the task. Its prompts are in ``crosswords.toml``, the
readers of replies in ``crosswords_style`` and ``crosswords_paper``, puzzles and states in ``crosswords_state``.

A thought is one word for one clue, "h2. peril". Letters that are filled in never change, so a path has at most ten
thoughts. The model sees a state as the clues that remain, with the letters that are known.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import ClassVar

from ..lm.base import Request
from ..parse import MAX_REPLY, Read
from ..state import State, Thought
from .base import Problem, Score, Searchable
from .crosswords_board import BLANK, SIZE, SLOTS, read_board, score, show, word_at
from .crosswords_paper import PAPER
from .crosswords_state import asked, board_of, grouped, list_clues, listed, overwritten, puzzles, remaining, thought_of
from .crosswords_style import OWN, VERDICTS
from .datasets import Dataset, data_file, pairs_of
from .style import Sources, Styled

# ---------------------------------------------------------------- problems


_NAME = re.compile(r"(?:^|(?<=[\s;]))([hv])([1-5])[.:]\s", re.IGNORECASE)


def _split_clues(text: str) -> list[str]:
    """The clues of a typed problem: after the names of the ten slots if it has these, else by lines, else by ";"."""
    if len(text) > 3000:
        return []
    names = list(_NAME.finditer(text))
    if tuple(name[1].lower() + name[2] for name in names) == SLOTS:
        ends = [*(name.start() for name in names[1:]), len(text)]
        pieces = [text[name.end() : end] for name, end in zip(names, ends, strict=True)]
    else:
        lines = list(filter(str.strip, text.splitlines()))
        pieces = lines if len(lines) > 1 else text.strip().removesuffix(";").split(";")
    return list(map(_tidy, pieces))


def _tidy(clue: str) -> str:
    """A clue on one line, without a semicolon at its end, which may separate it from the next clue."""
    return " ".join(clue.split()).rstrip("; ")


def _bundled() -> list[Problem]:
    return [puzzle.problem for puzzle in puzzles("mini")]


GAMES = "the authors' crosswords"
# names that the authors' file may have, and their file of the 20 test games
FILES = ("mini0505.json", "crosswords/mini0505.json", "crosswords_mini0505_first10.json")
TEST_FILES = ("mini0505_0_100_5.json", "crosswords/mini0505_0_100_5.json")


def _games(text: str) -> Iterator[tuple[str, str]]:
    """Each game is [ten clues, 25 letters]."""
    for clues, letters in json.loads(text):
        gold = show("".join(letters).lower())
        if len(letters) != SIZE**2 or read_board(gold) is None or BLANK in gold:
            raise ValueError(f"no board of 25 letters: {gold}")
        yield list_clues(map(_tidy, clues)), gold


def _authors(files: tuple[str, ...] = FILES, every: int = 1) -> list[Problem]:
    """``every``: of how many of the authors' games the file holds one."""
    games = enumerate(pairs_of(Dataset(GAMES, files, _games)))
    return [Problem(f"authors-{1 + every * i}", x, gold) for i, (x, gold) in games]


def _authors_test() -> list[Problem]:
    """Every fifth of the first hundred games; they keep their ids where they are read from the file of the 20."""
    whole = data_file(GAMES, (*FILES, *TEST_FILES)).name != TEST_FILES[0]
    return _authors()[:100:5] if whole else _authors(TEST_FILES, 5)


# ---------------------------------------------------------------- the task


class Crosswords(Styled, Searchable):
    """The task. ``steps`` is 10: a word for each clue. Its ``style`` is all in which its forms differ."""

    name = "crosswords"
    summary = "Mini Crosswords: five by five letters, ten clues (Tree of Thoughts, section 4.3)"
    usual = "tot-dfs"
    style = OWN
    paper = PAPER
    sources: ClassVar[Sources] = {
        "book": ("20 puzzles written for the book, mini-01 to mini-20, easiest first", _bundled),
        "easy": ("the first eight of `book`: common words, plain clues", lambda: _bundled()[:8]),
        "authors": (f"the authors' puzzles, read from {' or '.join(FILES)} in TOT_DATA_DIR", _authors),
        "authors-test": (
            f"games 1, 6, 11 ... 96 of the authors' file, or {TEST_FILES[0]}: the paper's own test set",
            _authors_test,
        ),
    }
    hint = "; one puzzle is book[2]"
    worst = VERDICTS["impossible"]
    verdicts: Mapping[str, float] = {word: VERDICTS[word] for word in ("sure", "maybe", "impossible")}

    @property
    def steps(self) -> int:
        return self.style.limits["steps"]

    # ---------------------------------------------------------------- problems

    def problem(self, text: str) -> Problem:
        """The id of a bundled puzzle, or ten clues: h1 to h5, then v1 to v5.

        Each clue stands on its own line, or after its name ("h1. ... h2. ..."), or semicolons separate them. The
        solution of clues that a user made up is unknown. Raises ValueError for anything else.
        """
        bundled = _bundled()
        clues = _split_clues(text)
        x = list_clues(clues) if len(clues) == len(SLOTS) and all(clues) else ""
        for problem in bundled:
            if problem.x == x or problem.id == text.strip().lower():
                return problem
        if not x:
            empty = len(clues) == len(SLOTS) and f"{SLOTS[clues.index('')]} is empty"
            found = empty or f"this has {sum(map(bool, clues))}"
            raise ValueError(
                'a mini crossword is ten clues, across and then down, separated by ";" or named h1. to h5., v1. to v5.,'
                f" or the id of a bundled one, {bundled[0].id} to {bundled[-1].id}: {found}, in {text[:60]!r}"
            )
        from zlib import crc32

        return Problem(f"typed-{crc32(x.encode('utf-8', 'surrogatepass')):08x}", x)

    def verify(self, problem: Problem, answer: str | None) -> Score:
        return score(problem.gold, answer)

    def note(self, problem: Problem) -> str:
        """The solution of the problem; "" if it is unknown."""
        return f"the solution is {problem.gold}" if problem.gold else ""

    def same(self, answer: str) -> str:
        """The letters of the board."""
        return read_board(answer) or re.sub(r"\s+", " ", answer[:MAX_REPLY].strip())

    # ---------------------------------------------------------------- IO, CoT

    def read_io(self, state: State, text: str) -> list[Read[Thought]]:
        return [*self.style.readers["io"](text)]

    def read_cot(self, state: State, text: str) -> list[Read[Thought]]:
        return [*self.style.readers["cot"](text)]

    # ---------------------------------------------------------------- tree search

    def propose(self, state: State, style: str = "") -> Request:
        """The prompt for words: the clues, with the letters that are known."""
        board = "\n".join(word_at(board_of(state), row) for row in range(SIZE))
        open_ = listed(state, remaining(state))
        return self.ask(self.styles[0], state, open=open_, board=board, clues=grouped(state))

    def read_proposals(self, state: State, text: str) -> list[Read[Thought]]:
        """Each word that is proposed as a thought, if it changes no letter. ``prior`` is the confidence."""
        return [*self.style.readers["words"](state, text, overwrite=False)]

    def read_overwrites(self, state: State, text: str) -> list[Read[Thought]]:
        """The same, but a word may overwrite letters of others: for the ablation without backtracking."""
        return [*self.style.readers["words"](state, text, overwrite=True)]

    def fits(self, state: State, thought: Thought) -> bool:
        """Does no clue stand ``overwritten`` after the word? Where one does already, only a word that mends it fits."""
        return not overwritten(state.then(thought))

    def compose(self, state: State) -> list[Thought] | None:
        """On a full board, the next word that remains, read off the board, unless the style leaves that to the model.
        Before that, None: ask.
        """
        board = board_of(state)
        if BLANK in board or not self.style.limits["full board read"]:
            return None
        return [thought_of(state, slot, word_at(board, slot)) for slot in remaining(state)[:1]]

    def value(self, state: State) -> list[Request]:
        """One question about each clue that remains, and in the paper's style each that is filled, too, if at least
        ``KNOWN`` of its letters are known.
        """
        slots = range(len(SLOTS)) if self.style.limits["filled judged"] else remaining(state)
        return [self.ask("value", state, clue=clue) for clue in asked(state, slots)]

    def read_value(self, text: str) -> Read[float]:
        """The verdict. A reply without one rules nothing out: it counts as maybe, and as unread."""
        read: Read[float] = self.style.readers["value"](text)
        return read

    def judge(self, state: State) -> float | None:
        """ "sure" if there is no clue to ask about, as nothing speaks against the state. None: ask."""
        return None if self.value(state) else VERDICTS["sure"]
