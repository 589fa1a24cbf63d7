"""book/errata.md against studies/errata.py: stored results are up to date, and the page quotes nothing else."""

import json
import re
from pathlib import Path

import pytest

from studies import errata

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "book" / "errata.md").read_text(encoding="utf-8")
# "### E4: title" -> {"E4": the words under it}
ITEMS = dict(re.findall(r"^### (\w+):(.*?)(?=^##|\Z)", PAGE, flags=re.M | re.S))
# names that hold a digit and are no numbers: models, games, the code in front of a citation, indices of x[..]
NAMES = (
    r"GPT-[34](?:\.5)?|Game of 24|\[hart1968\w*|hart1968\w*|A\\\*|x\[[^]]*\]"
    r"|\d+(?:\.\d)?B\b|Llama 3\.1|Qwen2\.5|\{cite\}`[^`]*`"  # models by their size; years in citations
    r"|GSM8K|[EILP]\d\b|C\d\b|T\d\b|[Cc]hapter \d+|95 %|system \d"
)


def numbers(text):
    """Every number as a float: "5.5k" is 5.5, "1,000" is 1000, "-3.3" keeps its sign, "B.3" and "4.2" count too."""
    plain = re.sub(r"(?<=\d),(?=\d{3}\b)", "", re.sub(NAMES, " ", text))
    return {float(n) for n in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?|(?<=B\.)\d", plain)}


def known(entry):
    return numbers(json.dumps(entry, ensure_ascii=False)) | {abs(n) for n in numbers(json.dumps(entry))}


def test_stored_results_are_what_the_program_computes():
    stored = json.loads(errata.RESULTS.read_text(encoding="utf-8"))
    assert stored == json.loads(json.dumps({name: entry() for name, entry in errata.ENTRIES.items()}))


def test_page_and_program_have_the_same_items():
    assert list(ITEMS) == list(errata.ENTRIES)


@pytest.mark.parametrize("name", errata.ENTRIES)
def test_every_number_on_the_page_was_computed(name):
    unknown = numbers(ITEMS[name]) - known(errata.ENTRIES[name]())
    assert not unknown, f"{name} quotes {sorted(unknown)}, which studies/errata.py does not produce"


def test_the_claims_themselves():
    """What the sentences say in words."""
    results = {name: entry() for name, entry in errata.ENTRIES.items()}
    assert all(gain < 0 for gain in results["E3"]["ours"]["CoT minus IO, points"].values())
    cost = results["E4"]["ours"]
    assert cost["largest gap in the other rows"] <= cost["largest gap that rounding explains"]
    assert results["E4"]["rows"]["Game of 24, ToT"]["gap"] > 10 * cost["largest gap that rounding explains"]
    assert min(one["smallest p"] for one in results["C1"]["ours"].values()) > 0.05 > results["C3"]["ours"]["p"]
    tot5, tot1, cot = results["C2"]["ours"]["95 %"].values()
    assert tot5[0] > max(tot1[1], cot[1]) and results["C2"]["ours"]["smallest p"] > 0.05
    assert results["C4"]["ours"]["lost by a weaker generator"] > results["C4"]["ours"]["lost by a weaker evaluator"]
    assert results["C5"]["paper"]["IO refined"] > results["C5"]["paper"]["ToT"]
    assert results["C6"]["ours"]["all whole"]
    assert results["P1"]["ours"]["CoT-Plan"]["points"] < results["P1"]["paper"]["claim %"]
    assert results["P3"]["ours"]["1.5B, 72B"] == results["P3"]["paper"]["claim %"]
    assert results["P4"]["ours"]["best depth, 7B"] < results["P4"]["paper"]["CoT-Plan"]
    assert max(results["P4"]["ours"]["best rollouts, 8B"].values()) == results["P4"]["ours"]["best rollouts, 8B"][1]
    assert max(results["P5"]["ours"]["means"].values()) < results["P5"]["ours"]["CoT-Plan"]
