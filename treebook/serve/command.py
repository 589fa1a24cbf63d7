"""The command ``tot serve``: the entry ``serve`` of ``tot.commands``. aiohttp is imported when it is used."""

from __future__ import annotations

import argparse
import os
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tot.budget import Budget
from tot.jsonlines import FileTrouble
from tot.lm.base import LMError
from tot.lm.wire import read_price

if TYPE_CHECKING:
    from tot.serve.recordings import Recordings

    from .searches import Searches

HOW = "start `tot serve` with --lm openai:MODEL"


def add_command(commands: Any) -> None:
    """Adds ``tot serve``."""
    about = "answer any program from recordings, or by a search: an OpenAI-compatible server"
    parser = commands.add_parser("serve", help=about, description=about, allow_abbrev=False)
    parser.set_defaults(do=serve, refuse=parser.error)
    add = parser.add_argument
    add("--cassette", metavar="FILE", help="replay FILE; with --lm openai:NAME, record missing replies")
    add("--lm", default="", help="openai:NAME: pass on and record; any model without a cassette: methods are models")
    add("--base-url", metavar="URL", help="URL of the server behind (default: OPENAI_BASE_URL, or OpenAI's)")
    add("--port", type=int, default=8135, help="0 picks a free one (default: 8135)")
    add("--host", default="127.0.0.1", help="another address than this machine's own needs TOT_SERVE_TOKEN")
    add("--pass-key", action="store_true", help="send each client's key on instead of OPENAI_API_KEY")
    add("--budget", default="", metavar="LIMITS", help="for all of it together, such as calls=200,dollars=5")
    add("--prices", metavar="FILE", help="a JSON table of prices in dollars per million tokens")
    add("--timeout", type=float, default=600.0, metavar="S", help="seconds the server behind may be silent")
    add("--traces", type=Path, metavar="DIR", help="keep the tree of each search there, for `tot show`")


def serve(options: argparse.Namespace) -> int:
    """Serve until Ctrl-C. The first line printed begins with the base URL for clients. What cannot be used is refused
    with a sentence.
    """
    try:
        from tot.serve.server import Server

        token = os.environ.get("TOT_SERVE_TOKEN", "")
        answers, what = source(options, token)
        every = "all that had arrived is kept" if options.cassette else ""
        options.kept = lambda: "; ".join(filter(None, (f"it {what}", answers.trouble or every)))
        server = Server(answers, host=options.host, token=token)
        with closing(answers), server.running(options.port) as url:
            print(f"{url} {what}", flush=True)
            while True:
                time.sleep(1)
    except ImportError:
        options.refuse('aiohttp is missing: pip install "thinking-in-trees[lm]"')
    except (ValueError, LMError, FileTrouble) as error:
        options.refuse(str(error))
    except OSError as error:
        options.refuse(f"cannot use {error.filename or 'its output'}: {error.strerror}; choose another one")
    return 2


def source(options: argparse.Namespace, token: str = "") -> tuple[Recordings | Searches, str]:
    """Where answers come from, and that in words. Raises ValueError for flags that do not fit together, LMError without
    a key, FileTrouble for a cassette that cannot be used.
    """
    from tot.serve.recordings import Recordings

    lm, file = options.lm, options.cassette
    if not lm:
        if not Path(file or "").is_file():
            raise ValueError(f"there is no recording {file or ''} to replay: add --cassette FILE, or {HOW}")
        return Recordings(file, how=HOW), f"replays {file}"
    if lm.startswith("openai:") and not options.prices and Budget.parse(options.budget).dollars is not None:
        raise ValueError(f"a budget in dollars needs a price for {lm}: add --prices FILE, or limit tokens instead")
    server = {"base_url": options.base_url, "timeout": options.timeout, "prices": options.prices}
    records = lm.startswith("openai:") and file
    if options.traces if records else options.pass_key:
        unused = "--traces" if records else "--pass-key"
        why = "--traces is for methods that answer, --pass-key for calls that are passed on to be recorded"
        raise ValueError(f"{unused} does nothing here, leave it out: {why}")
    if not records:
        from tot.lm.opening import open as open_lm

        from .searches import Searches

        opened = open_lm(lm, cassette=file, **server)
        if opened.unpriced and Budget.parse(options.budget).dollars is not None:
            raise ValueError(
                f"a budget in dollars needs a price for {lm}: set it in that model, or limit tokens instead"
            )
        return Searches(opened, Budget.parse(options.budget), options.traces), f"searches with {lm}"
    if options.pass_key and token:
        raise ValueError("a client can send one key: --pass-key and TOT_SERVE_TOKEN do not go together")
    from tot.serve.upstream import Behind  # which takes a second

    model = lm.removeprefix("openai:")
    read_price(options.prices, model)  # a table that cannot be read is told before it is needed
    behind = Behind(pass_key=options.pass_key, budget=options.budget, **server)
    return Recordings(file, behind, model=model), f"records into {file}"
