"""Unfinished models, small enough to ship: each weight as a whole number from -127 to 127, with one scale for each row.

    python -m studies.search_pays.packing FOLDER 8M 16M ...     # packs FOLDER/after_8M.safetensors ... into weights/

What is played in the map is what was unpacked, so everybody plays the same models.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import numpy as np

from treebook.players.model import read

SHIPPED = Path(__file__).parent / "weights"


def pack(source: Path, target: Path) -> None:
    """A safetensors file as a packed one, about half its size. Equal input gives equal bytes."""
    tensors, metadata = read(source.read_bytes())
    arrays: dict[str, np.ndarray] = {}
    for name, tensor in tensors.items():
        rows = np.abs(tensor).max(axis=-1, keepdims=True)
        scale = np.maximum(rows / 127, 1e-8).astype(np.float32)
        arrays[f"{name}.numbers"] = np.rint(tensor / scale).astype(np.int8)
        arrays[f"{name}.scale"] = scale
    target.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(target, metadata=np.array(json.dumps(metadata)), **arrays)


def unpack(source: Path, target: Path) -> Path:
    """A packed file as safetensors in half precision, for ``Pocket(weights=...)``. Returns ``target``."""
    with np.load(source) as packed:
        metadata = json.loads(str(packed["metadata"]))
        names = [key.removesuffix(".numbers") for key in packed.files if key.endswith(".numbers")]
        tensors = {n: (packed[f"{n}.numbers"] * packed[f"{n}.scale"]).astype("<f2") for n in names}
    header: dict[str, object] = {"__metadata__": metadata}
    at = 0
    for name, tensor in tensors.items():
        header[name] = {"dtype": "F16", "shape": list(tensor.shape), "data_offsets": [at, at + tensor.nbytes]}
        at += tensor.nbytes
    text = json.dumps(header, sort_keys=True).encode()
    text += b" " * (-len(text) % 8)
    target.parent.mkdir(parents=True, exist_ok=True)
    whole = len(text).to_bytes(8, "little") + text + b"".join(t.tobytes() for t in tensors.values())
    mine = target.with_suffix(f".{os.getpid()}")  # other processes may be reading the target
    mine.write_bytes(whole)
    return mine.replace(target)


def main() -> None:
    folder, *names = sys.argv[1:]
    for name in names:
        pack(Path(folder, f"after_{name}.safetensors"), SHIPPED / f"after_{name}.npz")


if __name__ == "__main__":
    main()
