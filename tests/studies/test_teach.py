"""What the novice and its pupils practise: the rules, and what a search found; nothing that a solver knows."""

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import fmean

import pytest

import studies.pocket.data
import tot.tasks.game24_rules
from studies.figures import holm
from studies.pocket.data import held_out
from studies.teach import pupil, searching
from studies.teach.novice import Novice
from studies.teach.pupil import Pupil
from studies.teach.ways import steps_of
from tot import Cassette
from tot.lm.base import LM, Reply, Sample, Usage
from tot.stats import pass_at_k
from tot.tasks.game24 import Game24, numbers_of
from tot.tasks.game24_rules import TARGET, moves
from treebook.players import Pocket
from treebook.players.tokens import CONTROL, decode
from treebook.studies.learned import Rounds
from treebook.studies.results import least_shown

GAME = Game24()
WEIGHTS = Path("studies/teach")
WAYS = {  # found ways, as a search would leave them
    "4 4 6 8": [["4 + 8 = 12 (left: 4 6 12)", "6 - 4 = 2 (left: 2 12)", "2 * 12 = 24 (left: 24)"]],
    "2 9 10 12": [["10 - 9 = 1 (left: 1 2 12)", "2 * 12 = 24 (left: 1 24)", "1 * 24 = 24 (left: 24)"]],
    "1 2 3 4": [],
}
FOUND = {x: [steps_of(x, way) for way in ways] for x, ways in WAYS.items()}


def sequences(maker, n):
    """(control token, question, reply) of n sequences."""
    for _ in range(n):
        example = maker.draw()
        question, reply = decode(example.tokens[1 : example.learn - 1]), decode(example.tokens[example.learn :])
        yield CONTROL[example.tokens[0]], question.removeprefix("Numbers: "), reply


def makers(seed=0):
    yield Novice(Random(seed))
    for heads in (pupil.HEADS, *((head,) for head in pupil.HEADS)):
        yield Pupil(Random(seed), found=FOUND, heads=heads)


SOLVERS = ("solvable", "luck", "good", "solution", "attempt")


def test_no_solver_has_a_part_in_any_training_data(monkeypatch):
    def forbidden(*_args, **_more):
        raise AssertionError("a solver was asked")

    for module in (tot.tasks.game24_rules, studies.pocket.data):
        for name in SOLVERS:
            if hasattr(module, name):
                monkeypatch.setattr(module, name, forbidden)
    monkeypatch.setattr("tot.tasks.game24.solvable", forbidden)
    for maker in makers():
        assert len(list(sequences(maker, 400))) == 400


def test_no_held_out_puzzle_is_practised_or_searched():
    out = {numbers_of(x) for x in held_out()}
    assert len(out) == 400 and {numbers_of(p.x) for p in GAME.problems("hard")} <= out
    for maker in makers():
        for kind, question, _ in sequences(maker, 400):
            numbers = numbers_of(question.split("\n")[0])
            assert len(numbers) < 4 or numbers not in out, (kind, question)
    searched = searching.training_puzzles()
    assert len(searched) == 962 and not {numbers_of(p.x) for p in searched} & out


def test_what_is_practised_is_legal_and_verdicts_say_what_the_tries_came_to():
    seen = Counter()
    for maker in makers(1):
        for kind, question, reply in sequences(maker, 400):
            seen[kind] += 1
            numbers = numbers_of(question.split("\n")[0])
            if kind == "<steps>":
                lines = reply.splitlines()
                assert len(lines) == len(set(lines)) == min(8, len(moves(numbers)))
                assert set(lines) <= {str(step) for step in moves(numbers)}
            elif kind == "<value>":
                tries, word = reply.rsplit(". ", 1)
                last = tries.split("; ")[-1].split(", ")
                state = numbers
                for line in last:  # a try uses up the numbers, and what it says is true
                    state = next(s.left for s in moves(state) if f"{s.a} {s.op} {s.b} = {s.result}" == line)
                assert (word == "sure") == (state == (TARGET,)) and word in ("sure", "impossible")
            else:
                assert kind in ("<cot>", "<io>", "<answer>")
                if kind == "<cot>":
                    assert searching.legal_way(" ".join(map(str, numbers)), reply)
    assert min(seen[kind] for kind in ("<steps>", "<value>", "<cot>", "<io>", "<answer>")) > 25


class Says(LM):
    """Says these texts in turn, each of ten tokens."""

    name = "says"

    def __init__(self, *texts):
        self.texts, self.asked = texts, 0

    def __call__(self, requests, on_reply=None):
        return [self.reply(request) for request in requests]

    def reply(self, request):
        self.asked += request.n
        texts = [self.texts[i % len(self.texts)] for i in range(request.first, request.first + request.n)]
        return Reply(tuple(Sample(t, completion_tokens=10) for t in texts), Usage(1, request.n, 1, 10 * request.n))


GOOD = "\n".join(WAYS["4 4 6 8"][0]) + "\nAnswer: (4 + 8) * (6 - 4)"
LUCKY = "4 + 8 = 12 (left: 4 6 12)\n6 - 4 = 3 (left: 3 12)\n2 * 12 = 24 (left: 24)\nAnswer: (4 + 8) * (6 - 4)"
MISSES = "4 + 8 = 12 (left: 4 6 12)\n6 - 4 = 2 (left: 2 12)\n12 - 2 = 10 (left: 10)\nAnswer: (4 + 8) - (6 - 4)"


def test_chains_keep_ways_that_are_legal_and_count_answers_for_wrong_reasons():
    lm = Says(GOOD, LUCKY, MISSES)
    found = searching.chains(lm, [GAME.problem("4 4 6 8")], 0, 300)
    assert [[str(step) for step in way] for way in found.ways["4 4 6 8"]] == WAYS["4 4 6 8"]
    assert found.solved == 1 and found.wrong_reasons >= 1
    assert 290 <= found.tokens <= 310 and lm.asked == found.tokens / 10  # no more than the tree wrote


def test_the_shipped_weights_are_those_of_the_recordings_and_of_the_results():
    study = Rounds("studies/results/teach.json")
    for name in ("novice", "pupil"):
        [session] = Cassette(f"notebooks/cassettes/18_{name}.jsonl").tape.sessions.values()
        weights = Pocket(weights=WEIGHTS / f"{name}.safetensors").weights
        assert weights == session["weights_sha256"] and weights.startswith(study.figures["weights"][name])


def test_chapter_18s_claim_about_teachers_is_over_ten_trainings():
    figures = json.loads(Path("studies/results/teach.json").read_text(encoding="utf-8"))
    rates = {}
    for leg in [*figures["legs"], *figures["more trainings"]]:
        at = rates.setdefault((leg["arm"], leg["round"]), {})
        at[leg["seed"]] = fmean(leg["measured"]["CoT"]["right"]) / 40
    for after, wanted in ((1, 4 / 252), (2, 218 / 252), (3, 3 / 56)):
        tree, chains = (list(rates[arm, after].values()) for arm in ("tree", "chains"))
        assert (len(tree), len(chains)) == (5, 3 if after == 3 else 5)
        sums = [sum(deal) for deal in combinations([*tree, *chains], 5)]
        rest = sum(tree) + sum(chains)
        gaps = [abs(one / 5 - (rest - one) / len(chains)) for one in sums]  # the first deal is the true one
        assert fmean(gap > gaps[0] - 1e-9 for gap in gaps) == pytest.approx(wanted)
        study = Rounds("studies/results/teach.json")
        assert (study.trainings("tree", after), study.trainings("chains", after)) == (tree, chains)


def test_of_chapter_18s_eighteen_comparisons_of_teachers_only_the_first_lead_stands_corrected():
    study = Rounds("studies/results/teach.json")
    methods = ("CoT", "CoT-SC", "best of 40", "narrow ToT", "teacher ToT", "ToT")
    places = [(method, after) for method in methods for after in (1, 2, 3)]
    ps = [study.compared(("tree", after, method), ("chains", after, method)).p for method, after in places]
    assert [place for place, p in zip(places, holm(ps), strict=True) if p < 0.05] == [("CoT", 1)]
    told = {place: round(p, 3) for place, p in zip(places, ps, strict=True)}
    assert [told["CoT", 1], told["narrow ToT", 2], told["narrow ToT", 3]] == [0.002, 0.044, 0.035]
    trees = [("tree", 2, "narrow ToT"), ("chains", 2, "narrow ToT")]
    for seeds, points in (([0], 16), ([0, 1, 2], 11)):
        assert round(100 * least_shown(*([*map(fmean, study.outcomes(at, seeds))] for at in trees))) == points
    right = [pass_at_k(40, c, 16) for s in study.seeds("tree", 1) for c in study.measured("tree", s, 1)["CoT"]["right"]]
    assert round(fmean(right), 2) == 0.21 and round(study.rate("tree", 0, "teacher ToT").rate, 2) == 0.20


def test_a_rate_is_over_the_seeds_that_are_there_and_pairs_are_of_the_same_seeds(tmp_path):
    def player(*solved):
        return {
            "puzzles": 4,
            "ToT": {"solved": list(solved)},
            "CoT": {"right": [40 * x for x in solved], "rate": [0.5]},
        }

    legs = [
        {"arm": "tree", "seed": 0, "round": 1, "measured": player(1, 1, 0, 0)},
        {"arm": "tree", "seed": 1, "round": 1, "measured": player(1, 1, 1, 1)},
        {"arm": "chains", "seed": 1, "round": 1, "measured": player(0, 1, 1, 1)},
    ]
    file = tmp_path / "teach.json"
    file.write_text(json.dumps({"novice": player(0, 0, 0, 0), "legs": legs}))
    study = Rounds(file)
    assert study.rate("tree", 1, "ToT").rate == 0.75 and study.rate("tree", 0, "CoT").rate == 0
    assert study.outcomes(("tree", 1, "CoT")) == [[1, 1], [1, 1], [0, 1], [0, 1]]
    alike = study.compared(("tree", 1, "ToT"), ("chains", 1, "ToT"))  # seed 1 alone is in both
    assert alike.gain.rate == 0.25 and alike.p == 1
    assert study.compared(("tree", 1, "ToT"), ("tree", 0, "ToT")).gain.rate == 0.75  # the novice is every seed's
    assert study.mean("tree", 1, "CoT", "rate") == 0.5
