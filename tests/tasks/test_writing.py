"""Creative Writing: the bundled inputs, the check of the constraint, readers, prompts, and refining."""

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import bars

from tot import Problem, Scripted, State, Thought, solve
from tot.tasks.datasets import split_sentences
from tot.tasks.writing import Writing, ends_with, paragraphs, read_passage

TASK = Writing()
BOOK = TASK.problems("book")
LINES = ["The cat sat.", 'He said "No."', "It's late, isn't it?", "All 4 left…"]
X = "\n".join(LINES)
PASSAGE = "\n\n".join(f"So it went on. {line}" for line in LINES)
PLANNED = State(X).then(Thought("1. a cat\n2. a man"))


def test_forty_inputs_of_four_different_sentences():
    assert len(BOOK) == len({p.x for p in BOOK}) == len({p.id for p in BOOK}) == 40
    sentences = [line for p in BOOK for line in p.x.split("\n")]
    assert len(sentences) == len(set(sentences)) == 160 and {len(p.x.split("\n")) for p in BOOK} == {4}
    for p in BOOK:
        assert split_sentences(p.x) == p.x.split("\n")
        assert p.gold is None and TASK.problem(p.x) == TASK.problem(p.x.replace("\n", "  ")) == p
    assert all(5 <= len(line.split()) <= 16 for line in sentences)
    openings = Counter(line.split()[0] for line in sentences)
    assert openings.most_common(1)[0][1] < 50 and len(openings) > 50


def test_four_typed_sentences_are_a_problem():
    assert TASK.problem(" ".join(LINES)) == TASK.problem(f"\n{X}\n") == Problem(X, X)
    assert TASK.problem("Mr. Ed.\nso\n is\nit").x == "Mr. Ed.\nso\nis\nit"  # on a line each they need no full stop
    for text in ("", "One. Two. Three.", "A. B. C. D. E.", "a\nb\nc", "One.\nTwo.\n!!!\nFour.", "a. " * 2000):
        with pytest.raises(ValueError, match="four sentences, each ending in"):
            TASK.problem(text)
    with pytest.raises(ValueError, match="writing has no split 'hard': choose one of book, authors"):
        TASK.problems("hard")


def judge(passage):
    score = TASK.verify(Problem("x", X), passage)
    return score.correct, score.parts["paragraphs"], score.parts["endings"]


def test_the_constraint_by_hand():
    assert judge(PASSAGE) == (True, 1, 1) and TASK.verify(Problem("x", X), PASSAGE).why.startswith("four paragraphs")
    assert judge(None) == judge("") == judge("x" * 1_000_000) == (False, 0, 0)
    swapped = "\n\n".join(f"So it went on. {LINES[i]}" for i in (0, 2, 1, 3))
    assert judge(swapped) == (False, 1, 0.5)
    assert TASK.verify(Problem("x", X), swapped).why == "paragraph 2 does not end with its sentence"
    assert judge(PASSAGE + "\n\nSo it ended.") == (False, 0, 1)
    assert TASK.verify(Problem("x", X), PASSAGE + "\n\nSo it ended.").why == "5 paragraphs, not 4"
    assert TASK.verify(Problem("x", X), "All in one.").why == "1 paragraph, not 4"
    assert judge(PASSAGE.replace("\n\n", " ")) == (False, 0, 0)
    assert judge("\n\n".join(PASSAGE.split("\n\n")[:3])) == (False, 0, 0.75)
    assert judge(PASSAGE.replace("sat.", "sat. Then it left.")) == (False, 1, 0.75)
    assert judge(PASSAGE.replace("The cat", "A cat")) == (False, 1, 0.75)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n\n", "\n"),
        lambda text: text.replace("\n\n", "\r\n \t\r\n"),
        lambda text: text.replace("\n\n", "\n\n\n\n") + "\n",
        lambda text: text.replace('"', "”").replace("'", "’"),
        lambda text: text.replace("The cat sat.", "**the cat  sat**"),
        lambda text: text.replace("on. The", 'on: "The').replace("sat.", 'sat!"'),
        lambda text: "\n\n".join(f"**Paragraph {i}:**\n{p}" for i, p in enumerate(text.split("\n\n"), 1)),
        lambda text: "\n\n".join(f"{i}.\n\n{p}" for i, p in enumerate(text.split("\n\n"), 1)),
        lambda text: "\n\n".join(f"**Paragraph {i}: On**\n\n{p}" for i, p in enumerate(text.split("\n\n"), 1)),
        lambda text: text + "\n\n---",
        lambda text: text.replace("on. The cat sat.", "on.\nThe cat sat."),
    ],
)
def test_what_does_not_matter(change):
    assert change(PASSAGE) != PASSAGE and judge(change(PASSAGE)) == (True, 1, 1)


WORD = st.sampled_from(["a", "b", "é", "it's", "A", "ab", "7"])
SENTENCE = st.lists(WORD, min_size=1, max_size=5).map(lambda words: " ".join(words) + ".")


@settings(max_examples=60)
@given(st.lists(SENTENCE, min_size=4, max_size=4), st.lists(SENTENCE, min_size=4, max_size=4), st.integers(0, 3))
def test_a_passage_built_to_the_rules_keeps_them_and_one_change_breaks_them(sentences, before, i):
    problem = Problem("x", "\n".join(sentences))
    parts = [f"{start} {end}" for start, end in zip(before, sentences, strict=True)]
    assert TASK.verify(problem, "\n\n".join(parts)).parts == {"paragraphs": 1, "endings": 1}
    parts[i] += " zzz."
    score = TASK.verify(problem, "\n\n".join(parts))
    assert not score.correct and score.parts == {"paragraphs": 1, "endings": 0.75}
    assert TASK.verify(problem, "\n\n".join(parts[:i] + parts[i + 1 :])).parts["paragraphs"] == 0


def test_a_sentence_is_the_end_of_whole_words():
    assert ends_with("A tomcat sat.", "cat sat.") is False and ends_with("A cat sat.", "cat sat.")
    assert ends_with("The cat sat", "The cat sat.") and not ends_with("", "x.") and not ends_with("anything", "!!!")
    assert paragraphs("") == [] and paragraphs("\n \n") == []
    assert paragraphs("one\ntwo") == ["one", "two"] and paragraphs("one\ntwo\n\nthree") == ["one\ntwo", "three"]


LEADS = "|\n |Passage:\n|**Passage:**\n\n|Here is the passage you asked for:\n\n|Plan:\n1. a cat\n\nPassage:\n"
LEADS += "|Plan:\n1. a cat\n\nHere is the passage:\n\n|Now, the final passage:\n\n|**Below is the passage:**\n\n"


@pytest.mark.parametrize("lead", bars(LEADS))
def test_a_passage_is_read_without_label_and_lead_in(lead):
    for passage in (PASSAGE, "One line"):
        for final in (True, False):
            assert read_passage(f"{lead}{passage}\n", final=final).value == Thought(passage, None, passage, final)


@pytest.mark.parametrize("label", ["Passage:\n\n", "**Passage:**\n\n", "## Passage\n\n"])
def test_a_title_below_the_label_is_no_paragraph(label):
    [read] = TASK.read_cot(State(X), f"Plan:\n1. rain\n\n{label}**The Key**\n\n{PASSAGE}")
    assert TASK.verify(Problem(X, X), read.value.answer).correct


def test_a_passage_is_read_to_its_end_however_long_it_is():
    passage = "\n\n".join("It rained and rained. " * 60 + line for line in LINES)
    for read, reply in ((TASK.read_io, passage), (TASK.read_cot, f"Plan:\n1. rain\n\nPassage:\n{passage}")):
        [found] = read(State(X), reply)
        assert found.value.answer == passage and TASK.verify(Problem(X, X), found.value.answer).correct


@pytest.mark.parametrize(
    "around",
    [
        "**The Letter**\n\n{}", "# The Letter\n\n{}", "The Letter\n\n{}", "Sure, here is the passage.\n\n{}",
        "{}\n\nNote: each paragraph ends as asked.", "{}\n\n(Word count: 120)", "{}\n\nLet me know if it fits!",
        "Certainly.\n\n{}", "{}\n\nUser: thanks\nAssistant: You are welcome!", "{}\n\n**Confidence:** high",
        "<passage>\n{}\n</passage>", "{}<|im_end|>", "{}</s>", "\u200b{}",
        "{}\n\n(Words: 120)", "{}\nWord count: 120", "**Title:** The Letter\n\n{}", "A Letter: Who Is There?\n\n{}",
        "{}\n\nThe End.", "{}\n\n*The End*", "{}\n\n**Changes made:**\n\n- The flow\n- The voice",
        "{}\n\n---\n\n### Key changes\n\n1. **Flow**: as asked.", "{}\n\nThese changes make the passage flow better.",
        "{}\n\nI've woven the four sentences into one story.", "{}\n\n*All four sentences are used word for word.*",
        "{}\n\n**Rationale:** one narrator.", "{}\n\n### Why\n\n- One voice", "{}\n\nI refined the transitions.",
        "{}\n\nHere's what I changed:\n\n1. Flow", "{}\n\nWhat do you think?",
        "Some transitions were abrupt, so I rewrote them.\n\n{}", "*The Letter on the Mat*\n\n{}",
        "I'll weave these sentences into one story.\n\n{}", '"The Letter on the Mat"\n\n{}',
        "以下是文章：\n\n{}", "《信》\n\n{}", "标题：信\n\n{}", "{}\n\n（完）", "{}\n\n希望你喜欢！",
        "{}\n\n注：如您所愿。", "文章：\n{}", "Passage：\n{}", "{}\n\nEnjoy!", "{}\n\nEach paragraph ends as asked.",
        "<p>{}</p>", "{}</p><br/>",
    ],
)
def test_what_stands_around_a_passage_does_not_make_it_wrong(around):
    for task in (TASK, TASK.in_paper_style()):
        [read] = task.read_io(State(X), around.format(PASSAGE))
        assert task.verify(Problem(X, X), read.value.answer).correct
    for data in ({"passage": PASSAGE}, {"title": "The Letter", "paragraphs": PASSAGE.split("\n\n")}):
        assert TASK.verify(Problem(X, X), TASK.read_io(State(X), json.dumps(data))[0].value.answer).correct
    for more in ("And then it rained.", "I have never seen him since.", "The story ended.", "The end of it was near."):
        assert TASK.verify(Problem(X, X), f"{PASSAGE}\n\n{more}").why == "5 paragraphs, not 4"
    for more in ("Sure I was afraid.", '"Okay," he said.', "Here is where it began.", "It was dark and nobody came"):
        assert TASK.verify(Problem(X, X), f"{more}\n\n{PASSAGE}").why == "5 paragraphs, not 4"
    for more in ("The old man found the passage in a book.", "No one could give a coherent account of that night."):
        assert TASK.verify(Problem(X, X), f"{more}\n\n{PASSAGE}").why == "5 paragraphs, not 4"


def test_no_passage_and_why():
    for text in ("", " \n", "Passage:", "..."):
        read = read_passage(text, final=True)
        assert (read.value, read.why) == (None, "no passage in the reply")
        assert TASK.read_io(State(X), text) == [read]
    [read] = TASK.read_cot(State(X), "Plan:\n1. a cat")
    assert read.value == Thought("Plan:\n1. a cat", final=True) and read.why == "no passage below the plan"
    for label in ("Passage:", "### Passage\n", "**Final Passage:**", "**Passage**", "#### The passage"):
        [read] = TASK.read_cot(State(X), f"Plan:\n1. a cat\n\n{label}\n{PASSAGE}")
        assert read.ok and read.value.answer == PASSAGE and read.value.final


def test_plans_are_read_without_their_label():
    assert TASK.read_step(State(X), "Plan:\n1. a cat")[0].value == Thought("1. a cat")
    assert TASK.read_step(State(X), "\n")[0].why == "no plan in the reply"
    for story in ("1. A man whose life seems perfect.\n2. A storm.", "Unfortunately, the hero loses his cat."):
        assert TASK.read_step(State(X), story)[0].value.text == story
    assert TASK.read_step(PLANNED, PASSAGE)[0].value == Thought(PASSAGE, None, PASSAGE, True)


WRITTEN = PLANNED.then(Thought("old", None, "old text"))


CONTENT = "perfectly coherent|perfectly  coherent|Perfectly coherent."
CONTENT += "|**Perfectly coherent**|Yes, it is perfectly coherent."
CONTENT += "|The passage you provided is perfectly coherent.|I find it perfectly coherent.|No changes are needed."
CONTENT += "|I wouldn't change anything."
CONTENT += "|The story isn't conventional, but it's perfectly coherent."
CONTENT += "|It never loses its thread and is perfectly coherent."
CONTENT += f"|The passage is perfectly coherent.|Perfectly coherent.\n\n{PASSAGE}"


@pytest.mark.parametrize(
    "lead", ["The passage is coherent. Here is a better one:", "Here is a perfectly coherent version:"]
)
def test_a_better_passage_is_taken_though_the_last_is_praised(lead):
    assert TASK.read_refined(WRITTEN, f"{lead}\n\n{PASSAGE}")[0].value == Thought(PASSAGE, None, PASSAGE, False)
    [criticism] = TASK.read_refined(WRITTEN, "The passage is good, but the third paragraph needs a better transition.")
    assert not criticism.ok


@pytest.mark.parametrize("text", bars(CONTENT))
def test_content(text):
    assert TASK.read_refined(WRITTEN, text)[0].value == Thought("perfectly coherent", None, "old text", final=True)
    assert not TASK.read_refined(State(X), text)[0].value.final  # there is no passage yet: this is one


def test_a_remark_about_the_passage_is_no_passage():
    for text in (
        "The passage is mostly coherent; paragraph 3 could be linked better.",
        "I would link the paragraphs.",
        "The passage is perfectly coherent, except for paragraph two.",
        "The first two paragraphs are perfectly coherent. The last two are not.",
        "perfectly coherent? No. The goat comes from nowhere.",
        "The text reads well.\n\nIt is mostly coherent.",
    ):
        [read] = TASK.read_refined(WRITTEN, text)
        assert read.value is None and not TASK.read_refined(State(X), text)[0].value.final


def test_the_same_passage_that_is_called_coherent_is_no_rewrite():
    written = PLANNED.then(Thought("old", None, PASSAGE))
    again = PASSAGE.replace(" ", "  ").replace('"', "”")
    [read] = TASK.read_refined(written, f"{again}\n\nIt is perfectly coherent.")
    assert read.value == Thought("perfectly coherent", None, PASSAGE, final=True)


@pytest.mark.parametrize(
    "lead",
    bars(
        "|Not perfectly coherent. Better:\n\n|It is not perfectly coherent:\n|Passage:\n|Not perfectly coherent.\n\n"
        "|The passage is mostly coherent.\n\n|No, the passage is not perfectly coherent.\n\n"
        "|The passage seems abrupt.\n\n|**Final revised passage:**\n\n"
        "|The passage is far from perfectly coherent, and jumps.\n\n"
        "|The story isn't done, but some would call it perfectly coherent.\n\n"
        "|### Analysis\n\nThe passage flows well.\n\n### Refined passage\n\n"
    ),
)
def test_not_content(lead):
    [read] = TASK.read_refined(WRITTEN, lead + PASSAGE)
    assert not read.value.final and TASK.verify(Problem(X, X), read.value.answer).correct
    for end in ("This passage is now perfectly coherent.", "With these changes, it is perfectly coherent."):
        [read] = TASK.read_refined(WRITTEN, f"{lead}{PASSAGE}\n\n{end}")
        assert not read.value.final and TASK.verify(Problem(X, X), read.value.answer).correct


def test_prompts_share_their_beginning_and_show_what_they_should():
    root = State(X)
    prompts = {"io": TASK.io(root), "cot": TASK.cot(root), "plan": TASK.step(root), "write": TASK.step(PLANNED)}
    prompts |= {
        "plans": TASK.ballot([PLANNED] * 2),
        "passages": TASK.ballot([WRITTEN] * 2),
        "refine": TASK.refine(WRITTEN),
    }
    said = {name: request.messages[0].content for name, request in prompts.items()}
    start = said["io"].removesuffix("Reply with the passage only.")
    assert all(text.startswith(start) for text in said.values())
    assert start.startswith("Sentences:\n1. The cat sat.\n2. He said") and "word for word" in start
    assert {request.temperature for request in prompts.values()} == {1.0}
    assert [request.max_tokens for request in prompts.values()] == [220, 280, 90, 220, 12, 12, 220]
    assert "a cat" in said["write"] and "a cat" in said["plans"] and "a cat" not in said["passages"] + said["refine"]
    assert "Choice 2:\nold\n" in said["passages"] and "old text" in said["refine"] and TASK.done in said["refine"]
    assert TASK.refine(State(X)) == TASK.io(State(X))


def test_refining_sees_the_last_passage_only_and_stops_when_the_model_is_content():
    drafts = [f"The {number} draft. The cat sat." for number in ("first", "second", "third")]
    lm = Scripted([*drafts, "Perfectly coherent.", "never asked"])
    solution = solve("writing", X, "io-refine", lm=lm)
    assert solution.answer == drafts[2] and solution.result.stopped == "done" and solution.result.ledger.rounds == 4
    said = [request.messages[0].content for request in lm.requests]
    assert [len(request.messages) for request in lm.requests] == [1, 1, 1, 1]
    assert "second draft" in said[2] and "first draft" not in said[2] and "draft" not in said[0]


@pytest.mark.parametrize("k", [0, 1, 5])
def test_refining_ends_after_k_rewritings(k):
    lm = Scripted([f"Draft {i}. The cat sat." for i in range(9)])
    solution = solve("writing", X, "io-refine", lm=lm, k=k)
    assert solution.answer == f"Draft {k}. The cat sat."
    assert len(lm.requests) == k + 1 and solution.result.stopped == "done"


@pytest.mark.parametrize("reply", bars("|It is coherent.|It reads well as it is.|I would reorder the parts."))
def test_a_rewriting_that_cannot_be_read_leaves_the_last_passage(reply):
    lm = Scripted(["first draft", second := "A draft. The cat sat.", reply, "never asked"])
    solution = solve("writing", X, "io-refine", lm=lm)
    assert solution.answer == second and solution.result.unread == 1 and len(lm.requests) == 3


def test_refining_with_the_verifier_stops_at_a_passage_that_keeps_the_rules():
    lm = Scripted(["first draft", PASSAGE, "never asked"])
    solution = solve("writing", X, "io-refine-checked", lm=lm)
    assert solution.answer == PASSAGE and solution.correct and solution.result.stopped == "until"
