"""Forms in which models were trained to write a call of a tool: tags, special tokens, arguments one by one.

A server that knows a model's form reads it, if it was told of the tools. Here they stand in the prompt, and some models
write their own form all the same. Each is the same in other words: a name, and arguments.
"""

import json
import re
from collections.abc import Container

from ..reply import begins, pattern


def in_plain_json(text: str, texts: Container[tuple[str, str]] = ()) -> str:
    """The text with its first call in such a form as ``{"name": ..., "arguments": {...}}``; others as they are.
    ``texts``: tools and their arguments that are texts, whatever these look like.
    """
    head = pattern("trained_head").search(text)
    if head is None:
        return pattern("trained_marks").sub("", text, count=1)
    given, end = begins(text[head.end() :])[0] if text[head.end()] == "{" else {}, head.end()
    while pair := pattern("trained_argument").match(text, end):
        value, end = pair[2].strip(), pair.end()
        data = begins(value)[0] if value[:1] in ("[", "{") and (head[1], pair[1]) not in texts else None
        given[pair[1]] = value if data is None else data
    cut = re.match(r"\s*<[^<>\n/]{0,30}(?:parameter|arg_)", text[end:])  # an argument that does not end
    if cut or not isinstance(given, dict) or not (given or text[head.end()] == "{"):
        return text
    return f"{text[: head.start()]}\n{json.dumps({'name': head[1], 'arguments': given}, ensure_ascii=False)}"
