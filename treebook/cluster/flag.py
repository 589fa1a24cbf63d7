"""``tot run --dask WHERE``: the entry ``dask`` of ``tot.commands``. Dask is imported when the flag is used."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from tot.experiments.running import Cluster
from tot.lm.roles import Roles


def add_flag(commands: Any) -> None:
    """Adds the flag to ``tot run``; its value opens the cluster (see ``running.Opener``)."""
    commands.choices["run"].add_argument(
        "--dask",
        dest="cluster",
        type=lambda where: partial(opened, where),
        metavar="WHERE",
        help="spread the problems over a Dask cluster, --at-once for each worker: auto (a process for each core of this"
        " machine), a number of processes, or tls://HOST:8786",
    )


@contextmanager
def opened(where: str, lms: Roles) -> Iterator[Cluster]:
    """The cluster, until the block ends. Raises ValueError without Dask, for a ``where`` that cannot be read, and for a
    model that no worker can open; LMError if nobody answers there.
    """
    try:
        import cryptography  # noqa: F401 (a cluster on this machine lets nobody else in)

        from .client import connect, packed
    except ImportError as error:
        raise ValueError('--dask needs Dask: pip install "dask[distributed]" cryptography') from error
    packed(lms)  # a model that no worker can open is refused before there are workers
    with connect(where) as cluster:
        yield cluster
