"""Tables of cases for readers, several to a line: cells stand between bars, and in a cell ⏎ is a new line."""


def bars(text: str) -> list[str]:
    """The pieces of a text between bars, spaces and all."""
    return text.split("|")


def cells(line: str) -> list[str]:
    """The texts of a line, without the spaces around them."""
    return [cell.strip().replace("⏎", "\n") for cell in line.split(" | ")]


def pairs(table: str) -> list[tuple[str, str | None]]:
    """The pairs (text, what is read in it) of cells such as "The answer is 18. -> 18"; None is nothing."""
    split = [cell.rpartition(" -> ") for line in table.strip().splitlines() for cell in cells(line)]
    return [(text.strip(), None if read == "None" else read) for text, _, read in split]


def refused(table: str) -> list[tuple[str, str]]:
    """The pairs (text, why it is not read) of lines such as "no answer named <- 18 | It is 18."."""
    lines = [line.partition(" <- ") for line in table.strip().splitlines()]
    return [(text, why) for why, _, texts in lines for text in cells(texts)]
