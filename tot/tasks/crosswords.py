"""Mini Crosswords (Tree of Thoughts, section 4.3): prompts, readers and problems. The board is in ``crosswords_board``.

A thought is one word for one clue, "h2. peril". Letters that are filled in never change, so a path has at most ten
thoughts. The model sees a state as the clues that remain, with the letters that are known. The prompts are our own
words; they share the design of the paper's: five examples for IO and CoT (CoT in the order h1 to h5, v1 to v5),
proposals with a confidence, and one question about each remaining clue: sure, maybe or impossible? They are shorter:
at most five proposals, after two examples, for clues that are shown without the words that stand; verdicts of one line.
On a full board the words that remain are read off by program, and in answers to IO and CoT a row that is not five
letters long is blank. The paper's own form of all this is in ``crosswords_paper``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ..lm.base import Message, Request
from ..parse import MAX_REPLY, Read, bad, last_word, shorten
from ..state import State, Thought
from .base import Commenting, Overwritable, PaperStyled, Problem, Recommending, Score, Task
from .bundled import text_of
from .crosswords_board import BLANK, EMPTY, SIZE, SLOTS, fits, put, read_board, score, show, word_at
from .datasets import data_file
from .forms import Form, verdict

# a proposer's confidence as a number: as in the authors' code, the paper gives none
CONFIDENCE = {"certain": 1.0, "high": 0.5, "medium": 0.2, "low": 0.1}
# an evaluator's verdict as a number: the paper says only that one "impossible" prunes
VERDICTS = {"sure": 1.0, "maybe": 0.5, "likely": 0.5, "impossible": 0.0}
KNOWN = 2  # letters that must be known before a clue is judged: as in the authors' code, the paper does not say

RULES = "Solve the crossword: h1 to h5 are its five rows, v1 to v5 its five columns, each a word of five letters."
IO = f"{RULES} Reply with the five rows only."
COT = f'{RULES} Write the ten words, h1 to h5, then v1 to v5; then "Rows:" and the five rows.'
PROPOSE = (
    "Each clue has an answer of five letters; letters that are known are shown. List the answers that you know, at most"
    " five: the clue's name, the word, your confidence (certain, high, medium or low)."
)
VALUE = (
    "Can a word of five letters with these letters in these places answer the clue? Say in a few words, then end with"
    " sure, maybe or impossible."
)


@dataclass(frozen=True)
class Puzzle:
    """Ten clues and their words, in the order h1 to h5, v1 to v5."""

    id: str
    clues: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def problem(self) -> Problem:
        """The puzzle as a problem: the clues as ``x``, the board as ``gold``."""
        return Problem(self.id, list_clues(self.clues), show("".join(self.words[:SIZE])))


class Entry(NamedTuple):
    """A thought's ``data``: a word, and the slot (0 to 9) that it fills."""

    slot: int
    word: str


# examples in the propose prompt: example puzzle, slots that are filled already, reply
PROPOSALS: tuple[tuple[int, tuple[int, ...], str], ...] = (
    (0, (), "v1. flame (certain)\nh2. label (high)\nv2. lager (high)\nh4. medic (high)\nv5. elect (medium)"),
    (1, (1, 3, 5), "v2. other (certain)\nh3. thank (high)\nv5. asked (medium)\nh5. dread (low)"),
)

# examples in the value prompt: example puzzle, slot, letters, reply
JUDGED: tuple[tuple[int, int, str, str], ...] = (
    (1, 1, "at__s", "atlas fits. sure"),
    (0, 5, "flz__", "flame does not fit, nothing begins with flz. impossible"),
    (4, 8, "_n_e_", "no word comes to mind, the letters look possible. maybe"),
    (3, 0, "s_a__", "staff fits. sure"),
    (2, 7, "_kqr_", "ivory does not fit, no word has kqr. impossible"),
    (2, 4, "t___d", "perhaps toyed. maybe"),
)


def list_clues(clues: Iterable[str]) -> str:
    """A problem's ``x``: ten lines, "h1. ..." to "v5. ..."."""
    return "\n".join(f"{slot}. {clue}" for slot, clue in zip(SLOTS, clues, strict=True))


def clues_of(x: str) -> list[str]:
    """The ten clues in a problem's ``x``, without their names."""
    return [line.partition(". ")[2] for line in x.split("\n")]


def board_of(state: State) -> str:
    """The board after a state's thoughts; a later word is written over an earlier one."""
    board = EMPTY
    for thought in state.thoughts:
        if isinstance(thought.data, Entry):
            board = put(board, *thought.data)
    return board


def remaining(state: State) -> list[int]:
    """The slots that still need a word: those that have none, or whose word was overwritten since."""
    board = board_of(state)
    own = {thought.data.slot: thought.data.word for thought in state.thoughts if isinstance(thought.data, Entry)}
    return [slot for slot in range(len(SLOTS)) if own.get(slot) != word_at(board, slot)]


def overwritten(state: State) -> list[int]:
    """The slots of which a letter was changed since their own word was last written. It follows the authors' code: a
    clue without a word counts, too, once letters change that others have put in its slot.
    """
    board, changed = EMPTY, set[int]()
    for thought in state.thoughts:
        if isinstance(thought.data, Entry):
            after = put(board, *thought.data)
            changed |= {slot for slot in range(len(SLOTS)) if not fits(word_at(after, slot), word_at(board, slot))}
            changed.discard(thought.data.slot)
            board = after
    return sorted(changed)


class Crosswords(Overwritable, PaperStyled, Recommending, Commenting):
    """The task. ``steps`` is 10: a word for each clue."""

    name = "crosswords"
    summary = "five by five crosswords with ten clues (Tree of Thoughts, section 4.3)"
    usual = "tot-dfs"
    steps = len(SLOTS)
    styles = ("two-shot",)
    worst = VERDICTS["impossible"]
    verdicts: Mapping[str, float] = {word: VERDICTS[word] for word in ("sure", "maybe", "impossible")}

    # ---------------------------------------------------------------- problems

    def splits(self) -> dict[str, str]:
        return {
            "book": "20 puzzles written for the book, mini-01 to mini-20, easiest first",
            "easy": "the first eight of `book`: common words, plain clues",
            "authors": f"the authors' puzzles, read from {' or '.join(FILES)} in TOT_DATA_DIR",
            "authors-test": f"games 1, 6, 11 ... 96 of the authors' file, or {TEST_FILES[0]}: the paper's own test set",
        }

    def problems(self, split: str) -> list[Problem]:
        """The problems of a split. Raises ValueError for an unknown one, or a file that is missing or malformed."""
        loaders: dict[str, Callable[[], list[Problem]]] = {
            "book": lambda: [puzzle.problem for puzzle in puzzles("mini")],
            "easy": lambda: [puzzle.problem for puzzle in puzzles("mini")[:8]],
            "authors": _authors,
            "authors-test": _authors_test,
        }
        if split not in loaders:
            raise ValueError(
                f"crosswords has no split {split!r}: choose one of {', '.join(loaders)}; one puzzle is book[2]"
            )
        return loaders[split]()

    def problem(self, text: str) -> Problem:
        """The id of a bundled puzzle, or ten clues: h1 to h5, then v1 to v5.

        Each clue stands on its own line, or after its name ("h1. ... h2. ..."), or semicolons separate them. The
        solution of clues that a user made up is unknown. Raises ValueError for anything else.
        """
        bundled = [puzzle.problem for puzzle in puzzles("mini")]
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

    def io(self, state: State) -> Request:
        return chat(IO, ((each.problem.x, _lines(each.words[:SIZE])) for each in puzzles("prompt")), state.x, 40)

    def cot(self, state: State) -> Request:
        shown = [
            (each.problem.x, _lines([*_named(enumerate(each.words)), "Rows:", *each.words[:SIZE]]))
            for each in puzzles("prompt")
        ]
        return chat(COT, shown, state.x, 130)

    def read_io(self, state: State, text: str) -> list[Read[Thought]]:
        """The five lines that look most like rows."""
        return [attempt(text, _rows(text[:MAX_REPLY]))]

    def read_cot(self, state: State, text: str) -> list[Read[Thought]]:
        """The rows below "Rows:"; if that line is missing, the words that the chain gives for h1 to h5."""
        _, mark, below = text[:MAX_REPLY].lower().rpartition("rows:")
        if mark:
            return [attempt(text, _rows(below))]
        across = r"^\W*h([1-5])\W{1,4}([a-z]{5})\b"
        words = dict(re.findall(across, text[:MAX_REPLY], re.IGNORECASE | re.MULTILINE))
        read = attempt(text, [words.get(str(row + 1), "").lower() for row in range(SIZE)])
        return [Read(read.value, "the chain has no rows", read.text)]

    # ---------------------------------------------------------------- tree search

    def propose(self, state: State, style: str = "") -> Request:
        """The prompt for words: the clues that remain, with the letters that are known."""
        examples = puzzles("prompt")
        shown = [(_open_clues(_filled(examples[i], slots)), reply) for i, slots, reply in PROPOSALS]
        return chat(PROPOSE, shown, _open_clues(state), 60)

    def read_proposals(self, state: State, text: str) -> list[Read[Thought]]:
        """Each line as a thought, if its clue remains and its word changes no letter. ``prior`` is the confidence."""
        return _read_lines(state, text, overwrite=False)

    def read_overwrites(self, state: State, text: str) -> list[Read[Thought]]:
        """The same, but a word may overwrite letters of others: for the ablation without backtracking."""
        return _read_lines(state, text, overwrite=True)

    def fits(self, state: State, thought: Thought) -> bool:
        """Does no clue stand ``overwritten`` after the word? Where one does already, only a word that mends it fits."""
        return not overwritten(state.then(thought))

    def compose(self, state: State) -> list[Thought] | None:
        """On a full board, the next word that remains, read off the board. Before that, None: ask."""
        board = board_of(state)
        if BLANK in board:
            return None
        return [thought_of(state, slot, word_at(board, slot)) for slot in remaining(state)[:1]]

    def value(self, state: State) -> list[Request]:
        """One question about each remaining clue with at least ``KNOWN`` known letters."""
        examples, board, clues = puzzles("prompt"), board_of(state), clues_of(state.x)
        shown = [(question(slot, examples[i].clues[slot], letters), reply) for i, slot, letters, reply in JUDGED]
        asked = [(slot, word_at(board, slot)) for slot in remaining(state)]
        return [
            chat(VALUE, shown, question(slot, clues[slot], letters), 24)
            for slot, letters in asked
            if SIZE - letters.count(BLANK) >= KNOWN
        ]

    def read_value(self, text: str) -> Read[float]:
        """The verdict. A reply without one rules nothing out: it counts as maybe, and as unread."""
        word = last_word(text, VERDICTS)
        if word.value is None:
            return Read(VERDICTS["maybe"], word.why, word.text)
        return Read(VERDICTS[word.value], text=word.text)

    def forms(self) -> Mapping[str, Form]:
        """A form for values."""
        return {"value": verdict(self.verdicts, self.read_value)}

    def judge(self, state: State) -> float | None:
        """ "sure" if there is no clue to ask about, as nothing speaks against the state. None: ask."""
        return None if self.value(state) else VERDICTS["sure"]

    # ---------------------------------------------------------------- the paper's style

    def in_paper_style(self) -> Task:
        from .crosswords_paper import PaperCrosswords  # here, because it is a subclass

        return PaperCrosswords()


# ---------------------------------------------------------------- prompts


def chat(system: str, shown: Iterable[tuple[str, str]], asked: str, max_tokens: int) -> Request:
    """A few-shot prompt as a conversation. All prompts of a kind share a prefix, which servers can cache."""
    turns = [Message(role, text) for pair in shown for role, text in zip(("user", "assistant"), pair, strict=True)]
    first = (Message("system", system),) if system else ()
    return Request((*first, *turns, Message("user", asked)), max_tokens=max_tokens)


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(lines)


def _named(entries: Iterable[tuple[int, str]]) -> list[str]:
    return [f"{SLOTS[slot]}. {word}" for slot, word in entries]


def _filled(puzzle: Puzzle, slots: Iterable[int]) -> State:
    """The state of an example puzzle in which some slots are filled."""
    state = State(puzzle.problem.x)
    for slot in slots:
        state = state.then(thought_of(state, slot, puzzle.words[slot]))
    return state


def _open_clues(state: State) -> str:
    """The clues that remain, with their known letters: "h2. Great danger: ``p_r__``"."""
    board, clues = board_of(state), clues_of(state.x)
    return _lines(f"{SLOTS[slot]}. {clues[slot]}: {word_at(board, slot)}" for slot in remaining(state))


def question(slot: int, clue: str, letters: str) -> str:
    """One clue for the evaluator. The letters are spaced, so that a model that reads pieces of words sees each one."""
    return f"{SLOTS[slot]}. {clue}: {' '.join(letters)}"


# ---------------------------------------------------------------- readers


def thought_of(state: State, slot: int, word: str, prior: float | None = None) -> Thought:
    """The thought that fills a slot; its answer is the board after it, and it is final if no clue remains."""
    text = f"{SLOTS[slot]}. {word}"
    after = state.then(Thought(text, Entry(slot, word)))
    return Thought(text, Entry(slot, word), show(board_of(after)), final=not remaining(after), prior=prior)


_LINE = re.compile(r"\W*(?:\d{1,2}[.)]\s*)?\W*([hv])\s?([1-5])\b(.*)", re.IGNORECASE)
_CONFIDENCE = re.compile(rf"\b({'|'.join(CONFIDENCE)})\b", re.IGNORECASE)


def _read_lines(state: State, text: str, *, overwrite: bool) -> list[Read[Thought]]:
    board, open_ = board_of(state), remaining(state)
    letters = {SLOTS[slot]: BLANK * SIZE if overwrite else word_at(board, slot) for slot in open_}
    lines = [line for line in text[:MAX_REPLY].splitlines() if line.strip() and not line.rstrip().endswith(":")]
    reads = []
    for line in lines:
        read = read_line(line, letters)
        if read.value:
            name, word, prior = read.value
            reads.append(Read(thought_of(state, SLOTS.index(name), word, prior), read.why, read.text))
        else:
            reads.append(bad(read.why, line))
    return reads or [bad("empty reply", text)]


def read_line(line: str, letters: Mapping[str, str]) -> Read[tuple[str, str, float]]:
    """ "h2. peril (high)" as name, word and confidence, or why not. ``letters``: by the names of the clues that remain.

    A word without a confidence counts as low, and as unread.
    """
    found = _LINE.fullmatch(line) if len(line) <= 120 else None
    if not found:
        return bad("not a proposal")
    *_, said = [None, *_CONFIDENCE.finditer(found[3])]
    before = found[3][: said.start()] if said else found[3]
    pieces = re.findall(r"[^\W\d_]+", before.strip(" (:").rpartition(":")[2])
    word = "".join(pieces).lower() if len(pieces) == 1 or all(len(piece) == 1 for piece in pieces) else ""
    name = found[1].lower() + found[2]
    if not re.fullmatch(r"[a-z]{5}", word):
        return bad("not one word of five letters a to z")
    if name not in letters:
        return bad(f"{name} is filled in already")
    if not fits(word, letters[name]):
        return bad(f"does not fit {letters[name]}")
    confidence = CONFIDENCE[said[1].lower()] if said else CONFIDENCE["low"]
    return Read((name, word, confidence), "" if said else "no confidence", shorten(line))


def _rows(text: str) -> list[str]:
    """The five lines of a reply that look most like rows: the word on each, or "" if it is not five letters."""
    lines = [line for line in text.splitlines() if line.strip() and not line.rstrip().endswith(":")]
    rows = [re.sub(r"[\s|,.*`'\"-]", "", re.sub(r"^\W*(?:h?\s?[1-5]\s?[.:)])", "", line[:120])) for line in lines]
    return five_rows([row.lower() if re.fullmatch(r"[A-Za-z_]{5}", row) else "" for row in rows])


def five_rows(lines: Sequence[str]) -> list[str]:
    """Of the lines of a reply, each as a row or "", the five in sequence with the most rows; of equals, the last."""
    starts = range(max(len(lines) - SIZE, 0), -1, -1)
    start = max(starts, key=lambda i: sum(map(bool, lines[i : i + SIZE])))
    return [*lines[start : start + SIZE], *[""] * SIZE][:SIZE]


def attempt(text: str, rows: Sequence[str]) -> Read[Thought]:
    """A whole board as an attempt. Rows that cannot be read are blank, and the reason says how many can."""
    said, good = shorten(text.strip(), MAX_REPLY), sum(map(bool, rows))
    if not good:
        return Read(Thought(said, final=True), "no row of five letters", shorten(text))
    answer = show("".join(row or BLANK * SIZE for row in rows))
    return Read(
        Thought(said, None, answer, final=True), "" if good == SIZE else f"{good} of {SIZE} rows", shorten(text)
    )


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


@cache
def puzzles(kind: str) -> tuple[Puzzle, ...]:
    """The bundled puzzles: the 20 of the kind "mini" are to be solved, the 5 of the kind "prompt" are examples."""
    found = []
    for block in re.sub(r"(?m)^#.*\n", "", text_of("crosswords_puzzles.txt")).strip().split("\n\n"):
        id, *lines = block.strip().split("\n")
        _, words, clues = zip(*(line.split(" ", 2) for line in lines), strict=True)
        found.append(Puzzle(id, clues, words))
    return tuple(puzzle for puzzle in found if puzzle.id.startswith(f"{kind}-"))


# names that the authors' file may have, and their file of the 20 test games
FILES = ("mini0505.json", "crosswords/mini0505.json", "crosswords_mini0505_first10.json")
TEST_FILES = ("mini0505_0_100_5.json", "crosswords/mini0505_0_100_5.json")


def _authors() -> list[Problem]:
    return _games(data_file("the authors' crosswords", FILES))


def _authors_test() -> list[Problem]:
    """Every fifth of the first hundred games; they keep their ids where they are read from the file of the 20."""
    path = data_file("the authors' crosswords", (*FILES, *TEST_FILES))
    return _games(path, every=5) if path.name == TEST_FILES[0] else _games(path)[:100:5]


def _games(path: Path, every: int = 1) -> list[Problem]:
    """The games of a file; each is [ten clues, 25 letters]. ``every``: of how many games the file holds one."""
    try:
        games = json.loads(path.read_text(encoding="utf-8-sig"))
        return [_game(1 + every * i, *game) for i, game in enumerate(games)]
    except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"{path.name} is not the authors' file: download it again ({error!r:.200})") from error


def _game(i: int, clues: Sequence[str], letters: Sequence[str]) -> Problem:
    gold = show("".join(letters).lower())
    if len(letters) != SIZE**2 or read_board(gold) is None or BLANK in gold:
        raise ValueError(f"game {i} has no board of 25 letters")
    return Problem(f"authors-{i}", list_clues(map(_tidy, clues)), gold)
