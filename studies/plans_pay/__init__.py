"""When does search over plans pay? Worded arithmetic on the second pocket model, with judges of every quality.

Tables 1, 3 and 4 of *Planning with MCTS* with their tests and the controls that they lack (chapters 14 and 15), and a
curve: at which accuracy of its judge does the tree of plans overtake a vote of chains at equal tokens?

``power``: what so many problems can show, printed before anything is played. ``casts``: what is played, fixed in
advance. ``judges``: a coin, an oracle that knows, and *simulated* judges between the two. ``play``: one line of the
lines file for each cast, on disk at once. ``recorded``: the 1.5B model's place, from the cassettes. ``measures`` and
``curve``: the arithmetic. ``tables``: what the chapters read.

    python -m studies.plans_pay     # goes on where it stopped; writes results/plans_pay.json

Gold decides what was right when all is over, and it is what the oracle and the simulated judges are made of; no other
player sees it. Lines share samples on purpose: two casts with the same planner read the same first plan, so that their
difference is the other roles'.
"""
