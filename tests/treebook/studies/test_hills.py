from functools import partial

from treebook.studies.hills import NODES, hill, noisy, search


def test_hills_have_all_nodes_and_small_steps():
    assert len({*NODES}) == len(NODES) == (3**7 - 1) / 2
    assert all(abs(hill(node, 3) - hill(node[:-1], 3)) <= 0.1 for node in NODES[1:])
    errors = [noisy(node, 3) - hill(node, 3) for node in NODES]
    assert abs(sum(errors)) / len(errors) < 0.02 and 0.08 < max(map(abs, errors))


def test_a_scripted_search_is_paid_what_the_tree_says():
    run = search(lambda node: "abc", partial(hill, seed=3), depth=6, rollouts=60)
    told = {n.state.last.text if n.state.last else "": n.value for n in run.visited}
    assert len(told) == len(run.visited) > 50 and all(value == hill(node, 3) for node, value in told.items())
