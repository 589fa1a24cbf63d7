"""An MCP server whose tools fail in every way that a server can: for test_mcp.py."""

import os
import sys
import time

from mcp.server import MCPServer
from mcp.types import ImageContent, ToolAnnotations

odd, reads = MCPServer("odd"), ToolAnnotations(read_only_hint=True)


@odd.tool(annotations=reads)
def echo(text: str, times: int = 1) -> str:
    """Says it again."""
    return text * times


@odd.tool(annotations=reads)
def die() -> str:
    os._exit(3)


@odd.tool(annotations=reads)
def hang() -> str:
    time.sleep(60)
    return "late"


@odd.tool(annotations=reads)
def refuse() -> str:
    raise ValueError("no such thing")


@odd.tool(annotations=reads)
def picture() -> ImageContent:
    return ImageContent(type="image", data="aGk=", mime_type="image/png")


@odd.tool(annotations=reads)
def noise() -> str:
    print("this is no message of the protocol", flush=True)
    return "well"


@odd.tool(annotations=reads)
def key() -> str:
    return os.environ.get("OPENAI_API_KEY", "none")


if __name__ == "__main__":
    if sys.argv[1:]:
        odd.run("streamable-http", port=int(sys.argv[1]))
    odd.run()
