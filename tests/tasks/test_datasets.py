"""Loaders of public benchmarks: on small files in the same forms, with texts of our own, and on damaged ones."""

import json
import os
from functools import partial
from pathlib import Path

import pytest

from tot import task
from tot.tasks.crosswords import FILES
from tot.tasks.crosswords_board import SLOTS
from tot.tasks.datasets import DATASETS, hotpotqa_paragraphs, load, split_sentences
from tot.tasks.game24 import RANKED

EXAMPLES = [{"input": "Is  ice\ncold? ", "target_scores": {"Yes": 1, "No": 0}, "target": "Yes. Look."}]
BALLS = [{"input": "Ada holds a ", "target_scores": {"red ball.": 0, "blue ball.": 1, "tin.": 0}}]
BIRD = {
    "question": {
        "stem": "What\u2028flies?",
        "choices": [{"label": "A", "text": "a cat"}, {"label": "B", "text": "a bird"}],
    },
    "answerKey": "B",
}
RIVER = {
    "_id": "x1",
    "question": "Which  sea?",
    "answer": "the Red Sea",
    "context": [["A Ship", ["It sails. ", " It  floats.", ""]], ["The Sea", ["It is red."]]],
}
NAMES = {"question": 'Of "Ada Bo"?', "answer": "ao"}
CUP = {"Question": "What do 2 cost?", "Answer": 10.0}
SMALL = {  # dataset: its file's text, and what is made of it
    "gsm8k": (
        '{"question": "How\u2028many?", "answer": "One <<1000+1=1001>> more.\\n#### 1,001"}\n\n'
        '{"question": "And now?", "answer": "#### -2"}\n',
        [("How\nmany?", "1001"), ("And now?", "-2")],
    ),
    "addsub": (json.dumps([{"sQuestion": " A  few ? ", "lSolutions": ["0.25"]}]), [("A few ?", "0.25")]),
    "multiarith": (json.dumps([{"sQuestion": "Many?", "lSolutions": [39.0]}]), [("Many?", "39")]),
    "singleeq": (json.dumps([{"sQuestion": "One?", "lSolutions": [10.46]}]), [("One?", "10.46")]),
    "svamp": (
        json.dumps([CUP | {"Body": "If a cup costs 5 dollars"}, CUP | {"Body": "A cup costs 5 dollars. "}]),
        [("If a cup costs 5 dollars, What do 2 cost?", "10"), ("A cup costs 5 dollars. What do 2 cost?", "10")],
    ),
    "strategyqa": (json.dumps({"examples": EXAMPLES}), [("Is ice\ncold?", "yes")]),
    "commonsenseqa": (json.dumps(BIRD, ensure_ascii=False), [("What\nflies?\nChoices: (A) a cat (B) a bird", "B")]),
    "last_letters": (json.dumps({"examples": [NAMES]}), [('Of "Ada Bo"?', "ao")]),
    "object_tracking": (
        json.dumps({"examples": BALLS}),
        [("Ada holds a ...\nChoices: (A) red ball (B) blue ball (C) tin", "B")],
    ),
    "hotpotqa": (json.dumps([RIVER] * 2), [("Which sea?", "the Red Sea")] * 2),
    "creative_writing": (
        'One fell. "Two?" he said. Three! 4 came.\n\nIt was late. We went home The end. No more.\n',
        [
            ('One fell.\n"Two?" he said.\nThree!\n4 came.', None),
            ("It was late.\nWe went home\nThe end.\nNo more.", None),
        ],
    ),
}


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.setenv("TOT_DATA_DIR", str(tmp_path))

    def write(file, text):
        path = tmp_path / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    return write


BOARD, AMT = "arenaperilplacelaserexert", "Rank,Puzzles,AMT (s)\n"
CLUES = [f"clue {i}; it: {i}" for i in range(10)]
LISTED = "\n".join(f"{slot}. {clue}" for slot, clue in zip(SLOTS, CLUES, strict=True))
AUTHORS = {  # the lists of the Tree of Thoughts' authors, which two tasks read: names of the file, its text, problems
    "game24": (RANKED.files, AMT + '1,"1 1  4 6",4.4\n', [("1 1 4 6", None)]),
    "crosswords": (FILES, json.dumps([[CLUES, [*BOARD.upper()]]]), [(LISTED, "ARENA PERIL PLACE LASER EXERT")]),
}
SOURCES = {name: (partial(load, name), DATASETS[name].files, *SMALL[name]) for name in DATASETS}
SOURCES |= {
    f"{name} of the authors": (lambda name=name: task(name).problems("authors"), *more)
    for name, more in AUTHORS.items()
}


@pytest.mark.parametrize(("name", "file"), [(name, file) for name in SOURCES for file in SOURCES[name][1]])
def test_a_small_file_by_any_of_its_names(name, file, write):
    read, _, text, pairs = SOURCES[name]
    write(file, text)
    problems = read()
    assert [(problem.x, problem.gold) for problem in problems] == pairs
    if name in DATASETS:
        assert [problem.id for problem in problems] == [f"{name}-{i}" for i in range(1, len(pairs) + 1)]
    write(file, "\ufeff" + text.replace("\n", "\r\n"))  # as Windows saves it
    assert read() == problems


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("folder", ["here", "", None])
def test_no_file_and_no_folder(name, folder, write, monkeypatch):
    read, files, *_ = SOURCES[name]
    monkeypatch.delenv("TOT_DATA_DIR") if folder is None else folder or monkeypatch.setenv("TOT_DATA_DIR", folder)
    with pytest.raises(ValueError, match="^set TOT_DATA_DIR to a folder that holds ") as refused:
        read()
    assert str(refused.value).endswith(f" as {' or '.join(files)}")  # every name is said
    with pytest.raises(ValueError, match="no dataset 'gsm9k': choose one of gsm8k, addsub"):
        load("gsm9k")


WRONG = ["", "[]", "null", "7", "{}", '{"examples": []}', "[[]]", '[{"lSolutions": []}]', "<html>", '"x"', "\n" * 9]
WRONG += ['{"question": 1, "answer": 2}', '{"question": "x", "answer": "seven"}', '[{"Body": "", "Question": ""}]']
WRONG += ["[" * 100_000, json.dumps([{"sQuestion": "x", "lSolutions": ["nan"]}])]
WRONG += [json.dumps([{"sQuestion": "", "lSolutions": ["1"]}]), json.dumps([{"sQuestion": "x", "lSolutions": [1, 2]}])]
WRONG += [json.dumps({"examples": [{"input": "x", "target_scores": {"Yes": 1, "No": 1}}]})]
WRONG += ["One. Two. Three. Four. Five.", "One. Two.", AMT, "Rank,Numbers\n1,1 1 4 6\n", AMT + "1\n"]
WRONG += [AMT + "1,1 1 4 6\n2,1 1 x 6\n", AMT + f'1,"{"1" * 200_000}"\n', "[[1, 2]]", "[[[], []]]"]
WRONG += [json.dumps([[CLUES[1:], [*BOARD]]]), json.dumps([[[7] * 10, [*BOARD]]])]
WRONG += [json.dumps([[CLUES, [*letters]]]) for letters in (BOARD[1:], BOARD[:-1] + "é", BOARD[:-1] + "_")]


@pytest.mark.parametrize("name", SOURCES)
def test_a_file_of_another_form_is_refused_in_one_sentence(name, write):
    read, (file, *_), *_ = SOURCES[name]
    for text in WRONG:
        write(file, text)
        with pytest.raises(ValueError, match=f"{file} .*download it again") as refused:
            read()
        assert len(str(refused.value)) < 500
    (Path(os.environ["TOT_DATA_DIR"]) / file).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="download it again"):
        read()


def test_paragraphs_come_with_their_questions(write):
    [file, *_] = DATASETS["hotpotqa"].files
    write(file, SMALL["hotpotqa"][0])
    ours = (("A Ship", ("It sails.", "It floats.")), ("The Sea", ("It is red.",)))
    assert hotpotqa_paragraphs() == [ours, ours]
    for text in (*WRONG, json.dumps([{"question": "x", "answer": "y", "context": [["title"]]}])):
        write(file, text)
        with pytest.raises(ValueError, match="download it again"):
            hotpotqa_paragraphs()


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("One  fell.\n Two.", ["One fell.", "Two."]),
        ('He said "Go." Then he left.', ['He said "Go."', "Then he left."]),
        ("“Go!” “No.” 7 of them…", ["“Go!”", "“No.”", "7 of them…"]),
        ("Wait... and see. Pi is 3.14 or so.", ["Wait... and see.", "Pi is 3.14 or so."]),
        ("no end", ["no end"]),
        ("", [""]),
    ],
)
def test_sentences(text, sentences):
    assert split_sentences(text) == sentences
