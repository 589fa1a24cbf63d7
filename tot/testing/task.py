"""Does a task keep the rules of ``tot.tasks.base``?"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from ..lm.base import Request
from ..methods import METHODS
from ..parse import Judgement, Read
from ..state import Observation, State, Thought
from ..tasks.base import Plannable, Problem, Refinable, Score, Searchable, Task, ToolUsing, Votable
from ..tasks.stepwise import Stepwise
from .need import Need
from .watch import Watch

NASTY = (  # replies that no model should give, and some do: what every parser must survive
    "",
    " \n\t ",
    "x" * 1_000_000,
    "9" * 100_000,
    "(" * 50_000,
    "1+" * 5_000 + "1",
    "answer: " * 20_000,
    "\x00\x01\x1b[31m\x7f",
    "\ud800 half a pair",
    "\u202e\u05d0\u05d1 \u0661\u0662 \u200f",
    "Ünïcödé \U0001f984 ½ ² ٣",
    "Answer:\r\nAnswer:\r\n",
    "__import__('os').system('true')",
    "None",
    "{}[]\\%s{0}$&",
)
SHOWN = {  # name of a prompt in ``prompts_of`` -> the pieces of text that it must contain
    "plan, better": ("a first plan", "a judge's words"),
    **dict.fromkeys(("assess, logic", "assess, feasibility", "execute, with a plan"), ("a first plan",)),
    "act, later": ("a first step", "a first sight", "an old lesson"),
    **dict.fromkeys(("prospect", "reflect"), ("a first step", "a first sight")),
}
READERS: dict[Any, tuple[str, ...]] = {  # of replies that become thoughts
    Task: ("read_io", "read_cot"),
    Refinable: ("read_refined",),
    Searchable: ("read_proposals",),
    Votable: ("read_step", "read_step, later"),
    Plannable: ("read_plan", "read_executed"),
    ToolUsing: ("read_act",),
}
PIECES = ("x", " ", "9", "(", "1+", "a: b, ", "answer: ", "word\n")  # of texts that grow: what is slow shows early
SIZES = (10_000, 100_000, 1_000_000)  # characters



def check_task(task: Task, *, texts: Iterable[str] = (), problems: int = 3) -> None:
    """Does ``task`` keep the rules of ``tot.tasks.base.Task``, and of the other protocols there whose members it has?

    ``texts``: replies that matter for this task, read in addition to ``NASTY``; ``problems``: how many problems of the
    first split the prompts are checked on. Some splits may refuse with ValueError (a file is not there), but not all.
    Texts grow to a million characters, and a call that takes too long is ended and named (see ``testing.watch``).
    Raises AssertionError for the first rule that it breaks, within a minute.
    """
    need = Need(f"the task {task.name!r}")
    watch = Watch(need.who)
    with watch("its problems and prompts"):
        state, problem = _check_members(task, problems, need)
    grown = (piece * (size // len(piece)) for size in SIZES for piece in PIECES)
    for text in (*NASTY[:1], *texts, *grown, *NASTY):
        _check_text(task, text, state, problem, need, watch)


def _check_members(task: Task, problems: int, need: Need) -> tuple[State, Problem]:
    """Check all but the readers. Returns a problem, and the state before its first thought."""
    need(isinstance(task, Task), "lacks a member that tot.tasks.base.Task lists")
    need(bool(task.name) and bool(task.summary), "needs a name and a summary")
    if usual := getattr(task, "usual", ""):
        need(usual in METHODS, f"recommends the method {usual!r}, which does not exist")
    if isinstance(task, Stepwise):
        need(not (why := _refusal(lambda: task.problems("own"))), why or "")
    every = _check_problems(task, need)
    some = every[:problems]
    states = [State(problem.x) for problem in some]
    for problem in some:
        again = _typed(task, problem.x, need)
        need(again is not None and again.x == problem.x, f"problem({problem.x[:60]!r}) should read back its own x")
        if hasattr(task, "note"):
            need(isinstance(task.note(problem), str), f"note should be a text, for {problem.x[:60]!r}")
    for state in states:
        _check_prompts(task, state, every, need)
    return states[0], some[0]


def _check_problems(task: Task, need: Need) -> list[Problem]:
    splits = task.splits()
    need(bool(splits) and all(splits.values()), "needs at least one split, each with a word on what it is")
    found: list[Problem] = []
    for split in splits:
        try:
            problems = task.problems(split)
        except ValueError as missing:
            need(bool(str(missing)), f"split {split!r} is refused without a reason")
            continue
        need(bool(problems), f"split {split!r} is empty")
        twice = [n for n, times in Counter(p.id for p in problems).items() if times > 1]
        need(not twice, f"split {split!r} has problem {twice[:1]} more than once; ids tell results lines apart")
        need(all(isinstance(p.x, str) and p.x for p in problems), f"every problem in {split!r} needs a text x")
        need(problems == task.problems(split), f"split {split!r} is not the same when asked for again")
        found = found or problems
    need(bool(found), "no split could be loaded")
    refused = _refusal(lambda: task.problems("no such split"))
    need(refused is not None, "an unknown split should raise ValueError")
    named = any(split in (refused or "") for split in splits)
    need(named, "the error for an unknown split should name those that exist")
    return found


def _refusal(call: Callable[[], object]) -> str | None:
    """The message of a ValueError; None if there was none."""
    try:
        call()
    except ValueError as error:
        return str(error)
    return None


def prompts_of(task: Task, state: State) -> dict[str, Request]:
    """Every prompt of the task, by what it asks for: about ``state``, a problem without thoughts, or just below it."""
    prompts = {"io": task.io(state), "cot": task.cot(state)}
    if isinstance(task, Refinable):
        prompts["refine"] = task.refine(state)
        prompts["refine, later"] = task.refine(state.then(Thought("a first attempt", answer="1")))
    if isinstance(task, Searchable):
        prompts |= {f"propose, {style}": task.propose(state, style) for style in task.styles}
        asked = task.value(state)
        questions = [asked] if isinstance(asked, Request) else asked
        prompts |= {"value" if question is asked else f"value, {i}": question for i, question in enumerate(questions)}
    if isinstance(task, Votable):
        prompts["step"] = task.step(state)
        if below := _below(task, state, "a first step"):
            prompts |= {"step, later": task.step(below), "ballot": task.ballot([below, below])}
    if isinstance(task, Plannable):
        below = state.then(Thought("a first plan"))
        prompts |= {"plan": task.plan(state, ""), "plan, better": task.plan(below, "a judge's words")}
        prompts |= {f"assess, {judge}": task.assess(below, judge) for judge in ("logic", "feasibility")}
        prompts |= {"execute": task.execute(state), "execute, with a plan": task.execute(below)}
    if hasattr(task, "few_shot"):
        prompts["few_shot"] = task.few_shot(state)
    if isinstance(task, ToolUsing):
        below = state.then(Thought("a first step", observation=Observation("a first sight")))
        prompts |= {"act": task.act(state, ()), "act, later": task.act(below, ["an old lesson"])}
        prompts |= {"conclude": task.conclude(below), "prospect": task.prospect(below), "reflect": task.reflect(below)}
    return prompts


def _below(task: Task, state: State, step: str) -> State | None:
    """The state after this step. A ``Stepwise`` is shown none but its own: one that its rules give as an example, or
    None if there is none that it reads.
    """
    if not isinstance(task, Stepwise):
        return state.then(Thought(step))
    examples = [task.rules[at.end() :].partition("\n")[0] for at in re.finditer(r":\s|\A", task.rules)]
    reads = list[Read[Thought]]()
    with suppress(Exception):  # of a reader that raises the check of the readers tells more
        for said in examples:
            reads += [*task.read_step(state, said), *task.read_step(state, said.rstrip("."))]
    return next((state.then(read.value) for read in reads if read.value and not read.value.final), None)


def _check_prompts(task: Task, state: State, problems: Sequence[Problem], need: Need) -> None:
    prompts, again = prompts_of(task, state), prompts_of(task, state)
    for name, request in prompts.items():
        need(isinstance(request, Request), f"the prompt {name!r} is not a Request")
        need(bool(request.messages), f"the prompt {name!r} has no message")
        need(request == again[name], f"the prompt {name!r} is not the same when built again from the same state")
        text = "\n".join(message.content for message in request.messages)
        gold = next((str(p.gold) for p in problems if p.x == state.x and p.gold is not None), "")
        leaks = gold and gold in text and gold not in state.x
        if leaks and len(problems) > 1:  # with other answers, too? of problems that all have the same nobody knows
            unlike = [p for p in problems if p.x != state.x and str(p.gold) != gold][:3]
            others = [prompts_of(task, State(p.x)).get(name) for p in unlike]
            told = [message.content for other in others if other for message in other.messages]
            leaks = bool(told) and not any(gold in each for each in told)
        shown = f"the prompt {name!r} holds the gold answer {gold[:40]!r} of its problem; only verify may see it"
        need(not leaks, shown)
    if isinstance(task, Searchable):
        need(task.steps >= 1 and bool(task.styles), "steps must be at least 1, and styles name the propose prompts")
        done = task.compose(state)
        need(done is None or all(isinstance(t, Thought) for t in done), "compose gives thoughts, or None to ask")
        verdict = task.judge(state)
        need(verdict is None or verdict >= task.worst, "judge gives a verdict of at least worst, or None to ask")
    if isinstance(task, Votable):
        need(task.steps >= 1, "steps must be at least 1")
        if not isinstance(task, Stepwise):  # whose ballot is ours
            first, second = "a thing to choose", "a thing that one may choose, too"
            ballot = task.ballot([state.then(Thought(first)), state.then(Thought(second))])
            text = "\n".join(message.content for message in ballot.messages)
            need(-1 < text.find(first) < text.find(second), "the ballot should show all choices in their order")
    if hasattr(task, "corpus"):
        need(bool(task.corpus(state.x, "")), "should name a corpus for every problem")
        refused = _refusal(lambda: task.corpus(state.x, "no such corpus"))
        need(bool(refused), "an unknown corpus should raise ValueError")
    for name, parts in SHOWN.items():
        text = "\n".join(message.content for message in prompts[name].messages) if name in prompts else ""
        missing = [part for part in parts if name in prompts and part not in text]
        need(not missing, f"the prompt {name!r} should show {' and '.join(parts)}")


def _check_text(task: Task, text: str, state: State, problem: Problem, need: Need, watch: Watch) -> None:
    """Any text may come from a model, or be typed by a user: no reader raises, and none takes for ever."""
    shown = repr(text[:30])

    def timed(name: str, read: Callable[[], Any]) -> Any:
        with watch(name, text):
            try:
                return read()
            except Exception as error:
                raise AssertionError(
                    f"{need.who}: {name} raised {error!r} on the text {shown}; model output is untrusted"
                ) from error

    def says(kind: Any, name: str, of: Any, fits: Callable[[Any], bool], why: str, *options: int) -> None:
        """Check a reader of something else than thoughts, if the task is of this ``kind``."""
        if isinstance(task, kind):
            read = timed(name, partial(getattr(task, name), text, *options))
            _check_read(read, of, need, f"{name} of {shown}")
            need(read.value is None or fits(read.value), f"{name} of {shown} {why}")

    says(Searchable, "read_value", int | float, lambda value: value >= getattr(task, "worst", value), "is below worst")
    says(Votable, "read_ballot", int, lambda choice: 0 <= choice < 3, "is none of the 3 options", 3)
    for kind, name in ((Plannable, "read_assessment"), (ToolUsing, "read_prospect")):
        says(kind, name, Judgement, lambda judged: 0 <= judged.score <= 1, "is not from 0 to 1")
    says(ToolUsing, "read_lesson", str, lambda lesson: len(lesson) < 10_000, "keeps too much")
    for name in (name for kind, names in READERS.items() if isinstance(task, kind) for name in names):
        reader, _, later = name.partition(", ")
        at = (later and _below(task, state, "a first step")) or state
        reads = timed(name, partial(_all, getattr(task, reader), at, text))
        need(bool(reads), f"{name} of {shown} says nothing; it should give a thought, or a failed read with its reason")
        for read in reads:
            _check_read(read, Thought, need, f"{name} of {shown}")
            if read.value is not None:
                hash(read.value)  # equal thoughts are merged

    score = timed("verify", lambda: task.verify(problem, text))
    need(isinstance(score, Score) and isinstance(score.correct, bool), f"verify of {shown} should give a Score")
    need(all(0 <= part <= 1 for part in score.parts.values()), "the parts of a score are between 0 and 1")
    need(text not in NASTY or not score.correct, f"verify calls {shown} correct")
    nothing = timed("verify", lambda: task.verify(problem, None))
    need(not nothing.correct, "verify calls no answer at all (None) correct")
    form = timed("same", lambda: task.same(text))
    always = isinstance(form, str) and form == timed("same", lambda: task.same(text))
    need(always, f"same({shown}) should give a text, and always the same one")
    with watch("problem()", text):
        _typed(task, text, need)


def _all(reader: Callable[[State, str], Iterable[Any]], state: State, text: str) -> list[Any]:
    return [*reader(state, text)]  # a generator hangs when it is asked, not when it is made


def _typed(task: Task, text: str, need: Need) -> Problem | None:
    """The problem in a text that a user may have typed; None if it is refused."""
    try:
        return task.problem(text)
    except ValueError as error:
        need(bool(str(error)) and len(str(error)) < 1000, f"problem({text[:30]!r}) should be refused in one sentence")
    except Exception as error:
        raise AssertionError(f"{need.who}: problem({text[:30]!r}) should raise ValueError, not {error!r}") from error
    return None


def _check_read(read: Any, kind: Any, need: Need, where: str) -> None:
    need(isinstance(read, Read), f"{where} should be a Read, not {type(read).__name__}")
    why = f"{where} should have a value, a reason why not, or both (an attempt without an answer)"
    need(not read.ok or read.value is not None, why)
    right = read.value is None or isinstance(read.value, kind)
    need(right, f"{where} has a value of the wrong type, {type(read.value).__name__}")
    need(read.ok or len(read.text) < 10_000, f"{where} keeps {len(read.text)} characters of garbage; shorten it")
