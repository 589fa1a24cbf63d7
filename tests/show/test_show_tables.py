"""Tables as text: of results, with problems that failed; cleaned."""

from dataclasses import replace

from traces import BAD, HOSTILE, solved

from tot.experiments import summarise
from tot.show import results_table, table


def test_the_table_of_results_shows_what_is_not_0() -> None:
    [row] = summarise([solved("io", k=2).to_dict()])
    made = results_table([row])
    assert " ".join(made.columns) == "method lm n correct mean first any calls rounds nodes tokens"
    assert made.cells[0][:4] == ("io", "scripted", "1", str(row.correct)) and made.cells[0][5:7] == ("100%", "100%")
    assert made.right == (False, False, *[True] * 9)
    assert results_table([replace(row, mean=None)]).columns == tuple(name for name in made.columns if name != "mean")
    every = replace(row, dollars=0.5, path=1.0, spent=2.5, unread=1, errors=2, stopped=3)
    assert results_table([row, every]).columns[-6:] == ("dollars", "path", "spent", "unread", "errors", "stopped")
    assert results_table([row, every]).cells[1][-6:] == ("0.5", "1", "2.5", "1", "2", "3")
    assert results_table([replace(row, tokens=123.4)]).cells[0][-1] == "123"
    assert "task" in results_table([row, replace(row, task="x")]).columns and results_table([]).cells == ()


def test_tables_are_cleaned_and_aligned() -> None:
    for bad in HOSTILE:
        assert not BAD.search(str(table([{"name": bad, "n": 3}], caption=bad)).replace("\n", ""))
    assert table([{"a": 1, "b": "x"}], {"b": "B"}).columns == ("B",)
    assert str(table([{"a": 12000, "b": None}])) == "     a  b\n------  -\n12,000  –"
