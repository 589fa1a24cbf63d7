"""What happens at a moment of a Monte Carlo tree search, in words and numbers."""

from collections.abc import Sequence

from tot.show.escaping import cut, line, real
from tot.ties import level

from .rollout_moments import Moment

NAME = 30  # characters of a thought where it is named


def name_of(moment: Moment, id: str) -> str:
    """What a node is called in a sentence; it may be cut."""
    return "the root" if id == moment.root else cut(line(moment.after.items[id].thought) or "(empty)", NAME * 0.6)


def listed(moment: Moment, ids: Sequence[str], last: str = "") -> str:
    """Nodes by name; of many, the first three. ``last``: a word before the last one instead of a comma."""
    names = [name_of(moment, id) for id in ids[:3]]
    if len(ids) > 3:
        return ", ".join(names) + f" {last or 'and'} {len(ids) - 3} more"
    return f" {last} ".join([", ".join(names[:-1]), names[-1]]) if last and len(names) > 1 else ", ".join(names)


def sentences(moment: Moment) -> list[str]:
    """What happens at the moment."""
    match moment.kind:
        case "selected":
            return _of_selection(moment)
        case "expanded":
            if not moment.marked:
                return ["The generator had nothing new to add."]
            parent = name_of(moment, str(moment.after.items[moment.marked[0]].parent))
            come = f"so now the children come: {listed(moment, moment.marked)}."
            said = [f"{_upper(parent)} was judged before, {come}"]
            on = [id for id in moment.goes_on if id in moment.marked]
            return said + ([f"The rollout goes on to {listed(moment, on)}."] if on else [])
        case "evaluated":
            judged = [(id, moment.after.items[id].value) for id in moment.marked[:3]]
            rewards = ", ".join(f"{name_of(moment, id)} {moment.fixed(value)}" for id, value in judged)
            return [f"Judged for the first time: {rewards}."]
        case _:
            return _of_backup(moment)


def _of_selection(moment: Moment) -> list[str]:
    if moment.decided is not None:
        at, bounds = moment.way[moment.decided]
        return [f"At {name_of(moment, at)}: {listed(moment, [*bounds], 'or')}? Say it before you go on."]
    said = []
    for at, bounds in moment.way:
        taken = next((id for id in bounds if id in moment.passed()), None)
        if taken is None:
            continue
        where, name, best = name_of(moment, at), name_of(moment, taken), bounds[taken]
        if best is None:
            said.append(f"At {where}, {name} has no visit yet and goes first.")
            continue
        beaten = ""
        if others := [(level(b), b) for id, b in bounds.items() if id != taken and b is not None]:
            tie, next_ = max(others)[0] == level(best), max(others)[1]
            beaten = ", a tie: the first in order" if tie else f" against {moment.fixed(next_)}"
        said.append(f"At {where}, {name} has the highest bound: {moment.fixed(best)}{beaten}.")
    end = _upper(name_of(moment, moment.ends[0]))
    return [*said, f"{end} has no children{'' if said else ' yet'}: the way down ends here."]


def _of_backup(moment: Moment) -> list[str]:
    if not moment.marked:
        return ["Nothing was judged, so nothing is backed up."]
    if "evaluated" in moment.kinds:
        said = ["The reward goes up: each node on the way counts one visit more, and its mean takes the reward in."]
    else:
        name, reward = name_of(moment, moment.ends[0]), moment.fixed(moment.after.items[moment.ends[0]].value)
        said = [f"Nothing new can be judged here: the known reward of {name}, {reward}, goes up again."]
    if moment.output is not None and moment.output in moment.after.items:
        said.append(f"Stopped now, the search would return {name_of(moment, moment.output)}.")
    return said


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:] if text.startswith("the root") else text


def gain(id: str, moment: Moment) -> float:
    """What was added to a node's total."""
    pair = moment.after.items[id], moment.before.items.get(id)
    new, old = ((real(node.mean) or 0.0) * (node.visits or 0) if node else 0.0 for node in pair)
    return level(new - old)
