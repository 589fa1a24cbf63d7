// Run this page: its cells become editors and run in order in one worker.

import { Answering } from "./answering.js";
import { Cell } from "./cell.js";
import { download, forget, keep, restore } from "./keeping.js";
import { Kernel, Stopped } from "./kernel.js";
import { element } from "./render.js";

const address = location.pathname.replace(/\.html$/, ".ipynb");

class Page {
  constructor(offer, book) {
    this.offer = offer;
    this.book = book;
    const all_ = [...document.querySelectorAll(".bd-article div.cell")];
    const first = all_.filter((box) => box.closest(".tot-imports")); // they stand at the end of the page
    const boxes = [...first, ...all_.filter((box) => !first.includes(box))];
    const all = book.cells.filter((cell) => cell.cell_type === "code");
    const code = all.slice(all[0]?.metadata.cellView === "form" ? 1 : 0); // tools/pages/launch.py: fetches the book
    if (boxes.length !== code.length) throw new Error("this page and its notebook do not fit: run make live again");
    this.cells = code.map((stored, index) => new Cell(index + 1, boxes[index], stored, this));
    this.kernel = new Kernel((bytes) => { this.progress.value += bytes; });
    this.answering = new Answering(() => this.startAnew());
    this.busy = false;
  }

  open() {
    const button = (text, onclick) => element("button", { type: "button", onclick }, text);
    this.status = element("span", { role: "status" });
    this.progress = element("progress", { "aria-label": "Loading Python", hidden: true });
    this.again = button("Run all", () => this.runAll());
    this.halt = button("Stop", () => this.stop());
    this.bar = element("div", { class: "tot-live-tools d-print-none", role: "region", "aria-label": "Running this page" },
      this.again, this.halt, button("Reset", () => this.reset()), button("Download", () => download(this.book, this.cells)),
      this.progress, this.status);
    this.offer.hidden = true;
    this.offer.after(this.bar, this.answering.panel);
    restore(this.cells);
    for (const cell of this.cells) cell.open();
    this.settle();
  }

  say(text) { this.status.textContent = text; }

  settle(busy = false) {
    this.busy = busy;
    this.halt.disabled = !busy;
    this.again.disabled = busy;
    for (const cell of this.cells) cell.button.disabled = busy;
  }

  edited(cell) {
    if (!keep(cell)) this.say("This browser keeps no edits here: download the notebook before you leave.");
  }

  /** Another model answers from now on: what the last one said must not be taken for its words. */
  startAnew() {
    this.kernel.stop();
    for (const cell of this.cells) cell.fresh = false;
  }

  changedUpTo(cell) { return this.cells.some((each) => each.number <= cell.number && each.code !== each.source); }

  /** Who answers what is not recorded, for this cell: nobody as long as all up to it is as in the book. */
  answersFor(cell) { return this.changedUpTo(cell) ? this.answering.choice : null; }

  async start() {
    if (this.kernel.started) return;
    for (const cell of this.cells) cell.fresh = false;
    const { bytes } = await (await fetch(new URL("./settings.json", import.meta.url))).json();
    this.progress.max = bytes;
    this.progress.value = 0;
    this.progress.hidden = false;
    this.say("Loading Python into this page …");
    try {
      await this.kernel.start();
    } finally {
      this.progress.hidden = true;
    }
  }

  /** Runs the cells in order. An error ends it, unless a package that is not here may be its cause. */
  async runCells(cells) {
    if (this.busy) return;
    const lacks = cells.some((cell) => this.answersFor(cell)) && this.answering.lacks;
    if (lacks) {
      this.answering.panel.open = true;
      return void this.say(lacks);
    }
    this.settle(true);
    try {
      await this.start();
      for (const cell of cells) {
        this.say(`Running cell ${cell.number} of ${this.cells.length} …`);
        const ok = await cell.run(this.kernel, this.answersFor(cell));
        cell.fresh = true;
        if (!ok && !this.cells.some((each) => each.state === "absent" && each.number < cell.number)) {
          this.say(`Cell ${cell.number} raised an error; mend it and run it again.`);
          return;
        }
      }
      await this.openLabs(cells);
      this.sum(cells);
    } catch (error) {
      const stopped = error instanceof Stopped;
      const running = this.cells.find((cell) => cell.state === "running");
      running?.tell(stopped ? "stopped" : `ended Python: ${error.message}`, stopped ? "waiting" : "error");
      for (const cell of this.cells) cell.fresh = false;
      if (stopped || running) this.say(`${stopped ? "Stopped." : `Cell ${running.number} ended Python.`} Python starts anew with the next run.`);
      else this.say(`Python did not start: ${error.message}.`);
    } finally {
      this.settle();
    }
  }

  sum(cells) {
    const count = (state) => cells.filter((cell) => cell.state === state).length;
    const parts = [[count("same"), "as printed"], [count("different"), "with a new output"],
      [count("absent"), "need what is not in the browser"], [count("error"), "with an error"]];
    const said = parts.filter(([number]) => number).map(([number, words]) => `${number} ${words}`).join(", ");
    this.say(`${cells.length === 1 ? "1 cell" : `${cells.length} cells`} ran: ${said}.`);
  }

  /** Labs that cells put out: they search in this page's Python, one after the other with its cells. */
  async openLabs(cells) {
    for (const cell of cells.filter((each) => each.labs?.length)) {
      await cell.openLabs({
        claim: () => !this.busy && (this.settle(true), true),
        release: () => this.settle(),
        end: () => this.stop(),
        start: async () => {
          if (!this.kernel.started || !cell.fresh) throw new Error(`Python began anew, so run cell ${cell.number} again`);
          return this.kernel;
        },
      });
    }
  }

  runAll() { return this.runCells(this.cells); }

  /** Runs one cell, and before it those above that have not run in this Python. */
  async run(cell, advance = false) {
    const above = this.cells.filter((each) => each.number < cell.number && !(each.fresh && this.kernel.started));
    if (advance) this.cells[cell.number]?.editor.focus();
    await this.runCells([...above, cell]);
  }

  stop() { this.kernel.stop(); }

  reset() {
    const changed = this.cells.filter((cell) => cell.code !== cell.source), edited = changed.length;
    if (edited && !confirm(`Reset throws away what you changed in ${edited === 1 ? "one cell" : `${edited} cells`}.`)) return;
    this.kernel.stop();
    for (const cell of this.cells) cell.close();
    forget(changed);
    this.bar.remove();
    this.answering.panel.remove();
    this.offer.hidden = false;
    this.offer.querySelector("button").focus();
  }
}

/** Makes the page live and runs it. `offer`: the paragraph with the button. Raises Error, with a message for readers. */
export async function live(offer) {
  const reply = await fetch(address);
  if (!reply.ok) throw new Error("this page's notebook is not beside it: run make live again");
  const page = new Page(offer, await reply.json());
  page.open();
  await page.runAll();
}
