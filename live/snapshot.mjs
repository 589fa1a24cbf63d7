// node snapshot.mjs PYODIDE BOOK.ZIP OUT: Python as it is once the package is imported, so that a page need not do it.
//
// Loading that state takes a third of the time that starting and importing take (book/manual/live.md). It fits only the
// Pyodide that made it; both come from one make live.

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const [, , folder, book, out] = process.argv;
const { loadPyodide } = await import(pathToFileURL(resolve(folder, "pyodide.mjs")).href);
const python = await loadPyodide({ _makeSnapshot: true });
const size = python._module.HEAP8.length;
python.unpackArchive(new Uint8Array(readFileSync(book)), "zip", { extractDir: "/book" });
python.runPython(`
import contextlib, importlib, pkgutil, sys
sys.path.insert(0, "/book")
import pyodide.code, shutil, zipfile
import live.runner
import tot.lm.cassette, tot.lm.openai, treebook.players.browser, tot.runner, tot.solution, tot.views, treebook.nbsetup, treebook.show
import importlib.metadata
for name in ("tot.show", "tot.tasks", "tot.methods", "tot.search", "tot.tools", "treebook.explorer", "treebook.graph"):
    package = importlib.import_module(name)
    for module in pkgutil.iter_modules(package.__path__, f"{name}."):
        with contextlib.suppress(ImportError):  # what needs a package that is not in the browser
            importlib.import_module(module.name)
for name in "tables predict plots drawing bill".split():  # of all that draws, what most pages need: there is no room for all
    importlib.import_module(f"treebook.figures.{name}")
`);
if (python._module.HEAP8.length > size) { // Pyodide cannot load a state that is larger than the memory it starts with
  throw new Error("the saved state is too large: import fewer modules in live/snapshot.mjs");
}
writeFileSync(out, gzipSync(python.makeMemorySnapshot(), { level: 9 }));
