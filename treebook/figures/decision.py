"""One question, its possible answers side by side, and under each the rule and the rates that speak for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tot.show.escaping import clean, escape
from tot.stats import Interval

from .styles import style_of


@dataclass(frozen=True)
class Branch:
    """One answer: ``rule`` says what to do then, ``why`` in a sentence or two; ``rates`` are its evidence, name -> rate
    with interval; ``source`` says whose rates they are.
    """

    answer: str
    rule: str
    why: str = ""
    rates: Mapping[str, Interval] = field(default_factory=dict)
    source: str = ""


class Decision:
    """A decision picture: ``question`` on top, a card for each branch below it; on a narrow screen one below the other.

    Raises ValueError without branches.
    """

    def __init__(self, question: str, branches: Sequence[Branch]) -> None:
        if not branches:
            raise ValueError("a decision needs at least one branch")
        self.question, self.branches = clean(question), list(branches)

    def _repr_html_(self) -> str:
        parts = ['<div class="tot-decision">', f"<style>{style_of('decision')}</style>"]
        parts.append(f'<p class="tot-question">{escape(self.question)}</p><div class="tot-cards">')
        for branch in self.branches:
            parts.append(f"<section><h3>{escape(clean(branch.answer))}</h3>")
            parts.append(f"<p><strong>{escape(clean(branch.rule))}</strong></p><p>{escape(clean(branch.why))}</p>")
            for name, rate in branch.rates.items():
                low, high = 100 * rate.low, 100 * rate.high
                span = f'<u style="left:{low:.0f}%;width:{high - low:.0f}%"></u>'
                bar = f'<s><i style="width:{100 * rate.rate:.0f}%"></i>{span}</s>'
                parts.append(f"<div><span>{escape(clean(name))}</span> <b>{rate.rate:.0%}</b>{bar}</div>")
            parts.append(f"<small>{escape(clean(branch.source))}</small></section>")
        return "\n".join([*parts, "</div></div>"])

    def __repr__(self) -> str:
        lines = [self.question]
        for branch in self.branches:
            lines += [f"  {clean(branch.answer)}: {clean(branch.rule)}", f"      {clean(branch.why)}"]
            lines += [f"      {rate!s:18} {clean(name)}" for name, rate in branch.rates.items()]
            lines += [f"      ({clean(branch.source)})"] if branch.source else []
        return "\n".join(lines)
