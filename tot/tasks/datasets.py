"""Loaders for public benchmarks, from files in their original formats in the user's folder TOT_DATA_DIR.

``load("gsm8k")`` gives the problems of one benchmark. The package holds none of this text. A problem's ``x`` is the
question with tidy white space; ``gold``, for verifiers only, is a number ("18", "0.25"), "yes" or "no", the letter of a
choice, or a few words. Questions with choices end in "Choices: (A) ... (B) ...".
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..parse import number
from .base import Problem
from .bundled import told_in


@dataclass(frozen=True)
class Dataset:
    """A benchmark: ``files`` are the names that its file may have, ours first, then those it is published under, below
    TOT_DATA_DIR or in the folder of the collection that it ships in; ``read`` turns its text into pairs (x, gold).
    """

    about: str
    files: tuple[str, ...]
    read: Callable[[str], Iterable[tuple[str, Any]]]


def load(name: str) -> list[Problem]:
    """The problems of a dataset, in the order of its file, with ids "gsm8k-1", "gsm8k-2" ...

    Raises ValueError for a name that is not in ``DATASETS``, and for a file that is missing or malformed.
    """
    if name not in DATASETS:
        raise ValueError(f"there is no dataset {name!r}: choose one of {', '.join(DATASETS)}")
    return [Problem(f"{name}-{i}", tidy(x), gold) for i, (x, gold) in enumerate(pairs_of(DATASETS[name]), 1)]


def data_file(about: str, files: tuple[str, ...]) -> Path:
    """The first of ``files`` that is in the user's folder TOT_DATA_DIR. Raises ValueError, naming all, if none is."""
    folder = os.environ.get("TOT_DATA_DIR")
    path = next((path for file in files if (path := Path(folder or ".") / file).is_file()), None)
    if not folder or path is None:
        raise ValueError(f"set TOT_DATA_DIR to a folder that holds {about} as {' or '.join(files)}")
    return path


def is_there(name: str) -> bool:
    """Whether the file of a dataset is in the user's folder."""
    with suppress(ValueError):
        return bool(data_file(DATASETS[name].about, DATASETS[name].files))
    return False


def pairs_of(dataset: Dataset) -> list[tuple[str, Any]]:
    """What ``dataset.read`` finds in the dataset's file: at least one pair (x, gold), no x empty. Raises ValueError."""
    path = data_file(dataset.about, dataset.files)
    try:
        pairs = list(dataset.read(path.read_text(encoding="utf-8-sig")))
        empty = not pairs or not all(tidy(x) for x, _ in pairs)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"{path.name} is not {dataset.about}: download it again ({error!r:.200})") from error
    if empty:
        raise ValueError(f"{path.name} holds no problems, or empty ones: download it again")
    return pairs


def tidy(text: str) -> str:
    """The text with single spaces and without empty lines."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return "\n".join(filter(None, lines))


# ---------------------------------------------------------------- questions with a number as the answer


def _json_lines(text: str) -> Iterator[Any]:
    return map(json.loads, filter(str.strip, text.split("\n")))  # other ends of lines may stand in a JSON text


def _gsm8k(text: str) -> Iterator[tuple[str, str]]:
    """JSON lines; the answer follows "####" at the end of the worked solution."""
    for item in _json_lines(text):
        yield item["question"], _number(item["answer"].rpartition("####")[2].strip().replace(",", ""))


def _solutions(text: str) -> Iterator[tuple[str, str]]:
    """AddSub, MultiArith and SingleEq: one solution for each question, as a text or as a float."""
    for item in json.loads(text):
        [solution] = item["lSolutions"]
        yield item["sQuestion"], _number(solution)


def _svamp(text: str) -> Iterator[tuple[str, str]]:
    for item in json.loads(text):
        body = item["Body"].strip()
        yield body + (" " if body.endswith((".", "?", "!")) else ", ") + item["Question"], _number(item["Answer"])


def _number(value: str | float) -> str:
    """39.0 -> "39", "0.25" -> "0.25". Raises ValueError for anything that is not a number."""
    if number(text := re.sub(r"\.0+$", "", str(value))) is None:
        raise ValueError(f"{text[:60]!r} is not a number")
    return text


# ---------------------------------------------------------------- other questions


def _strategyqa(text: str) -> Iterator[tuple[str, str]]:
    """BIG-bench form: the choice that scores 1 is Yes or No."""
    for item in json.loads(text)["examples"]:
        yield item["input"], _best(item["target_scores"]).lower()


def _object_tracking(text: str) -> Iterator[tuple[str, str]]:
    """BIG-bench form: the input is the beginning of a sentence, the choices are its possible ends."""
    for item in json.loads(text)["examples"]:
        choices = list(item["target_scores"])
        listed = list_choices((chr(ord("A") + i), choice.strip(" .")) for i, choice in enumerate(choices))
        yield f"{item['input'].rstrip()} ...\n{listed}", chr(ord("A") + choices.index(_best(item["target_scores"])))


def _commonsenseqa(text: str) -> Iterator[tuple[str, str]]:
    for item in _json_lines(text):
        question = item["question"]
        listed = list_choices((choice["label"], choice["text"]) for choice in question["choices"])
        yield f"{question['stem']}\n{listed}", item["answerKey"]


def list_choices(pairs: Iterable[tuple[str, str]]) -> str:
    """The line of choices that ends a question, made of pairs (label, text)."""
    return "Choices: " + " ".join(f"({label}) {text}" for label, text in pairs)


def _best(scores: dict[str, float]) -> str:
    """The only choice that scores 1. Raises ValueError if there is not exactly one."""
    [best] = [choice for choice, score in scores.items() if score == 1]
    return best


# ---------------------------------------------------------------- questions with their own paragraphs

Paragraph = tuple[str, tuple[str, ...]]  # a title and the sentences below it


def _asked(text: str) -> Iterator[tuple[str, str]]:
    """HotpotQA, and Last Letters in the form of BIG-bench: questions with answers."""
    data = json.loads(text)
    for item in data["examples"] if isinstance(data, dict) else data:
        yield item["question"], str(item["answer"])


def _paragraphs(text: str) -> Iterator[tuple[str, tuple[Paragraph, ...]]]:
    for item in json.loads(text):
        found = {tidy(title): tuple(filter(None, map(tidy, sentences))) for title, sentences in item["context"]}
        yield item["question"], tuple(found.items())


def hotpotqa_paragraphs() -> list[tuple[Paragraph, ...]]:
    """The paragraphs that come with each question of ``load("hotpotqa")``, in the same order; two hold the answer.

    Raises ValueError as ``load`` does.
    """
    return [paragraphs for _, paragraphs in pairs_of(replace(DATASETS["hotpotqa"], read=_paragraphs))]


# ---------------------------------------------------------------- creative writing

SENTENCES = 4
_END = re.compile(r"""([.!?…]["'”’)]*) (?=["'“‘(]*[A-Z0-9])""")
_RUN_ON = re.compile(r"(?<=[a-z]) (?=(?!I\b)[A-Z])")


def split_sentences(text: str) -> list[str]:
    """The sentences of a text: each ends in . ! ? or an ellipsis, and the next begins with a capital or a digit."""
    return _END.sub(r"\1\n", " ".join(text.split())).split("\n")


def _creative_writing(text: str) -> Iterator[tuple[str, None]]:
    """Each line has four sentences, which become the four lines of ``x``.

    Some of the authors' sentences are fragments without a full stop: if a line seems to have only three, the earliest
    capital after a small letter begins the fourth.
    """
    for line in filter(str.strip, text.splitlines()):
        found = split_sentences(line)
        if len(found) == SENTENCES - 1:
            at = [match.start() if (match := _RUN_ON.search(s)) else len(line) for s in found]
            i = at.index(min(at))
            found[i : i + 1] = _RUN_ON.split(found[i], maxsplit=1)
        if len(found) != SENTENCES:
            raise ValueError(f"{len(found)} sentences in the line {line[:60]!r}")
        yield "\n".join(found), None


# name -> what reads its file; the names that this may have are in datasets.toml
READERS: dict[str, Callable[[str], Iterable[tuple[str, Any]]]] = {
    "gsm8k": _gsm8k,
    "addsub": _solutions,
    "multiarith": _solutions,
    "singleeq": _solutions,
    "svamp": _svamp,
    "strategyqa": _strategyqa,
    "commonsenseqa": _commonsenseqa,
    "hotpotqa": _asked,
    "last_letters": _asked,
    "object_tracking": _object_tracking,
    "creative_writing": _creative_writing,
}
# the benchmarks by name
DATASETS = {
    name: Dataset(told["about"], tuple(told["files"]), READERS[name]) for name, told in told_in("datasets").items()
}
