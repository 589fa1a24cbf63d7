"""Blind comparison by people: what is counted, and that nothing says who wrote what. All readers here are SIMULATED."""

import contextlib
import json
import re
import subprocess
from pathlib import Path

import pytest

from tot.jsonlines import FileTrouble
from tot.stats import mcnemar
from treebook.blind import Judgement, Pair, alpha, judgements, least_lopsided, order, pairs_of, simulated, tallies
from treebook.figures import blind
from treebook.figures.blind import Blind

TEXTS = {
    "ToT": {i: f"The tree's passage {i}, <b>bold</b>." for i in range(20)},
    "CoT": {i: f"The chain's passage {i} </script>." for i in range(20)},
}
PAIRS = pairs_of(TEXTS, "ToT", "CoT")


def test_pairs_need_both_passages_and_a_difference():
    texts = {"a": {1: "x", 2: "same", 3: "z"}, "b": {1: "y", 2: "same", 4: "w"}}
    assert pairs_of(texts, "a", "b") == [Pair(("a", "b"), ("x", "y"))]
    with pytest.raises(ValueError, match="one and the same"):
        Pair(("a", "b"), ("x", "x"))
    with pytest.raises(ValueError, match="same passages"):
        Blind([Pair(("a", "b"), ("x", "y")), Pair(("c", "b"), ("y", "x"))])


def test_a_readers_order_shuffles_pairs_and_sides_and_stays():
    one, other = order(PAIRS, "ada"), order(PAIRS, "ben")
    assert one == order(PAIRS, "ada") != other and {*map(frozenset, one)} == {*map(frozenset, other)}
    first = {pair.marks[0] for pair in PAIRS}
    firsts = [sum(shown[0] in first for shown in order(PAIRS, f"reader {i}")) for i in range(100)]
    assert 0.45 < sum(firsts) / (100 * len(PAIRS)) < 0.55


def test_alpha_is_krippendorffs():
    """His example of four coders and twelve units, with alpha 0.743 (2011, "Computing ...", section C)."""
    coders = "1 2 3 3 2 1 4 1 2 . . .", "1 2 3 3 2 2 4 1 2 5 . 3", ". 3 3 3 2 3 4 2 2 5 1 .", "1 2 3 3 2 4 4 1 2 5 1 ."
    units = [[int(x) for x in unit if x != "."] for unit in zip(*map(str.split, coders), strict=True)]
    assert alpha(units) == pytest.approx(0.743, abs=5e-4)
    assert alpha([[1, 1], [0, 0]]) == 1 and alpha([[1, 1], [1, 1]]) == 0 and alpha([[1, 0]]) == 0


def test_the_least_lopsided_outcome_is_the_first_that_the_test_believes():
    assert least_lopsided(5) is None
    for n in (8, 20, 62):
        won, lost = least_lopsided(n)
        assert won + lost == n and mcnemar(won, lost) < 0.05 <= mcnemar(won - 1, lost + 1)


def test_a_count_by_hand():
    (a, b), (c, d) = (pair.marks for pair in PAIRS[:2])
    said = [
        *(Judgement(reader, (a, b), a) for reader in ("ada", "ben")),
        Judgement("cleo", (b, a), b),
        Judgement("ada", (d, c), ""),
        Judgement("ben", (d, c), c),
        Judgement("ben", (c, d), d),  # a second time: the first counts
        Judgement("ben", ("strange", "passages"), "strange"),
    ]
    [found] = tallies(PAIRS, said)
    assert (found.readers, found.pairs, found.judged, found.won) == (3, 2, [3, 1, 1], [2, 0, 0])
    assert found.lead.rate == pytest.approx((1 / 3 + 1 / 2) / 2) and found.p == 0.5
    assert found.left.rate == 3 / 4 and found.p_left == mcnemar(3, 1)  # ada and ben on the left, cleo too, ben right
    assert found.row()["readers"] == "3 (twice: ben)"  # that is, a class has two of one name
    [clean] = tallies(PAIRS, [*said[:4], said[0]])  # one file was handed in twice
    assert clean.row()["readers"] == 3
    assert tallies(PAIRS, []) == []


def test_simulated_readers_are_found_out():
    """Those who read and agree; those who take the left side; those who throw coins."""
    [good] = tallies(PAIRS, simulated(PAIRS, 6, reads=1))
    assert good.judged == [120, 0, 0] and good.lead.rate == 1 and good.p < 1e-5 and good.agreement.rate == 0
    [mixed] = tallies(PAIRS, simulated(PAIRS, 6, reads=0.5))
    assert mixed.lead.low > 0 and mixed.p < 0.01 and 0.3 < mixed.left.rate < 0.7
    [lazy] = tallies(PAIRS, simulated(PAIRS, 6, reads=0, left=0.9))
    assert lazy.left.low > 0.7 and lazy.p_left < 1e-9 and lazy.p > 0.01 and lazy.agreement.low < 0 < lazy.agreement.high
    assert "6" in str(lazy.row()["readers"])


def test_only_lines_that_are_judgements_are_read(tmp_path):
    good = Judgement("ada", ("x", "y"), "y")
    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(vars(good)) + "\n", encoding="utf-8")
    assert judgements(tmp_path) == [good, good]
    for line in ({}, {"reader": 1, "shown": ["x", "y"], "better": "x"}, {**vars(good), "better": "z"},
                 {**vars(good), "shown": ["x", "x"]}, {**vars(good), "shown": "xy"}):  # fmt: skip
        (tmp_path / "b.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
        with pytest.raises(FileTrouble, match="b.jsonl, line 1"):
            judgements(tmp_path)
    whole = json.dumps(vars(good)) + "\n"
    for text, says in (("", "holds no judgement"), ("\n", "holds no judgement"), (whole + whole[:30], "is cut off")):
        (tmp_path / "b.jsonl").write_text(text, encoding="utf-8")
        with pytest.raises(FileTrouble, match=f"b.jsonl {says}"):
            judgements(tmp_path)
    for encoding in ("utf-16", "utf-8-sig"):
        (tmp_path / "b.jsonl").write_text(whole, encoding=encoding)
        with pytest.raises(FileTrouble, match="b.jsonl") if encoding == "utf-16" else contextlib.nullcontext():
            judgements(tmp_path)
    for name in ("blind.html", ".DS_Store", "ada.jsonl.txt"):
        (tmp_path / name).write_text(whole, encoding="utf-8")
    with pytest.raises(FileTrouble, match=r"has ada.jsonl.txt, which would not be read: let it end in .jsonl"):
        judgements(tmp_path)
    (tmp_path / "none").mkdir()
    with pytest.raises(FileTrouble, match="no file"):
        judgements(tmp_path / "none")


def test_judgements_of_other_passages_are_told_of():
    said = simulated(PAIRS, 1, reads=1)
    with pytest.warns(UserWarning, match="of 21 judgements 1 are of other passages"):
        assert tallies(PAIRS, [*said, Judgement("ada", ("x", "y"), "x")]) == tallies(PAIRS, said)


def test_the_page_names_nobody_and_holds_no_markup_of_a_passage():
    html = Blind(PAIRS, question="Which <i>one</i>?")._repr_html_()
    assert "ToT" not in html and "CoT" not in html and "<b>bold" not in html and "<i>" not in html
    assert html.count("</script>") == 2  # the data's and the script's own


@pytest.mark.slow
def test_a_reader_judges_in_a_browser_leaves_and_comes_back(chromium, tmp_path):
    path = tmp_path / "blind.html"
    Blind(PAIRS[:4]).save(path)
    context = chromium.new_context(accept_downloads=True)
    tab, trouble = context.new_page(), []
    tab.on("pageerror", lambda error: trouble.append(str(error)))
    for page in (tab, other := context.new_page()):
        page.goto(path.as_uri())
        page.get_by_role("textbox").fill("ada <1>")
    tab.get_by_text("Begin").click()
    seen = []
    for label in ("A", "Both are alike", "B", "A"):
        if label != "A":  # a page that was opened before finds what is judged
            other.get_by_role("button", name="Begin" if label == "Both are alike" else "A", exact=True).click()
            assert f"{len(seen)} of 4" in other.inner_text("body")
        seen.append(tab.locator(".tot-two div").all_inner_texts())
        tab.get_by_role("button", name=label, exact=True).click()
        if label == "Both are alike":
            tab.reload()
    with tab.expect_download() as found:
        tab.get_by_text("Save judgements").click()
    assert re.fullmatch(r"judgements-ada_1_-\w{5}\.jsonl", found.value.suggested_filename)
    found.value.save_as(tmp_path / "ada.jsonl")
    said, texts = judgements(tmp_path / "ada.jsonl"), Blind(PAIRS[:4]).texts
    assert [[texts[mark] for mark in one.shown] for one in said] == seen
    assert [one.better for one in said] == [said[0].shown[0], "", said[2].shown[1], said[3].shown[0]]
    assert {one.reader for one in said} == {"ada <1>"} and tallies(PAIRS, said)[0].pairs == 4
    Blind(PAIRS[:4], question="Which is funnier?").save(tmp_path / "funnier.html")
    other.goto((tmp_path / "funnier.html").as_uri())  # another question about the same passages
    other.get_by_text("Begin").click()
    other.get_by_role("button", name="Both are alike").dblclick()
    assert "1 of 4" in other.inner_text("body")
    other.get_by_role("button", name="A", exact=True).click()
    other.get_by_role("button", name="Back").click()
    assert "1 of 4" in other.inner_text("body")
    names = set()
    for reader in ("小明", "小红", "小红", "नेहा", "🌳"):
        tab.once("dialog", lambda dialog: dialog.accept())
        tab.get_by_text("Another reader").click()
        tab.get_by_role("textbox").fill(reader)
        tab.get_by_text("Begin").click()
        with tab.expect_download() as found:
            tab.get_by_text("Save judgements").click()
        names.add(found.value.suggested_filename)
        assert reader in found.value.suggested_filename or reader == "🌳"
    assert len(names) == 5  # they meet in one folder
    assert trouble == []
    context.close()


STALE = """
const said = [], kept = { reader: "ada", order: [["x", "y"], ["y", "x"]], said: [] };
const store = { at: JSON.stringify(kept) };
const make = () => ({ dataset: {}, kids: [],
  append(...k) { this.kids.push(...k); }, prepend(...k) { this.kids.unshift(...k); },
  textContent: "", replaceChildren() { this.kids = []; } });
const place = make(), root = make();
root.querySelector = (what) => what === ".tot-blind-place" ? place
  : { textContent: JSON.stringify({ key: "at", passages: [["x", "1"], ["y", "2"]], pairs: [] }) };
globalThis.document = { querySelectorAll: () => [root], createElement: make };
globalThis.localStorage = { getItem: (key) => store[key], setItem: (key, text) => { store[key] = text; } };
globalThis.confirm = (text) => { said.push(text); return false; };
globalThis.setTimeout = () => 0;
const press = (label) => place.kids.flatMap((row) => row.kids).find((one) => one.textContent === label).onclick();
"""


def test_a_tab_left_behind_says_whose_judgements_it_would_forget(node, tmp_path):
    """Another tab went on, with another reader."""
    script = Path(blind.__file__).with_name("blind.js").read_text("utf-8")
    one = {"reader": "ben", "order": [["x", "y"]], "said": [{"better": "x"}]}
    gone = f"store.at = JSON.stringify({json.dumps(one)}); press('Another reader');"
    gone += "console.log(JSON.stringify([said, store.at]));"
    (tmp_path / "stale.mjs").write_text(f"{STALE}{script}{gone}", "utf-8")
    done = subprocess.run([node, tmp_path / "stale.mjs"], capture_output=True, text=True, check=True)
    [asked], left = json.loads(done.stdout)
    assert "1 of ben" in asked and json.loads(left) == one


@pytest.mark.parametrize("label", ["Back", "A"])
def test_a_tab_left_behind_changes_nothing_that_it_does_not_show(node, tmp_path, label):
    """Another tab took the last judgement back and gave another, or went on with another reader."""
    script = Path(blind.__file__).with_name("blind.js").read_text("utf-8")
    one = {"reader": "ada", "order": [["x", "y"], ["y", "x"]], "said": [{"reader": "ada", "better": "x"}]}
    others = [one | {"said": [one["said"][0] | {"better": "y"}]}, one | {"reader": "ben"}]
    for other in others:
        begun = f"{STALE}store.at = {json.dumps(json.dumps(one))};"
        gone = f"store.at = {json.dumps(json.dumps(other))}; press({label!r}); console.log(store.at);"
        (tmp_path / "stale.mjs").write_text(f"{begun}{script}{gone}", "utf-8")
        done = subprocess.run([node, tmp_path / "stale.mjs"], capture_output=True, text=True, check=True)
        assert json.loads(done.stdout) == other
