"""Which passages chapter 7 has judged: taken from scripted runs, and replayed like the rest."""

import json

from studies.figures import as_json
from studies.passages import KINDS, PAIRS, passages, turned
from studies.writing_judge import comparison, ratings
from studies.writing_judged import CASSETTE, RESULTS, found, judged, runs
from tot import Cassette, Scripted, run
from tot.tasks.bundled import told_in


def writer(request, i):
    """Passages that name their method; two plans that differ; all ballots for the second choice."""
    said = request.messages[-1].content
    if "coherent passage is" in said:
        return "The more coherent passage is 1"
    if "How coherent" in said:
        return "The score is 6"
    if "Which choice" in said:
        return "The best choice is 2"
    if "If this passage is" in said:
        return "perfectly coherent" if " plan.\n" in said else "Better."
    if "\nPlan:\n" in said:
        return f"Passage {i % 3} by {said.split('Plan:')[1].split()[1]} plan."
    if 'First write "Plan:"' in said:
        return "no label, so no passage" if i == 0 else f"Plan:\n1. x\n\nPassage:\nChain {i}."
    return f"Direct {i}." if said.endswith(told_in("writing")["words"]["only"]) else f"plan {i % 2}"


def test_passages_are_found_by_kind(tmp_path):
    path = tmp_path / "07.jsonl"
    with Cassette(path, Scripted(writer)) as cassette:
        found = passages(runs(cassette))
        for one in judged(cassette):
            assert not run(one.search, cassette).error
    assert len(found) == 8 and all(tuple(mine) == KINDS for mine in found)
    first = found[0]
    assert (first["IO"], first["CoT"], first["IO + refine"]) == ("Direct 0.", "Chain 1.", "Better.")
    assert first["ToT"] == "Passage 1 by 1 plan." and first["ToT, no vote"] == "Passage 0 by 1 plan."

    replayed = Cassette(path)
    done = {one.of: (one.places, run(one.search, replayed)) for one in judged(replayed)}
    assert list(done) == [*KINDS, *PAIRS] and not any(result.error for _, result in done.values())
    assert [rating.mean for rating in ratings(done["ToT"][1].trace.events)] == [6] * 8
    assert comparison(done["ToT", "IO"][1].trace.events).flips == 8
    assert done["ToT + refine", "ToT"][0] == []  # content with the tree's passage: the same twice


def test_turned_ballots_show_the_same_choices_from_the_last_to_the_first():
    trees = runs(Scripted(writer))["tot-vote"]
    asked = [r for event in trees[0].trace.events if event["kind"] == "asked" for r in event["requests"]]
    plans, winners = turned(trees)[:2]
    assert len(turned(trees)) == 16 and plans.n == 5
    said, back = asked[1]["messages"][0]["content"], plans.messages[0].content
    assert "Choice 1:\nplan 0\n\nChoice 2:\nplan 1" in said and "Choice 1:\nplan 1\n\nChoice 2:\nplan 0" in back
    assert "Choice 1:\nPassage 2 by" in winners.messages[0].content


def test_the_stored_file_is_what_the_cassette_says():
    """``make tables`` writes it anew."""
    assert json.loads(RESULTS.read_text("utf-8")) == json.loads(as_json(found(Cassette(CASSETTE))))
