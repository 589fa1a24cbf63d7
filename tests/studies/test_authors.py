"""studies/authors on logs of our own making, in the form of the published ones; where these are, on them, too."""

import json
import os
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from statistics import fmean

import pytest

from studies.authors import RESULTS, SOURCE, files
from studies.authors.__main__ import USED, main, study
from studies.authors.game24_log import LEGAL, OTHER_FORM, ROUNDED, look_at
from studies.authors.replay import verdicts
from tot.tasks.crosswords_board import SLOTS
from tot.tasks.game24_rules import moves, solvable

NUMBERS = tuple(map(Fraction, (3, 5, 8, 12)))


def grown(parents, lines):
    """Each parent with each of its lines, as the authors write a state: every line ends in a line break."""
    return [parent + line + "\n" for parent, own in zip(parents, lines, strict=True) for line in own]


def game24_entry():
    """One puzzle that is solved; the second line of the first step is rounded, the third is there twice.

    The beam has place for five states, so all four are kept at each step, sorted by their values.
    """
    lines = ["11 - 5 = 6 (left: 2 6 8)", "11 / 8 = 1.38 (left: 1.38 2 5)", "8 + 11 = 19 (left: 2 5 19)"]
    first = grown([""], [[*lines, lines[2]]])
    second = grown(
        first, [["6 * 8 = 48 (left: 2 48)"], ["1.38 + 2 = 3.38 (left: 3.38 5)"], *[["19 - 5 = 14 (left: 2 14)"]] * 2]
    )
    kept = [second[0], second[2], second[1], second[2]]
    third = grown(
        kept,
        [
            ["48 / 2 = 24 (left: 24)"],
            ["2 + 14 = 16 (left: 16)"],
            ["3.38 + 5 = 8.38 (left: 8.38)"],
            ["2 + 14 = 16 (left: 16)"],
        ],
    )
    last = grown(
        third,
        [["Answer: (11 - 5) * 8 / 2 = 24"], ["16 (left: 16)"], ["8.38 * 2 = 16.76 (left: 16.76)"], ["16 (left: 16)"]],
    )
    rounds = (
        ([""], first, [60.0, 22.0, 0.003, 0], first),
        (first, second, [60.0, 1.002, 3.0, 0], kept),
        (kept, third, [60.0, 0.003, 0.002, 0], third),
        (third, last, [60.0, 0, 0, 0], last),
    )
    steps = [
        {"step": i, "x": "2 5 8 11", "ys": ys, "new_ys": new, "values": values, "select_new_ys": select}
        for i, (ys, new, values, select) in enumerate(rounds)
    ]
    usage = {"completion_tokens": 900, "prompt_tokens": 4000, "cost": 0.2}
    return {"idx": 900, "steps": steps, "ys": last, "infos": [{"r": n} for n in (1, 0, 0, 0)], "usage_so_far": usage}


LIVING = [solvable(step.left) for step in moves(tuple(map(Fraction, (2, 5, 8, 11))))]  # below that puzzle
CHANCE = round(fmean(LIVING), 4)
CHANCE_OF_THREE = round(fmean(map(any, combinations(LIVING, 3))), 4)  # the reply has three different lines
SQUARE = ("abcde", "fghij", "klmno", "pqrst", "uvwxy")  # no words: the board's rules do not ask for any
COLUMNS = tuple("".join(row[i] for row in SQUARE) for i in range(5))


def crosswords_visit(actions, impossible, step):
    board = dict(zip(SLOTS, (*SQUARE, *COLUMNS), strict=True))
    rows = {a.split(". ")[0] for a in actions}
    assert all(a.split(". ")[1] == board[a.split(". ")[0]] for a in actions)
    right = len(rows)
    info = {"r_letter": right * 5 / 25, "r_word": (10 if right == 5 else right) / 10}
    count = {"sure": 1, "maybe": 0, "impossible": impossible}
    return {"total_step": step, "env_step": len(actions), "actions": list(actions), "info": info, "count": count}


SENTENCES = ("The cat slept.", "It rained all day.", "Nobody came.", "The bell rang twice.")
PASSAGE = "\n\n".join(f"Something happened before. {sentence}" for sentence in SENTENCES)
BROKEN = PASSAGE.replace("Nobody came.", "Nobody was there.")
PLANS = [f"Plan:\n1. Begin {word}.\n" for word in ("here", "there", "late", "soon", "now")]


def writing_tree():
    passages = [PLANS[2] + "Passage:\n" + (PASSAGE if i == 1 else f"{BROKEN} {i}") + "\n" for i in range(5)]
    x = " ".join(SENTENCES) + "\n"
    plans = {"step": 0, "x": x, "ys": [""], "new_ys": PLANS, "values": [0, 1, 3, 0, 0], "select_new_ys": [PLANS[2]]}
    second = {"step": 1, "x": x, "ys": [PLANS[2]], "new_ys": passages, "values": [1, 4, 0, 0, 0]}
    second["select_new_ys"] = [passages[1]]
    return {"idx": 0, "steps": [plans, second], "ys": [passages[1]]}


def samples(idx, texts, infos, **more):
    return {"idx": idx, "ys": texts, "infos": infos, "usage_so_far": {"completion_tokens": 40}, **more}


@pytest.fixture
def folder(tmp_path):
    io = ["Answer: (11 - 5) * 8 / 2 = 24", "Answer: 11 + 8 + 5 = 24"]
    good = "Steps:\n11 - 5 = 6 (left: 2 6 8)\n6 * 8 = 48 (left: 2 48)\n48 / 2 = 24 (left: 24)\nAnswer: (11 - 5) * 8 / 2"
    bad = "Steps:\n11 / 8 = 1.38 (left: 1.38 2 5)\n2 * 12 = 24 (left: 24)\nAnswer: none"
    score = {"r_letter": 1.0, "r_word": 1.0, "r_game": True}
    rows = "\n".join(" ".join(row.upper()) for row in SQUARE)
    visits = [
        crosswords_visit(("h1. abcde",), 0, 0),
        crosswords_visit(("h1. abcde", "h2. fghij"), 1, 1),
        crosswords_visit(("h1. abcde", "h3. klmno"), 0, 2),
        crosswords_visit(("h1. abcde", "h3. klmno", "h5. uvwxy"), 0, 3),
        crosswords_visit(("h2. fghij",), 0, 4),
    ]
    judged = [{"rs": [7, 8, 7, 7, 6], "r": 7.0}]
    logs = {
        files.GAME24_IO: [samples(900, io, None, accs=[True, False])],
        files.GAME24_COT: [samples(900, [good, bad], [{"r": 1}, {"r": 0}])],
        files.GAME24_TOT: [game24_entry()],
        files.CROSSWORDS_IO: [samples(0, [rows], [score])],
        files.CROSSWORDS_COT: [samples(0, ["Thoughts:\nh1. first: ABCDE\n\nOutput:\n" + rows], [score])],
        files.CROSSWORDS_TOT: [visits],
        files.CROSSWORDS_FREE: [[visit for visit in visits if visit["total_step"] != 2][:2]],
        files.CROSSWORDS_GAMES: [[[f"clue {slot}" for slot in SLOTS], list("".join(SQUARE).upper())]],
        files.WRITING_IO: [samples(0, [PASSAGE], judged)],
        files.WRITING_COT: [samples(0, [PLANS[0] + "Passage:\n" + BROKEN], judged)],
        files.WRITING_TOT: [writing_tree()],
    }
    for name, log in logs.items():
        (tmp_path / name).write_text(json.dumps(log), encoding="utf-8")
    (tmp_path / files.WRITING_INPUTS).write_text(" ".join(SENTENCES) + "\n", encoding="utf-8")
    return tmp_path


def test_the_study_on_logs_of_our_own(folder, capsys):
    out = folder / "figures.json"
    assert main(["--data", str(folder), "--out", str(out)]) == 0
    found = json.loads(out.read_text(encoding="utf-8"))
    chains, tree, reach = (found[f"game24 {name}"] for name in ("samples", "tree", "reach"))
    assert chains["IO"]["rate"][0] == chains["CoT"]["rate"][0] == 0.5
    assert chains["scorers disagree"]["CoT"] == {"only ours": 0, "only theirs": 0, "n": 2, "of": "samples"}
    assert [chains["chains fail"][f"step {n}"]["count"] for n in (1, 2, 3, 4)] == [1, 0, 0, 0]
    picked = tree["selections"]
    assert (picked["best"]["count"], picked["bfs"]["count"]) == (4, 0)  # the duplicate takes a place in every beam
    assert picked["not the same"][0] == {"rank": 901, "step": 1, "a duplicate": True}
    assert tree["success"]["any of five (checked)"]["count"] == tree["success"]["composed by program"]["count"] == 1
    assert tree["legality"]["lines"]["step 1"]["kinds"][ROUNDED] == 1
    assert tree["legality"]["beam"]["step 1"]["illegal"]["count"] == 1
    assert tree["fails"]["solved"]["count"] == 1 and tree["bill"]["generated k"] == 0.9
    assert reach["beam"]["step 1"]["b=1"]["count"] == 1
    assert reach["steps"]["step 1"]["at least one line of a reply does"]["n"] == 1
    assert reach["steps"]["step 1"]["a legal move drawn at random does"]["rate"][0] == CHANCE
    assert reach["steps"]["step 1"]["one of as many moves drawn at random does"]["rate"][0] == CHANCE_OF_THREE
    words = found["crosswords tree"]["with pruning"]
    assert (words["selections"]["states"]["count"], words["selections"]["states"]["n"]) == (5, 5)
    assert words["selections"]["scorers agree"]["count"] == 5
    assert words["verdicts"]["of the states that are right so far, cut"]["count"] == 1  # it was wrong to cut it
    assert words["success"]["first deepest state"]["words"]["rate"][0] == 0.3
    assert found["crosswords samples"]["CoT"]["the authors' rule: rows cut or padded"]["games"]["count"] == 1
    kept = found["writing"]["constraint"]
    assert [kept[name]["kept"]["rate"][0] for name in ("IO", "CoT", "ToT")] == [1.0, 0.0, 1.0]
    assert found["writing"]["selections"]["replies as they stand"]["votes"]["count"] == 2
    assert found["writing"]["votes"]["plans"]["unreadable"] == 1
    assert found["source"]["commit"] == SOURCE["commit"] and set(found["source"]["files"]) == set(USED)
    text = out.read_text(encoding="utf-8")
    assert "figures.json" in capsys.readouterr().out
    assert not any(word in text for word in ("The cat slept", "2 5 8 11", "abcde", "11 - 5", str(folder)))
    assert json.loads(json.dumps(study(files.Folder(folder)))) == found  # the same again


def test_without_the_logs_it_skips_with_a_word(tmp_path, folder, capsys):
    out = tmp_path / "none.json"
    assert main(["--data", str(tmp_path / "nowhere"), "--out", str(out)]) == 0
    (folder / files.CROSSWORDS_FREE).unlink()
    assert main(["--data", str(folder), "--out", str(out)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("skipped: there is no folder") and said[1].startswith(f"skipped: {files.CROSSWORDS_FREE}")
    assert not out.exists()


LOGS = os.environ.get("TOT_AUTHORS_LOGS")


@pytest.mark.skipif(not LOGS, reason="TOT_AUTHORS_LOGS is not set: the published logs are not here")
def test_the_stored_figures_are_those_of_the_published_logs():
    assert json.loads(json.dumps(study(files.Folder(Path(LOGS))))) == json.loads(RESULTS.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("12 - 5 = 7 (left: 3 7 8)", LEGAL),
        ("5 / 8 = 0.625 (left: 0.625 3 12) (which is exact)", LEGAL),
        ("5 / 8 ≈ 0.625 (left: 0.625 3 12)", OTHER_FORM),
        ("8 / 3 = 2.67 (left: 2.67 5 12)", ROUNDED),
        ("8 / 3 ≈ 2.666 (left: 2.666 5 12)", ROUNDED),
        ("8 / 3 = 2 (left: 2 5 12)", "wrong result"),
        ("12 - 5 = 7 (left: 7 8)", "wrong numbers left"),
        ("12 - 4 = 8 (left: 3 5 8)", "operand is not there"),
        ("8 / 3 (leaves a rest)", "no step"),
        ("Here are some:", "no step"),
    ],
)
def test_what_a_line_is(line, kind):
    found = look_at(line, NUMBERS)
    assert found.kind == kind
    assert (found.left is not None) == (kind in (LEGAL, OTHER_FORM))
    third = (Fraction(5, 3), Fraction(9))
    assert look_at("9 / (5/3) = 27/5 (left: 27/5)", third).left == (Fraction(27, 5),)
    assert look_at("9 / (5/3) = 26/5 (left: 26/5)", third).left is None


@pytest.mark.parametrize("counts", [(a, b, c) for a in range(4) for b in range(4 - a) for c in range(4 - a - b)])
def test_a_sum_of_verdicts_is_read_back(counts):
    words = [word for word, n in zip(("sure", "likely", "impossible"), counts, strict=True) for _ in range(n)]
    assert verdicts(20 * counts[0] + counts[1] + 0.001 * counts[2]) == words + [""] * (3 - len(words))
    with pytest.raises(ValueError, match="no sum"):
        verdicts((4.0, 80.0, 0.0018)[sum(counts) % 3])
