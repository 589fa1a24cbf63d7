"""Recording from a server that imitates faults at random: nothing is lost, changed or there twice, and no key is shown.

Every text that the server gives is new, and names the request that it answers. So the recording can be compared with
what the server gave: whatever arrived whole must be there, once, and where it belongs.
"""

import hashlib
import itertools
import shlex
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from unittest.mock import patch

import fake_server as fake
from fake_server import Answer, Body, FakeServer, completion, error

import tot.lm.openai
from tot import Cassette, LMError, user
from tot.lm.base import UNFINISHED
from tot.lm.checking import check
from tot.lm.openai import OpenAI
from tot.lm.tape import Tape
from tot.show.escaping import visible

from .tally import KEY, Tally
from .texts import text

WORDS = (
    "Rate limit reached",
    f"Incorrect API key provided: {KEY}.",
    "x" * 190 + f" Bearer {KEY} is not valid " + "y" * 50,
    "\x1b[31mred\x1b[0m \x1b]0;title\x07 \u202e\x9b31m",
    "flagged by our usage policy.\n\nSee the n-gram docs about your seed phrase.",
    "<html><script>alert(1)</script>",
    "",
)


class Chaos:
    """A behaviour of the server: good answers, and of ``share`` of the requests one of the faults."""

    def __init__(self, rng: Random, share: float) -> None:
        self.rng, self.share, self.lock = rng, share, threading.Lock()
        self.serial, self.given = itertools.count(), set[str]()  # the texts of answers that were sent whole
        self.requests = self.harmed = 0

    def __call__(self, body: Body) -> Answer:
        with self.lock:
            self.requests += 1
            fault = self.rng.choices([*FAULTS], [*FAULTS.values()])[0] if self.rng.random() < self.share else Chaos.good
            self.harmed += fault is not Chaos.good
            return fault(self, body)

    def texts(self, body: Body, n: int) -> list[str]:
        about = digest([(m["role"], m["content"]) for m in body["messages"]])
        return [f"{about} {next(self.serial)}" for _ in range(n)]

    def good(self, body: Body, more: int = 0) -> Answer:
        """As many texts as were asked for, or fewer, or more."""
        said = self.texts(body, max(1, body.get("n", 1) + more))
        self.given |= set(said[: body.get("n", 1)])
        return Answer(completion(said))

    def too_few(self, body: Body) -> Answer:
        return self.good(body, -self.rng.randrange(0, body.get("n", 1)))

    def too_many(self, body: Body) -> Answer:
        return self.good(body, 3)

    def limited(self, body: Body) -> Answer:
        wait = self.rng.choice((None, "0", "-5", "soon", "Wed, 21 Oct 2015 07:28:00 GMT", "nan"))
        headers = {} if wait is None else {"Retry-After": wait}
        return Answer({"error": {"message": self.rng.choice(WORDS), "code": "rate_limit_exceeded"}}, 429, headers)

    def failing(self, body: Body) -> Answer:
        status = self.rng.choice((500, 502, 503, 504, 529, 408, 409))
        return (
            Answer(self.rng.choice(WORDS), status) if self.rng.random() < 0.5 else error(status, self.rng.choice(WORDS))
        )

    def refusing(self, body: Body) -> Answer:
        param = self.rng.choice((None, "n", "seed", "max_tokens", "messages", "temperature"))
        return error(self.rng.choice((400, 401, 403, 404, 413, 422)), self.rng.choice(WORDS), param=param)

    def nonsense(self, body: Body) -> Answer:
        payload = self.rng.choice(NONSENSE)
        return Answer(payload if isinstance(payload, dict | str) else text(self.rng).encode("utf-8", "replace"))


NONSENSE = (
    "", "null", "[]", "{", "[" * 100_000, '{"choices": null}', "<html>Welcome</html>", '"ok"', "NaN", b"\x00\xff", None,
    '{"created": ' + "9" * 5000 + ', "choices": [{"message": {"content": "ok"}}]}',
    '{"choices": [{"message": {"content": "ok"}}],}',
    {"choices": []},
    {"error": {"message": WORDS[1]}},
    {"choices": [{}]},
    {"choices": [{"index": 0, "message": {"content": 7}}]},
    {"choices": [{"message": {"role": "assistant", "content": None}, "finish_reason": "length"}], "usage": None},
    completion([]) | {"usage": {"prompt_tokens": -1, "completion_tokens": "many"}},
)  # fmt: skip
FAULTS: dict[Callable[[Chaos, Body], Answer], float] = {  # and how often each; some take seconds
    Chaos.too_few: 9, Chaos.too_many: 5, Chaos.limited: 9, Chaos.failing: 9, Chaos.refusing: 3, Chaos.nonsense: 5,
    lambda chaos, body: fake.dropping()(body): 9,
    lambda chaos, body: fake.truncated()(body): 5,
    lambda chaos, body: fake.event_stream()(body): 2,
    lambda chaos, body: Answer({"choices": [{"message": {"content": "half"}, "finish_reason": "error"}]}): 5,
    lambda chaos, body: Answer("", 307, {"Location": f"http://u:{KEY}@127.0.0.1:9/v1"}): 2,
    lambda chaos, body: Answer("x", headers={"Content-Encoding": "br", "Content-Type": "a/b; charset=idna"}): 2,
    lambda chaos, body: fake.html()(body): 2,
    lambda chaos, body: fake.dripping(0.1)(body): 0.3,
    lambda chaos, body: fake.flooding()(body): 0.05,
}  # fmt: skip


def digest(messages: Sequence[tuple[str, str]]) -> str:
    return hashlib.sha256(repr(messages).encode()).hexdigest()[:12]


def once(rng: Random, tally: Tally) -> None:
    chaos = Chaos(rng, 0.4)
    with FakeServer(chaos) as server:
        _record(rng, tally, chaos, server)
        _command(rng, tally, chaos, server)
    tally.counts["requests of the server"] += chaos.requests
    tally.counts["faults that it imitated"] += chaos.harmed
    for file in Path().iterdir():
        tally.need(KEY not in file.read_text("utf-8", "replace"), f"{file} holds the key")


def _record(rng: Random, tally: Tally, chaos: Chaos, server: FakeServer) -> None:
    requests = [user(f"question {i}", n=rng.randrange(1, 7)) for i in range(12)]
    before: dict[tuple[str, int], str] = {}
    for share in (0.9, 0.6, 0.6, 0.4, 0.2, 0.0):
        chaos.share = share
        with (
            OpenAI("fake", base_url=server.url, api_key=KEY, retries=2, backoff=0.001, timeout=1.0) as live,
            Cassette("c.jsonl", live) as lm,
        ):
            try:
                lm(requests)
                done = True
            except LMError as failure:
                done = False
                tally.counts["recordings that failed with a sentence"] += 1
                tally.sentence(f"tot: {visible(str(failure))}", "OpenAI")  # the command line makes it visible
        tape = Tape("c.jsonl")
        samples = {place: recorded.sample for place, recorded in tape.samples.items()}
        still = {place for place, sample in samples.items() if sample.finish in UNFINISHED}  # said nothing yet
        now = {place: sample.text for place, sample in samples.items() if place not in still}
        texts = set(now.values())
        wrong = {
            "samples changed": [place for place, said in before.items() if now.get(place) != said],
            "samples lost": chaos.given - texts,
            "samples there twice": range(len(now) - len(texts)),
            "samples in the wrong place": [at for at, said in now.items() if not _belongs(at[0], said, tape)],
        }
        for what, found in wrong.items():
            tally.counts[what] += len(found)
            tally.need(not found, f"{what}: {found}")
        before = now
        if done:
            break
    tally.counts["recordings"] += 1
    tally.counts["samples recorded"] += len(before)
    tally.need(
        done and len(tape.samples) == sum(request.n for request in requests), f"{len(before)} samples, done: {done}"
    )
    tally.need(check("c.jsonl") == [], f"the recording is not sound: {check('c.jsonl')}")


def _belongs(key: str, said: str, tape: Tape) -> bool:
    """Whether the server said this to that request."""
    _, ids, _ = tape.requests[key]
    return said.startswith(digest([tape.messages[id] for id in ids]))


def _command(rng: Random, tally: Tally, chaos: Chaos, server: FakeServer) -> None:
    """The same as a user sees it: a failure is one sentence, and the same command goes on."""
    line = "run game24 --method io,cot --k 2 --problems starter[:2] --out r.jsonl --cassette d.jsonl --timeout 1"
    line += f" --lm openai:fake --base-url {shlex.quote(server.url)}"
    with patch.object(tot.lm.openai, "OpenAI", partial(OpenAI, backoff=0.001, retries=2)):
        for share in (1.0, 0.5, 0.0):
            chaos.share = share
            status, _ = tally.command(line)
    tally.need(status == 0, f"tot {line} ends with {status} though the server is well")
