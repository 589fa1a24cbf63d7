"""pocket.js beside numpy: the same logits, the same random numbers, the same samples; and its cut in ``Pocket``."""

import json
import math
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from test_pocket_model import BROKEN, FULL, GAME, HERE, SMALL, WORDS, as_file, close, engine_job, saved, tensors

import tot
from benchmarks.browser import differing, formats
from benchmarks.javascript import JavaScriptEngine, encoded, in_node, in_worker, plain
from tools.live.packages import FOLDER, are_there
from tot.lm.base import LMError
from tot.state import State
from treebook.players import FILE, Pocket
from treebook.players.jobs import Done
from treebook.players.model import forward, load
from treebook.players.worded import FILES, worded

ROOT = Path(__file__).parents[3]
FORWARD = """const model = pocketModel.load(bytes(file), { simd });
    return [model.simd, texts.map((text) => model.forward(text))];"""


@pytest.fixture(scope="module")
def run(node):
    return in_node(node)


def forwards(run, path, texts, simd=True):
    there, logits = run(FORWARD, file=encoded(path), texts=texts, simd=simd)
    assert there == simd
    return [np.array(each) for each in logits]


def test_it_agrees_with_what_pytorch_said_of_the_shipped_weights(run):
    with np.load(HERE / "golden" / "pocket_logits.npz") as kept:
        texts = [kept[f"tokens {i}"].tolist() for i in range(3)]
        wanted = [kept[f"logits {i}"] for i in range(3)]
    for got, want in zip(forwards(run, FILE, texts), wanted, strict=True):
        assert np.abs(got[-len(want) :] - want).max() < 1e-4 and np.ptp(want) > 10


@pytest.mark.parametrize("size", [SMALL, FULL | {"width": 160, "layers": 2}, {"width": 24, "layers": 1, "heads": 2}])
def test_it_is_the_model_at_any_size_with_the_same_bits_without_simd(run, tmp_path, size):
    path = saved(tmp_path / "weights.safetensors", size)
    model, rng = load(path), np.random.default_rng(0)
    texts = [rng.integers(0, WORDS, n).tolist() for n in (1, 7, 33, min(128, model.context))]
    fast, slow = forwards(run, path, texts), forwards(run, path, texts, simd=False)
    for text, got, same in zip(texts, fast, slow, strict=True):
        assert close(got, forward(model, text)) and np.array_equal(got, same)


def test_half_precision_is_read_exactly(run):
    got = run("return Array.from({ length: 65536 }, (_, bits) => String(pocketModel.half(bits)));")
    want = np.arange(65536, dtype=np.uint16).view(np.float16).astype(float)
    assert np.array_equal(np.array([float(text.replace("Infinity", "inf")) for text in got]), want, equal_nan=True)


def test_single_precision_is_read_too(run, tmp_path):
    path = tmp_path / "weights.safetensors"
    path.write_bytes(as_file(tensors(**SMALL), {"heads": "4"}, "F32"))
    assert close(forwards(run, path, [[5, 6, 7]])[0], forward(load(path), [5, 6, 7]))


def everything(n):
    """Requests in every format that the model was trained on, and with other settings."""
    value, cot = GAME.value(State("5 5 1")), GAME.cot(State("2 3 5 12"))
    more = [replace(cot, top_p=0.8), replace(cot, temperature=0), replace(value, max_tokens=5)]
    return [*formats("4 9 10 13", n), *(replace(request, n=n, first=7) for request in more)]


def test_samples_are_those_of_numpy_from_the_same_seed(run):
    """All but a rare one, which another processor may round to another token: benchmarks/browser.py counts them."""
    there = Pocket(seed=3, engine=JavaScriptEngine(run))
    requests = everything(3)
    assert there.weights == Pocket().weights and there.name == "pocket:3"
    differ, of = differing(there(requests), Pocket(seed=3)(requests))
    assert of == 36 and differ <= 1
    assert differing(there(requests), Pocket(seed=4)(requests))[0] > 15


def test_the_worded_model_runs_there_too(run):
    task, here = tot.task("gsm8k"), worded()
    states = [State(problem.x) for problem in task.problems("pocket")[:3]]
    jobs = [here._job(replace(ask(state), n=2)) for state in states for ask in (task.cot, task.execute)]

    def all_of(engine):
        return {(done.job, done.index): done.tokens for step in engine.generate(jobs) for done in step}

    assert all_of(JavaScriptEngine(run, FILES["large"])) == all_of(here.engine)


def test_a_sample_has_the_same_tokens_alone_and_in_company(run, tmp_path):
    path, rng = saved(tmp_path / "weights.safetensors", FULL), np.random.default_rng(2)
    lengths = [1, 7, 8, 9, 60, 200]
    jobs = [
        plain(engine_job(rng.integers(0, WORDS, n).tolist(), range(i, 8), limit=25, temperature=1.5, salt=i))
        for i, n in enumerate(lengths)
    ]
    alone = [{**job, "keys": [key], "first": job["first"] + i} for job in jobs for i, key in enumerate(job["keys"])]
    together, apart = run(
        """const model = pocketModel.load(bytes(file)), ended = () => false;
        const all = (some) => [...model.generate(some.map((job) => ({ ...job, ended })))].flat();
        return [all(jobs), alone.map((job) => all([job])[0])];""",
        file=encoded(path),
        jobs=jobs,
        alone=alone,
    )
    together.sort(key=lambda done: (done["job"], done["index"]))
    assert [(d["index"], d["tokens"]) for d in together] == [(d["index"], d["tokens"]) for d in apart]
    assert len(together) == sum(8 - i for i in range(6)) and all(len(d["tokens"]) == 25 for d in together)


def test_a_reply_ends_where_it_is_told_and_a_step_is_a_token(run, tmp_path):
    path = saved(tmp_path / "weights.safetensors", SMALL)
    job = plain(engine_job([5, 6, 7], range(40), limit=30))
    flying, asked, done = run(
        """const model = pocketModel.load(bytes(file)), asked = [];
        const ended = (tokens) => { asked.push([...tokens]); return tokens.length === 3 || tokens.at(-1) < 60; };
        const sizes = [], done = [];
        for (const step of model.generate([{ ...job, ended }])) { sizes.push(asked.length); done.push(...step); }
        return [sizes, asked, done];""",
        file=encoded(path),
        job=job,
    )
    assert flying[0] == 32 and max(b - a for a, b in pairwise(flying)) <= 32
    assert len(asked) == flying[-1] == sum(len(d["tokens"]) for d in done)
    assert all(d["ended"] and (len(d["tokens"]) == 3 or d["tokens"][-1] < 60) for d in done)
    assert sorted(d["index"] for d in done) == list(range(40))


def test_who_stops_half_way_gives_the_memory_back(run, tmp_path):
    path = saved(tmp_path / "weights.safetensors", SMALL)
    jobs = [plain(engine_job([5 + i, 6, 7], range(3), limit=30)) for i in range(30)]
    sizes = run(
        """const model = pocketModel.load(bytes(file)), sizes = [];
        for (let i = 0; i < 5; i++) {
          let steps = 0;
          for (const step of model.generate(jobs)) if (++steps === 9) break;
          model.forward([1, 2]);
          model.logProbabilities([3, 4]);
          sizes.push([model.heap.numbers.length, model.free.length]);
        }
        return sizes;""",
        file=encoded(path),
        jobs=jobs,
    )
    assert sizes == [sizes[0]] * 5 and sizes[0][1] > 32


def test_what_does_not_fit_is_refused(run, tmp_path):
    path = saved(tmp_path / "weights.safetensors", SMALL)
    code = """const model = pocketModel.load(bytes(file)); const said = [];
        for (const text of [[], Array(129).fill(1), [1, 9999], [-1]])
          try { model.forward(text); } catch (error) { said.push(error.message); }
        const job = { first: 0, keys: ["1"], temperature: 1, topP: 1 };
        for (const more of [{ prompt: [1], limit: 128 }, { prompt: [1], limit: 0 }])
          try { [...model.generate([{ ...job, ...more }])]; } catch (error) { said.push(error.message); }
        return said;"""
    said = run(code, file=encoded(path))
    for text, why in zip(said, ("not 0", "not 129", "no token 9999", "no token -1", "1 + 128", "1 + 0"), strict=True):
        assert why in text


def test_other_files_are_refused_with_the_reason(run, tmp_path):
    files = []
    for i, (data, _) in enumerate(BROKEN):
        path = tmp_path / f"{i}.safetensors"
        path.write_bytes(data)
        files.append(encoded(path))
    code = """return files.map((file) => {
        try { pocketModel.load(bytes(file)); return "it was taken"; } catch (error) { return error.message; } });"""
    reasons = ("too short", "header is cut off", "JSON", "embed", "cut off", *(why for _, why in BROKEN[5:]))
    for said, why in zip(run(code, files=files), reasons, strict=True):
        assert why in said


def test_logprobs_are_those_of_numpy(run):
    """Of the same samples: their tokens at temperature 1, also where they were drawn at another."""
    asked = [replace(GAME.cot(State("2 3 5 12")), stop=(), n=3, temperature=t, logprobs=True) for t in (0, 0.7, 1)]
    there, here = (
        [s for reply in Pocket(seed=3, **how)(asked) for s in reply.samples]
        for how in ({"engine": JavaScriptEngine(run)}, {})
    )
    assert [s.text for s in there] == [s.text for s in here]
    assert [s.logprob for s in there] == pytest.approx([s.logprob for s in here], abs=1e-3)
    assert max(s.logprob for s in here) < 0 and there[0].logprob == there[1].logprob  # the likeliest reply, twice


class Parrot:
    """An engine that says the prompt again."""

    sha256, metadata, context, settings = "0" * 64, {"name": "parrot"}, 256, {"parrot": 1}

    def generate(self, jobs):
        for number, job in enumerate(jobs):
            yield [Done(number, i, [*job.prompt[1:-1], 0], True) for i in job.samples]

    def log_probabilities(self, prompts):
        return [[-math.log(2)] * 2 for _ in prompts]


def test_any_engine_will_do():
    lm = Pocket(seed=5, engine=Parrot())
    [reply, refused] = lm([replace(GAME.io(State("4 9 10 13")), n=2), replace(GAME.io(State("4")), n=2)])
    assert reply.texts == ("Numbers: 4 9 10 13",) * 2 and refused.samples[0].finish == "refusal"
    assert (lm.name, lm.weights) == ("parrot:5", "0" * 64)
    assert lm.describe() == {"model": "parrot:5", "server": "treebook.players", "settings": {"seed": 5, "parrot": 1}}
    assert lm.log_chances([1], [[0, 1, 1]]) == [pytest.approx(-3 * math.log(2))]
    with pytest.raises(LMError, match="shows no arrays"):
        _ = lm.model
    with pytest.raises(TypeError, match="leave out weights"):
        Pocket(weights=FILE, engine=Parrot())


def test_without_numpy_it_takes_an_engine_and_says_what_it_needs_without():
    code = """if True:
        import sys
        sys.modules["numpy"] = None  # not installed
        from tot.lm.base import LMError
        from tot.lm import opening
        from treebook.players import Pocket
        class Engine:
            sha256, metadata, context, settings = "0" * 64, {}, 256, {}
        print(Pocket(engine=Engine()))
        for make in (Pocket, lambda: opening.open("pocket")):
            try:
                make()
            except LMError as error:
                print(error)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    said = "the pocket model needs numpy: pip install numpy"
    assert done.stdout.splitlines() == ["Pocket(seed=0, name='pocket', weights='00000000')", said, said], done.stderr


IN_PYODIDE = """
    const { loadPyodide } = await import(runtime);
    const pyodide = await loadPyodide();
    pyodide.mountNodeFS("/repository", root);
    process.stdout.write(await pyodide.runPythonAsync(code));
"""
SAMPLES = """
import json, sys
sys.path.insert(0, "/repository")
sys.dont_write_bytecode = True
from dataclasses import replace
import tot
from tot.lm.base import LMError
from treebook.players import FILE, Pocket
from tot.state import State
from tot.tasks.game24 import Game24

lm, game, start = Pocket(seed=3), Game24(), State("4 9 10 13")
solution = tot.solve("game24", "4 9 10 13", "tot-bfs", lm=lm)
requests = [replace(game.cot(start), n=4), replace(game.cot(start), n=4, stop=("left",)), game.value(State("4 4 10"))]
replies = lm([*requests, tot.user("A poem, please.")])
told = [solution.correct, solution.answer, solution.result.ledger.total.completion_tokens]
told += [[reply.texts, [sample.finish for sample in reply.samples], reply.asked.completion_tokens] for reply in replies]
"""
LEAVING = """
class Enough(Exception): pass
def stop(request, reply): raise Enough
for turn in range(3):
    try:
        lm([replace(game.io(start), n=50)], stop)
    except Enough:
        pass
    if turn:
        told.append(len(lm.engine._model.heap.numbers))
told.append("numpy" in sys.modules)
path = FILE.with_name("tokens.py")
for wrong in (path, path.with_name("nothing")):
    try:
        Pocket(weights=wrong)
    except LMError as error:
        told.append(str(error))
json.dumps(told)
"""


@pytest.fixture(scope="module")
def pyodide():
    if not are_there(cache := ROOT / "_build" / "live-cache"):
        pytest.skip("no test in Pyodide: it is not there yet; make live-runtime fetches it")
    return cache / FOLDER / "pyodide" / "pyodide.mjs"


@pytest.mark.slow
def test_python_in_the_browser_gives_the_samples_of_numpy_here(node, pyodide):
    given = {"runtime": pyodide.as_uri(), "root": str(ROOT), "code": SAMPLES + LEAVING}
    script = f"const {{ runtime, root, code }} = {json.dumps(given)};{IN_PYODIDE}"
    flags = [node, "--input-type=module", "-"]
    done = subprocess.run(flags, input=script, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    there = json.loads(done.stdout)
    here = {}
    exec(SAMPLES, here)
    told = json.loads(json.dumps(here["told"]))
    assert there[: len(told)] == told and told[0] is True and "refusal" in told[-1][1]
    before, after, numpy, not_weights, missing = there[len(told) :]
    assert before == after and numpy is False
    assert "does not hold a pocket model's weights" in not_weights and "cannot read" in missing


@pytest.mark.slow
def test_a_web_worker_in_chromium_gives_the_samples_of_numpy(chromium):
    page = chromium.new_page()
    there = JavaScriptEngine(in_worker(page))
    differ, of = differing(Pocket(seed=3, engine=there)(everything(5)), Pocket(seed=3)(everything(5)))
    assert of == 60 and differ <= 1 and there.seconds > 0
    assert page.evaluate("typeof pocketModel") == "undefined"  # nothing ran in the page itself
    page.close()
