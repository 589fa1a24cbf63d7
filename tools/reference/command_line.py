"""The page of the command line, from the parser of ``tot``.

It is written from the arguments that the parser knows, not from its help text, whose form differs between versions of
Python.
"""

import argparse

from tot import cli

from .markup import code, page, plain


def commands() -> dict[str, argparse.ArgumentParser]:
    """Name -> parser of each command, as ``tot`` has them when no method is named."""
    every = cli._parser(["--help-all"])._actions
    [made] = [action for action in every if isinstance(action, argparse._SubParsersAction)]
    return dict(made.choices)


def spelled(action: argparse.Action) -> str:
    """How an argument is written: "--trace FILE", "-o, --out FILE", "TASK"."""
    value = action.metavar or ("|".join(map(str, action.choices)) if action.choices else action.dest)
    value = str(value).upper() if not action.option_strings and not action.choices else str(value)
    if not action.option_strings:
        return f"[{value}]" if action.nargs == "?" else value + (" ..." if action.nargs == "+" else "")
    takes = "" if action.nargs == 0 else f" {value if action.metavar or action.choices else value.upper()}"
    return ", ".join(action.option_strings) + takes


def explained(action: argparse.Action) -> str:
    """The help text with its default, if that is a value and the text does not say it."""
    text = (action.help or "") % vars(action)
    default = action.default
    known = default in (None, "", False, argparse.SUPPRESS) or "default" in text
    return plain(text if known else f"{text} (default: `{default}`)".strip())


def usage(name: str, parser: argparse.ArgumentParser) -> str:
    """One line: what must be given, and that there are options."""
    needed = [spelled(a) for a in parser._actions if not a.option_strings]
    flags = [spelled(a) for a in parser._actions if a.option_strings and a.required]
    return " ".join(
        ["tot", name, *needed, *flags, *(["[OPTIONS]"] if len(parser._actions) > len(needed) + len(flags) + 1 else [])]
    )


def arguments(parser: argparse.ArgumentParser) -> list[tuple[str, str]]:
    return [(code(spelled(action)), explained(action)) for action in parser._actions if action.dest != "help"]


def command_line_page() -> str:
    return page("command_line", about=cli.__doc__ or "", commands=commands(), usage=usage, arguments=arguments)
