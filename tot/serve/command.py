"""The command ``tot serve``: its flags, and what they start."""

from __future__ import annotations

import argparse
import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

from ..budget import Budget

if TYPE_CHECKING:
    from .recordings import Recordings
    from .searches import Searches

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


def source(options: argparse.Namespace, token: str) -> tuple[Recordings | Searches, str]:
    """Where answers come from, and that in words. Raises ValueError for flags that do not fit together."""
    from .recordings import Recordings
    from .tape import Replies

    lm, file = options.lm or "", options.cassette
    if not lm:
        if not Path(file or "").is_file():
            raise ValueError(f"there is no recording {file or ''} to replay: add --cassette FILE, or {HOW}")
        return Recordings(Replies(file), how=HOW), f"replays {file}"
    if lm.startswith("openai:") and not options.prices and Budget.parse(options.budget).dollars is not None:
        raise ValueError(f"a budget in dollars needs a price for {lm}: add --prices FILE, or limit tokens instead")
    server = {"base_url": options.base_url, "timeout": options.timeout}
    if not (lm.startswith("openai:") and file):
        from ..lm.opening import open as open_lm
        from .searches import Searches

        opened = open_lm(lm, cassette=file, prices=options.prices, **server)
        return Searches(opened, Budget.parse(options.budget), options.traces), f"searches with {lm}"
    if options.pass_key and token:
        raise ValueError("a client can send one key: --pass-key and TOT_SERVE_TOKEN do not go together")
    from .upstream import Behind, Upstream  # which takes a second

    model = lm.removeprefix("openai:")
    upstream = lambda key: Upstream(model, api_key=(key or "none") if options.pass_key else None, **server)  # noqa: E731
    behind = Behind(upstream, options.budget, options.prices)
    behind.upstream("").ready()
    return Recordings(Replies(file, writes=True), behind, model=model), f"records into {file}"


def serve(options: argparse.Namespace) -> int:
    """Serve until Ctrl-C. The first line printed begins with the base URL for clients. Raises ValueError for wrong use,
    LMError without a key, FileTrouble for a cassette that cannot be used.
    """
    try:
        from .server import Server
    except ImportError as error:
        raise ValueError('aiohttp is missing: pip install "thinking-in-trees[lm]"') from error
    token = os.environ.get("TOT_SERVE_TOKEN", "")
    answers, what = source(options, token)
    options.kept = lambda: f"it {what}; all that had arrived is kept"
    server = Server(answers, host=options.host, token=token)

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
