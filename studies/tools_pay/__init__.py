"""When do price, replanning and plain best-first search pay? A map of winners over SIMULATED worlds; no model.

    python -m studies.tools_pay        # minutes; writes studies/results/tools_pay.json (make study-tools: into _build)

The worlds and the agents are those of ``studies.tool_routes``; here three dials are turned, all agents in the same
worlds. A dial is turned for every world alike, so cells share their worlds, too.

**The error of what searchers believe**, from 0 to 1. A searcher's guess of what is left is (1 - error) parts the truth
and error parts the truth of another page of the same map: at 0 exact, at 1 worthless, and of the right size at any
error. "bound" is the guess of ``tool_routes``: the plain distance, which is never too high. In trees a verdict is
(1 - error) parts the share of finds and error parts a number from 0 to 1 that knows nothing. The goal, and an answer,
are recognised at any error. To compare the dial with other tasks, each setting says how often its guess puts the
better of two in front (1: always; 0.5: worthless), which is what AUC says of a judge.

**How unequal prices are.** Equal (all calls cost what the longest one of the map does; in trees 1); as in
``tool_routes`` (a call costs once to twice its distance; in trees 0.5 or 1.5); very unequal (one call in four costs ten
times its distance; in trees 3.25, where the others cost 0.25).

**How often calls fail, and whether alone or together.** One by one, as ever. Or by area: pages of one square of the map
share a source, and where it is down, all calls *from* its pages fail; in trees by branch, as ever. The source of the
start works.

Three kinds of agents, never compared across kinds:

*searchers* on maps go on from any page seen so far at no cost: ``best-first`` takes the call with the lowest guess,
``next price`` the lowest price + guess, ``A*`` the lowest price so far + price + guess, all with lazy tools;
``eager A*`` tries all calls of a page that it opens.
*walkers* on maps pay for their way back: ``greedy`` follows the guess and never goes back, ``plan once`` follows a
cheapest way on the map until a call fails, ``D* Lite`` plans again. The last two know the map, and need no guess.
*trees* of thoughts, the searches of ``tot.search`` with lazy tools: ``best-first``, ``A*``, and ``D*``, which charges a
failure to its way (discount 0.5); and ``next price``, the same loop by the price of a state's own call - V.

**Who wins.** Agents are compared by the *bill per arrival*: all that they spent, in worlds where they arrived and where
they did not, over the number of arrivals; it is what one answer costs somebody who has many questions. On maps each
world counts in units of its cheapest way, so 1 would be an agent who knows everything and meets no failure; in trees in
calls of mean price. An agent wins a cell if its bill is below that of each other one and all the 99 % intervals of the
paired ratios of bills (bootstraps over worlds) say so. Else nobody wins, and ``left`` names those who are not
beaten. All other intervals are 95 %.
"""

from pathlib import Path

RESULTS = Path(__file__).parents[1] / "results" / "tools_pay.json"
RUNS = Path("_build/tools_pay.jsonl")
WORLDS = 300
