"""Does a model keep the rules of ``tot.lm.base.LM``?"""

import threading
from collections import Counter
from collections.abc import Iterable, Sequence

from ..lm.base import LM, Reply, Request
from .need import Need

THREADS = 4  # that ask at once


def check_lm(lm: LM, requests: Sequence[Request], *, deterministic: bool = True) -> None:
    """Does ``lm`` keep the rules of ``tot.lm.base.LM``? Asks it each of the distinct ``requests`` about ten times.

    ``deterministic``: the same sample index always gives the same text, as in a replay or a scripted function. Say
    False for a live model, which may ignore seeds. Raises AssertionError for the first rule that it breaks.
    """
    need = Need(f"the model {getattr(lm, 'name', lm)!r}")
    need(isinstance(lm.name, str) and bool(lm.name), "needs a name: a text that is not empty")
    need(isinstance(lm.batched, bool), "needs batched: True or False")
    need(lm([]) == [], "should answer no requests with an empty list")

    replies = _asked(lm, requests, need)
    twice = _asked(lm, [*requests, *reversed(requests)], need)  # duplicates in one list
    three = _asked(lm, [r.samples(r.first, 3) for r in requests], need)
    five = _asked(lm, [r.samples(r.first, 5) for r in requests], need)
    later = _asked(lm, [r.samples(r.first + 2, 2) for r in requests], need)
    if deterministic:
        for i, request in enumerate(requests):
            about = f"of {_short(request)}"
            same = replies[i].texts == twice[i].texts == twice[-1 - i].texts
            need(same, f"should give the same samples {about} in every call, and for duplicates in one list")
            need(three[i].texts == five[i].texts[:3], f"5 samples {about} should begin with the 3 asked for before")
            need(later[i].texts == five[i].texts[2:4], f"should know samples by index: first=2, n=2 {about} differs")
    _check_threads(lm, requests, [r.texts for r in replies] if deterministic else None, need)


def _short(request: Request) -> str:
    return repr(request.messages[-1].content[-40:]) if request.messages else "an empty request"


def _asked(lm: LM, requests: Sequence[Request], need: Need) -> list[Reply]:
    """Ask, and check the rules for one call."""
    before = list(requests)
    heard: list[tuple[Request, Reply]] = []
    replies = lm(requests, lambda request, reply: heard.append((request, reply)))
    need(list(requests) == before, "changed the list of requests")
    whole = isinstance(replies, list) and len(replies) == len(requests)
    need(whole, f"should give {len(requests)} replies for {len(requests)} requests, in their order")
    for request, reply in zip(requests, replies, strict=True):
        about = f"for {_short(request)}"
        need(len(reply.samples) == request.n, f"gave {len(reply.samples)} samples {about}, {request.n} were asked for")
        for sample in reply.samples:
            need(isinstance(sample.text, str) and isinstance(sample.finish, str), f"text and finish are texts {about}")
            need(sample.completion_tokens >= 0, f"counts negative tokens {about}")
        for name, bill in (("asked", reply.asked), ("paid", reply.paid)):
            fields = (bill.calls, bill.samples, bill.prompt_tokens, bill.completion_tokens, bill.dollars)
            need(min(fields) >= 0, f"has a negative number in {name} {about}: {bill}")
        counted = (reply.asked.calls, reply.asked.samples) == (1, request.n)
        need(counted, f"asked is 1 call and {request.n} samples {about}, whatever was paid, not {reply.asked}")
        spent = sum(sample.completion_tokens for sample in reply.samples)
        need(reply.asked.completion_tokens == spent, f"asked has other completion tokens than its samples {about}")
        need(reply.seconds >= 0, f"took negative time {about}")
    told = _parts(heard) == _parts(zip(requests, replies, strict=True))
    need(told, "should call on_reply once for every sample, with the (sub-)request that it answers")
    return replies


def _parts(pairs: Iterable[tuple[Request, Reply]]) -> Counter[tuple[Request, int, str]]:
    """Every sample with its index and what it was asked for by."""
    return Counter((r.samples(0, 1), r.first + i, s.text) for r, reply in pairs for i, s in enumerate(reply.samples))


def _check_threads(lm: LM, asked: Sequence[Request], texts: list[tuple[str, ...]] | None, need: Need) -> None:
    failures: list[BaseException] = []
    go = threading.Barrier(THREADS)

    def ask(turn: int) -> None:
        try:
            go.wait()
            places = [*range(len(asked))]
            order = places[turn:] + places[:turn]
            replies = _asked(lm, [asked[i] for i in order], Need(f"{need.who}, asked from several threads"))
            for i, reply in zip(order, replies, strict=True):
                same = texts is None or reply.texts == texts[i]
                need(same, f"answers {_short(asked[i])} differently when asked from several threads")
        except BaseException as error:
            failures.append(error)

    workers = [threading.Thread(target=ask, args=(turn % max(1, len(asked)),), daemon=True) for turn in range(THREADS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if failures:
        raise failures[0]
