"""The split of the held-out puzzles: two sets apart from each other and from all that is trained on, played, named."""

import re
from itertools import chain
from pathlib import Path

from studies import heart, held_out
from studies.pocket.data import held_out as all_held_out
from studies.pocket.data import puzzles
from studies.trials import GAME
from tot.tasks.game24 import numbers_of

ROOT = Path(__file__).parents[2]
FOLDERS = ("book", "course", "live", "notebooks", "studies", "tests", "tools", "tot", "treebook")
TEXTS = {".ipynb", ".json", ".jsonl", ".md", ".po", ".py", ".txt", ".yml"}
LIST = "game24_puzzles.txt"  # all puzzles there are
REPLIES = ROOT / "tests" / "replies"  # chosen by hand, for readers: no model is asked about them
FOUR = re.compile(r"(?<![\d.])(?<![\d.] )(\d{1,2}) (\d{1,2}) (\d{1,2}) (\d{1,2})(?![\d.]| \d)")


def test_the_300_are_split_once_and_nothing_is_in_two_sets():
    fresh, board = ([p.x for p in some] for some in (held_out.fresh(), held_out.board()))
    hard = [p.x for p in GAME.problems("hard")]
    assert len(fresh) == 100 and len(board) == 200
    assert sorted(fresh + board + hard) == sorted(all_held_out())  # each of them once
    assert not {numbers_of(x) for x in fresh + board} & set(puzzles())
    assert board == [p.x for p in held_out.board()] != sorted(board)


def test_no_file_of_the_project_names_a_puzzle_of_the_board():
    drawn = {p.x for puzzles in heart.puzzles().values() for p in puzzles}  # by a recorded model
    closed = [p.x for p in held_out.board() if p.x not in drawn]
    assert len(closed) == 200 - 17
    sealed = {tuple(sorted(map(int, x.split()))) for x in closed}
    files = [f for f in chain.from_iterable((ROOT / name).rglob("*") for name in FOLDERS) if f.suffix in TEXTS]
    files = [f for f in files if f.name != LIST and REPLIES not in f.parents]
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    found = [(tuple(sorted(map(int, four))), file) for file, text in texts.items() for four in FOUR.findall(text)]
    assert len(found) > 1000 and not [(numbers, str(file)) for numbers, file in found if numbers in sealed]
