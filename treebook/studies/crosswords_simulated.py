"""A SIMULATED solver of crosswords, with dials: it is no language model, and no evidence about any.

It answers the prompts of ``crosswords`` as a model would, so that the same prompts, readers and searches run. It knows
the answers of the bundled puzzles on purpose: its dials set how many words a proposer knows and how often an evaluator
errs in either direction, which shows when pruning and backtracking pay off. Every view shows its ``name``, which begins
with "SIMULATED".
"""

import re
from collections.abc import Sequence
from hashlib import sha256

from tot.lm.base import OnReply, Reply, Request, Sample, Usage
from tot.tasks.crosswords_board import BLANK, SIZE, SLOTS, fits
from tot.tasks.crosswords_state import clues_of, puzzles
from tot.tasks.crosswords_style import OWN

NAMED = 0.7  # how often a word that it thinks of is in the reply
HELP = 3  # known letters from which on it tries once more to know a word that it did not know at sight


class SimulatedSolver:
    """Its answers are a function of the request, the sample index and ``seed``. All dials are probabilities, 0 to 1.

    Dials of the proposer: ``know``, that it knows the word of a clue at sight, and once more, if it did not, when
    ``HELP`` letters of the word are on the board. For a clue that it does not know, and where the word does not fit the
    letters, it has a favourite among the wrong words that fit. ``overconfident``, that it is as sure of a favourite as
    of the words that it knows. ``stubborn``, that it proposes a word that it knows against the letters; a search
    refuses such a word unless it overwrites. A word that it thinks of is in 7 of 10 replies; a reply has at most five.
    Dials of the evaluator: ``false_impossible``, that it says "impossible" although the right word fits the letters;
    ``false_fits``, that it does not say so although the right word does not fit.

    Each decision by chance is made once: the same sample of the same question always has the same answer. The clues of
    puzzles that are not bundled are never known, and judged "maybe".

    Raises ValueError for a dial that is no probability.
    """

    batched = True

    def __init__(
        self,
        *,
        know: float = 0.7,
        overconfident: float = 0.5,
        stubborn: float = 0.0,
        false_impossible: float = 0.05,
        false_fits: float = 0.2,
        seed: int = 0,
    ) -> None:
        self.know, self.overconfident, self.stubborn = know, overconfident, stubborn
        self.false_impossible, self.false_fits = false_impossible, false_fits
        dials = dict(vars(self))
        for dial, value in dials.items():
            if not 0 <= value <= 1:
                raise ValueError(f"{dial} is a probability from 0 to 1, not {value}")
        self.seed = seed
        self.name = "SIMULATED " + " ".join(f"{dial}={value:g}" for dial, value in dials.items()) + f" seed={seed}"
        bundled = [*puzzles("mini"), *puzzles("prompt")]
        self.answers = {clue: word for each in bundled for clue, word in zip(each.clues, each.words, strict=True)}
        self.favourites: dict[tuple[str, str], str] = {}  # a cache

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        replies = []
        for request in requests:
            texts = [self._answer(request, i) for i in request.indices]
            samples = tuple(Sample(text, completion_tokens=len(text.split())) for text in texts)
            prompt = sum(len(message.content.split()) for message in request.messages)
            bill = Usage(1, len(samples), prompt, sum(sample.completion_tokens for sample in samples))
            replies.append(Reply(samples, asked=bill, paid=bill))
            if on_reply:
                on_reply(request, replies[-1])
        return replies

    def _answer(self, request: Request, i: int) -> str:
        system, asked = request.messages[0].content, request.messages[-1].content
        match next((name for name, prompt in OWN.prompts.items() if system == prompt.system.format()), ""):
            case "two-shot":
                return self._propose(asked, i)
            case "value":
                return self._judge(asked, i)
            case "io" | "cot" as prompt:
                return self._solve(asked, i, chain=prompt == "cot")
        return "This simulation answers the prompts of the task crosswords only."

    # ---------------------------------------------------------------- proposer

    def _propose(self, asked: str, i: int) -> str:
        lines = []
        for line in asked.split("\n"):
            slot, clue, letters = _parts(line)
            word, sure = self._word(clue, letters, i)
            if word:
                at = int(self._dice("confidence", clue, word, i) * 2)
                confidence = ("certain", "high")[at] if sure else ("medium", "low")[at]
                lines.append((self._dice("order", clue, i), f"{slot}. {word} ({confidence})"))
        return "\n".join(line for _, line in sorted(lines)[:5])

    def _word(self, clue: str, letters: str, i: int) -> tuple[str, bool]:
        """The word that it thinks of for a clue in sample ``i`` ("" for none), and whether it is sure of it."""
        answer, shown = self.answers.get(clue, ""), len(letters) - letters.count(BLANK)
        known = self._dice("at sight", clue) < self.know
        known = known or (shown >= HELP and self._dice("second thought", clue) < self.know)
        insists = self._dice("insists", clue, letters, i) < self.stubborn
        if answer and known and (insists or fits(answer, letters)):
            word, sure = answer, True
        else:
            word = self._favourite(clue, answer, letters)
            sure = not known and self._dice("overconfident", clue) < self.overconfident
        return (word if self._dice("names", clue, word, i) < NAMED else ""), sure

    def _favourite(self, clue: str, answer: str, letters: str) -> str:
        """Of the wrong words that fit the letters, the one that it takes for the answer to the clue."""
        if (clue, letters) not in self.favourites:
            fitting = [word for word in self.answers.values() if word != answer and fits(word, letters)]
            order = ((self._dice("favourite", clue, word), word) for word in fitting)
            self.favourites[clue, letters] = min(order, default=(0.0, ""))[1]
        return self.favourites[clue, letters]

    def _solve(self, asked: str, i: int, chain: bool) -> str:
        """All ten words at sight; the rows are the words for h1 to h5, whatever crosses them."""
        words = [self._word(clue, BLANK * SIZE, i)[0] or BLANK * SIZE for clue in clues_of(asked)]
        named = [f"{slot}. {word}" for slot, word in zip(SLOTS, words, strict=True)]
        return "\n".join([*named, "Rows:", *words[:SIZE]] if chain else words[:SIZE])

    # ---------------------------------------------------------------- evaluator

    def _judge(self, asked: str, i: int) -> str:
        _, clue, spaced = _parts(asked)
        letters = spaced.replace(" ", "")
        if clue not in self.answers:
            return "maybe"
        possible = fits(self.answers[clue], letters)
        errs = self._dice("verdict", clue, letters, i) < (self.false_impossible if possible else self.false_fits)
        if possible is errs:
            return "nothing fits. impossible"
        return "it fits. sure" if possible and BLANK not in letters else "it may fit. maybe"

    def _dice(self, *what: object) -> float:
        """A number in [0, 1) that depends on the seed and ``what`` alone."""
        return int.from_bytes(sha256(repr((self.seed, *what)).encode()).digest()[:6], "big") / 2**48


def _parts(line: str) -> tuple[str, str, str]:
    """ "h2. Great danger: p_r__" -> name, clue, letters."""
    found = re.fullmatch(r"([hv][1-5])\. (.*): ([a-z_ ]+)", line)
    return (found[1], found[2], found[3]) if found else ("h1", line, BLANK * SIZE)
