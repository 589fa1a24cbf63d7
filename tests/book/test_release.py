"""What a release needs: one version, a changelog that can be read, forms and workflows that their schemas accept."""

import re
import subprocess
import sys
import tomllib

import pytest
import yaml
from check_jsonschema import main as check_jsonschema
from click.testing import CliRunner
from conftest import ROOT

import tot
from tools import release
from tools.run import TARGETS
from tot.moved import table

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
GITHUB = ROOT / ".github"
WORKFLOWS = sorted(GITHUB.glob("workflows/*.yml"))
FORMS = [file for file in sorted(GITHUB.glob("ISSUE_TEMPLATE/*.yml")) if file.stem != "config"]
CHANGES = (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_the_version_stands_in_one_place_and_is_read_from_there():
    version = PROJECT["project"]["version"]
    assert tot.__version__ == version  # if not: make .venv/.installed
    printed = subprocess.run([sys.executable, "-m", "tot", "--version"], capture_output=True, text=True)
    assert printed.stdout.split() == ["tot", version]
    for name in ("CITATION.cff", ".zenodo.json"):  # whoever archives a release takes the tag's
        assert "version" not in yaml.safe_load((ROOT / name).read_text("utf-8"))
    stated = [f for f in (*ROOT.glob("tot/*.py"), *ROOT.glob("treebook/*.py")) if version in f.read_text("utf-8")]
    assert not stated


def test_the_newest_section_of_the_changelog_is_read_at_one_sitting():
    newest = re.split(r"(?m)^## ", CHANGES)[1]
    said, _, moved = newest.partition("\n### Where names went")
    assert newest.split()[0] in (PROJECT["project"]["version"], "Unreleased") and len(said.split()) < 400
    rows = re.findall(r"\| `([\w.]+)`(?:, `([\w.]+)`)?.* \| `([\w.]+)` \|", moved)
    assert len(rows) > 10
    for *olds, new in rows:
        assert {table()[old] for old in olds if old and "NAME" not in old} <= {new}, olds


SCHEMAS = {
    "vendor.github-workflows": WORKFLOWS,
    "custom.github-workflows-require-timeout": WORKFLOWS,
    "vendor.dependabot": [GITHUB / "dependabot.yml"],
    "vendor.github-issue-forms": FORMS,
    "vendor.github-issue-config": [GITHUB / "ISSUE_TEMPLATE" / "config.yml"],
    "vendor.citation-file-format": [ROOT / "CITATION.cff"],
}


@pytest.mark.parametrize("schema", SCHEMAS)
def test_the_files_that_github_reads_are_what_their_schemas_say(schema):
    checked = CliRunner().invoke(check_jsonschema, ["--builtin-schema", schema, *map(str, SCHEMAS[schema])])
    assert SCHEMAS[schema] and checked.exit_code == 0, checked.output


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_a_workflow_runs_our_targets_with_pinned_actions_and_few_rights(file):
    text = file.read_text("utf-8")
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {"contents": "read"} and "secrets." not in text
    rights = {right for job in workflow["jobs"].values() for right in job.get("permissions", {}).items()}
    writes = {right for right, kind in rights if kind == "write"}
    assert writes == {"pages": {"pages", "id-token", "contents"}, "release": {"id-token"}}.get(file.stem, set())
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", step["uses"]) for step in steps if "uses" in step)
    assert len(re.findall(r"@[0-9a-f]{40} # v\d+\.\d+\.\d+$", text, re.M)) == text.count("uses:")
    matrix = workflow["jobs"].get("test", {}).get("strategy", {}).get("matrix", {}).get("include", [])
    ours = [step["run"].split()[3] for step in steps if step.get("run", "").startswith("python -m tools.run ")]
    named = [row["target"] for row in matrix] or ours
    assert (
        named and set(named) <= set(TARGETS) and all("${{" not in step.get("run", "") for step in steps if not matrix)
    )


def test_the_tests_run_on_every_system_with_each_python_that_is_promised():
    matrix = yaml.safe_load((GITHUB / "workflows/test.yml").read_text("utf-8"))["jobs"]["test"]["strategy"]["matrix"]
    assert {name.partition("-")[0] for name in matrix["system"]} == {"ubuntu", "macos", "windows"}
    promised = {*matrix["python"], *(row["python"] for row in matrix["include"] if not row.get("untried"))}
    assert promised == set(re.findall(r":: (3\.\d+)'", str(PROJECT["project"]["classifiers"])))


def test_a_release_fills_in_what_only_it_knows():
    project, readme = ((ROOT / name).read_text("utf-8") for name in ("pyproject.toml", "README.md"))
    where = "https://example.org/a/b"
    urls = tomllib.loads(release.with_addresses(project, where, "v1", "https://book.example"))["project"]["urls"]
    assert urls["Source"] == where and urls["Documentation"] == "https://book.example" and len(urls) == 4
    assert "Documentation" not in release.with_addresses(project, where, "v1", "")
    whole = release.with_whole_links(readme, where, "v1")
    assert f"]({where}/raw/v1/book/_static/tree.svg)" in whole and f"]({where}/blob/v1/CONTRIBUTING.md)" in whole
    assert not re.findall(r"\]\((?!https?:|#)", whole)
    assert (release.with_addresses(project, "", "v1", ""), release.with_whole_links(readme, "", "v1")) == (
        project,
        readme,
    )
    with pytest.raises(SystemExit, match=re.escape(PROJECT["project"]["version"])):
        release.main("v0.0.0")


def test_whoever_wants_to_help_reads_for_five_minutes_and_every_link_leads_somewhere():
    assert len((ROOT / "CONTRIBUTING.md").read_text("utf-8").split()) < 1200
    pages = [*ROOT.glob("*.md"), *ROOT.glob("contributing/*.md"), *GITHUB.glob("*.md")]
    assert {"SECURITY.md", "CODE_OF_CONDUCT.md", "PULL_REQUEST_TEMPLATE.md", "first.md"} <= {
        page.name for page in pages
    }
    for page in pages:
        text = re.sub(r"`[^`\n]*`", "", page.read_text("utf-8"))
        for link in re.findall(r"\]\((?!https?:|#)([^)\s#]+)", text):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
    for target in re.findall(
        r"`make ([a-z][\w-]*)", "".join(page.read_text("utf-8") for page in pages if page.parent != ROOT)
    ):
        assert target in TARGETS
