// The Python of one page, in a worker: the page stays awake while a cell runs, and Stop ends the worker.
//
// In:  {type: "start"} once, then one at a time {type: "run", id, code, name, answers} or {type: "search", id, what} (see
//      live/lab.py). answers: who answers what is not recorded: null (nobody), {who: "pocket"} or {who: "own", url, name,
//      key}. {type: "offer", id, lab}: what the lab of that number offers; {type: "halt"}: a search ends with its best.
// Out: {type: "progress", bytes}, {type: "ready"}, {type: "failed", message};
//      {type: "output", id, output} while a cell or a search runs, {type: "done", id, ok, seconds, given, missed} at
//      its end; given: how many samples that model gave; missed: how often nobody answered.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const here = new URL(".", import.meta.url).href;
const ask = globalThis.fetch;
let runner, current;

const tell = (type, rest = {}) => postMessage({ type, ...rest });

/**
 * From now on what lies beside this file is fetched once and kept by the browser, until make live makes another version.
 * Its ordinary cache leaves out files of this size, in a private window for example. Nothing is kept where it may not.
 */
async function keepFiles(version) {
  const name = `tot-live-${version}`;
  let kept;
  try {
    for (const old of await caches.keys()) if (old.startsWith("tot-live-") && old !== name) await caches.delete(old);
    kept = await caches.open(name);
  } catch {
    return; // a page that came neither from this machine nor over https, a private window, a full disk
  }
  globalThis.fetch = async (target, ...rest) => {
    const url = String(target.url ?? target);
    if (!url.startsWith(here)) return ask(target, ...rest);
    const found = await kept.match(url);
    if (found) return found;
    const reply = await ask(target, ...rest);
    if (reply.ok) kept.put(url, reply.clone()).catch(() => {}); // the disk is full: it works without
    return reply;
  };
}

const reason = (error) => String(error.message ?? error).trim().split("\n").at(-1);

async function get(name, options = {}) {
  const reply = await fetch(here + name, options);
  if (!reply.ok) throw new Error(`${name} is not here (${reply.status}): run make live again`);
  return reply;
}

/** A file's bytes; a name that ends in .gz is unpacked on the way. */
async function bytes(name) {
  const counted = new TransformStream({
    transform(chunk, next) { tell("progress", { bytes: chunk.length }); next.enqueue(chunk); },
  });
  let stream = (await get(name)).body.pipeThrough(counted);
  if (name.endsWith(".gz")) stream = stream.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function start() {
  const settings = await (await get("settings.json", { cache: "no-cache" })).json(); // it says which version is right
  await keepFiles(settings.version);
  const [snapshot, book] = await Promise.all([bytes("python.snapshot.gz"), bytes("book.zip")]);
  const python = await loadPyodide({ indexURL: here + "pyodide/", _loadSnapshot: snapshot });
  python._api.on_fatal = (error) => tell("failed", { message: reason(error) }); // else nothing would come back
  python.unpackArchive(book, "zip", { extractDir: "/book" });
  const emit = (text) => tell("output", { id: current, output: JSON.parse(text) });
  python.registerJsModule("tot_page", { emit, later: here + "later/" });
  runner = python.runPython(`
    import importlib, os, sys
    importlib.invalidate_caches()
    if "/book" not in sys.path:
        sys.path.insert(0, "/book")
    os.chdir("/book/notebooks")
    import tot_page
    from live import later, runner
    later.lend("/book", tot_page.later)
    runner.Runner(tot_page.emit)
  `);
}

async function run({ id, code, name, answers = null }) {
  current = id;
  const began = performance.now();
  const done = JSON.parse(await runner.run(code, name, JSON.stringify(answers)));
  tell("done", { id, ...done, seconds: (performance.now() - began) / 1000 });
}

async function search({ id, what }) {
  current = id;
  await runner.search(what);
  tell("done", { id });
}

onmessage = async ({ data }) => {
  try {
    if (data.type === "run") return await run(data);
    if (data.type === "search") return await search(data);
    if (data.type === "offer") return tell("done", { id: data.id, offer: JSON.parse(runner.labs.offer(data.lab)) });
    if (data.type === "halt") return runner?.labs.stop();
    await start();
    tell("ready");
  } catch (error) {
    tell("failed", { message: reason(error) });
  }
};
