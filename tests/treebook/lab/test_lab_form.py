"""The lab as plain data, for panel and page; and a session in pieces, where there are no threads."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tot import METHODS, Cassette, LMError, Reply, Sample, Scripted, Usage, method, solve, task, user
from tot.budget import Budget
from tot.lm.base import LM
from tot.solution import Job
from treebook.lab import Lab, Session, form
from treebook.players import Pocket

X = "4 9 10 13"
LAB = Lab({"pocket": Scripted("?")}, problem=X, budget="calls=9")


def job(name="tot-bfs", **knobs):
    game = task("game24")
    return Job(game, game.problem(X), method(name), knobs)


def test_the_offer_is_what_the_package_has():
    offer = json.loads(json.dumps(form.offer(LAB)))
    assert set(offer["methods"]) == set(METHODS)
    for name, one in METHODS.items():
        assert [knob["doc"] for knob in offer["methods"][name]["knobs"]] == [knob.doc for knob in one.knobs()]
    game = offer["tasks"]["game24"]
    assert game["usual"] == "tot-bfs" and "tot-vote" not in game["methods"] and "lean" in game["styles"]["tot-bfs"]
    assert game["splits"]["starter"]["problems"][0] == task("game24").problems("starter")[0].x
    assert not any(name.startswith("authors") for name in game["splits"])  # its data are not installed
    assert game["first"] == X and offer["tasks"]["crosswords"]["first"] == form.first_problem(task("crosswords"))
    assert (
        offer["fields"].keys() == form.FIELDS.keys() and offer["fields"]["budget"]["hint"] == form.FIELDS["budget"].hint
    )
    assert offer["form"] == {"task": "game24", "problem": X, "method": "tot-bfs", "knobs": {}, "budget": "calls=9"}


def test_a_form_is_the_choice_that_it_says():
    said = {"task": "game24", "problem": X, "method": "tot-bfs", "model": "pocket", "knobs": {"breadth": 2}}
    chosen = form.choice(LAB, said | {"settings": "temperature=0.5", "budget": "seconds=5"}, Scripted("?"))
    assert chosen.job().params == {"breadth": 2} and chosen.limits() == Budget(seconds=5)
    assert chosen.settings.to_dict() == {"temperature": 0.5} and "breadth=2" in chosen.code()


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"task": "chess"}, "no task 'chess'"),
        ({"method": "magic"}, "no method 'magic'"),
        ({"knobs": {"breadth": "5"}}, "breadth must be a whole number"),
        ({"knobs": {"breadth": 0}}, "at least 1"),
        ({"knobs": {"wings": 2}}, "no knob 'wings'"),
        ({"split": "starter", "number": -1}, "0 to 39"),
        ({"split": "starter", "number": True}, "no setting 'number'"),
        ({"problem": "4 9 10"}, "four whole numbers"),
        ({"budget": "calls=many"}, "calls=many"),
        ({"budget": "calls=1e999"}, "calls=1e999"),
        ({"budget": " "}, "the budget is empty"),
        ({"budget": ","}, "limits nothing"),
        ({"settings": "temperature=hot"}, "temperature"),
        ({"key": "sk-1"}, "no setting 'key'"),
        ({"knobs": ["breadth"]}, "no setting 'knobs'"),
    ],
)
def test_a_form_that_does_not_fit_is_refused_in_a_sentence(more, says):
    said = {"task": "game24", "problem": X, "method": "tot-bfs"} | more
    with pytest.raises(ValueError, match=says):
        chosen = form.choice(LAB, said, Scripted("?"))
        chosen.job(), chosen.models(), chosen.limits()


plain = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=9), lambda x: st.lists(x, max_size=3))
forms = st.dictionaries(st.sampled_from([*form.FIELDS, "key"]), plain | st.dictionaries(st.text(max_size=9), plain))


@given(forms)
def test_any_form_is_read_or_refused(said):
    try:
        chosen = form.choice(LAB, said, Scripted("?"))
        chosen.job(), chosen.limits(), chosen.models()
    except ValueError as error:
        assert str(error)


@pytest.mark.parametrize(("name", "knobs"), [("tot-bfs", {}), ("io", {"k": 70}), ("tot-dfs", {"steps": 9})])
def test_pieces_make_the_same_search(name, knobs):
    one = Session(job(name, **knobs), Pocket())
    meters = list(one)
    whole = solve("game24", X, name, lm=Pocket(), **knobs)
    assert one.solution.to_dict() == whole.to_dict()
    assert one.solution.trace.to_json() == whole.trace.to_json()
    assert [m.tokens for m in meters] == sorted(m.tokens for m in meters)
    assert meters[-1].tokens == whole.result.ledger.total.tokens and len(meters) > whole.result.ledger.rounds


class Counting(LM):
    """Says how much it is asked at once."""

    name = "counting"

    def __init__(self, batched):
        self.batched, self.asked = batched, []

    def __call__(self, requests, on_reply=None):
        self.asked.append([request.n for request in requests])
        samples = [tuple(Sample(f"{r.first + i}", completion_tokens=2) for i in range(r.n)) for r in requests]
        bills = [Usage(1, len(found), 10, 2 * len(found)) for found in samples]
        return [Reply(found, bill, bill) for found, bill in zip(samples, bills, strict=True)]


def asking(*requests):
    """A job whose search asks once."""
    from tot.ask import Ask

    class Once(Job):
        def start(self, lms, budget=None):
            from tot.runner import Run

            def search():
                self.replies.extend((yield Ask("generator", [], list(requests), [None] * len(requests))))

            return Run(search(), lms, budget=budget)

    one = Once(*vars(job()).values())
    object.__setattr__(one, "replies", [])
    return one


def test_a_piece_has_as_many_samples_as_the_model_computes_at_once():
    big, small = user("many", n=70), user("few", n=3)
    here, there = Counting(batched=True), Counting(batched=False)
    one = asking(small, big, small)
    list(Session(one, here))
    assert here.asked == [[3, 29], [32], [9]]
    assert [sample.text for sample in one.replies[1].samples] == [str(i) for i in range(70)]
    assert one.replies[1].asked == Usage(1, 70, 10, 140)  # the prompt is counted once
    assert one.replies[2].asked == Usage()  # an equal request is asked and charged once
    list(Session(asking(small, big), there))
    assert there.asked == [[3], [70]]


def test_stop_keeps_the_best_so_far():
    one = Session(job(), Pocket())
    for meter in one:
        if meter.rounds == 2:
            one.stop()
    whole = solve("game24", X, lm=Pocket())
    assert one.solution.result.stopped == "stopped" and one.solution.result.ledger.rounds == 2
    events = one.solution.trace.events
    assert events == whole.trace.events[: len(events)] and one.solution.result.best


def test_what_goes_wrong_is_in_the_solution(tmp_path):
    def fails(request, i):
        raise LMError("the model is out")

    assert list(Session(job(), Scripted(fails))) and not Session(job(), Scripted(fails)).missed
    one = Session(job(), Scripted(fails))
    list(one)
    assert one.solution.error == "the model is out" and not one.missed
    with Cassette(tmp_path / "one.jsonl", Scripted("?")) as tape:
        tape([user("something else")])
    one = Session(job(), Cassette(tmp_path / "one.jsonl"))
    list(one)
    assert one.missed and "not in one.jsonl" in one.solution.error


def test_a_lab_for_a_task_at_a_place_and_no_place_from_a_link(tmp_path):
    own = "from tot.tasks.questions import AddSub\nclass Sums(AddSub):\n    name = 'sums'\n"
    (tmp_path / "my_sums.py").write_text(own)
    place = f"{tmp_path}/my_sums.py:Sums"
    lab = Lab({"dice": Scripted(["Answer: 3"])}, task=place)
    plain = {**form.offer(lab)["form"], "method": "io", "model": "dice"}
    assert plain["task"] == place and form.choice(lab, plain, lab.models["dice"]).job().task.name == "sums"
    assert f'solve("{place}"' in form.choice(lab, plain, lab.models["dice"]).code().replace("\n    ", "")
    with pytest.raises(ValueError, match="open a lab for it"):
        form.choice(Lab({"dice": Scripted([])}), plain, Scripted([]))


def test_the_bill_of_pieces_has_those_before_the_one_that_failed_and_what_that_had_cost():
    class Fails(Counting):
        def __call__(self, requests, on_reply=None):
            if len(self.asked) < 2:
                [reply] = super().__call__(requests, on_reply)
                on_reply(requests[0], reply)
                return [reply]
            error = LMError("no")
            error.paid = Usage(3, 3, 30, 6)
            raise error

    one = Session(asking(user("a"), user("b"), user("c")), Fails(batched=False))
    list(one)
    assert one.run.error == "no" and one.run.ledger.total_paid == Usage(5, 5, 50, 10)


@pytest.mark.parametrize("how", ["late", "stopped"])
@pytest.mark.parametrize("tells", [True, False])
def test_the_bill_of_a_run_that_ends_between_two_pieces_has_those_before(how, tells):
    class Mine(Counting):
        def __call__(self, requests, on_reply=None):
            replies = super().__call__(requests, on_reply)
            if tells:
                on_reply(requests[0], replies[0])
            if len(self.asked) == 2 and how == "late":
                one.run.started -= 100
            elif len(self.asked) == 2:
                one.stop()
            return replies

    one = Session(asking(user("a"), user("b"), user("c")), Mine(batched=False), budget=Budget(seconds=50))
    list(one)
    assert one.run.stopped == ("seconds" if how == "late" else how)
    assert one.run.ledger.total_paid == Usage(2, 2, 20, 4) == one.run.ledger.charged
