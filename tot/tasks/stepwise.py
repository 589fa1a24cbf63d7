"""A small form for a task of one's own that is solved step by step: ``class Talks(tot.Stepwise)``.

Where it is too narrow (an answer that is no list of steps, or that no program can check), ``tot.tasks.base`` has all
that a task may be.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, ClassVar

from ..lm.base import LMError, Message, Request
from ..parse import LONG_REPLY, MAX_REPLY, TYPED, Read, bad, plain_operators, shorten
from ..reply import ended, pattern, taken_back, unmarked, unwrapped
from ..state import State, Thought
from .ballots import choice
from .base import MAX_PROBLEM, FreeCheck, Problem, Score, Searchable, Votable
from .verdicts import verdict

Steps = tuple[str, ...]  # the steps so far, each as ``read`` gives it

DIRECTLY = "{x}\n\nWrite all steps of a whole solution in their order, one on each line, and nothing else."
THINKING = "{x}\n\nThink first. Then write the line 'Answer:', and below it all steps in their order, one on each line."
ONE_STEP = "{x}\n\nSo far:\n{done}\n\nWrite the next step on one line, and nothing else."
BALLOT = "{x}\n\n{choices}\n\nWhich choice is the best? End with the line 'The best choice is' and its number."


_OR = re.compile(
    r"\b(?:or|another|alternative\w*|also|others?|could|second(?!\s(?:attempt|try))"
    r"|(?:option|solution|approach|way)\s(?:\d|[A-C])|zweite|deuxième|segunda|oder|ou|o|или)\b|或|別|另|第二",
    re.IGNORECASE,
)
_WRONG = re.compile(r"\b(?:wrong|incorrect|mistake|not (?:right|correct|allowed|valid))\b", re.IGNORECASE)
_ANSWER = re.compile(
    r"""(?im)^[\s*_#>'"`“-]{0,9}(?:(?:(?:so|thus|therefore|hence),?|here is|the|my|final|hier ist|die|meine"""
    r"""|endgültige|finale|la|ma|mi) ){0,4}"""
    r"""【?(?:answer|solution|antwort|lösung|ergebnis(?=(?: ist| lautet)?[^\w\n]*$)"""
    r"""|respuesta|solución|réponse|ответ|(?:最終(?:的な)?)?(?:答え|回答|解答))"""
    r"""(?: (?:is|finale?|ist|lautet|est|es)|は(?:次|以下)の(?:通り|とおり)です){0,3}】?[\s*_]{0,9}"""
    r"""(?:[:：。][*_'"`”]{0,3}|$)|^[\s*_#>【]{0,9}(?:最终|完整)?(?:答案|解答)(?:如下|是|为)?[\s*_】]{0,9}(?:[:：][*_]{0,3}|$)|<answer>"""
)
_STEP = (
    r"(?i:([*_]{0,2})(?:(?:(?:next|nächster|prochaine|siguiente|próximo) )?(?:step|schritt|[ée]tape|paso|шаг)"
    r"(?: \d{1,3})?(?:\1\s?[.):]|\s?[.):]\1)\s+|(?:次の)?(?:ステップ|手順)\s?\d{0,3}(?:\1[:：]|[:：]\1)\s*))"
)
_CHINESE = re.compile(  # marks of a list
    r"^([*_]{0,2})(?:\d{1,3}(?:[、）](?!\d+[、，])|．(?!\d))|（\d{1,3}）(?![-+*/])|[①-⑳·・●■○◆]|(?:第\s?\w{1,3}\s?步|步骤\s?\w{1,3})\1[:：])\1\s*"
)
# "The next step is: 5", "Answer: 5": what stands before a step that is not one with it
_LED = re.compile(
    r"""(?i)^[*_]{0,2}(?:(?:(?:so|thus|therefore|hence),?\s)?(?:(?:the|a|my|our|one)\s)?"""
    r"""(?:(?:best|good|possible|logical|correct|only)\s){0,2}(?:next\s(?:step|move|action)|answer)\s?"""
    r"""(?:(?:is|would\sbe|could\sbe|should\sbe)(?:\sto)?\b)?"""
    r"""|(?:and\s)?(?:then|finally)|next|therefore|so|now|last(?:ly)?|after\sthat|(?:okay|ok|sure)(?=[,!:])"""
    r"""|(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)(?:ly)?(?:\s(?:step|move))?"""
    r"""|(?:(?:the|here\sare\sthe)\s)?(?:(?:final|first|last)\s)?"""
    r"""(?:solution|steps?|output|response|result|lösung|solución|move|action)(?:\s(?:is|are))?(?=[*_]{0,2}\s?[:：])"""
    r"""|zuerst|dann|danach|schließlich|zuletzt|d['’]abord|puis|ensuite|enfin"""
    r"""|primero|segundo|tercero|cuarto|luego|después|finalmente|首先|其次|然后|接着|最后|まず|次に|最後に|der\snächste\s(?:schritt|zug)\s(?:ist|lautet|wäre)|antwort"""
    r"""|la\sprochaine\sétape\s(?:est|serait)|réponse|el\s(?:siguiente|próximo)\spaso\s(?:es|sería)|respuesta"""
    r"""|下一步(?:是|为)?|答案(?:是|为)?|次の(?:一手|ステップ|手順)は|答え(?:は)?)"""
    r"""[*_]{0,2}(?:(?<![a-zà-ÿ])|(?![a-zà-ÿ]))\s?[:：,，、!]?[\s*_]*(?=\S)"""
)
_SO_FAR = re.compile(r"(?i)\W*(?:steps?\s)?so far\W*")  # as the prompts show what is done
# what a class must have, and the kind of each
FORM: Any = {"name": str, "rules": str, "inputs": list | tuple, "steps": int, "read": Callable, "wrong": Callable}


class Stepwise(Searchable, Votable, FreeCheck):
    """A task that is solved in steps, each a line of text; the answer is all of them. A whole example::

        import tot

        class Coins(tot.Stepwise):
            name, summary = "coins", "pay a sum with a number of coins"
            rules = "Pay the sum with so many coins of 1, 2, 5, 10 or 20. A step is one coin, such as: 5"
            inputs = ["Pay 36 with 4 coins", "Pay 17 with 3 coins", "Pay 48 with 5 coins"]
            steps = 9  # the most that a solution may have

            def read(self, x, done, line):  # done: the steps so far, as read returned them
                _, total, *_ = x.split()
                if line not in ("1", "2", "5", "10", "20"):
                    return None  # the line names no step: it is passed over
                if sum(map(int, (*done, line))) > int(total):
                    raise ValueError("more than is left")  # it may not be taken: an answer with it is wrong
                return line

            def whole(self, x, done):  # is no step missing? Without this method: when there are `steps` of them
                return len(done) == int(x.split()[3])

            def wrong(self, x, done):  # the verifier of whole solutions: "" if nothing is wrong
                return "" if sum(map(int, done)) == int(x.split()[1]) else "it pays another sum"

    All but ``summary`` and ``whole`` must be there. That gives direct answers, chains of thought, votes, and
    breadth-first, depth-first and Monte Carlo tree search. A class may also have its own ``next_steps`` and
    ``verdict`` (``print(tot.Stepwise.verdict)`` shows the usual one): the prompt for next steps, several in one reply,
    and the question whether a solution can still come of the steps so far, answered by one of ``verdicts``. {x} is the
    problem, {done} what ``shown`` makes of the steps.
    """

    name: str
    rules: str
    inputs: list[str] | tuple[str, ...]
    steps: int
    read: Callable[[str, Steps, str], str | None]
    wrong: Callable[[str, Steps], str]
    next_steps = "{x}\n\nSo far:\n{done}\n\nWrite up to three possible next steps, one on each line, and nothing else."
    verdict = "{x}\n\nSo far:\n{done}\n\nCan it still work out? Say why in a sentence, and end with {verdicts}."
    verdicts: Mapping[str, float] = {"sure": 20.0, "likely": 1.0, "impossible": 0.001}
    styles: ClassVar = ("list",)
    max_tokens = 500  # of every reply

    @property
    def worst(self) -> float:  # type: ignore[override]
        """The least of the verdicts."""
        return min(self.verdicts.values())

    def whole(self, x: str, done: Steps) -> bool:
        """Whether no step is missing."""
        return len(done) >= self.steps

    def shown(self, x: str, done: Steps) -> str:
        """The steps so far as prompts show them: the place for what the model need not work out itself."""
        return "\n".join(done) or "(nothing yet)"

    @property
    def summary(self) -> str:  # type: ignore[override]
        """One line: the first of the class's docstring, or of the rules."""
        return (type(self).__doc__ or self.rules).split("\n")[0]

    def splits(self) -> dict[str, str]:
        return {"own": f"the {len(self.inputs)} problems of {self.name}"}

    def problems(self, split: str) -> list[Problem]:
        """Raises ValueError for another split than "own", and for a class that has not all that ``FORM`` lists."""
        if lacks := ", ".join(n for n, kind in FORM.items() if not isinstance(getattr(self, n, None) or None, kind)):
            raise ValueError(f"{type(self).__name__} lacks {lacks}: help(tot.Stepwise) shows how each is written")
        if wrong := [x for x in self.inputs if not isinstance(x, str)]:
            raise ValueError(f"{type(self).__name__}.inputs holds {wrong[0]!r:.60}, not a text: write it in quotes")
        if split != "own":
            raise ValueError(f"{self.name} has no split {split!r}: choose own")
        return [Problem(f"{self.name}-{i}", x) for i, x in enumerate(self.inputs, 1)]

    def problem(self, text: str) -> Problem:
        """Raises ValueError for a text that ``read`` or ``shown`` can make nothing of."""
        x = text[: MAX_PROBLEM + 1].strip("\r\n")  # a maze's spaces are its own
        form = str.strip if "\n" in x else str.split
        if known := [problem for problem in self.problems("own") if form(problem.x) == form(x)]:
            return known[0]
        try:
            if not x.strip() or len(text) > MAX_PROBLEM:
                raise ValueError(f"not 1 to {MAX_PROBLEM} characters")
            self.read(x, (), ""), self.shown(x, ())
        except Exception as error:
            like = f"write one like {shorten(' '.join(self.inputs[0].split()), 300)!r}"
            raise ValueError(f"{self.name} cannot read {x[:60]!r} ({error!r:.100}): {like}") from error
        return Problem(x, x)

    def verify(self, problem: Problem, answer: str | None) -> Score:
        return self.check(problem.x, answer)

    def check(self, x: str, answer: str | None) -> Score:
        """The answer is read anew, step by step, whoever wrote it: one that goes on behind a whole solution is none."""
        if answer is None:
            return Score(False, "no answer")
        done, refused, why = self._follow(x, answer, written=True)
        if not why:
            why = "steps are missing" if not done or not self.whole(x, done) else self._said("wrong", x, done) or ""
            why = why or "it goes on behind a whole solution" * self._goes_on(x, answer, done)
        return Score(not why, why if not refused else f"{shorten(refused, 60)}: {why}")

    def _behind(self, x: str, text: str, done: Steps, written: bool = False) -> list[str]:
        """The lines behind those in which these steps were read."""
        left = _lines(text, self.steps)
        for i, step in enumerate(done):
            while left and self._read(x, done[:i], left.pop(0), written) != step:
                pass
        return left

    def _goes_on(self, x: str, answer: str, done: Steps) -> bool:
        with suppress(ValueError):
            return any(self._read(x, (), line, True) for line in self._behind(x, answer, done, True))
        return True

    def _undecided(self, x: str, text: str, done: Steps, refused: str) -> bool:
        """Does another whole solution stand behind this one, not as a further possibility, or behind a refused step?"""
        if refused:
            left = self._behind(x, text, done)
            again, wrong, _ = self._follow(x, "\n".join(left[left.index(refused) + 1 :]))
            return not wrong and self.whole(x, again)
        if not self.whole(x, done) or not (left := self._behind(x, text, done)):
            return False
        again = self._follow(x, "\n".join(left))[0]
        between = left[: len(left) - len(self._behind(x, "\n".join(left), again[:1]))]
        return again != done and self.whole(x, again) and not _OR.search("\n".join(between))

    def same(self, answer: str) -> str:
        return "\n".join(_lines(answer, self.steps))

    def _tried(self, x: str, done: Steps, line: str) -> tuple[str | None, ValueError | None]:
        """The step that ``read`` takes just this line for, and why it may not be taken."""
        try:
            return self._said("read", x, done, line) if line else None, None
        except ValueError as error:
            return None, error

    def _read(self, x: str, done: Steps, line: str, written: bool = False) -> str | None:
        """What ``read`` makes of a line without its list mark and emphasis; if that is no step, of the line as it is,
        where these are the step's own: it begins with them ("* 2", "1. e4"); or of one with a keyboard's signs for
        typographic ones, or without quotes or a stop. Of an answer that was ``written`` by steps, of the line itself.
        """
        own, against = self._tried(x, done, line)
        plain = line if written and (own or against) else _plain(line)
        step, refused = (own, against) if plain == line else self._tried(x, done, plain)
        if own == line and (step != plain or line.startswith(">")):
            return own  # in its one form, whatever else its rest may be
        if step:
            return step
        if own and (refused is None or own.startswith(line.partition(plain)[0].strip() if plain else line)):
            return own
        refused = refused or against
        if (typed := _typed(line)) != line:
            try:
                if step := self._read(x, done, typed, written):
                    return step
            except ValueError as error:
                refused = refused or error
        for form in (*_forms(plain), line.strip(" .,;")):
            if refused and _signed(plain, form):
                continue  # -x = 5 does not follow, and x = 5 does; nor is R' R
            step, why = self._tried(x, done, form)
            if step:
                return step
            refused = refused or why  # a ``read`` may say so of what is no step: another form may be one
        if refused:
            raise refused
        return None

    def _own(self, x: str, text: str) -> str:
        """The reply without what it runs on into ("Problem 2: ..."), if steps stand before that."""
        own = ended(text)
        if own == text or not any(self._follow(x, own)[:2]):
            return text
        behind = _lines(text, self.steps)[len(_lines(own, self.steps)) :]
        with suppress(ValueError):
            return text if behind and self._read(x, (), behind[0]) else own  # a step may begin "Exercise 2:"
        return text

    def _last_try(self, x: str, text: str) -> str:
        """The whole solution below the last line that takes back what is above it ("Wait, that sums to 34."), and is no
        step; without one the text, or nothing if that line says that it is wrong.
        """
        lines = text.splitlines()
        said = [line[:MAX_REPLY] for line in lines]
        turns = [i for i in range(1, len(lines)) if taken_back(f"\n{said[i]}") or _WRONG.search(said[i])][-9:]
        for i in reversed(turns):
            with suppress(ValueError):
                if self._read(x, (), lines[i][:MAX_REPLY].strip()) is None:
                    below = "\n".join(lines[i + 1 :])
                    done, refused, _ = self._follow(x, below)
                    if self.whole(x, done) and (taken_back(f"\n{said[i]}") or not _OR.search(said[i])):
                        return below
                    if not done and not refused and taken_back(f"\n{said[i]}") and _WRONG.search(lines[i]):
                        return ""
        return text

    def _said(self, name: str, *given: Any) -> str | None:
        """What this method of the class's own returns. Raises LMError if that is neither a text nor None, or a step
        in a form that ``read`` does not read: answers are made of these, and read anew.
        """
        said: str | None = getattr(self, name)(*given)
        if said is not None and (not isinstance(said, str) or (name == "read" and not said)):
            how = {"wrong": "what is wrong, or ''", "read": "the step as a text, or None"}[name]
            raise LMError(f"{type(self).__name__}.{name} returned {said!r:.60}: it is to return {how}")
        if name == "read" and said and said != given[-1]:
            again = None
            with suppress(ValueError):
                again = self.read(given[0], given[1], said)
            if again != said or "\n" in said:
                how = f"and reads that as {again!r:.60}: a step's one form is a line that it reads as itself"
                raise LMError(f"{type(self).__name__}.read returned {said!r:.60}, {how}")
        return said

    def _follow(self, x: str, text: str, written: bool = False) -> tuple[Steps, str, str]:
        """The steps in a text up to a whole solution, or to a line that is refused: that line, and why.

        A line that ``read`` passes over, but would take as another step at the beginning, is refused as well.
        """
        done: Steps = ()
        for line in _lines(text, self.steps):
            try:
                step = self._read(x, done, line, written)
            except ValueError as error:
                return done, line, str(error) or "refused"
            with suppress(ValueError):  # at the beginning it may not be taken either
                if step is None and self._read(x, (), line, written) not in (None, *done):
                    return done, line, "a step that may not be taken here"
            if step is not None:
                done = (*done, step)
                if self.whole(x, done):
                    break
        return done, "", ""

    def _ask(self, prompt: str, state: State, **more: str) -> Request:
        done, words = self.shown(state.x, _done(state)), " or ".join(self.verdicts)
        fields = {"x": state.x, "done": done, "verdicts": words, **more}
        asked = re.sub(r"\{(\w+)\}", lambda found: fields.get(found[1], found[0]), prompt)
        return Request((Message("system", self.rules), Message("user", asked)), max_tokens=self.max_tokens)

    def io(self, state: State) -> Request:
        return self._ask(DIRECTLY, state)

    def cot(self, state: State) -> Request:
        return self._ask(THINKING, state)

    def propose(self, state: State, style: str) -> Request:
        return self._ask(self.next_steps, state)

    def value(self, state: State) -> Request:
        return self._ask(self.verdict, state)

    def step(self, state: State) -> Request:
        return self._ask(ONE_STEP, state)

    def ballot(self, states: Sequence[State]) -> Request:
        choices = (f"Choice {i}:\n{self.shown(state.x, _done(state))}" for i, state in enumerate(states, 1))
        return self._ask(BALLOT, states[0], choices="\n\n".join(choices))

    def read_io(self, state: State, text: str) -> list[Read[Thought]]:
        text = self._own(state.x, text)
        last = self._last_try(state.x, text)
        done, refused, _ = self._follow(state.x, last)
        attempt = shorten(text.strip(), LONG_REPLY)
        if self._undecided(state.x, last, done, refused):
            return [Read(Thought(attempt, final=True), "two solutions in the reply", shorten(text))]
        if not done and not refused:
            why = "no step in the reply" if last == text else "the answer is taken back"
            return [Read(Thought(attempt, final=True), why, shorten(text))]
        steps = [*done, *filter(None, [refused])]
        answer = "\n".join(steps)
        right = self.check(state.x, answer).correct
        line, against = self._half_read(state.x, last, right)
        if line and (against or not right):
            return [Read(Thought(attempt, final=True), "it is unclear whether this line is a step", shorten(line))]
        return [Read(Thought(attempt, answer=answer, final=True), text=steps[-1])]

    def _half_read(self, x: str, text: str, right: bool) -> tuple[str, bool]:
        """The first line among the steps that is none, but would be one without the remark behind it, or "", and
        whether that may not be taken. Where the rest is not ``right``, whatever stands behind a step is a remark.
        """
        done: Steps = ()
        with suppress(ValueError):  # up to a line that is refused
            for line in _lines(text, self.steps):
                plain = _plain(line)
                bare = _REMARK.sub("", plain)
                if step := self._read(x, done, line):
                    done = (*done, step)
                    if self.whole(x, done):
                        break
                    continue
                for form in (one for one in (bare, re.sub(r"\s=\s.*$", "", bare)) if one != plain):
                    try:
                        if self._read(x, done, form):
                            return line, False
                    except ValueError:
                        return line, True
                if not right and self._within(x, done, plain):
                    return line, False
        return "", False

    def _within(self, x: str, done: Steps, plain: str) -> bool:
        """Does a step stand in a line, behind three words at most: "I place Ada: hall, 10 since ..."?"""
        ends = [len(plain), *(end.start() for end in islice(_END.finditer(plain), 12))]
        for begin in islice(re.finditer(r"(?<![^\s(（\[])[^\s(（\[]", plain), 4):
            for part in (plain[begin.start() : end] for end in ends if end > begin.start()):
                with suppress(ValueError):
                    if self._said("read", x, done, part):
                        return True
        return False

    def read_cot(self, state: State, text: str) -> list[Read[Thought]]:
        own = self._own(state.x, text)
        own = own if _ANSWER.search(own) else text
        parts = _ANSWER.split(unmarked(own[-LONG_REPLY:]))[1:][-9:] or [""]
        reads = [self.read_io(state, part) for part in reversed(parts)]  # a last line may say it again in words
        found = [(one, one[0].value.answer or "") for one in reads if one[0].ok and one[0].value]
        followed = ((one, self._follow(state.x, steps)) for one, steps in found)
        whole = (one for one, (done, refused, _) in followed if (refused and done) or self.whole(state.x, done))
        return next(whole, found[0][0] if found else reads[0])

    def read_proposals(self, state: State, text: str) -> list[Read[Thought]]:
        lines = self._new(state, _lines(self._own(state.x, text), self.steps))
        return [self._step(state, line) for line in lines[: max(60, 2 * self.steps)]] or [bad("empty", text)]  # nodes

    def _new(self, state: State, lines: list[str]) -> list[str]:
        """The lines without the steps so far, where a reply begins by repeating them as the prompt shows them."""
        done = _done(state)
        asked = self.next_steps.partition("{done}")[0].strip().rpartition("\n")[2]
        labels = [i for i, line in enumerate(lines) if _SO_FAR.fullmatch(line) or _words(line) == _words(asked) != []]
        if labels and labels[0] and any(self._step(state, line).ok for line in lines[: labels[0]]):
            return self._new(state, lines[: labels[0]])  # it runs on into the next prompt
        labelled = bool(labels)
        rest = lines[labels[0] + 1 :] if labels else lines
        shown = [*filter(None, map(str.strip, self.shown(state.x, done).splitlines()))]
        if labelled and rest[: len(shown)] == shown:
            return rest[len(shown) :] or lines
        again = [_plain(line) for line in rest[: len(done)]] == [*done]
        if not again or not (labelled or len(done) > 1):
            return lines
        with suppress(ValueError):  # if all may be taken, they are proposals
            if not labelled and all(self._read(state.x, done, step) for step in done):
                return lines
        return rest[len(done) :] or lines

    def read_step(self, state: State, text: str) -> list[Read[Thought]]:
        reads = self.read_proposals(state, text)
        return [next((read for read in reads if read.ok), reads[0])]

    def _step(self, state: State, line: str) -> Read[Thought]:
        text = _plain(line) or line
        try:
            step = self._read(state.x, _done(state), line)
        except ValueError as error:
            return bad(str(error) or "refused", text)
        if step is None:
            return bad("no step in the line", text)
        done = (*_done(state), step)
        if self.whole(state.x, done):
            return Read(Thought(step, answer="\n".join(done), final=True), text=text)
        return Read(Thought(step), text=text)

    def read_value(self, text: str) -> Read[float]:
        return verdict(text, self.verdicts)

    def read_ballot(self, text: str, options: int) -> Read[int]:
        return choice(text, options)

    def compose(self, state: State) -> None:
        return None  # the last step carries the answer

    def judge(self, state: State) -> float | None:
        """The check's verdict on a whole solution, which sees no gold; None, ask, for any other."""
        if not state.terminal:
            return None
        return max(self.verdicts.values()) if self.check(state.x, state.answer).correct else self.worst


def _done(state: State) -> Steps:
    return tuple(thought.text for thought in state.thoughts)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def _untagged(text: str) -> str:
    return re.sub(r"</?answer>", "\n", unmarked(text))


def _lines(text: str, steps: int) -> list[str]:
    """The lines of a text that are not empty, at most as many as so many steps may take with words between them, and
    without a list's numbers that have a line of their own.
    """
    text = _untagged(text[: max(LONG_REPLY, steps * MAX_REPLY)])
    lines = [*filter(None, (line[:MAX_REPLY].strip() for line in text.splitlines()))]
    alone = [line for line in lines if re.fullmatch(r"\d{1,3}[.)]", line)]
    if len(alone) > 1 and [int(line[:-1]) for line in alone] == [*range(1, len(alone) + 1)] and lines[-1] != alone[-1]:
        lines = [line for line in lines if line not in alone]
    return lines[: max(200, 10 * steps)]


_MARKS = re.compile(  # of lists in other forms: "Move 1: ", "Step 1 - ", "a) ", "iv. ", "1: ", "[1] ", "- [ ] ", "✅ "
    r"""^(?:[^\W\d]{1,12}\s?[#№]?\d{1,2}\s?[:：.)]\s*|(?:step|schritt|[ée]tape|pass?o|option|move)\s?\d{1,2}\s[–—-]\s"""
    r"""|(?:\(?(?:[a-z]|[ivx]{1,4}|\d{1,2}\\?)[.)]|#?\d{1,2}[:：]|\d{1,2}\w{2}[:：]|\[\d{1,2}\]|#\d{1,2})\s+"""
    r"""|\d{1,2}(?:[:.)：．]|\ufe0f?\u20e3)\s?(?=[^\W\d])|[-*]\s\[[ x]\]\s+"""
    r"""|(?:[-=]>|[✅✔✓☑👉➡→⇒▶►○●■▪◦‣+·]\ufe0f?)\s*|[-•](?=[^\W\d]))""",
    re.IGNORECASE,
)
_REMARK = re.compile(  # behind a step: "20 (16 are left)", "warm - the goal", "Take it. All are over"
    r"""(?:\s*[(（\[][^()（）\n]*[)）\]][.!。]?|\s[–—-]\s[^\W\d]+\s.*|\s(?:\#|//|<-|←)\s.*|[.!。]\s?[A-Z\u3040-\u9fff].*)$"""
)
_END = re.compile(r"[,;:.!?]?\s|[，。；：（(\[)）\]–—]|(?<=\w)[:/]")  # of a step behind which something stands
_TYPED = TYPED | str.maketrans({"′": "'", "\u00a0": " ", "\u202f": " ", "：": ": ", "，": ", "})
_CROSSED = "[❌✗✘✖🚫⛔]"
# of the remarks that say no more than where a step leads; others may deny it, count it, or name another one
_LEADS = re.compile(
    r"(?i)\b(?:done|goal|final|last|end|left|remain\w*|reached|completed?|finished|solved|paid|over|fini|fertig|ziel)\b"
    r"|[✅✓🎉]|完成"
)
_MORE = re.compile(r"(?i)n['’]t\b|\b(?:no|not|nicht|pas|then|and|twice|times|x\d)\b|[×>]")
_ENDS = "\"'“”‘’「」『』«»"


def _forms(plain: str) -> list[str]:
    """What a line may say that names no step as it stands: without quotes and a stop, words that lead to it, other
    marks of a list, LaTeX and tags, and a remark behind it, one after the other.
    """
    found = [plain, plain.strip(" .,;"), _bare(plain), re.sub(r"\\(?=[*_#+-])", "", plain)]  # Markdown's "\\*2" is "*2"
    for way in (
        lambda text: _LED.sub("", text, count=1),
        lambda text: _MARKS.sub("", text, count=1),
        lambda text: re.sub(r"\\[()\[\]]", "", unwrapped(text)),
        _unremarked,
    ):
        for text in found[:]:
            for said in (way(text).strip(" .,;"), _bare(way(text))):  # "U'." is U' before it is U
                if said and said not in found:
                    begun = said[0].upper() + said[1:] if said[:1].islower() and way is not _unremarked else said
                    found += dict.fromkeys((said, begun))  # "Then take it": a sentence began before
    return [text for text in found[1:] if text not in ("", plain) and not re.search(_CROSSED, plain)]


def _bare(text: str) -> str:
    return re.sub(rf"^[{_ENDS}]+|[{_ENDS}.,;!。！…*_`\\|]+$", "", text.strip(" *_`|$")).strip()


def _signed(plain: str, form: str) -> bool:
    """Does a form lack a sign at the line's begin or end that is not one of a pair, and may be the step's own?"""
    lead, found, behind = plain.partition(form)
    pair = lead[-1:] == behind[:1]
    return bool(found) and not pair and re.search(r"[-+*!'’′^~#/]", lead[-1:] + behind[:1]) is not None


def _typed(line: str) -> str:
    """With a keyboard's signs: "O’Hara", "30 × 4", "30 \\times 4"."""
    return re.sub(r"\\(?:times|cdot)\b|(?<=\d )x(?= \d)", "*", plain_operators(line.translate(_TYPED)))


def _unremarked(text: str) -> str:
    """Without a remark that says where the step leads."""
    remark = _REMARK.search(text)
    plain = remark and _LEADS.search(remark[0]) and not (_MORE.search(remark[0]) or _OR.search(remark[0]))
    return text[: remark.start()] if remark and plain and not pattern("withdrawn").search(remark[0]) else text


def _plain(line: str) -> str:
    """Without list mark, and without emphasis that stands on both sides: the star of ``b*`` is the step's own."""
    line = re.sub(r"(?<!\w)\*\*(?=\S)([^*]+)(?<=\S)\*\*(?:(?!\w)|(?<=[:：]\*\*))", r"\1", line)  # "**Ada**: hall, 10"
    plain = re.sub(r"^(?:[-–*•>→]|#{1,6}|\(?\d{1,3}[.)]|\*\*\d{1,3}[.)]\*\*)\s+", "", line)
    plain = _CHINESE.sub("", plain)
    plain = re.sub(rf"^{_STEP}", "", plain)
    inner = re.sub(r"^([*_`\"$]{1,3})(.+)\1$", r"\2", plain).strip()
    rule = re.fullmatch(r"[*_\s]{2,}", line)  # across the page; "3. *" is a step
    return inner if not rule and (inner.strip("*_`") or inner != line.strip()) else ""
