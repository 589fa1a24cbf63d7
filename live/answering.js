// Who answers what is not recorded, once the reader has changed a cell: the pocket model, a model of the reader's, nobody.
// What is typed here stays in this object: nothing is stored, and only the address that was typed is asked.

import { element } from "./render.js";

const WAIT = 10_000; // milliseconds for a server to say which models it has

/** The models of an OpenAI-compatible server. Raises Error, with a sentence that says what to do next. */
export async function models({ url, key }) {
  const headers = key ? { Authorization: `Bearer ${key}` } : {};
  const options = { headers, credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer", redirect: "manual" };
  let reply;
  try {
    reply = await fetch(`${url}/models`, { ...options, signal: AbortSignal.timeout(WAIT) });
  } catch (error) {
    if (error.name === "TimeoutError") throw new Error(`The server at ${url} does not answer: is it busy?`);
    // A request whose reply nobody may read goes through where a server runs that does not allow this page.
    const runs = await fetch(url, { mode: "no-cors", credentials: "omit", signal: AbortSignal.timeout(WAIT) }).then(() => true, () => false);
    throw new Error(runs
      ? `A server runs there, but does not let pages from ${location.origin} ask it: start it so that it does (Ollama: OLLAMA_ORIGINS=${location.origin}).`
      : `Nothing answers at ${url}: start the server, or correct the address.`);
  }
  if (reply.type === "opaqueredirect") throw new Error("The server sends this page on to another address, which is not followed: type that one.");
  if ([401, 403].includes(reply.status)) throw new Error(`The server refuses this key (${reply.status}): type another.`);
  if (!reply.ok) throw new Error(`The server has no list of models there (${reply.status}): most addresses end in /v1.`);
  const found = await reply.json().then(({ data }) => data.map(({ id }) => String(id)), () => null);
  if (!found) throw new Error("What answers there is no OpenAI-compatible server: most addresses end in /v1.");
  return found;
}

export class Answering {
  /** `changed()`: the reader made another choice. */
  constructor(changed) {
    this.changed = changed;
    this.who = "pocket";
    this.said = element("span", { role: "status" });
    this.list = element("datalist", { id: "tot-live-models" });
    const field = (label, attributes) => {
      const input = element("input", { autocomplete: "off", spellcheck: "false", onchange: () => this.changed(), ...attributes });
      return [input, element("label", {}, `${label} `, input)];
    };
    const [url, address] = field("Address", { type: "text", inputmode: "url", placeholder: "http://127.0.0.1:11434/v1" });
    const [name, model] = field("Model", { type: "text", list: "tot-live-models" });
    const [key, secret] = field("Key, if it needs one", { type: "password" });
    Object.assign(this, { url, name, key });
    this.own = element("form", { class: "tot-live-own", hidden: true, onsubmit: (event) => { event.preventDefault(); this.tryIt(); } },
      address, model, secret, this.list,
      element("p", {}, element("button", { type: "submit" }, "Try it"), this.said),
      element("p", {}, "Prompts of this page then go to that address, and to another only if that server redirects the first of them. The key stays in the memory of this page and is gone when you leave it. "
        + "The server must allow pages from ", element("code", {}, location.origin), " (CORS): llama.cpp's server does; Ollama does for pages that this machine serves, and for others if it is started with ",
      element("code", {}, `OLLAMA_ORIGINS=${location.origin}`), "."));
    const choice = (who, words) => element("label", {},
      element("input", { type: "radio", name: "tot-live-who", value: who, checked: who === this.who, onchange: () => this.choose(who) }), ` ${words}`);
    this.summary = element("strong");
    this.panel = element("details", { class: "tot-live-answers d-print-none" },
      element("summary", {}, "Requests that were not recorded go to: ", this.summary),
      element("p", {}, "Recorded replies come first. A cell that you have changed, or one below it, may ask what was not recorded:"),
      element("fieldset", { "aria-label": "Who answers what is not recorded" },
        choice("pocket", "the pocket model answers, in this page; it knows only the Game of 24"),
        choice("own", "a model of your own answers: any OpenAI-compatible server, such as Ollama or llama.cpp"),
        choice("nobody", "nobody: the cell stops and says what is recorded")),
      this.own);
    this.name.addEventListener("change", () => this.tell());
    this.tell();
  }

  tell() {
    this.summary.textContent = { pocket: "the pocket model", nobody: "nobody", own: this.name.value.trim() || "a model of your own" }[this.who];
  }

  choose(who) {
    this.who = who;
    this.own.hidden = who !== "own";
    this.tell();
    this.changed();
  }

  get settings() {
    return { url: this.url.value.trim().replace(/\/+$/, ""), name: this.name.value.trim(), key: this.key.value.trim() };
  }

  /** As worker.js takes it; null: nobody. */
  get choice() {
    if (this.who === "nobody") return null;
    return this.who === "own" ? { who: "own", ...this.settings } : { who: "pocket" };
  }

  /** What is missing before a cell can run; "" if nothing is. */
  get lacks() {
    if (this.who !== "own") return "";
    const { url, name } = this.settings;
    if (!/^https?:\/\/[^/]+/.test(url)) return "Type the address of your model's server, such as http://127.0.0.1:11434/v1, or choose who else answers.";
    return name ? "" : "Type the name of your model, or press Try it, which lists those of the server.";
  }

  /** What to do about a request that nobody answered. */
  get advice() {
    return this.who === "pocket" ? "the pocket model knows only the Game of 24: choose a model of your own at the top"
      : "choose who answers at the top";
  }

  async tryIt() {
    const { url, name } = this.settings;
    if (!/^https?:\/\/[^/]+/.test(url)) return this.say(this.lacks);
    this.say("Asking …");
    try {
      const found = await models(this.settings);
      this.list.replaceChildren(...found.map((each) => element("option", { value: each })));
      if (!name && found.length) [this.name.value] = found;
      if (this.name.value !== name) this.changed();
      this.tell();
      const known = found.includes(this.name.value) ? "" : ` None is called ${this.name.value}.`;
      this.say(found.length ? `It answers. Its models: ${found.slice(0, 8).join(", ")}${found.length > 8 ? " …" : ""}.${known}` : "It answers, but has no model.");
    } catch (error) {
      this.say(error.message);
    }
  }

  say(text) { this.said.textContent = text; }
}
