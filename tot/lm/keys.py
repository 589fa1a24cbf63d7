"""The key under which a recorded reply is found: a hash of the request as the provider sees it."""

import json
from typing import Any


def request_key(model: str, messages: list[list[str]], params: dict[str, Any]) -> str:
    """The hash behind ``Request.key``, also used to check a cassette's lines."""
    import hashlib  # imported here because it loads OpenSSL, which `import tot` does not need

    canonical = json.dumps([model, messages, params], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()[:16]
