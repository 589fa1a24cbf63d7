"""The lab's output as HTML, shared by the live panel and the static page."""

from collections.abc import Sequence

from tot.budget import Budget
from tot.runner import Result
from tot.show.escaping import block, clean, count, escape, line, number
from tot.show.limits import missing, over_the_budget, why_stopped
from tot.solution import Solution

from ..explorer.page import explorer
from ..figures.page import HTML, as_written
from ..figures.styles import style_of
from .session import Meter

# Copies the text of the <pre> in the same box, or only selects it if the browser does not allow copying.
COPY = (
    "const p=this.closest('.tot-lab').querySelector('pre'),s=getSelection();"
    "s.selectAllChildren(p);navigator.clipboard?.writeText(p.textContent).then(()=>{this.textContent='Copied'},()=>{})"
)


def box(*parts: str) -> str:
    """A box with the lab's style around ``parts``."""
    return as_written(f'<div class="tot-lab"><style>{style_of("lab")}</style>{"".join(parts)}</div>')


def message(text: str) -> str:
    """A message to the user, such as an error; "" for no text."""
    return box(f'<p role="status"><b>{_escaped(text)}</b></p>') if text else ""


def meter(used: Meter, limits: Budget | None = None, *, seconds: bool = True) -> str:
    """What was used: calls, tokens, seconds, rounds, with a progress bar for each one that has a limit. Without
    ``seconds`` it is the same in every replay.
    """
    shown = ["calls", "tokens", *(["seconds"] if seconds else []), "rounds", *(["dollars"] if used.dollars else [])]
    cells = []
    for name in shown:
        amount = round(getattr(used, name), 1) if name == "seconds" else getattr(used, name)
        bar = ""
        if limit := getattr(limits, name, None):
            bar = f' <progress value="{amount:g}" max="{max(limit, 1e-9):g}"></progress> of {number(limit)}'
        cells.append(f"<span>{name} <b>{number(amount)}</b>{bar}</span>")
    best = f"<span>best so far: {_escaped(line(used.best))}</span>" if used.best else ""
    return box(f'<p class="tot-meter">{" ".join(cells)} {best}</p>')


def outcome(solution: Solution) -> str:
    """How the run ended: the answer, the verdict on it, and ``notes``."""
    answer = "no answer" if solution.answer is None else f"{solution.answer}: {solution.verdict}"
    lines = [f"<b>{_escaped(answer)}</b>", *map(_escaped, notes(solution))]
    return box("".join(f"<p>{text}</p>" for text in lines))


def notes(solution: Solution) -> list[str]:
    """Sentences about how the run ended: why it stopped, the best state, unread replies, refusals."""
    result, found = solution.result, []
    stopped = {
        "stopped": "You stopped it: this is the best so far.",
        "error": f"It ended early: {result.error}",
        "unfinished": "The search reached its own limit: this is the best so far.",
    }
    found.append(stopped.get(result.stopped) or sentence(why_stopped(result), "; this is the best so far"))
    found += map(sentence, over_the_budget(result))
    if solution.answer is None and result.best and result.best[0].depth:
        steps = "; ".join(thought.text for thought in result.best[0].state.thoughts)
        found.append(f"Best state: {line(steps)}")
    if result.unread:
        what = count(result.unread, "reply, or one line of a reply,", "replies, or lines of replies,")
        found.append(f"{what} refused by a reader.")
    if share := missing(solution.trace):
        found.append(f"Where the verdicts stand, the model would have said something else with {share}.")
    if result.cut:
        what = count(result.cut, "reply was", "replies were")
        found.append(f"{what} cut off at the limit of tokens: a larger max_tokens lifts it.")
    if result.still_thinking:
        what = count(result.still_thinking, "reply", "replies")
        found.append(f"{what} ended while the model was still thinking: give it more think_tokens.")
    if refused := solution.refused:
        found.append(f"The model refused {count(len(refused), 'sample')}: {line(refused[0])}")
    return [text for text in found if text]


def sentence(words: str, end: str = "") -> str:
    """The words with a capital and a full stop; "" for none."""
    return f"{words[0].upper()}{words[1:]}{end}." if words else ""


def tree(solution: Solution | Result, size: int | None = 1_000_000) -> HTML | None:
    """The explorer of the trace, in about ``size`` bytes; None if it is empty."""
    return explorer(solution, size=size) if solution.trace.nodes() else None


def code(text: str) -> str:
    """The Python code ``text`` in a collapsible section with a copy button."""
    button = f'<button type="button" onclick="{escape(COPY)}">Copy</button>'
    return box(f"<details><summary>The same in Python</summary>{button}<pre>{escape(clean(text))}</pre></details>")


def summary(solution: Solution) -> str:
    """One short line, such as "solved: (13 - 9) * (10 - 4)"; what it took is told below it, by ``meter``."""
    return f"{'solved' if solution.correct else 'not solved'}: {line(solution.answer or 'no answer')}"


def describe(docs: Sequence[tuple[str, str]]) -> str:
    """The knobs' names and descriptions, as a collapsible list."""
    rows = "".join(f"<dt>{_escaped(name)}</dt><dd>{_escaped(text)}</dd>" for name, text in docs)
    return box(f"<details><summary>What the knobs mean</summary><dl>{rows}</dl></details>")


def _escaped(text: str) -> str:
    return escape(block(text, 1000))
