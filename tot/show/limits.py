"""What is said of a run in the terminal and in the lab: sentences without a full stop, on its budget and verdicts."""

from ..runner import Result
from ..ties import mean
from ..trace import Trace
from .escaping import count, line, number, real

LIMITS = ("calls", "tokens", "dollars", "seconds", "nodes")


def why_stopped(result: Result) -> str:
    """Which limit ended the run, how much of it was used, and what the next round could have taken; "" if none did."""
    name, said = result.stopped, ""
    if name not in LIMITS:
        return said
    limit = result.budget.limits.get(name, 0.0)
    used = result.ledger.amounts[name]
    if used < limit and name == "seconds":
        said = f"the budget of seconds does not suffice: {_share(result, name)} used"
    elif used < limit:
        said = f"the budget of {name} has no room for the next round: {_share(result, name)} used"
        if result.needed:
            said += f", and it {'takes' if name == 'calls' else 'could take'} {_amount(name, result.needed)}"
    else:
        said = f"the budget of {name} is used up: {_share(result, name)}{_too_much(result, name)}"
    return f"{said} ({line(result.detail)})" if result.detail else said


def over_the_budget(result: Result) -> list[str]:
    """A sentence for each limit that was exceeded and did not end the run."""
    return [
        f"over the budget of {name}: {_share(result, name)}{_too_much(result, name)}"
        for name in result.over
        if name != result.stopped
    ]


def missing(trace: Trace) -> str:
    """How likely the model was to say something else than a verdict, over all replies whose verdicts were read as
    probabilities: "0.4 % on average over 46 replies, 12 % at most". "" if there are none.
    """
    found = [100 * (real(entry.get("missing")) or 0.0) for e in trace.events for entry in e.get("missing") or ()]
    replies = count(len(found), "reply", "replies")
    return f"{mean(found):.3g} % on average over {replies}, {max(found):.3g} % at most" if found else ""


def _too_much(result: Result, name: str) -> str:
    if name not in result.over or name == "nodes":  # nodes are counted after a round: see Budget
        return ""
    if name == "calls":
        why = "the model made more calls than it was allowed"
    elif result.budget.soft:
        why = "a soft budget lets the last round exceed it"
    else:
        why = "how much the last round would take was not known: there is no max_tokens, or it is not kept"
    return f", {_amount(name, result.over[name])} too much: {why}"


def _share(result: Result, name: str) -> str:
    return f"{_amount(name, result.ledger.amounts[name])} of {_amount(name, result.budget.limits.get(name, 0.0))}"


def _amount(name: str, value: float) -> str:
    if name == "dollars":
        return f"${value:.6f}".rstrip("0").rstrip(".")
    return number(round(value, 1) if name == "seconds" and value >= 0.1 else value)
