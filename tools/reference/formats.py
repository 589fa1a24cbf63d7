"""The page of the formats on disk: tables from the JSON schemas, examples from the recordings of the book."""

import json
from pathlib import Path
from typing import Any

import tot

from .markup import code, page, plain, table

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "book" / "schemas"
RECORDED = "notebooks/cassettes/06.jsonl"
COMMAND = (
    f'tot solve game24 "1 2 3 4" --method tot-bfs --style lean --breadth 5 --cassette {RECORDED}'  # as in chapter 1
)
LONG, MANY = 60, 2  # characters of a text, members of a list: what is shown of it in an example


def formats_page() -> str:
    return page("formats", load=load, members=members, examples=examples, command=COMMAND)


def load(name: str) -> dict[str, Any]:
    """A schema by the name of its format."""
    schema: dict[str, Any] = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    return schema


def members(part: dict[str, Any]) -> str:
    """A table of the members that the schema describes at this place."""
    required = part.get("required", ())
    rows = [
        (code(name), kind(told) + ("" if name in required else ", optional"), plain(told["description"]))
        for name, told in part["properties"].items()
        if told.get("description")
    ]
    return table(("member", "type", "meaning"), rows) if rows else ""


def kind(told: dict[str, Any]) -> str:
    """What a value is, in words."""
    if "$ref" in told:
        target = told["$ref"].rpartition("/")[2]
        return plain(target.replace("_", " "))
    if "const" in told:
        return code(json.dumps(told["const"]))
    if "enum" in told:
        return ", ".join(code(each) for each in told["enum"])
    kinds = told["type"] if isinstance(told.get("type"), list) else [told.get("type", "")]
    if "oneOf" in told:
        kinds = [kind(each) for each in told["oneOf"]]
    words = " or ".join(kinds)
    return f"{words} of {kind(told['items'])}" if "items" in told else words


def examples(name: str) -> list[str]:
    """Real ones of the format, cut."""
    if name == "cassette":
        lines = [json.loads(line) for line in (ROOT / RECORDED).read_text(encoding="utf-8").splitlines()]
        first = {line["type"]: line for line in reversed(lines)}
        found = [first[each] for each in ("session", "message", "sample")]
    else:
        solution = tot.solve("game24", "1 2 3 4", "tot-bfs", lm=tot.Cassette(ROOT / RECORDED), style="lean", breadth=5)
        found = [json.loads(solution.trace.to_json()) if name == "trace" else solution.to_dict()]
    return [json.dumps(cut(value), ensure_ascii=False, indent=1) for value in found]


def cut(value: Any) -> Any:
    """The same with long texts and lists shortened, and a mark where something was left out."""
    if isinstance(value, str):
        return value if len(value) <= LONG else value[:LONG].rstrip() + " …"
    if isinstance(value, list):
        left = len(value) - MANY
        return [cut(each) for each in value[:MANY]] + ([f"… {left} more"] if left > 0 else [])
    if isinstance(value, dict):
        return {name: cut(each) for name, each in value.items()}
    return value
