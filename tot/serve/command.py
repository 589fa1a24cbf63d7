"""The command ``tot serve``: its flags, and what they start."""

from __future__ import annotations

import argparse
import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

from ..budget import Budget

if TYPE_CHECKING:
    from .server import Source

HOW = "start `tot serve` with --lm openai:MODEL"


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    add = parser.add_argument
    add("--cassette", metavar="FILE", help="replay FILE; with --lm openai:NAME, record missing replies")
    add("--lm", help="openai:NAME: pass on and record; pocket, or any model without a cassette: a method is the model")
    add("--base-url", metavar="URL", help="URL of the server behind (default: OPENAI_BASE_URL, or OpenAI's)")
    add("--port", type=int, default=8135, help="0 picks a free one (default: 8135)")
    add("--host", default="127.0.0.1", help="another address than this machine's own needs TOT_SERVE_TOKEN")
    add("--pass-key", action="store_true", help="send each client's key on instead of OPENAI_API_KEY")
    add("--budget", default="", metavar="LIMITS", help="for all of it together, such as calls=200,dollars=5")
    add("--prices", metavar="FILE", help="a JSON table of prices in dollars per million tokens")
    add("--timeout", type=float, default=600.0, metavar="S", help="seconds the server behind may be silent")
    add("--traces", type=Path, metavar="DIR", help="keep the tree of each search there, for `tot show`")


def source(options: argparse.Namespace) -> tuple[Source, str]:
    """Where answers come from, and that in words. Raises ValueError for flags that do not fit together."""
    from .recordings import Recordings
    from .tape import Replies

    lm, budget, token = options.lm or "", Budget.parse(options.budget), os.environ.get("TOT_SERVE_TOKEN", "")
    if options.pass_key and token:
        raise ValueError("a client can send one key: --pass-key and TOT_SERVE_TOKEN do not go together")
    if budget.dollars is not None and lm.startswith("openai:") and not options.prices:
        raise ValueError(f"a budget in dollars needs a price for {lm}: add --prices FILE, or limit tokens instead")
    server = {name: getattr(options, name) for name in ("base_url", "timeout", "prices")}
    if not lm and not Path(options.cassette or "").is_file():
        raise ValueError(f"there is no recording {options.cassette or ''} to replay: add --cassette FILE, or {HOW}")
    if not lm:
        return Recordings(Replies(options.cassette), how=HOW), f"replays {options.cassette}"
    if not (lm.startswith("openai:") and options.cassette):
        from ..lm.opening import open as open_lm
        from .searches import Searches

        searched = Searches(open_lm(lm, cassette=options.cassette, **server), budget, options.traces)
        return searched, f"searches with {lm}"
    from .upstream import Purse, Upstream  # which takes a second

    name = lm.partition(":")[2]

    def upstream(key: str) -> Upstream:
        own = (key or "none") if options.pass_key else None
        return Upstream(name, base_url=options.base_url, timeout=options.timeout, api_key=own)

    upstream("").ready()
    replies = Replies(options.cassette, writes=True)
    purse = Purse(budget, options.prices)
    return Recordings(replies, upstream, purse=purse, model=name), f"records into {options.cassette}"


def serve(options: argparse.Namespace, answers: Source, what: str) -> int:
    """Serve until Ctrl-C. The first line printed begins with the base URL for clients."""
    from .server import Server

    server = Server(answers, host=options.host, token=os.environ.get("TOT_SERVE_TOKEN", ""))

    async def forever() -> None:
        try:
            print(f"{await server.start(options.port)} {what}", flush=True)
        except OSError as error:
            raise ValueError(
                f"cannot listen at port {options.port} ({error.strerror}): choose another --port"
            ) from None
        await asyncio.Event().wait()

    asyncio.run(forever())
    return 0
