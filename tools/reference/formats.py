"""The page of the formats on disk: tables from the JSON schemas, examples from the recordings of the book."""

import json
from pathlib import Path
from typing import Any

import tot

from .markup import code, indented, plain, table, title

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "book" / "schemas"
RECORDED = "notebooks/cassettes/06.jsonl"
COMMAND = (
    f'tot solve game24 "1 2 3 4" --method tot-bfs --style lean --breadth 5 --cassette {RECORDED}'  # as in chapter 1
)
LONG, MANY = 60, 2  # characters of a text, members of a list: what is shown of it in an example

INTRODUCTION = """Everything that the package writes is text in UTF-8 that other programs can read. The tables are
made from the JSON schemas (draft 2020-12), and the tests check every recording of this book against these.
"""


def formats_page() -> str:
    parts = [title("The formats on disk"), INTRODUCTION]
    for name, made_by in (
        ("cassette", "``--cassette FILE`` and :py:class:`tot.Cassette <tot.lm.cassette.Cassette>`"),
        ("trace", "``tot solve --trace FILE`` and :py:meth:`Trace.save <tot.trace.Trace.save>`"),
        ("results", "``tot run --out FILE``"),
    ):
        schema = load(name)
        parts += [
            f".. _format-{name}:\n",
            title(schema["title"], "-"),
            f"Written by {made_by}. {plain(schema['description'])}\n",
        ]
        parts.append(f"The schema: :download:`{name}.schema.json </book/schemas/{name}.schema.json>`.\n")
        parts.append(members(schema))
        for part in schema["$defs"].values():
            if "title" in part:
                parts += [title(part["title"], "~"), plain(part["description"]) + "\n", members(part)]
        parts += [title(f"Example: {schema['title'].lower()}", "~"), example(name)]
    return "\n".join(parts)


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


def example(name: str) -> str:
    """A real one of the format, cut."""
    if name == "cassette":
        lines = [json.loads(line) for line in (ROOT / RECORDED).read_text(encoding="utf-8").splitlines()]
        first = {line["type"]: line for line in reversed(lines)}
        said = "Three lines of the cassette of chapter 6; long texts and lists are cut, and white space is added."
        return "\n".join([said + "\n", *(block(first[each]) for each in ("session", "message", "sample"))])
    solution = tot.solve("game24", "1 2 3 4", "tot-bfs", lm=tot.Cassette(ROOT / RECORDED), style="lean", breadth=5)
    if name == "trace":
        said = f"What ``{COMMAND} --trace FILE`` writes; long texts and lists are cut."
        return f"{said}\n\n{block(json.loads(solution.trace.to_json()))}"
    said = "The line of the same run; long lists are cut, and white space is added."
    return f"{said}\n\n{block(solution.to_dict())}"


def block(value: Any) -> str:
    return f".. code-block:: json\n\n{indented(json.dumps(cut(value), ensure_ascii=False, indent=1))}\n"


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
