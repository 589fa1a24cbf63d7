"""V(p_theta, S): state evaluators (Tree of Thoughts, section 3, step 3).

``value`` rates each state on its own, ``vote`` compares states, ``judges`` scores them and gives reasons. An evaluator
sets ``node.value`` and yields an "evaluated" event.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from math import inf
from typing import Any

from .ask import Ask, Asking, Evaluate
from .events import Evaluated
from .lm.base import Reply, Request
from .lm.chances import likeliest, weighed
from .parse import Judgement, Read, read_judged, shorten
from .state import Node, State
from .ties import level, mean, total

Judged = Callable[[State], "float | None"]  # a value that is known without asking a model; None: ask


def value(
    prompt: Callable[[State], Request | Sequence[Request]],
    read: Callable[[str], Read[float]],
    *,
    n: int = 3,
    first: int = 0,
    local: Judged | None = None,
    worst: float | None = None,
    labels: Mapping[str, float] | None = None,
    role: str = "evaluator",
) -> Evaluate:
    """V(p, S)(s) ~ p^value(v | s): the sum of ``n`` sampled verdicts on each state by itself.

    - ``prompt``: the question about a state, or several questions, one for each part of it (section 4.3: one for each
      remaining clue). They are asked in the same round, and the state's value is the lowest of their sums.
    - ``read``: the verdict in a reply. One that cannot be parsed is listed in the event's ``unread``; it adds nothing
      unless ``read`` returns a number along with the reason.
    - ``first``: the index of the first sample.
    - ``local``: ``local(state)`` may give a verdict without a model, which counts ``n`` times (None: ask the model).
    - ``worst``: of several questions, those for which every verdict was this one (with labels: whose expected verdict
      is at most this) are listed in ``node.note``.
    - ``labels``: the words of the verdicts and their values. One reply (the likeliest: temperature 0) then stands for
      all ``n``: a state's value is ``n`` times the mean over the probabilities that the labels had where the reply
      gives its verdict (``Sample.chances``). The paper samples; this takes the expectation of the last step, given what
      the reply says before it. The event's ``missing`` lists how likely the model was to say something else there.
    - ``role``: who is asked.

    Values are cached by prompt, so a prompt is asked once per evaluator: build one evaluator for each run.
    """
    known: dict[Request, float] = {}
    values = list((labels or {}).values())

    def evaluate(nodes: Sequence[Node]) -> Asking[None]:
        unread: list[dict[str, Any]] = []
        open_: list[tuple[Node, list[Request], bool]] = []  # the last: are there several questions on a node?
        for node in nodes:
            sure = local(node.state) if local else None
            node.value = None if sure is None else n * sure
            if node.value is None:
                asked = prompt(node.state)
                questions = [asked] if isinstance(asked, Request) else asked
                open_.append((node, [_asked(one, n, first, labels) for one in questions], questions is asked))
        new: dict[Request, Node] = {}  # request -> the first node that needs it
        for node, requests, _ in open_:
            for request in requests:
                if request not in known:
                    new.setdefault(request, node)
        about = {node: i for i, node in enumerate(dict.fromkeys(new.values()))}
        replies: list[Reply] = yield Ask(role, list(about), list(new), [about[node] for node in new.values()])
        missing: list[dict[str, Any]] = []
        for (request, node), reply in zip(new.items(), replies, strict=True):
            verdicts = [read_judged(sample, read) for sample in reply.samples]
            heard = zip(reply.samples, verdicts, strict=True)
            pairs = [pair for sample, verdict in heard for pair in weighed(request, sample, verdict.value, values)]
            known[request] = total(number * weight for number, weight in pairs) * (n if labels else 1)
            unread += [{"node": node.id, "why": v.why, "text": v.text} for v in verdicts if not v.ok]
            missing += [{"node": node.id, "missing": sample.missing} for sample in reply.samples]
        for node, requests, parts in open_:
            node.value = min((known[request] for request in requests), default=0.0)
            if parts and worst is not None:
                lowest = [request for request in requests if level(known[request]) <= level(n * worst)]
                node.note = "; ".join(shorten(request.messages[-1].content) for request in lowest)
        yield Evaluated(nodes, unread, **({"missing": missing} if labels else {}))

    return evaluate


def vote(
    prompt: Callable[[Sequence[State]], Request],
    read: Callable[[str, int], Read[int]],
    *,
    n: int = 5,
    first: int = 0,
    labels: bool = False,
    role: str = "evaluator",
) -> Evaluate:
    """V(p, S)(s) = 1[s = s*], summed over ``n`` ballots: one request that shows all states, in their order.

    A node's value is its number of votes; a state that is alone is not voted on (it has what ``constant`` gives). A
    ballot that cannot be parsed is not counted, and is listed in ``unread``. With ``labels``, one ballot, at
    temperature 0, stands for all ``n``, and each state gets ``n`` times the probability of its number where the ballot
    names its choice; ``missing`` as in ``value``.
    """

    def evaluate(nodes: Sequence[Node]) -> Asking[None]:
        if len(nodes) == 1:
            yield from constant(nodes)
            return
        unread: list[dict[str, Any]] = []
        numbers = [str(i) for i in range(1, len(nodes) + 1)] if labels else ()
        requests = [_asked(prompt([node.state for node in nodes]), n, first, numbers)] if nodes else []
        replies: list[Reply] = yield Ask(role, list(nodes), requests, about=[None] * len(requests))
        votes: list[tuple[int, float]] = []
        samples = replies[0].samples if replies else ()
        for sample in samples:
            ballot = read_judged(sample, lambda text: read(text, len(nodes)))
            if ballot.ok:
                votes += weighed(requests[0], sample, ballot.value, range(len(nodes)))
            else:
                unread.append({"node": None, "why": ballot.why, "text": ballot.text})
        for i, node in enumerate(nodes):
            node.value = total(weight for choice, weight in votes if choice == i) * (n if labels else 1)
        missing = [{"node": None, "missing": sample.missing} for sample in samples]
        yield Evaluated(nodes, unread, **({"missing": missing} if labels else {}))

    return evaluate


def _asked(request: Request, n: int, first: int, labels: Iterable[str] | None) -> Request:
    return likeliest(request, labels).samples(first, 1) if labels else request.samples(first, n)


def judges(
    panel: Mapping[str, Callable[[State], Request]],
    read: Callable[[str], Read[Judgement]],
    *,
    weights: Mapping[str, float] | None = None,
    n: int = 1,
    first: int = 0,
    role: str = "judge",
) -> Evaluate:
    """The reward of a plan: the weighted mean of several judges' scores (*Planning with MCTS*, section 2.2).

    ``panel``: name of each judge -> its prompt for a state. All judges are asked in one round. A judge's score is the
    mean of its ``n`` samples; scores and reward are from 0 to 1. Without ``weights`` all judges count the same; a judge
    of weight 0 is not asked. ``node.note`` holds their reasons, for the next revision and for people.

    A score that cannot be parsed is listed in ``unread`` and left out: the reward is then the mean of the other scores,
    or None if there are none. The event's ``scores`` has one entry for each node, judge and sample.

    Raises ValueError if weights are negative or too large to be added up, name unknown judges, or are all 0.
    """
    share = dict.fromkeys(panel, 1.0) if weights is None else dict(weights)
    fit = share.keys() <= panel.keys() and all(weight >= 0 for weight in share.values())
    if not fit or not 0 < max(share.values(), default=0.0) * len(share) < inf:
        raise ValueError(
            f"weights must be finite numbers of at least 0 for {', '.join(panel)}, one of them above 0, not {share}"
        )
    asked = [name for name in panel if share.get(name)]

    def evaluate(nodes: Sequence[Node]) -> Asking[None]:
        requests = [panel[name](node.state).samples(first, n) for node in nodes for name in asked]
        about: list[int | None] = [i for i in range(len(nodes)) for _ in asked]
        replies: list[Reply] = yield Ask(role, list(nodes), requests, about)
        unread: list[dict[str, Any]] = []
        scores: list[dict[str, Any]] = []
        for i, node in enumerate(nodes):
            words, means = [], {}
            for name, reply in zip(asked, replies[i * len(asked) :], strict=False):
                given = []
                for verdict in (read_judged(sample, read) for sample in reply.samples):
                    if verdict.ok and verdict.value is not None and 0 <= verdict.value.score <= 1:
                        given.append(verdict.value)
                    else:
                        why = verdict.why or "not a score from 0 to 1"
                        unread.append({"node": node.id, "judge": name, "why": why, "text": verdict.text})
                scores += [{"node": node.id, "judge": name, "score": g.score, "why": g.reason} for g in given]
                if given:
                    means[name] = mean(g.score for g in given)
                    reasons = " / ".join(dict.fromkeys(g.reason for g in given if g.reason))
                    words.append(f"{name} {means[name]:.2g}: {reasons}".rstrip(": "))
            whole = total(share[name] for name in means)
            reward = total(share[name] * score for name, score in means.items())
            node.value = min(reward / whole, 1.0) if means else None  # rounding may exceed 1
            node.note = "\n".join(words)
        yield Evaluated(nodes, unread, scores=scores)

    return evaluate


def agreement(key: Callable[[str], Hashable]) -> Evaluate:
    """Self-consistency as an evaluator: a node's value is the number of nodes whose answers have the same ``key``.

    Equation: argmax_y #{i | y_i = y} (Tree of Thoughts, section 2, CoT-SC). No model is asked. Nodes without an answer
    get 0.
    """

    def evaluate(nodes: Sequence[Node]) -> Asking[None]:
        answers = [None if node.state.answer is None else key(node.state.answer) for node in nodes]
        counts = Counter(a for a in answers if a is not None)
        for node, a in zip(nodes, answers, strict=True):
            node.value = float(counts[a]) if a is not None else 0.0
        yield Evaluated(nodes)

    return evaluate


def constant(nodes: Sequence[Node]) -> Asking[None]:
    """Gives every state the value 1, so that the order of generation decides. For IO and CoT."""
    for node in nodes:
        node.value = 1.0
    yield Evaluated(nodes)
