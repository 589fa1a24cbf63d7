"""Write book/authors_logs.md and its figures: what GPT-4 did, read with our instruments.

    python tools/authors.py [--check]

All numbers are those of studies/results/authors.json, which ``python -m studies.authors --data FOLDER`` computes where
the published logs are. Here are the words and the drawings.
"""

import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from math import fsum
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from treebook.figures.plain_svg import plain_svg  # noqa: E402
from treebook.figures.plot_style import HATCHES, MARKERS  # noqa: E402
from treebook.figures.plots import COLOURS, GREY, SETTINGS, new_figure, percent, tidy_up  # noqa: E402

PAGE = ROOT / "book" / "authors_logs.md"
RESULTS = ROOT / "studies" / "results" / "authors.json"
STATIC = ROOT / "book" / "_static"

Found = Mapping[str, Any]
Rows = Sequence[Sequence[str]]


# ---------------------------------------------------------------- numbers as words


def pct(cell: Found, digits: int | None = None) -> str:
    """A rate with its interval in per cent: 63% [56, 70]; small ones with a decimal."""
    rate, low, high = cell["rate"]
    digits = digits if digits is not None else 1 if rate < 0.1 and high - low < 0.1 else 0
    if rate >= 0.995 > low and digits == 0 and rate < 1:
        digits = 1
    return bounds([100 * x for x in cell["rate"]], f".{digits}f", "%")


def bounds(values: Sequence[float], form: str, unit: str = "") -> str:
    """A number with its interval, each in the same ``form``."""
    middle, low, high = (format(x, form) for x in values)
    return f"{middle}{unit} [{low}, {high}]"


def mean(cell: Found, digits: int = 1) -> str:
    return bounds(cell["mean"], f".{digits}f")


def auc(cell: Found) -> str:
    return bounds(cell["auc"], ".2f")


def of(cell: Found) -> str:
    """ "400 of 400", with commas from a thousand on."""
    return f"{cell['count']:,} of {cell['n']:,}"


def points(cell: Found) -> str:
    return bounds([100 * x for x in cell["difference"]], "+.0f", " points")


def words(cell: Found) -> str:
    return bounds(cell["difference"], "+.1f")


def likely(p: float) -> str:
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.2g}"


def table(head: Sequence[str], rows: Rows) -> str:
    """A Markdown table; an interval is not broken at its comma."""
    kept = [[re.sub(r"(?<=\d), (?=[-+\d.]+\])", ",\N{NO-BREAK SPACE}", cell) for cell in row] for row in rows]
    lines = [head, ["---"] * len(head), *kept]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def say(text: str) -> str:
    """Paragraphs of the source, each as one line."""
    return "\n\n".join(" ".join(part.split()) for part in text.strip().split("\n\n"))


# ---------------------------------------------------------------- figures


def bars_of(cells: Sequence[Found]) -> tuple[list[float], list[list[float]]]:
    """Heights, and how far the intervals reach down and up."""
    rates = [cell["rate"] for cell in cells]
    return [r[0] for r in rates], [[r[0] - r[1] for r in rates], [r[2] - r[0] for r in rates]]


def draw_beam(found: Found) -> Any:
    figure = new_figure(6.4, 3.3)
    axes = figure.add_subplot()
    beam = found["game24 reach"]["beam"]
    widths = sorted(int(name.removeprefix("b=")) for name in beam["step 1"] if name.startswith("b="))
    names = ("after the first step", "after the second", "after the third")
    for step, (name, colour, marker) in enumerate(zip(names, COLOURS, MARKERS, strict=False), 1):
        cells = [beam[f"step {step}"][f"b={b}"] for b in widths]
        rates, reach = bars_of(cells)
        axes.plot(widths, rates, color=colour, marker=marker, markersize=5, label=name)
        if step == 1:
            low = [r - down for r, down in zip(rates, reach[0], strict=True)]
            high = [r + up for r, up in zip(rates, reach[1], strict=True)]
            axes.fill_between(widths, low, high, color=colour, alpha=0.13, linewidth=0)
    axes.axvline(5, color=GREY, linestyle=":", linewidth=1)
    axes.annotate("the paper's b", (5, 0.515), xytext=(5.2, 0.515), color=GREY, fontsize=9)
    axes.set(xlabel="states kept (b)", ylabel="puzzles with 24 in reach", ylim=(0.5, 1), xticks=widths)
    percent(axes)
    tidy_up(axes, "y")
    axes.legend(frameon=False, fontsize=9, loc="lower right")
    return figure


def draw_verdicts(found: Found) -> Any:
    figure = new_figure(6.4, 2.9)
    axes = figure.add_subplot()
    verdicts = found["game24 reach"]["verdicts"]
    shades = ("#009E73", "#dfe3e8", "#D55E00")  # sure, in between, ruled out
    hatches = ("", "", "///")
    labels = ("sure at least once", "likely, never sure", "impossible, or nothing readable")
    rows: list[tuple[str, list[float]]] = []
    for size in ("three", "two"):
        part = verdicts[f"{size} numbers left"]
        living, dead = part["auc"]["living"], part["auc"]["dead"]
        for name, n, sure, out in (
            ("24 in reach", living, "living states called sure at least once", "living states ruled out"),
            ("out of reach", dead, "dead states called sure at least once", "dead states ruled out"),
        ):
            ruled = next(cell["rate"][0] for key, cell in part.items() if key.startswith(out))
            yes = part[sure]["rate"][0]
            rows.append((f"{size} numbers,\n{name} (n = {n})", [yes, 1 - yes - ruled, ruled]))
    for y, (_, shares) in enumerate(reversed(rows)):
        start = 0.0
        for share, shade, hatch, label in zip(shares, shades, hatches, labels, strict=True):
            axes.barh(
                y, share, 0.62, left=start, color=shade, hatch=hatch, edgecolor="white", label=label if y == 0 else None
            )
            if share > 0.05:
                axes.text(
                    start + share / 2,
                    y,
                    f"{share:.0%}",
                    ha="center",
                    va="center",
                    fontsize=9,
                    color="#1b1f24",
                    bbox={"facecolor": "white", "alpha": 0.75, "pad": 1.2, "linewidth": 0},
                )
            start += share
    axes.set_yticks(range(len(rows)), [name for name, _ in reversed(rows)], fontsize=9)
    axes.set(xlim=(0, 1))
    percent(axes, "x")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False, fontsize=9)
    return figure


def draw_votes(found: Found) -> Any:
    figure = new_figure(6.4, 3.0)
    axes = figure.add_subplot()
    votes = found["writing"]["votes"]
    for shift, (what, colour, hatch) in zip(
        (-0.2, 0.2), (("plans", COLOURS[0], ""), ("passages", COLOURS[5], HATCHES[1])), strict=True
    ):
        cells = list(votes[what]["share of the ballots, by place"].values())
        rates, reach = bars_of(cells)
        at = [i + shift for i in range(1, len(cells) + 1)]
        axes.bar(at, rates, 0.38, color=colour, hatch=hatch, edgecolor="white", label=f"votes on {what}")
        axes.errorbar(at, rates, yerr=reach, fmt="none", ecolor="#1b1f24", elinewidth=1, capsize=2)
    axes.axhline(0.2, color=GREY, linestyle="--", linewidth=1, label="if places did not matter")
    axes.set(
        xlabel="place of the choice in the prompt", ylabel="share of the ballots", ylim=(0, 0.5), xticks=range(1, 6)
    )
    percent(axes)
    tidy_up(axes, "y")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False, fontsize=9)
    return figure


DRAWINGS: dict[str, Callable[[Found], Any]] = {
    "authors_beam.svg": draw_beam,
    "authors_verdicts.svg": draw_verdicts,
    "authors_votes.svg": draw_votes,
}


def drawing(name: str, found: Found) -> str:
    """A figure as SVG text, the same on every machine."""
    import matplotlib as mpl

    with mpl.rc_context(dict(SETTINGS)):
        return plain_svg(DRAWINGS[name](found)) + "\n"


def image(name: str, alt: str) -> str:
    return f"![{' '.join(alt.split())}](_static/{name})"


# ---------------------------------------------------------------- the sections


def opening(f: Found) -> str:
    picked, crosswords, votes = (
        f["game24 tree"]["selections"],
        f["crosswords tree"],
        f["writing"]["selections"]["replies as they stand"],
    )
    source = f["source"]
    states = [crosswords[name]["selections"]["states"] for name in ("with pruning", "without pruning")]
    return f"""# What GPT-4 did, read with our instruments

{
        say(f'''
The authors of Tree of Thoughts {{cite}}`yao2023tree` published what {source["model"]} wrote for them in
{source["year"]}. We let our code ask these logs: in the place of a live model there is one that looks its replies
up, and our searches, votes, readers and scorers do the rest. It is a check of the book against the paper's own data,
and it tells more about GPT-4 than a success rate can.

The check first. Our `best` keeps the same states as the authors' code in {of(picked["best"])} steps of the Game of 24,
and a whole `bfs` in {of(picked["bfs"])}; in the other one the authors keep a line that GPT-4 had written twice, and we
merge it. Our `dfs` visits the same crossword states in the same order, {of(states[0])} with pruning and
{of(states[1])} without. Our votes choose the same plan or passage {of(votes["votes"])} times. So what follows is about
GPT-4, and not about a difference between two programs.

The brackets after a rate are its 95% interval. "In reach" and "out of reach" are the words of an exhaustive solver
that looked at the logs afterwards; GPT-4 had no such help.
''')
    }
"""


def beam(f: Found) -> str:
    part, fails = f["game24 reach"]["beam"], f["game24 tree"]["fails"]
    one = part["step 1"]
    causes = fails["causes"]
    return f"""## The first step needs a wide beam

{
        image(
            "authors_beam.svg",
            f'''Lines over the number of states kept, from 1 to 15. After the first step the share of puzzles with 24
in reach rises from {one["b=1"]["rate"][0]:.0%} with one state to {one["b=5"]["rate"][0]:.0%} with five and
{one["b=10"]["rate"][0]:.0%} with ten. After the second and the third step the lines are flat.''',
        )
    }

{
        say(f'''
GPT-4 wrote {mean(f["game24 tree"]["proposals"]["step 1"]["lines in a reply"])} lines for the root of a puzzle, and for
{one["all that was proposed"]["count"]} of 100 puzzles at least one of them keeps 24 in reach. If only the line that it
values highest is kept, {pct(one["b=1"])} of the puzzles are still alive; with five, {pct(one["b=5"])}; with eight,
{pct(one["b=8"])}. After that first step the width hardly matters: among the later proposals, keeping the three best
is as good as keeping fifteen.

That speaks for a tree that is wide at the root and narrow below it. One caution: the later lines are of a search that
had kept five states; a wider one would have had more proposals to choose from.

A little over half of the failures happen here: {fails["by step"]["step 1"]["count"]} of
{100 - fails["solved"]["count"]} (in
{causes.get("step 1: not kept", 0) + causes.get("step 1: judged impossible", 0)} of them a living line had been proposed
and fell out of the beam). Step 2 loses {fails["by step"]["step 2"]["count"]} of the 100 puzzles, step 3 loses
{fails["by step"]["step 3"]["count"]}, and in {fails["by step"]["step 4"]["count"]} the steps reached 24 but the answer
written below them was wrong.
''')
    }
"""


def verdicts(f: Found) -> str:
    part = f["game24 reach"]["verdicts"]
    three, two, answers = part["three numbers left"], part["two numbers left"], part["answers"]
    wrong_out = next(cell for key, cell in three.items() if key.startswith("living states ruled out"))
    right_out = next(cell for key, cell in answers.items() if key.startswith("living states ruled out"))
    differ = "the three verdicts differ"
    return f"""## With two numbers left it knows; with three it guesses well

{
        image(
            "authors_verdicts.svg",
            f'''Stacked bars of the verdicts. With three numbers left, states with 24 in reach are called sure at least
once in {three["living states called sure at least once"]["rate"][0]:.0%} of cases, states out of reach almost never.
With two numbers left every state in reach is called sure, and no other one.''',
        )
    }

{
        say(f'''
Three verdicts on each state are added up; states with the same numbers are one question, and count once. Take a state
that can reach 24 and one that cannot: how often does the first have the higher sum? With two numbers left always: no
pair of the {two["auc"]["living"]} living and {two["auc"]["dead"]} dead states is in the wrong order. With three numbers
left in {auc(three["auc"])} of all pairs, where 0.5 would be a coin ({three["auc"]["living"]} living,
{three["auc"]["dead"]} dead).

With three numbers it hardly ever promises too much: of {three["auc"]["dead"]} dead states it called
{three["dead states called sure at least once"]["count"]} sure. Of the living ones {pct(wrong_out)} got neither
*sure* nor *likely*. What costs more is "likely": that, and no sure, is what {between(three, "living"):.0%} of the
living states get and {between(three, "dead"):.0%} of the dead, and among equals the order of generation decides.
A second and a third opinion seldom change anything: the three verdicts differ on {pct(three[differ])} of the states
with three numbers and on {pct(two[differ])} of those with two. (With two numbers it still calls
{between(two, "dead"):.0%} of the dead states
*likely*, although there are only a few sums to try.)

As a judge of finished answers, each counted once, it was weaker: it turned down {of(right_out)} right ones, and called
{of(answers["dead states called sure at least once"])} wrong ones sure.
''')
    }
"""


def between(part: Found, which: str) -> float:
    """The share of the states that are neither called sure nor ruled out."""
    out = next(cell for key, cell in part.items() if key.startswith(f"{which} states ruled out"))
    rest: float = 1 - part[f"{which} states called sure at least once"]["rate"][0] - out["rate"][0]
    return rest


def favourite(f: Found) -> str:
    votes = f["writing"]["votes"]
    plans, passages = (votes[what]["share of the ballots, by place"] for what in ("plans", "passages"))
    unread = votes["plans"]["unreadable"] + votes["passages"]["unreadable"]
    return f"""## The voter has a favourite place

{
        image(
            "authors_votes.svg",
            f'''Bars: the share of the ballots by the place of the choice in the prompt. Of five plans the last one gets
{plans["choice 5"]["rate"][0]:.0%} of the ballots and the first {plans["choice 1"]["rate"][0]:.0%}; of five passages the
second gets {passages["choice 2"]["rate"][0]:.0%}.''',
        )
    }

{
        say(f'''
In Creative Writing GPT-4 votes on five samples of one prompt, so their places in the ballot mean nothing: each should
get a fifth of the votes. The fifth plan gets {pct(plans["choice 5"])} of them, the first {pct(plans["choice 1"])}. Of
the passages the second gets {pct(passages["choice 2"])}. At least {moved(plans):.0%} of the votes on plans and
{moved(passages):.0%} of those on passages would have to move before all places were equal: so much of a vote is habit,
or chance. Shuffling the order from
ballot to ballot would have cost nothing; [chapter 7](../notebooks/07_votes_creative_writing.ipynb) shows the same
weakness in a small model, and asks what else the ballots follow.

The votes were clearer on plans, where {pct(votes["plans"]["unanimous"])} were unanimous, than on passages, with
{pct(votes["passages"]["unanimous"])}. Of {votes["plans"]["ballots"] + votes["passages"]["ballots"]:,} ballots {unread}
could not be read; a ballot that cannot be read counts for nobody.
''')
    }
"""


def moved(places: Mapping[str, Found]) -> float:
    """The share of the ballots above a fifth, over all places."""
    return fsum(max(0.0, cell["rate"][0] - 0.2) for cell in places.values())


def constraint(f: Found) -> str:
    part = f["writing"]["constraint"]
    rows = [
        [
            name,
            f"{part[key]['kept']['samples']:,}",
            pct(part[key]["kept"]),
            pct(part[key]["endings in place"]),
        ]
        for name, key in (
            ("IO", "IO"),
            ("CoT", "CoT"),
            ("ToT, all five passages", "all five passages of ToT"),
            ("ToT, the one that was chosen", "ToT"),
        )
    ]
    return f"""## With a plan, fewer sentences are in their place

{
        say('''
Each paragraph has to end in its given sentence. The paper says that GPT-4 manages it "most of the time". A program
can count, word for word, leaving case and quotation marks aside:
''')
    }

{table(["100 inputs", "passages", "all four endings", "endings in place"], rows)}

{
        say(f'''
With the prompt that asks for a plan first, the constraint is kept less often: IO minus CoT is
{points(part["IO minus CoT"])} ({likely(part["IO minus CoT"]["p"])}, the sign flip test of
[chapter 15](../notebooks/15_who_should_plan.ipynb) over the inputs). Whether it is the plan or the rest of that prompt,
the logs cannot say. The tree does not win it back
(ToT minus CoT: {points(part["ToT minus CoT"])}, {likely(part["ToT minus CoT"]["p"])}), nor does its vote favour what
keeps it (the chosen passage minus the five: {points(part["chosen minus all five"])},
{likely(part["chosen minus all five"]["p"])}): the vote asks for coherence, and
the sentences are not what it looks at. A better story and a kept rule are two things, and a check as cheap as this one
belongs in the search.
''')
    }
"""


def steps_and_chance(f: Found) -> str:
    part = f["game24 reach"]["steps"]
    rows = []
    for step in (1, 2, 3):
        one = part[f"step {step}"]
        rows.append(
            [
                str(step),
                pct(one["a line does, mean of puzzles"], 0),
                pct(one["a legal move drawn at random does"], 0),
                pct(one["at least one line of a reply does"]),
                pct(one["one of as many moves drawn at random does"]),
            ]
        )
    head = ["step", "a line of GPT-4", "a random move", "some line of its reply", "one of as many random moves"]
    return f"""## Its steps are a little better than chance, its lists much better

{
        say('''
How often does a proposed line keep 24 in reach? A player who draws a legal move blindly makes a good yardstick. The
table counts replies about states from which 24 could be reached, in means over puzzles:
''')
    }

{table(head, rows)}

{
        say('''
Line by line GPT-4 is not far above the blind player. What it does well is to make a good list: most replies hold a
living line, far more than as many different moves drawn at random (without replacement) would. That is a good part of
why the search works, and why the value prompt has so much to do.
''')
    }
"""


def refused(exact: Found) -> str:
    """What our reader does with lines that are exact and have another form."""
    count, forms = exact["count"], exact["forms"]
    if not count:
        return "Lines that are exact and only written in another form are no loss: our reader takes all of them."
    most = sorted(forms, key=lambda form: -forms[form])[:2]
    return f"""A strict reader has its price, too: it refuses {count} lines that are exact and only written in another
        form, most often with {" or ".join(most)}."""


def other_slips(kinds: Mapping[str, int]) -> int:
    """Lines that are neither exact nor rounded, and not wrong in the numbers left either."""
    named = ("legal", "exact in another form", "rounded", "wrong numbers left")
    return sum(n for kind, n in kinds.items() if kind not in named)


def legality(f: Found) -> str:
    part, kinds = f["game24 tree"]["legality"], ("rounded", "wrong numbers left")
    rows = [
        [
            str(step),
            pct(part["beam"][f"step {step}"]["illegal"], 0),
            f"{part['lines'][f'step {step}']['exact']['n']:,}",
            pct(part["lines"][f"step {step}"]["exact"], 0),
            *(f"{part['lines'][f'step {step}']['kinds'][kind]}" for kind in kinds),
            f"{other_slips(part['lines'][f'step {step}']['kinds'])}",
        ]
        for step in (1, 2, 3)
    ]
    success = f["game24 tree"]["success"]
    other = f["game24 tree"]["other beams"]
    ours, theirs = other["checked lines only, our rule"]["b=1"], other["every line kept, the authors' rule"]["b=1"]
    exact, below = (
        part["exact lines that our reader refuses"],
        success["right answers below a path with an illegal step"],
    )
    return f"""## Illegal lines live on

{
        say('''
The authors' search believes what GPT-4 writes: a rounded decimal, a number that is not there, a list of the numbers
left that has one too many. Such lines get into the beam and have children. Our task checks each line and refuses them.
''')
    }

{
        table(
            [
                "step",
                "illegal states in the beam",
                "lines proposed",
                "exact lines",
                "rounded",
                "numbers left are wrong",
                "other",
            ],
            rows,
        )
    }

{
        say(f'''
After the third step {pct(part["beam"]["step 3"]["illegal"], 0)} of the states that are kept got there by a line that is
no legal step. Of the {below["n"]} right answers {below["count"]} stand below such a path, so these places in the beam
were wasted. With one state instead of five the waste is easy to see: if every line is kept,
{theirs["solved (checked)"]} of 100 puzzles are solved and {theirs["not solved"]} are not; for
{theirs["leaves the log"]} nothing can be said, because the search keeps a state that GPT-4 was never asked about. If
only legal lines are kept and a program writes the answer, it is {ours["solved (checked)"]}, {ours["not solved"]} and
{ours["leaves the log"]}. (Two things change here at once, so this is not the worth of legality alone; and with what is
unknown the two searches lie between {theirs["solved (checked)"]} and
{theirs["solved (checked)"] + theirs["leaves the log"]}, and between {ours["solved (checked)"]} and
{ours["solved (checked)"] + ours["leaves the log"]} puzzles.)

{refused(exact)}
''')
    }
"""


def chains(f: Found) -> str:
    part = f["game24 samples"]["chains fail"]
    return f"""## Chains fail early

{
        say(f'''
Of the {part["step 1"]["n"]:,} chains of thought on the Game of 24, {pct(part["step 1"])} are lost with their first
line: it is no legal step, or 24 cannot be reached any more. (The paper's figure 3 says around
{part["paper, lost at step 1"]:.0f}%.) Another {pct(part["step 2"])} are lost with the second. Few get as far as the
third line, and of those most arrive: {pct(part["step 3"])} of all chains fail there, {pct(part["step 4"])} have three
good steps and then a wrong answer, and {pct(f["game24 samples"]["CoT"])} are right.
''')
    }
"""


def crosswords(f: Found) -> str:
    with_, free = (f["crosswords tree"][name] for name in ("with pruning", "without pruning"))
    gap = f["crosswords tree"]["deepest without a wrong letter, with pruning minus without"]
    cut, both = with_["verdicts"], f["crosswords tree"]["some state solved, with pruning against without"]
    some, rows = "games of which some visited state is the solution", []
    for name, run, output in (
        ("ToT, first deepest state", with_, "first deepest state"),
        ("last state", with_, "last state"),
        ("best state (gold picks)", with_, "best state (gold picks)"),
        ("without pruning, first deepest", free, "first deepest state"),
        ("without pruning, best state", free, "best state (gold picks)"),
    ):
        rows.append([name, *(pct(run["success"][output][part], 0) for part in ("letters", "words", "games"))])
    samples = f["crosswords samples"]
    for name in ("IO", "CoT"):
        for rule, key in (
            ("rows cut or padded to five letters", "the authors' rule: rows cut or padded"),
            ("other rows left blank, our rule", "our rule: a row is five letters or blank"),
        ):
            rows.append([f"{name}, {rule}", *(pct(samples[name][key][p]) for p in ("letters", "words", "games"))])
    right, kept = cut["of the states that are right so far, cut"], cut["of the states with a wrong letter, not cut"]
    return f"""## Crosswords: pruning errs, and seems to pay

{
        say(f'''
A state is cut when GPT-4 calls one of its clues impossible. It cut {pct(cut["states cut"])} of the states that it
visited. Of the states without a single wrong letter it cut {pct(right)}, at least once in
{of(cut["games in which a right state was cut"])} games. Of those with a wrong letter it let {pct(kept)} pass.

Does it pay all the same? With pruning some visited state is the whole solution in
{of(with_["success"][some])} games, without pruning in {of(free["success"][some])}, {both["only the second"]} of them
new:
twenty games cannot say (p = {both["p"]:.2f}). What pruning buys is depth in the right place. The deepest board
without a wrong letter has {mean(with_["progress"]["deepest without a wrong letter"])} words with pruning and
{mean(free["progress"]["deepest without a wrong letter"])} without, a difference of {words(gap)}
({likely(gap["p"])}, sign flips over the games). It also decides what is *shown*: the first deepest
state is the solution in {of(shown(with_))} games with pruning, and in {of(shown(free))} without.
''')
    }

{table(["20 games", "letters", "words", "games"], rows)}
"""


def shown(run: Found) -> Found:
    """In how many games the first deepest state is the solution."""
    cell = run["success"]["first deepest state"]["games"]
    return {"count": round(cell["rate"][0] * cell["n"]), "n": cell["n"]}


def beside(f: Found) -> str:
    s, t, c, w = f["game24 samples"], f["game24 tree"]["success"], f["crosswords tree"], f["writing"]
    best = s["best of k (checked)"]
    rows = [
        ["Game of 24, IO", f"{s['paper']['IO']:g}%", pct(s["IO"])],
        ["CoT", f"{s['paper']['CoT']:g}%", pct(s["CoT"])],
        ["CoT-SC (k=100)", f"{s['paper']['CoT-SC (k=100)']:g}%", pct(s["CoT-SC (k=100)"], 0)],
        ["IO, best of 100", f"{s['paper']['IO, best of 100']:g}%", pct(best["IO"]["k=100"])],
        ["CoT, best of 100", f"{s['paper']['CoT, best of 100']:g}%", pct(best["CoT"]["k=100"])],
        ["ToT b=5, any of five (checked)", f"{t['paper']:g}%", pct(t["any of five (checked)"])],
        ["ToT b=5, chosen without gold", "", pct(t["chosen without gold"])],
        ["ToT b=5, first of five", "", pct(t["first of five"])],
        ["ToT b=5, mean of the five", "", pct(t["mean of the five"])],
        ["ToT b=5, the answer composed by program", "", pct(t["composed by program"])],
    ]
    for name, key in (("ToT", "with pruning"), ("-prune", "without pruning")):
        run = c[key]["success"]
        paper, mine = run["paper"][name], run["first deepest state"]
        rows.append(
            [
                f"Crosswords, {name}: letters / words / games",
                " / ".join(f"{paper[p]:g}%" for p in ("letters", "words", "games")),
                " / ".join(f"{100 * mine[p]['rate'][0]:.3g}%" for p in ("letters", "words", "games")),
            ]
        )
    for name in ("IO", "CoT"):
        cell = w["coherence, by GPT-4"][name]["score, 1 to 10"]
        rows.append(
            [f"Creative Writing, {name}: GPT-4's scores", f"{w['coherence, by GPT-4']['paper'][name]:g}", mean(cell, 2)]
        )
    program = t["program against GPT-4's own answers"]
    answers = sum(one["n"] for one in s["scorers disagree"].values()) + t["scorers disagree"]["n"]
    scorers = f"agree on {f'{answers - disagreements(f):,} of' if disagreements(f) else 'all of the'} {answers:,}"
    return f"""## Rates beside the paper's

{table(["", "the paper", "the log"], rows)}

{
        say(f'''
All but one of these come out as printed: they are the paper's runs. (The passages of ToT have no scores in the logs.)
The log of ToT on the Game of 24 is, as its authors say
where they publish it, a later run: {t["any of five (checked)"]["count"]} puzzles instead of {t["paper"]:g}, well
within
chance at n = 100. Three numbers are worth telling apart there. At least one of the five final answers is right for
{t["any of five (checked)"]["count"]} puzzles; if one has to be chosen without the truth, by value, for
{t["chosen without gold"]["count"]}; and an answer taken at random is right {pct(t["mean of the five"], 0)} of the time.

In {program["only the first"]} more puzzles the steps did reach 24 and GPT-4 wrote them down wrongly. A program that
composes the answer has {t["composed by program"]["count"]} (against GPT-4's own answers p = {program["p"]:.2g},
McNemar). That this is the paper's number is chance: there it is GPT-4's own answers, in another run.

The two scorers, theirs and ours, {scorers} answers to the Game of 24, and on all of the crossword states.
''')
    }
"""


def disagreements(f: Found) -> int:
    samples = f["game24 samples"]["scorers disagree"]
    return (
        sum(one["only ours"] + one["only theirs"] for one in samples.values())
        + f["game24 tree"]["success"]["scorers disagree"]["count"]
    )


def limits(f: Found) -> str:
    g, t, c, w = f["game24 samples"]["length"], f["game24 tree"], f["crosswords samples"], f["writing"]["length"]
    root, long = t["proposals"]["step 1"], t["verdicts' length"]
    cut, above = "more tokens than our limit", long["puzzles whose mean is above our limit"]

    def row(name: str, limited: Found, cell: Found) -> list[str]:
        return [name, f"{cell['n']:,}", f"{limited['limit']}", pct(cell)]

    rows = [
        row("Game of 24: IO", g["IO"], g["IO"][cut]),
        row("CoT", g["CoT"], g["CoT"][cut]),
        *(row(f"proposals, step {step}", t["proposals"], t["proposals"][f"step {step}"][cut]) for step in (1, 2, 3)),
        row("Crosswords: IO", c["IO"], c["IO"][cut]),
        row("CoT", c["CoT"], c["CoT"][cut]),
        *(
            row(name, w[key], w[key][f"{cut}, at least"])
            for name, key in (
                ("Creative Writing: IO", "IO"),
                ("CoT", "CoT"),
                ("plans", "a plan"),
                ("passages", "a passage"),
            )
        ),
    ]
    return f"""## What our usual limits would have cut

{
        say('''
Our usual prompts are made for a small model: they ask for short replies and limit their tokens. GPT-4 answered other
prompts, without such limits. How many of its replies are longer than ours may be?
''')
    }

{table(["replies", "n", "our limit, tokens", "longer ones"], rows)}

{
        say(f'''
Our count is a lower bound: it splits the text into words, numbers and signs, each of which is at least one token. For
the equations of the Game of 24 the count is what the logs were billed (ratio
{g["IO"]["our count of tokens / the bill"]:.4f} for IO,
{g["CoT"]["our count of tokens / the bill"]:.4f} for CoT); in prose it is a little too low, so there it is "at
least". Our
prompt also asks for eight proposals at most, and GPT-4 gave more for {of(root["more than eight"])} puzzles at the root.

The words of its verdicts are not in the logs, but what they cost is: on average
{mean(long["tokens of a verdict, mean of a puzzle"], 0)} tokens each ({long["verdicts"]:,} verdicts), where ours may
have {long["limit"]}. For {above["count"]} of
{above["n"]} puzzles the mean itself is above that. How many single verdicts are cannot be said.
''')
    }
"""


def ending(f: Found) -> str:
    source = f["source"]
    return f"""## How this was made

{
        say(f'''
The logs are those of `{source["repository"]}` at commit `{source["commit"]}` ({source["licence"]} licence), runs with
{source["model"]} of {source["year"]}: ranks 901 to 1,000 of the Game of 24, 20 crosswords, 100 inputs for Creative
Writing. If you have them, this computes every number again, in a few minutes and without a network:
''')
    }

    make study-authors DATA=folder

{
        say('''
The figures go to `studies/results/authors.json`, with the number of cases behind each, the kind of interval (Wilson for
one answer a problem, a bootstrap over problems otherwise) and a sentence on how it was computed; this page is written
from that file by `tools/authors.py`. Neither holds any text of the logs. What the logs cannot tell: the words of the
verdicts and votes (only their sums are there), proposals for states that the search dropped, and the candidates of a
crossword that were never tried. What they say about the paper is also in the [errata](errata.md).
''')
    }
"""


SECTIONS = (
    opening,
    beam,
    verdicts,
    favourite,
    constraint,
    steps_and_chance,
    legality,
    chains,
    crosswords,
    beside,
    limits,
    ending,
)


def page(found: Found | None = None) -> str:
    """book/authors_logs.md of what studies/authors computed (what is stored, unless given)."""
    found = found or json.loads(RESULTS.read_text("utf-8"))
    return "\n".join(section(found) for section in SECTIONS)


def main() -> int:
    found = json.loads(RESULTS.read_text("utf-8"))
    if "--check" in sys.argv:
        fresh = PAGE.read_text("utf-8") == page(found)
        return 0 if fresh else print(f"{PAGE.name} is stale: run python tools/authors.py") or 1
    PAGE.write_text(page(found), encoding="utf-8")
    for name in DRAWINGS:
        (STATIC / name).write_text(drawing(name, found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
