"""One of the papers' tables on a model of your own.

    python -m studies.paper_table                                   # lists the tables
    python -m studies.paper_table tot-table2 --lm openai:MODEL --prices prices.json --dry-run
    python -m studies.paper_table tot-table2 --lm openai:MODEL --prices prices.json --pilot 3
    python -m studies.paper_table tot-table2 --lm openai:MODEL --prices prices.json --yes --budget-dollars 50

It says first how many problems there are, after a pilot also what the rest will take, and asks for nothing without
``--pilot`` or ``--yes`` (in a terminal it asks you). A folder (``--out``) keeps everything: ``results.jsonl``, a line
for each problem; ``replies*.jsonl``, each reply as it arrives, so that nothing is paid twice; ``paid.jsonl``, each
bill; and for each filled table its figures, which ``make tables RESULTS=folder`` puts beside the paper's. After Ctrl-C
the same command goes on; several tables into one folder share what they have in common.

``plans`` says which runs fill which rows, ``forecast`` what they will take, ``spending`` stops at the limit,
``filling`` makes the rows.
"""
