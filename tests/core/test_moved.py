"""An import of an old name fails with a sentence that says where it is now, and there it is."""

from importlib import import_module

import pytest

import tot
from tot.moved import refusal, table

MOVED = table()
HERE = {old: new for old, new in MOVED.items() if new.partition(".")[0] in ("tot", "treebook") and " " not in new}


@pytest.mark.parametrize("old", MOVED)
def test_an_old_import_says_where_it_went(old):
    home, _, name = old.rpartition(".")
    assert f"{old} is now {MOVED[old]}" in str(refusal(old))
    with pytest.raises(ModuleNotFoundError, match=r"tot\..* is now "):
        parts = ("tot.tasks.base", "tot.lm.opening", "tot.lm.settings", "tot.parse")
        exec(f"from {home} import {name}" if home in parts else f"import {old}", {})


@pytest.mark.treebook
@pytest.mark.parametrize("old", HERE)
def test_there_it_is(old):
    try:
        import_module(HERE[old])
    except ModuleNotFoundError:
        home, _, name = HERE[old].rpartition(".")
        assert getattr(import_module(home), name) is not None


def test_what_is_below_a_moved_module_goes_with_it():
    with pytest.raises(ModuleNotFoundError, match=r"tot\.lm\.pocket is now treebook\.players"):
        import_module("tot.lm.pocket.engine")
    with pytest.raises(ModuleNotFoundError, match=r"tot\.odds is now treebook\.studies\.odds"):
        _ = tot.odds


def test_a_name_that_is_taken_from_what_stayed_says_so_too():
    with pytest.raises(ModuleNotFoundError, match=r"tot\.show\.explorer is now treebook\.show\.explorer"):
        from tot.show import explorer  # noqa: F401
    with pytest.raises(ModuleNotFoundError, match=r"tot\.nbsetup is now treebook\.nbsetup"):
        from tot import nbsetup  # noqa: F401


def test_a_name_that_never_was_is_an_ordinary_error():
    with pytest.raises(ModuleNotFoundError, match="No module named 'tot.nothing'"):
        import_module("tot.nothing")
    assert not hasattr(tot, "nothing") and not hasattr(import_module("tot.tasks.base"), "Nothing")
