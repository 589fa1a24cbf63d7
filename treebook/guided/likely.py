"""The policy π: thoughts with the probabilities that the model itself gave them, and how likely a state is by them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import exp, log

from tot.ask import Asking, Generate
from tot.events import Evaluated
from tot.generate import Local, Prompt, ReadThoughts, expansion, unless_cut
from tot.lm.base import Request, Sample
from tot.parse import Read, bad, no_answer
from tot.state import Node, State, Thought
from tot.ties import total

LINE = 64  # tokens that a thought may have: it is one line
LEAST = -700.0  # the logarithm of the smallest probability: what is below would be 0, and count as impossible


def policy_generator(
    prompt: Prompt, read: ReadThoughts, *, k: int, first: int = 0, local: Local | None = None, role: str = "generator"
) -> Generate:
    """G(p, s, k) with probabilities: the ``prior`` of each child is π(z | s), how likely the model was to choose it.

    A reply to a propose prompt lists several thoughts, and the probability of its second line depends on the first: a
    list has a probability, but its lines are no alternatives. First lines are. So ``prompt(state)`` is asked for ``k``
    samples of its *first line* (temperature 1, up to the end of the line), and π(z | s) is the probability that a reply
    begins with a line from which ``read`` reads z. Equal thoughts are one child, with the sum over its different lines;
    a line that was sampled twice counts once. ``first`` and ``local`` as in ``tot.generator``; thoughts that ``local``
    gives share 1 equally.

    First lines exclude each other, so the priors of a state's children add up to at most 1 (to six digits). What they
    leave belongs to lines that were not sampled, or are not legal: it is not shared out, because a child would then
    seem the likelier, the fewer others were found. If a server leaves out the line's end and one line begins another,
    the sum could exceed 1: the priors are then divided by it.

    A model that does not tell how likely its replies were ends the run (``LMError``).
    """

    def request(state: State) -> Request:
        return first_line(prompt(state)).samples(first, k)

    def equally_likely(state: State) -> list[Thought] | None:
        found = local(state) if local else None
        return None if found is None else [replace(z, prior=1 / len(found)) for z in found]

    read_lines = partial(_chosen, read=read)
    return expansion(request, read_lines, local=equally_likely, gather=lambda state, thoughts: thoughts, role=role)


def first_line(request: Request) -> Request:
    """The request for the first line of its reply alone, sampled as the model is (temperature 1), with its logprob."""
    most = LINE if request.max_tokens is None else min(LINE, request.max_tokens)
    return replace(request, temperature=1.0, top_p=None, max_tokens=most, stop=("\n",), logprobs=True)


def _chosen(state: State, samples: Sequence[Sample], read: ReadThoughts) -> Iterator[Read[Thought]]:
    """The thoughts in the sampled lines, in order of appearance, with their priors; before them what cannot be read."""
    lines: dict[str, float] = {}  # line -> its probability
    for sample in samples:
        if why := no_answer(sample):
            yield bad(why, sample.text)
        else:
            line = sample.text.split("\n")[0]
            if cut := [one for item in read(state, line) if item.ok and not (one := unless_cut(sample, item)).ok]:
                yield from (Read(None, one.why, one.text) for one in cut)
                continue
            lines[line] = max(lines.get(line, 0.0), exp(max(sample.logprob or 0.0, LEAST)))
    found: dict[Thought, list[float]] = {}
    for line, chance in lines.items():
        for item in read(state, line):
            if item.value is not None:
                found.setdefault(replace(item.value, prior=None), []).append(chance)
            if not item.ok:
                yield Read(None, item.why, item.text)
    whole = max(1.0, total(chance for chances in found.values() for chance in chances))
    for thought, chances in found.items():
        yield Read(replace(thought, prior=float(f"{total(chances) / whole:.6g}")))


def log_likelihood(state: State) -> float:
    """log π(s): the sum of the logarithms of the thoughts' priors, 0 at the root. A thought without one counts 1."""
    return total(log(z.prior) for z in state.thoughts if z.prior is not None)


def likelihood(nodes: Sequence[Node]) -> Asking[None]:
    """An evaluator that asks nobody: a state's value is log π(s), how likely the model was to write its thoughts.

    With it, ``tot.bfs`` is beam search by log-probability: with a ``breadth`` that drops nothing it finds the likeliest
    way.
    """
    for node in nodes:
        node.value = log_likelihood(node.state)
    yield Evaluated(nodes)
