"""All tasks by their names: each conforms, and has every member of the protocols that it inherits."""

import json
import os
from hashlib import sha256
from pathlib import Path

import pytest

from tot import TASKS, task
from tot.tasks import PLACES
from tot.tasks.base import FreeCheck, Plannable, Problem, Refinable, Score, Searchable, Task, ToolUsing, Votable
from tot.testing import check_task

PROTOCOLS = (Task, FreeCheck, Refinable, Votable, Plannable, ToolUsing, Searchable)
REPLIES = [
    *("4 + 9 = 13 (left: 10 13 13)", "Answer: (13 - 9) * (10 - 4)", "sure", "likely", "it fits. sure"),
    *("v1. apple (certain)", "arena\nperil\nplace\nlaser\nexert", "h1. arena\nRows:\narena\nperil"),
    *("So it went on. The cat sat.", "Plan:\nx\nPassage:\ny", "perfectly coherent", "The best choice is 2."),
    *("The answer is 3", "The answer is no", "The answer is (B)", "The answer is yajo", "The answer is Oslo."),
    *("Strategy: add.", "Plan: add.", "Score: 0.8\nFine.", "Score: 3", "Action: Search[x]", "Finish[x]"),
]


ALIKE = {"multiarith", "singleeq", "addsub", "svamp", "count_letters", "object_tracking", "questions"}  # as others read
AS_GSM8K = ALIKE | {"strategyqa", "commonsenseqa", "last_letters"}  # in their paper's style
FORMS = {"": ALIKE | {"last_letters"}, "in_paper_style": AS_GSM8K | {"hotpotqa"}, "unchecked": ALIKE}
EACH = [pytest.param(n, f, marks=[pytest.mark.slow] * (n in alike)) for n in TASKS for f, alike in FORMS.items()]


@pytest.mark.parametrize(("name", "form"), EACH)
def test_every_task_conforms_under_its_own_name_in_every_form(name, form):
    if hasattr(task(name), form or "name"):
        each = getattr(task(name), form)() if form else task(name)
        check_task(each, texts=REPLIES, problems=2)
        assert each.name == name and type(each) is TASKS[name] and PLACES[name].endswith(type(each).__name__)


@pytest.mark.parametrize("name", TASKS)
def test_a_task_does_what_it_inherits_and_inherits_what_it_does(name):
    kind = TASKS[name]
    each = kind()
    for protocol in PROTOCOLS:
        assert isinstance(each, protocol) == (protocol in kind.__mro__), protocol.__name__
        if protocol in kind.__mro__:
            declared = {member for base in protocol.__mro__ if base in PROTOCOLS for member in vars(base)}
            for member in declared:
                default = getattr(protocol, member, None)
                if callable(default) and not member.startswith("_"):
                    assert getattr(kind, member) is not default, f"{member} of {protocol.__name__} is not written"


@pytest.mark.skipif("TOT_DATA_DIR" not in os.environ, reason="TOT_DATA_DIR is not set: no benchmark files")
@pytest.mark.parametrize("name", TASKS)
def test_the_real_files_hold_problems_of_the_task(name):
    each = task(name)
    for split in (split for split, about in each.splits().items() if "TOT_DATA_DIR" in about):
        try:
            problems = each.problems(split)
        except ValueError as missing:
            assert "set TOT_DATA_DIR" in str(missing)
            continue
        assert len({problem.id for problem in problems}) == len(problems) >= 2
        for problem in problems[:300]:
            assert each.problem(problem.x).x == problem.x
            assert problem.gold is None or each.verify(problem, str(problem.gold)).correct


def test_recorded_replies_hang_on_every_byte_of_the_prompts():
    """After a wanted change of a paper's prompt: TOT_GOLDEN=write pytest FILE -k byte. Our own have recordings."""
    golden, made = Path(__file__).with_name("prompts.json"), {}
    for name in TASKS:
        for style in (task(name).style, task(name).paper):
            prompts = repr(sorted((each, repr(prompt)) for each, prompt in style.prompts.items()))
            made[f"{name} {style.name}".strip()] = sha256(prompts.encode()).hexdigest()
    if os.environ.get("TOT_GOLDEN") == "write":
        golden.write_text(json.dumps(made, indent=1) + "\n")
    assert json.loads(golden.read_text()) == made


def test_a_verdict_holds_what_a_results_file_can_hold():
    class Half:  # as numpy's numbers
        def __float__(self):
            return 0.5

        def __bool__(self):
            return True

    score = Score(Half(), parts={"share": Half()})
    assert score.correct is True and score.parts == {"share": 0.5} and Score(None).correct is False
    for part in (float("nan"), float("inf"), None, "much"):
        with pytest.raises(ValueError, match="numbers from 0 to 1"):
            Score(True, parts={"share": part})


def test_a_problem_whose_name_is_a_number_can_be_read_from_its_results():
    assert Problem(101, "2 2 2 3").id == "101"
    with pytest.raises(ValueError, match=r"is a text, not 24"):
        Problem("a", 24)
