// One code cell of a page: its editor, what it printed when the book was made, and what it prints now.

import { edit } from "./editor.js";
import { same, taking } from "./outputs.js";
import { LabView } from "./lab.js";
import { draw, element } from "./render.js";

const NAMES = { socket: "a server or a connection of its own, which a page cannot have" }; // else the package's
const LAB = "application/x-tot-lab"; // a lab's number: the panel of treebook.lab, which has no widgets here

export class Cell {
  /** `box`: the cell on the page; `stored`: the same cell of the notebook; `page`: has run(cell) and edited(cell). */
  constructor(number, box, stored, page) {
    Object.assign(this, { number, box, stored, page, outputs: [], state: "static" });
    this.source = [stored.source].flat().join("");
    this.code = this.source;
    this.printed = box.querySelector(".cell_output");
  }

  get name() { return `cell ${this.number}`; }
  get tags() { return this.stored.metadata.tags ?? []; }

  /** Turns the code into an editor. */
  open() {
    this.input = this.box.querySelector(".cell_input");
    if (!this.input) { // the book shows only what the cell outputs
      this.fold = element("details", { class: "tot-fold tot-live-code" }, element("summary", {}, "The code of this cell"));
      this.input = element("div", { class: "cell_input" });
      this.fold.append(this.input);
      this.box.append(this.fold);
    }
    this.hidden = [...this.input.children];
    for (const child of this.hidden) child.hidden = true;
    const place = element("div", { class: "tot-live-editor" });
    this.status = element("span", { class: "tot-live-status" });
    this.button = element("button", { type: "button", "aria-label": `Run cell ${this.number}`, onclick: () => this.page.run(this) }, "Run");
    this.bar = element("div", { class: "tot-live-bar d-print-none" }, this.button, this.status);
    this.input.append(place, this.bar);
    this.editor = edit(place, {
      code: this.code, label: `Code of cell ${this.number}`,
      run: (advance) => this.page.run(this, advance),
      changed: (code) => {
        this.code = code;
        this.tell(code === this.source ? "" : "edited: Shift+Enter runs it", "edited");
        this.page.edited(this);
      },
    });
    this.tell("", "waiting");
  }

  /** Back to the static page. */
  close() {
    this.editor.close();
    this.show([]);
    this.input.querySelector(".tot-live-editor").remove();
    this.bar.remove();
    for (const child of this.hidden) child.hidden = false;
    this.fold?.remove();
    this.fold = null;
    delete this.box.dataset.totLive;
    this.code = this.source;
    this.ran = false;
  }

  tell(text, state) {
    this.status.textContent = text;
    this.state = state;
    this.box.dataset.totLive = state;
  }

  /** Shows outputs in place of the stored ones; none: the stored ones. */
  show(outputs) {
    this.live?.remove();
    this.live = null;
    if (this.printed) this.printed.hidden = outputs.length > 0;
    if (!outputs.length) return;
    this.live = element("div", { class: "cell_output tot-live-output" });
    this.live.append(...outputs.map((output) => draw(output, this.number)));
    if (this.printed) this.printed.after(this.live);
    else this.box.append(this.live);
  }

  /** Runs in `kernel`. True unless it raised an error. Where it outputs what the book has, the page stays as it is. */
  async run(kernel, answers = null) {
    this.outputs = [];
    this.editor.mark(null);
    if (this.live?.querySelector(".tot-live-error")) this.show([]); // else it would stand there when the cell is stopped
    this.tell("running …", "running");
    const { seconds, given, missed } = await kernel.run(this.code, this.name, taking(this.outputs), answers);
    const name = answers?.who === "own" ? answers.name : "the pocket model";
    const told = given ? `; ${given === 1 ? "1 reply comes" : `${given} replies come`} from ${name}, not from the recording` : "";
    const asked = missed && this.page.changedUpTo(this) ? `; something was asked that is not recorded: ${this.page.answering.advice}` : "";
    return this.finish(`${seconds.toFixed(seconds < 10 ? 1 : 0)} s`, told + asked);
  }

  /** The cell above that could not run, if this cell's error is a name that is missing for that reason. */
  cause(error) {
    const name = error?.ename === "NameError" && /^name '(\w+)'/.exec(error.evalue)?.[1];
    const made = name && new RegExp(`\\b${name}\\b`);
    return made && this.page.cells.find((cell) => cell.number < this.number && cell.absent && made.test(cell.code));
  }

  /** `told`: what else to say of it. */
  finish(took, told = "") {
    let absent = this.outputs.find((output) => output.output_type === "absent");
    let error = this.outputs.find((output) => output.output_type === "error");
    const cause = this.cause(error);
    if (cause) [absent, error] = [cause.absent, null];
    this.absent = absent;
    const own = this.page.changedUpTo(this); // the reader's code, and not the book's
    // before something that the browser lacks, and else the whole
    const said = absent ? this.outputs.filter((output) => own && !["absent", "error"].includes(output.output_type)) : this.outputs;
    this.ran = !absent || said.length > 0;
    this.outputs = said;
    const unchanged = same(this.stored.outputs, this.outputs) || (this.tags.includes("nbval-ignore-output") && !own);
    this.labs = this.outputs.map((output) => output.data?.[LAB]).filter(Boolean);
    if (absent) {
      this.show(said);
      if (this.printed) this.printed.hidden = false;
      const kept = this.stored.outputs.length ? "; you see what is stored with the book" : "";
      const through = cause ? `${cause.name}, which needs ` : "";
      const what = NAMES[absent.package] ?? `${absent.package}, which is not in the browser`;
      this.tell(`needs ${through}${what}${kept}`, "absent");
    } else if (error) {
      this.show(this.outputs);
      this.editor.mark(error.line);
      this.openFolds();
      this.tell(`stopped by an error${error.line ? ` in line ${error.line}` : ""}${told}`, "error");
    } else if (this.labs.length) {
      this.show(this.outputs);
      this.tell(`ran in ${took}: the lab is open`, "same");
    } else if (unchanged) {
      this.show([]);
      this.tell(this.stored.outputs.length ? `ran in ${took}: the same as printed${told}` : `ran in ${took}${told}`, "same");
    } else {
      this.show(this.outputs);
      if (!this.outputs.length && this.printed) this.printed.hidden = true;
      this.tell(`ran in ${took}: ${this.outputs.length ? "a new output" : "no output now"}${told}`, "different");
    }
    return !error;
  }

  /** Puts a lab in the place of each that the cell put out. `host`: see LabView. */
  async openLabs(host) {
    const places = this.live?.querySelectorAll(".output") ?? [];
    for (const [index, output] of this.outputs.entries()) {
      const number = output.data?.[LAB];
      if (number) new LabView(places[index], number, await this.page.kernel.offer(number), host);
    }
    this.labs = [];
  }

  openFolds() {
    for (let fold = this.bar.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  }
}
