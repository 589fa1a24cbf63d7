// The lab: settings, a search that grows while it runs, its bill. What is offered comes from treebook.lab.form, what happens
// from live/lab.py; the tree is the book's own explorer.

import { models } from "./answering.js";
import { Stopped } from "./kernel.js";
import { open, plain, readLink, toLink } from "./lab_link.js";
import { draw, element } from "./render.js";

const WHO = {
  recorded: ["the book's recordings", "what a model replied when the book was made, word for word: only what was asked then"],
  pocket: ["the pocket model", "a small model that runs in your browser, and knows only the Game of 24"],
  own: ["a model of your own", "any server that speaks the OpenAI protocol, for example Ollama or llama.cpp on your machine"],
};
let count = 0;

const option = (value, text = value) => element("option", { value }, text);
function field(label, input) {
  input.setAttribute("aria-label", label); // a label around a list has the list's words in it, too
  return element("label", { class: "tot-lab-field" }, element("span", {}, label), input);
}

export class LabView {
  /**
   * `number`: of the lab, `offer`: what it offers. `host`: start() resolves to the kernel, or raises Error with a sentence;
   * claim() is false while something else runs, release() ends that; `link`: whether the address holds the settings.
   */
  constructor(place, number, offer, host) {
    offer.form.model ??= offer.models[0];
    Object.assign(this, { place, number, offer, host, id: `tot-lab-${++count}`, knobs: new Map() });
    this.build();
    this.set(offer.form);
    if (host.link) {
      this.follow();
      addEventListener("hashchange", () => location.hash === this.written || this.follow());
    }
  }

  // ---------------------------------------------------------------- the form

  build() {
    const { offer, id } = this;
    const style = new URL("./lab.css", import.meta.url).href;
    if (!document.querySelector(`link[href="${style}"]`)) document.head.append(element("link", { rel: "stylesheet", href: style }));
    const changed = (then) => () => { then?.(); this.changed(); };
    const select = (options, onchange) => element("select", { onchange: changed(onchange) }, ...options);
    const { fields } = offer;
    const named = (name, input) => field(fields[name].label, input);
    const typed = (name) => element("input", { type: "text", placeholder: fields[name].hint, title: fields[name].doc, maxlength: 400, onchange: changed(), spellcheck: "false", autocapitalize: "off" });
    this.task = select(Object.keys(offer.tasks).map((name) => option(name)), () => this.setTask(this.task.value));
    this.split = select([], () => this.setProblem(this.split.value, 0));
    this.at = element("input", { type: "number", min: 1, value: 1, onchange: changed(() => this.setProblem(this.split.value, this.at.valueAsNumber - 1)) });
    this.atField = named("number", this.at);
    this.problem = element("textarea", { rows: 2, maxlength: 4000, spellcheck: "false", "aria-label": offer.fields.problem.label, onchange: changed(),
      oninput: () => { this.split.value = ""; this.atField.hidden = true; } });
    this.method = select([], () => this.setMethod(this.method.value));
    this.about = element("p", { class: "tot-lab-note" });
    this.box = element("div", { class: "tot-lab-knobs" });
    this.help = element("p", { class: "tot-lab-note tot-lab-help", id: `${id}-help` });
    this.docs = element("dl", {});
    [this.settings, this.budget] = ["settings", "budget"].map(typed);
    this.who = offer.models.map((name) => {
      const [title, about] = WHO[name] ?? [name, ""];
      const radio = element("input", { type: "radio", name: `${id}-who`, value: name, onchange: changed(() => this.setModel(name)) });
      return element("label", { class: "tot-lab-who" }, radio, element("span", {}, element("b", {}, title), about && element("small", {}, about)));
    });
    const text = (type, placeholder) => element("input", { type, placeholder, autocomplete: "off", spellcheck: "false", autocapitalize: "off" });
    const names = element("datalist", { id: `${id}-names` });
    const own = { url: text("url", "http://127.0.0.1:11434/v1"), name: text("text", ""), key: text("password", "") };
    own.name.setAttribute("list", names.id);
    this.own = own;
    this.tried = element("span", { role: "status" });
    const tryIt = async () => {
      this.tried.textContent = "Asking …";
      try {
        const found = await models({ url: own.url.value.trim().replace(/\/+$/, ""), key: own.key.value.trim() });
        names.replaceChildren(...found.map((each) => option(each)));
        own.name.value ||= found[0] ?? "";
        this.tried.textContent = found.length ? `It answers. Its models: ${found.slice(0, 8).join(", ")}.` : "It answers, but has no model.";
      } catch (error) {
        this.tried.textContent = error.message;
      }
    };
    this.ownBox = element("div", { class: "tot-lab-row" }, field("address", own.url), field("model", own.name), field("key, if it needs one", own.key), names,
      element("p", { class: "tot-lab-note" }, element("button", { type: "button", onclick: tryIt }, "Try it"), " ", this.tried),
      element("p", { class: "tot-lab-note" }, "Prompts then go to that address, and to another only if that server redirects the first of them. The key stays in the memory of this page: it is not stored, and no link holds it. The server must allow pages from ",
        element("code", {}, location.origin), " (CORS); Ollama does for pages that this machine serves, and for others if it is started with ", element("code", {}, `OLLAMA_ORIGINS=${location.origin}`), "."));
    this.go = element("button", { type: "button", class: "tot-lab-run", onclick: () => this.run() }, "Run"); // Enter in a field must not pay
    this.halt = element("button", { type: "button", disabled: true, onclick: () => this.stop() }, "Stop and keep the best");
    this.share = element("button", { type: "button", hidden: !this.host.link, onclick: () => this.copy() }, "Copy a link");
    this.status = element("span", { role: "status" });
    const group = (legend, name, ...parts) => element("fieldset", { class: `tot-lab-${name}` }, element("legend", {}, legend), ...parts);
    const row = (...parts) => element("div", { class: "tot-lab-row" }, ...parts);
    this.form = element("form", { class: "tot-lab-form", onsubmit: (event) => event.preventDefault() },
      this.examples(),
      group("The problem", "problem", row(named("task", this.task), named("split", this.split), this.atField), this.problem),
      group("Who answers", "answers", ...this.who, this.ownBox, element("details", {}, element("summary", {}, "Settings of the model"), row(named("settings", this.settings)))),
      group("At most", "limits", row(named("budget", this.budget)), element("p", { class: "tot-lab-note" }, fields.budget.doc)),
      group("The method", "method", row(named("method", this.method), this.about), this.box, this.help, element("details", {}, element("summary", {}, "What the knobs mean"), this.docs)),
      (this.bar = element("div", { class: "tot-lab-bar" }, this.go, this.halt, this.share, this.status)));
    this.form.addEventListener("focusin", ({ target }) => { this.help.textContent = this.knobs.get(target.dataset?.knob)?.doc ?? ""; });
    this.message = element("p", { class: "tot-lab-message", role: "alert", hidden: true });
    [this.meter, this.outcome, this.tree, this.code] = [1, 2, 3, 4].map(() => element("div", {}));
    this.place.replaceChildren(this.form, this.message, this.meter, this.outcome, this.tree, this.code);
    this.place.classList.add("tot-lab-view");
  }

  /** A list of runs that the book has recorded; choosing one sets all the rest. */
  examples() {
    const rows = this.offer.recordings ?? [];
    if (!rows.length) return "";
    const words = ({ task, method, knobs }) => [`${method} on ${task}`, ...Object.entries(knobs).map(([name, value]) => `${name} ${value}`)].join(", ");
    const groups = [...new Set(rows.map((row) => row.chapter))].map((chapter) => {
      const own = rows.filter((row) => row.chapter === chapter);
      return element("optgroup", { label: `recording ${chapter}` }, ...own.map((row) => option(rows.indexOf(row), words(row))));
    });
    const list = element("select", { onchange: () => {
      const row = rows[list.value];
      if (row) this.set({ ...row, number: row.numbers[0], model: "recorded", budget: this.budget.value });
      this.changed();
      list.value = "";
    } }, option("", "choose one, then change what you like"), ...groups);
    return field("start from a recorded run", list);
  }

  /** Sets all that `form` names (see treebook.lab.form), and the rest to what is usual. */
  set(form) {
    this.setTask(form.task, form);
    if (form.model) this.setModel(form.model);
    for (const name of ["settings", "budget"]) this[name].value = form[name] ?? "";
  }

  setTask(name, form = {}) {
    const task = this.offer.tasks[name];
    this.task.value = name;
    const splits = Object.entries(task.splits).map(([split, { about }]) => option(split, `${split}: ${about}`));
    this.split.replaceChildren(option("", "your own"), ...splits);
    this.method.replaceChildren(...task.methods.map((each) => option(each)));
    this.setProblem(form.split ?? "", form.number ?? 0, form.problem ?? task.first);
    this.setMethod(form.method ?? task.usual, form.knobs);
  }

  /** Number `at`, from 0, of `split`; or with "" the text. */
  setProblem(split, at, text = this.problem.value) {
    const problems = this.offer.tasks[this.task.value].splits[split]?.problems;
    this.split.value = problems ? split : "";
    this.atField.hidden = !problems;
    if (problems) {
      const number = Math.min(Math.max(Math.trunc(at) || 0, 0), problems.length - 1);
      Object.assign(this.at, { max: problems.length, value: number + 1 });
      this.atField.firstChild.textContent = `number, 1 to ${problems.length}`;
    }
    this.problem.value = problems ? problems[this.at.value - 1] : text;
    this.problem.rows = Math.min(Math.max(this.problem.value.split("\n").length, this.problem.value.length > 90 ? 3 : 1), 10);
  }

  setMethod(name, values = {}) {
    const { about, knobs } = this.offer.methods[name];
    this.method.value = name;
    this.about.textContent = `${about[0].toUpperCase()}${about.slice(1)}.`;
    this.knobs.clear();
    const styles = this.offer.tasks[this.task.value].styles[name] ?? [];
    const paper = values.style === "paper";
    const shown = knobs.map((knob) => {
      const choices = knob.name === "style" ? ["", ...styles] : knob.choices;
      const input = this.input(knob, choices, values[knob.name] ?? (paper ? knob.paper ?? knob.default : knob.default));
      this.knobs.set(knob.name, { ...knob, choices, input });
      return field(knob.name, input);
    });
    this.box.replaceChildren(...shown);
    this.docs.replaceChildren(...knobs.flatMap(({ name: knob, doc }) => [element("dt", {}, knob), element("dd", {}, doc)]));
    this.help.textContent = "";
  }

  input(knob, choices, value) {
    const about = { "data-knob": knob.name, "aria-describedby": this.help.id, onchange: () => { if (knob.name === "style") this.restyle(); this.changed(); } };
    if (choices.length) {
      const list = element("select", about, ...choices.map((each) => option(each, each || "default")));
      list.value = value;
      return list;
    }
    if (knob.kind === "bool") return element("input", { type: "checkbox", ...about, checked: value });
    if (knob.kind === "int" || knob.kind === "float") {
      const bounds = { min: knob.least ?? false, max: knob.most ?? (knob.kind === "int" ? 1e6 : false) };
      return element("input", { type: "number", step: knob.kind === "int" ? 1 : "any", required: true, value, ...bounds, ...about });
    }
    return element("input", { type: "text", value: value ?? "", maxlength: 4000, ...about });
  }

  /** The paper's style has other defaults. */
  restyle() {
    const paper = this.knobs.get("style").input.value === "paper";
    for (const knob of this.knobs.values()) if (knob.paper !== null) put(knob, paper ? knob.paper : knob.default);
  }

  setModel(name) {
    for (const label of this.who) label.firstChild.checked = label.firstChild.value === name;
    this.ownBox.hidden = name !== "own";
  }

  /** The settings as treebook.lab.form.choice takes them. */
  read() {
    const knobs = Object.fromEntries([...this.knobs.values()].map((knob) => [knob.name, got(knob)]));
    const problem = this.split.value ? { split: this.split.value, number: this.at.value - 1 } : { problem: this.problem.value };
    const model = this.who.map((label) => label.firstChild).find((radio) => radio.checked)?.value ?? "";
    return { task: this.task.value, ...problem, method: this.method.value, model, knobs, settings: this.settings.value, budget: this.budget.value };
  }

  // ---------------------------------------------------------------- the link

  changed() {
    this.say("");
    if (!this.host.link) return;
    this.written = `#${toLink(this.read(), this.offer)}`;
    history.replaceState(null, "", this.written);
  }

  /** Takes the settings of the address. They are set, not run. */
  follow() {
    if (location.hash.length < 2) return;
    const { form, refused } = readLink(location.hash.slice(1), this.offer);
    this.set({ model: this.offer.form.model, budget: this.offer.form.budget, ...form });
    this.tell(refused.length ? `The link names what this lab does not have (${refused.join(", ")}): the rest was taken.` : "");
  }

  async copy() {
    this.changed();
    const left = [open(this.settings.value) ? "" : "the model's settings", plain(this.budget.value) ? "" : "the budget"].filter(Boolean);
    const holds = `it holds these settings, and no key${left.length ? `: of ${left.join(" and ")} nothing, as there may be one` : ""}.`;
    try {
      await navigator.clipboard.writeText(location.href);
      this.say(`The link is copied: ${holds}`);
    } catch {
      this.say(`The address of this page is the link: ${holds}`);
    }
  }

  // ---------------------------------------------------------------- the run

  say(text) { this.status.textContent = text; }

  /** A sentence that a reader must not miss, and perhaps what to do about it. */
  tell(text, ...more) {
    this.message.hidden = !text;
    this.message.replaceChildren(text, ...more);
  }

  async run() {
    const unseen = [...this.form.elements].filter((field) => field.closest("[hidden]")); // what nobody sees stops nobody
    for (const field of unseen) field.disabled = true;
    const valid = this.form.reportValidity();
    for (const field of unseen) field.disabled = false;
    if (this.running || !valid) return;
    if (!this.host.claim()) return this.say("Something else runs on this page: wait for it, or stop it.");
    this.changed();
    this.running = true;
    this.go.disabled = true;
    this.halt.disabled = false;
    this.tell("");
    for (const part of [this.meter, this.outcome, this.tree, this.code]) part.replaceChildren();
    this.said = "";
    try {
      this.say("Loading Python …");
      this.tree.style.minHeight = "80vh"; // room to scroll to, so that the tree is in sight from its first thought on
      this.bar.scrollIntoView({ block: "start", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
      const kernel = (this.kernel = await this.host.start());
      this.say("Searching …");
      const own = Object.fromEntries(Object.entries(this.own).map(([name, input]) => [name, input.value]));
      const form = this.read();
      await kernel.search({ lab: this.number, form, ...(form.model === "own" ? { own } : {}) }, (news) => this.hear(news));
      this.say(this.said);
    } catch (error) {
      if (error instanceof Stopped) this.say("Ended at once. Python starts anew with the next run.");
      else this.tell(`The search did not end as it should: ${error.message}. Press Run to start anew.`);
      if (!(error instanceof Stopped)) this.say("");
    } finally {
      this.running = false;
      this.kernel = null;
      this.tree.style.minHeight = "";
      this.go.disabled = false;
      this.halt.disabled = true;
      this.halt.textContent = "Stop and keep the best";
      this.host.release();
    }
  }

  /** At first the search ends with its best; pressed again, because that takes too long, Python ends. */
  stop() {
    if (!this.kernel) return this.host.end();
    if (this.asked === this.kernel.count) return this.kernel.stop();
    this.asked = this.kernel.count;
    this.kernel.halt();
    this.halt.textContent = "End at once";
    this.say("Stopping …");
  }

  hear({ meter, tree, grow, outcome, code, message, missed, stopped }) {
    const page = (text) => draw({ data: { "text/html": text } });
    if (meter) this.meter.innerHTML = meter;
    if (tree) this.tree.replaceChildren(page(tree));
    if (grow) this.tree.querySelector(".tot-explorer")?.totExplorer.grow(grow);
    if (outcome) this.outcome.innerHTML = outcome;
    if (code) this.code.innerHTML = code;
    if (stopped) this.said = { stopped: "Stopped: the best so far.", error: "" }[stopped] ?? "Done.";
    if (message) this.tell(`${message[0].toUpperCase()}${message.slice(1)}`, ...(missed ? this.elsewhere() : []));
  }

  /** For a run that was not recorded: the model that needs no recording, where it can do the task. */
  elsewhere() {
    if (this.task.value !== "game24" || !this.offer.models.includes("pocket")) return [];
    const ask = () => { this.setModel("pocket"); this.run(); };
    return [" ", element("button", { type: "button", onclick: ask }, "Ask the pocket model")];
  }
}

function got({ kind, input, choices }) {
  if (kind === "bool") return input.checked;
  return !choices.length && (kind === "int" || kind === "float") ? input.valueAsNumber : input.value;
}

function put({ kind, input }, value) {
  if (kind === "bool") input.checked = value;
  else input.value = value ?? "";
}
