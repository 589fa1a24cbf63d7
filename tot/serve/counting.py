"""Which sample a call gets. All of this runs in the event loop of the server, one thing at a time."""

from asyncio import CancelledError
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from heapq import heappop, heappush

from .asked import FINAL

AGAIN = (408, 409, 429)  # which clients' libraries ask again by themselves, as they do 5xx


class Session:
    """The k-th time that a request is made, it gets sample k, counted from 0; who wants n takes n numbers."""

    def __init__(self) -> None:
        self._next = Counter[str]()  # by request: the first number that nobody had
        self._free = defaultdict[str, list[int]](list)  # those that came back
        self._pending: list[tuple[str, int, str, list[int]]] = []  # calls in progress: key, retry, mark, numbers
        self._failed = Counter[tuple[str, int]]()  # calls that were told so, or left: a client's next try is of these

    @contextmanager
    def turn(self, key: str, n: int, retry: int = 0, mark: str = "") -> Iterator[list[int]]:
        """A block that has the next ``n`` numbers of the request with this key, and gives them back if it fails, or is
        cancelled because the client left: the next equal request gets them.

        A client that asks again in silence takes over the numbers of its first try, if that is still in progress:
        ``retry`` counts its tries, ``mark`` is its idempotency key. Without a mark they are those of the oldest equal
        call that was tried as often, unless such a call has failed: then it is the one that is tried again.
        """
        free, mine = self._free[key], list[int]()
        if failed := bool(retry and self._failed[key, retry - 1]):
            self._failed[key, retry - 1] -= 1
        for same, tries, known, theirs in self._pending:
            again = known == mark if mark else retry and not failed and len(free) < n and tries == retry - 1
            if again and same == key and len(theirs) == n and not mine:
                mine, theirs[:] = [*theirs], []
        while len(mine) < n:
            if not free:
                free.append(self._next[key])
                self._next[key] += 1
            mine.append(heappop(free))
        self._pending.append(turn := (key, retry, mark, mine))
        try:
            yield mine
        except BaseException as error:
            for number in () if getattr(error, "spent", False) else mine:
                heappush(free, number)
            status, told = getattr(error, "status", FINAL), getattr(error, "headers", {}).get("x-should-retry")
            again = status >= 500 or status in AGAIN or told == "true"
            self._failed[key, retry] += isinstance(error, CancelledError) or again
            raise
        finally:
            self._pending.remove(turn)
