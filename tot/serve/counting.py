"""Which sample a call gets. All of this runs in the event loop of the server, one thing at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from heapq import heappop, heappush


class Session:
    """The k-th time that a request is made, it gets sample k, counted from 0; who wants n takes n numbers."""

    def __init__(self) -> None:
        self._counts = defaultdict[str, _Count](_Count)

    @contextmanager
    def turn(self, key: str, n: int, retry: int = 0, mark: str = "") -> Iterator[list[int]]:
        """A block that has the next ``n`` numbers of the request with this key, and gives them back if it fails, or is
        cancelled because the client left: the next equal request gets them.

        A client that asks again in silence takes over the numbers of its first try, if that is still in progress:
        ``retry`` counts its tries, ``mark`` is its idempotency key.
        """
        count = self._counts[key]
        mine = count.begin(n, retry, mark)
        try:
            yield mine.numbers
        except BaseException:
            for number in mine.numbers:
                heappush(count.free, number)
            raise
        finally:
            count.pending.remove(mine)
            if len(count.free) == count.next and not count.pending:
                self._counts.pop(key, None)


@dataclass(eq=False)
class _Turn:
    numbers: list[int]
    retry: int
    mark: str


@dataclass
class _Count:
    """Of one request: the next number that nobody had, the ``free`` ones that came back, and who has one now."""

    next: int = 0
    free: list[int] = field(default_factory=list)
    pending: list[_Turn] = field(default_factory=list)

    def begin(self, n: int, retry: int, mark: str) -> _Turn:
        mine = _Turn(self._taken_over(n, retry, mark), retry, mark)
        while len(mine.numbers) < n:
            if self.free:
                mine.numbers.append(heappop(self.free))
            else:
                mine.numbers.append(self.next)
                self.next += 1
        self.pending.append(mine)
        return mine

    def _taken_over(self, n: int, retry: int, mark: str) -> list[int]:
        for old in self.pending:
            again = old.mark == mark if mark else retry and len(self.free) < n and old.retry == retry - 1
            if again and len(old.numbers) == n:
                numbers, old.numbers = old.numbers, []
                return numbers
        return []
