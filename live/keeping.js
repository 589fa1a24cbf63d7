// What a reader changed: kept in this browser until Reset, and handed out as a notebook.

const key = () => `tot-live:${location.pathname}`;

/** Cell number -> {source, code}: the book's code when it was edited, and the reader's. */
function recall() {
  try {
    return JSON.parse(localStorage.getItem(key())) ?? {};
  } catch {
    return {}; // no storage here, or not ours
  }
}

/** False if the browser keeps nothing (a private window, a full store). */
function write(edits) {
  try {
    if (Object.keys(edits).length) localStorage.setItem(key(), JSON.stringify(edits));
    else localStorage.removeItem(key());
    return true;
  } catch {
    return false;
  }
}

const edit = ({ source, code }) => ({ source, code });

/** Gives each cell the reader's code. Where the book has changed a cell since, the reader's stands below it, as comments. */
export function restore(cells) {
  for (const [number, was] of Object.entries(recall())) {
    const { source, code } = was ?? {};
    if (typeof code !== "string") continue; // not ours
    const there = cells.find((cell) => cell.number === Number(number));
    const same = [there, ...cells].find((cell) => cell?.source === source && cell.code === source);
    if (same) same.code = code;
    else (there ?? cells.at(-1)).code += `\n\n# The book has changed since you wrote this here:\n${code.replace(/^/gm, "# ")}`;
  }
  write(Object.fromEntries(cells.filter((cell) => cell.code !== cell.source).map((cell) => [cell.number, edit(cell)])));
}

/** Keeps what is in this cell, and leaves what another window keeps of others. False if the browser keeps nothing. */
export function keep(cell) {
  const { [cell.number]: _, ...others } = recall();
  return write(cell.code === cell.source ? others : { ...others, [cell.number]: edit(cell) });
}

/** Forgets what is kept of these cells, and leaves what another window keeps of others. */
export const forget = (cells) => write(Object.fromEntries(Object.entries(recall()).filter(([number]) => !cells.some((cell) => cell.number === Number(number)))));

const KEEP = new Set(["stream", "display_data", "execute_result", "error"]);

function output({ line: _, ...rest }, count) {
  if (rest.data) rest = { ...rest, data: Object.fromEntries(Object.entries(rest.data).filter(([media]) => media !== "application/x-tot-lab")) };
  if (rest.output_type === "error") return { ...rest, traceback: rest.traceback.split("\n") };
  return rest.output_type === "execute_result" ? { ...rest, execution_count: count } : rest;
}

/** The notebook with the reader's code. A cell has the outputs of its last run; if it never ran, the book's, unless its code is another. */
export function notebook(book, cells) {
  const made = structuredClone(book);
  const code = made.cells.filter((cell) => cell.cell_type === "code");
  for (const cell of cells) {
    const target = code[code.length - cells.length + cell.number - 1]; // the notebook may begin with a cell of its own
    target.source = cell.code;
    if (!cell.ran && cell.code === cell.source) continue;
    const outputs = cell.ran ? cell.outputs : [];
    target.outputs = outputs.filter((each) => KEEP.has(each.output_type)).map((each) => output(each, cell.number));
    target.execution_count = cell.ran ? cell.number : null;
  }
  return made;
}

export function download(book, cells) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(notebook(book, cells), null, 1)], { type: "application/x-ipynb+json" }));
  link.download = location.pathname.split("/").at(-1).replace(/\.html$/, ".ipynb");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000); // Safari has not read it yet
}
