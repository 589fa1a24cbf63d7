"""Which sample a call gets. All of this runs in the event loop of the server, one thing at a time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from heapq import heappop, heappush


@dataclass(eq=False)
class _Turn:
    """A call in progress, and the ``numbers`` that it has."""

    key: str
    numbers: list[int]
    retry: int
    mark: str


class Session:
    """The k-th time that a request is made, it gets sample k, counted from 0; who wants n takes n numbers."""

    def __init__(self) -> None:
        self._next = Counter[str]()  # by request: the first number that nobody had
        self._free = defaultdict[str, list[int]](list)  # those that came back
        self._pending: list[_Turn] = []

    @contextmanager
    def turn(self, key: str, n: int, retry: int = 0, mark: str = "") -> Iterator[list[int]]:
        """A block that has the next ``n`` numbers of the request with this key, and gives them back if it fails, or is
        cancelled because the client left: the next equal request gets them.

        A client that asks again in silence takes over the numbers of its first try, if that is still in progress:
        ``retry`` counts its tries, ``mark`` is its idempotency key.
        """
        free, mine = self._free[key], _Turn(key, [], retry, mark)
        for old in self._pending:
            again = old.mark == mark if mark else retry and len(free) < n and old.retry == retry - 1
            if again and old.key == key and len(old.numbers) == n and not mine.numbers:
                mine.numbers, old.numbers = old.numbers, []
        while len(mine.numbers) < n:
            if not free:
                free.append(self._next[key])
                self._next[key] += 1
            mine.numbers.append(heappop(free))
        self._pending.append(mine)
        try:
            yield mine.numbers
        except BaseException:
            for number in mine.numbers:
                heappush(free, number)
            raise
        finally:
            self._pending.remove(mine)
