"""What is wrong with a cassette (``check``), and what it has instead of a request that it lacks (``nearest``)."""

import json
from collections.abc import Iterable
from os.path import commonprefix
from pathlib import Path

from ..jsonlines import FileTrouble, read_lines
from .base import Request, request_key
from .completion import FINISHES
from .tape import Line, Tape, line_sum


def check(path: str | Path) -> list[str]:
    """The defects of a cassette: damaged or edited lines, keys that do not match their content, and samples that are
    failures of a server, as older versions recorded them; [] if it is sound.
    """
    try:
        tape = Tape(path) if Path(path).exists() else None
    except FileTrouble as error:
        return [str(error)]
    if tape is None:
        return [f"there is no file {path}"]
    complaints = [
        f"request {key}: its key does not fit its content (was it edited?)"
        for key, (model, ids, params) in tape.requests.items()
        if key != request_key(model, [list(tape.messages[i]) for i in ids], params)
    ]
    served = 0
    for number, line in read_lines(path):
        sample = f"line {number}: {line['type']} {line.get('index', 'line')} of request {line.get('key')}"
        served += line["type"] in ("reply", "refusal")  # of `tot serve`
        if line.get("sum", "") and line["sum"] != line_sum(line):
            complaints.append(f"{sample} is not as it was recorded (was it edited?)")
        elif line["type"] == "sample" and failed(line, tape.sessions[line["session"]]):
            how = "delete that line, and record it again with the command that made the file"
            complaints.append(f"{sample} is a failure of the server, not a reply: {how}")
    if not tape.samples and not served:
        complaints.append(f"{path} holds no samples")
    return complaints


def failed(sample: Line, session: Line) -> bool:
    """Whether the model behind a server failed in a sample: it says so, or there is nothing, which nobody counted. That
    a tool says so is a reply.
    """
    told = any(sample.get(name) for name in ("text", "thinking", "prompt_tokens", "completion_tokens"))
    finish = FINISHES.get(sample["finish"].lower())  # older versions recorded it as the server spelled it
    return "base_url_host" in session and (finish == "error" or (finish == "stop" and not told))


def nearest(tape: Tape, model: str, request: Request) -> str:
    """A sentence with the first line in which the most similar recorded request differs from ``request``."""
    wanted = _flat([(m.role, m.content) for m in request.messages], model, request.params)
    known = tape.requests.values()
    return difference(wanted, (_flat([tape.messages[i] for i in ids], name, params) for name, ids, params in known))


def difference(wanted: list[str], recorded: Iterable[list[str]]) -> str:
    """As ``nearest``, of requests as lines of text: the most similar has the largest share of words in common."""
    known = {*" ".join(wanted).split()}

    def alike(lines: list[str]) -> tuple[bool, float]:
        words = {*" ".join(lines).split()}
        return lines == wanted, len(known & words) / len(known | words)  # another one may have the same words

    best = max(recorded, key=alike, default=None)
    if best is None:
        return "the cassette is empty"
    for have, want in zip([*best, "(end)"], [*wanted, "(end)"], strict=False):
        if have != want:
            start = max(0, len(commonprefix((have, want))) - 60)  # noqa: RUF071 (signs are meant, not parts of paths)
            there, here = have[start : start + 120], want[start : start + 120]
            return f"the nearest recorded request has {there!r} where this one has {here!r}"
    return "the request is recorded, but not with this sample index"


def _flat(messages: list[tuple[str, str]], model: str, params: Line) -> list[str]:
    head = [f"model: {model}", f"params: {json.dumps(params, sort_keys=True)}"]
    return head + [f"{role}: {line}" for role, content in messages for line in content.split("\n")]
