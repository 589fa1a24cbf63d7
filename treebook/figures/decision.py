"""One question, its possible answers side by side, and under each the rule and the rates that speak for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tot.show.escaping import clean, escape
from tot.show.style import BAR, BORDER, CHOSEN, DARK, FAINT, FONT, GROUND, INK
from tot.stats import Interval


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
        parts = ['<div class="tot-decision">', f"<style>{_style()}</style>"]
        parts.append(f'<p class="tot-question">{escape(self.question)}</p><div class="tot-cards">')
        for branch in self.branches:
            parts.append(f"<section><h5>{escape(clean(branch.answer))}</h5>")
            parts.append(f"<p><strong>{escape(clean(branch.rule))}</strong></p><p>{escape(clean(branch.why))}</p>")
            for name, rate in branch.rates.items():
                low, high = 100 * rate.low, 100 * rate.high
                span = f'<u style="left:{low:.0f}%;width:{high - low:.0f}%"></u>'
                bar = f'<s><i style="width:{100 * rate.rate:.0f}%"></i>{span}</s>'
                parts.append(f"<div><span>{escape(clean(name))}</span><b>{rate.rate:.0%}</b>{bar}</div>")
            parts.append(f"<small>{escape(clean(branch.source))}</small></section>")
        return "\n".join([*parts, "</div></div>"])

    def __repr__(self) -> str:
        lines = [self.question]
        for branch in self.branches:
            lines += [f"  {clean(branch.answer)}: {clean(branch.rule)}", f"      {clean(branch.why)}"]
            lines += [f"      {rate!s:18} {clean(name)}" for name, rate in branch.rates.items()]
            lines += [f"      ({clean(branch.source)})"] if branch.source else []
        return "\n".join(lines)


def _style() -> str:
    box = ".tot-decision"
    return (
        f"{box}{{font:14px/1.45 {FONT};color:{INK[0]};margin:0 0 1em}}"
        f"{box} .tot-question{{font-size:1.2em;font-weight:600;text-align:center;margin:0 auto .8em;padding:.5em 1em;"
        f"max-width:26em;color:{INK[0]};background:{GROUND[0]};border:2px solid {CHOSEN[0]};border-radius:6px}}"
        f"{box} .tot-cards{{display:grid;grid-template-columns:repeat(auto-fit,minmax(max(17.5em,40%),1fr));gap:.8em}}"
        f"{box} section{{color:{INK[0]};background:{GROUND[0]};border:1px solid {BORDER[0]};border-radius:6px;"
        f"padding:.2em .9em .7em}}"
        f"{box} h5{{font-size:1.05em;margin:.5em 0;color:{CHOSEN[0]}}}{box} p{{margin:.3em 0 .5em;color:inherit}}"
        f"{box} section div{{display:grid;grid-template-columns:1fr auto;column-gap:.6em;margin:.45em 0}}"
        f"{box} s{{grid-column:1/-1;display:block;position:relative;height:.8em;text-decoration:none;"
        f"border:1px solid {FAINT[0]};border-radius:3px}}"
        f"{box} i{{display:block;height:100%;background:{BAR[0]}}}"
        f"{box} u{{position:absolute;top:40%;height:20%;background:{INK[0]}}}"
        f"{box} small{{color:{FAINT[0]}}}"
        f"{DARK} {box}{{color:{INK[1]}}}"
        f"{DARK} {box} :is(section,.tot-question){{color:{INK[1]};background:{GROUND[1]}}}"
        f"{DARK} {box} section{{border-color:{BORDER[1]}}}{DARK} {box} .tot-question{{border-color:{CHOSEN[1]}}}"
        f"{DARK} {box} h5{{color:{CHOSEN[1]}}}"
        f"{DARK} {box} s{{border-color:{FAINT[1]}}}{DARK} {box} i{{background:{BAR[1]}}}"
        f"{DARK} {box} u{{background:{INK[1]}}}{DARK} {box} small{{color:{FAINT[1]}}}"
    )
