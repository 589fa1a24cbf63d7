"""The teacher's guide and the manual: what they print runs, the plan fits the assignments, nothing is left out."""

import contextlib
import io
import re
import shlex
import shutil
import tomllib
from functools import partial
from itertools import zip_longest
from pathlib import Path
from textwrap import dedent

import pytest
import yaml
from fake_server import FakeServer, answering
from sphinx_external_toc.parsing import parse_toc_yaml

from tools.pages import teaching
from tot.cli import main

ROOT = Path(__file__).parents[2]
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in sorted((ROOT / "book" / "teaching").glob("*.md"))}
MANUAL = {path.stem: path.read_text(encoding="utf-8") for path in sorted((ROOT / "book" / "manual").glob("*.md"))}
NEEDS = yaml.safe_load((ROOT / "book" / "chapters.yml").read_text(encoding="utf-8"))
TITLES = {n.removeprefix("notebooks/"): item.title for n, item in parse_toc_yaml(ROOT / "_toc.yml").items()}
ASSIGNMENTS = {
    int(path.parent.name[:2]): tomllib.loads(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "course" / "assignments").glob("*/assignment.toml"))
}
BLOCK = re.compile(r"^( *)<!-- (offline|server) -->\n\1```(\w+)\n(.*?)^\1```$", re.M | re.S)
PRINTED = re.compile(r"```text\n(.*?)```", re.S)


def blocks(kind):
    """(page, language, what to run, lines that it says it prints) of each block marked so, in guide and manual."""
    for page, text in {**PAGES, **MANUAL}.items():
        found = list(BLOCK.finditer(text))
        for one, after in zip_longest(found, found[1:]):
            until = text[one.end() : after.start() if after else len(text)].partition("\n## ")[0]
            printed = PRINTED.search(until)
            if one[2] == kind:
                yield page, one[3], dedent(one[4]), printed[1].splitlines() if printed else []


OFFLINE, SERVER = list(blocks("offline")), list(blocks("server"))


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("clone")
    shutil.copytree(ROOT / "notebooks" / "cassettes", folder / "notebooks" / "cassettes")
    (folder / "studies" / "results").mkdir(parents=True)
    shutil.copy(ROOT / "studies" / "results" / "writing_judged.json", folder / "studies" / "results")
    return folder


@pytest.fixture
def clone(recordings, monkeypatch):
    """A folder with the recordings in it; what the commands write stays there."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "TOT_DATA_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(recordings)
    return recordings


def run(language, text):
    """What a block prints. A puzzle that is not solved is no failure (1), a wrong call is one (2)."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        if language == "python":
            exec(text, {"__name__": "block"})
        else:
            for line in text.splitlines():
                if line.startswith("$ export "):
                    continue
                assert line.startswith("$ tot "), line
                status = main(shlex.split(line)[2:])
                assert status in (0, 1), (line, out.getvalue())
    return out.getvalue()


def words(text):
    return " ".join(text.split())


def param(number, page, *block):
    """The pocket model plays ten puzzles in seconds, and in many on a busy machine."""
    slow = [pytest.mark.slow] if "--lm pocket" in block[1] else []
    return pytest.param(*block, id=f"{page}-{number}", marks=slow)


@pytest.mark.parametrize("language, text, printed", [param(i, *one) for i, one in enumerate(OFFLINE)])
def test_what_the_pages_print_runs_and_shows_what_they_say(clone, language, text, printed):
    said = words(run(language, text))
    for line in printed:
        assert words(line).removesuffix("...").strip() in said, (line, said)


def test_the_commands_for_a_server_run_against_one(clone, monkeypatch):
    import tot.lm.openai

    def player(messages, i):
        system, asked = messages[0]["content"], messages[-1]["content"]
        if "impossible" in system:
            return "I cannot tell. likely"
        first, second = re.findall(r"-?\d+", asked)[:2]
        return (
            f"{first} + {second} = {int(first) + int(second)}" if "steps" in system else f"Answer: {first} + {second}"
        )

    monkeypatch.setattr(tot.lm.openai, "OpenAI", partial(tot.lm.openai.OpenAI, backoff=0.001))
    with FakeServer(answering(player), models=[{"id": "your-model", "owned_by": "tests"}]) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        for _, _, text, _ in SERVER:
            said = run("console", text)
            assert "error" not in said, said
        asked = len(server.requests)
        replayed = next(text for _, _, text, _ in SERVER if "--lm" not in text)
        run("console", replayed.replace("replayed.jsonl", "again.jsonl"))
        assert asked and len(server.requests) == asked
    assert len(SERVER) >= 3 and (clone / "_build/class/group-1-results.jsonl").stat().st_size


def test_no_command_is_left_unmarked():
    marked = sum(text.count("$ tot ") for page, _, text, _ in [*OFFLINE, *SERVER] if page in PAGES)
    assert marked == sum(page.count("$ tot ") for page in PAGES.values()) > 30


def week_texts():
    return re.split(r"^\(week-\d+\)=$", PAGES["twelve_weeks"].partition("\n## If there is less")[0], flags=re.M)[1:]


def test_the_plan_hands_out_what_was_read_and_collects_it_in_time():
    rows = re.findall(r"^\| \[(\d+)\]\(#week-\1\) \| (.*?) \| (.*?) \| ?(.*?) ?\|$", PAGES["twelve_weeks"], re.M)
    assert [int(row[0]) for row in rows] == list(range(1, 13))
    read, out, due = {}, {}, {}
    for week, chapters, pages, assigned in rows:
        for number in re.findall(r"\d+", chapters):
            read[int(number)] = int(week)
            assert f"notebooks/{int(number):02}_" in pages
        for number in re.findall(r"\*\*(\d)\*\* out", assigned):
            out[int(number)] = int(week)
        for number in re.findall(r"\b(\d) due", assigned):
            due[int(number)] = int(week)
    assert sorted(read) == list(range(1, 21)) and len(out) == 6
    for number, week in out.items():
        weeks = ASSIGNMENTS[number]["weeks"]
        assert due.get(number, week + weeks) == week + weeks, number
        needed = [int(n) for n in re.findall(r"\d+", ASSIGNMENTS[number]["chapters"])]
        assert read[needed[0]] <= week and max(read[n] for n in needed) < week + weeks, number
    for number, week in due.items():
        assert f"assignment {number} is due" in week_texts()[week - 1].lower()


def test_the_map_has_every_chapter_once_and_its_arrows_say_what_is_needed():
    above = teaching.reduced(NEEDS)

    def before(name, arrows):
        return set(arrows[name]).union(*(before(one, arrows) for one in arrows[name]))

    for name in NEEDS:
        assert before(name, above) == before(name, NEEDS)
        for one in above[name]:  # without this arrow something is lost
            less = {**above, name: [n for n in above[name] if n != one]}
            assert before(name, less) != before(name, NEEDS)
    picture = teaching.draw(NEEDS, TITLES)
    assert picture.count("<circle") == len(NEEDS) and 'role="img"' in picture and "16b on 6 and 16" in picture.about


def test_the_built_plan_has_its_hours(html):
    page = (html / "book" / "teaching" / "twelve_weeks.html").read_text(encoding="utf-8")
    hours = [float(h) for h in re.findall(r'class="tot-hours">([\d.]+) h</span>', page)]
    assert len(hours) == 12 and all(1 <= h <= 6 for h in hours)
