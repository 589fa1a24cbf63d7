// The panel: all about one node, or about the nodes of a stub.
class Panel {
  constructor(story, choose) {
    Object.assign(this, { story, choose, shown: "" });
    this.element = make("section", { class: "tot-x-panel", tabindex: -1, "aria-label": "Details" });
  }

  button(i, ...text) {
    return make("button", { type: "button", class: "tot-x-link", click: () => this.choose(i) }, ...text);
  }

  show(key, box, step) {
    const { story } = this;
    const state = box && story.at(box.i, step);
    const requests = state ? [...story.origin[box.i], ...story.concerned[box.i]].filter((r) => r.step <= step) : [];
    const now = [key, JSON.stringify(state), requests.length, step === story.last].join();
    if (now === this.shown) return; // so that a reader's place and open prompts stay while the search goes on
    this.shown = now;
    this.element.replaceChildren(...(box ? this.node(box.i, state, step) : this.empty()));
  }

  empty() {
    return [make("p", { class: "tot-x-quiet" }, "Choose a thought in the tree: what was asked about it, and what was replied, word for word.")];
  }

  node(i, state, step) {
    const { story } = this;
    const node = story.nodes[i];
    const head = this.head(i);
    if (!state) return [head, make("p", { class: "tot-x-quiet" }, "It is not there yet at this step.")];
    const facts = [];
    const fact = (name, value) => value != null && value !== "" && facts.push([name, value]);
    fact("status", i === 0 ? "" : story.word(state) + (story.path(step).has(i) ? `, ${story.way(step)}` : ""));
    fact("verifier", state.verdict);
    fact("marks", state.marks && [make("span", { class: "tot-x-marks" }, story.marks(state.marks)), ` ${story.judged(state.marks)}`]);
    fact("numbers", story.measured(i, state).join(", "));
    fact("answer", node.answer);
    fact("why", state.status === "pruned" ? "" : state.why);
    fact("tool said", state.observation == null ? null : story.texts[state.observation]);
    fact("tool cost", state.cost == null ? null : number(state.cost));
    fact("tool failed", state.failed);
    const asked = story.concerned[i].filter((request) => request.step <= step);
    const origin = story.origin[i].filter((request) => request.step <= step);
    const tokens = asked.reduce((sum, request) => sum + this.tokens(request), 0);
    // an equal question is asked once in a run, and its reply is filed under the first thought that needed it
    const unasked = state.value == null ? "nothing so far" : "nothing: a program decided, or the same had been asked before";
    fact("asked about it", asked.length ? `${count(asked.length, "request")}, ${count(tokens, "token")}` : unasked);
    return [
      head,
      make("pre", null, story.texts[node.thought] || "(empty)"),
      make("dl", null, facts.flatMap(([name, value]) => [make("dt", null, name), make("dd", null, Array.isArray(value) ? value : String(value))])),
      ...origin.map((request) => this.request(request, "It came from this: ")),
      ...asked.map((request) => this.request(request, "")),
    ];
  }

  // Where the node is: the way to it, each thought of it a link.
  head(i) {
    const { story } = this;
    if (i === 0) return make("p", { class: "tot-x-head" }, "The problem");
    const way = story.above(i).slice(0, -1);
    const shown = way.length > 3 ? [way[0], ...way.slice(-2)] : way;
    const links = shown.flatMap((j, n) => [this.button(j, story.label(j, 28)), n === 0 && shown !== way ? " › … › " : " › "]);
    return make("p", { class: "tot-x-head" }, links, story.label(i));
  }

  tokens(request) {
    return request.tokens + request.replies.reduce((sum, reply) => sum + reply[2], 0);
  }

  request(request, before) {
    const { story } = this;
    const about = request.nodes.length > 1 ? ` across ${request.nodes.length} thoughts` : "";
    const replies = count(request.replies.length, "reply", "replies");
    const title = `${before}${request.role}${about}, round ${request.round}: ${replies}, ${count(this.tokens(request), "token")}`;
    const body = make("div", null);
    const fill = () => body.childNodes.length || body.append(...this.body(request));
    const toggle = (event) => event.currentTarget.open && fill();
    const details = make("details", { class: "tot-x-io", toggle }, make("summary", null, title), body);
    return details;
  }

  body(request) {
    const { story } = this;
    const said = (label, text) => [make("p", { class: "tot-x-label" }, label), make("pre", null, text || "(empty)")];
    const parts = request.messages.flatMap(([role, text], i) => {
      const last = i === request.messages.length - 1;
      if (last) return said(`prompt, ${role}`, story.texts[text]);
      return [make("details", null, make("summary", null, `prompt, ${role}`), make("pre", null, story.texts[text]))];
    });
    const prompt = [count(request.tokens, "prompt token"), story.texts[request.params]].filter(Boolean).join("; ");
    parts.push(make("p", { class: "tot-x-label" }, prompt));
    request.replies.forEach(([text, finish, tokens], i) => {
      const why = finish && finish !== "stop" ? `, ${finish}` : "";
      const [name, thought] = [`reply ${request.first + i}`, request.thinking?.[i] ?? -1];
      if (thought >= 0) parts.push(make("details", null, make("summary", null, `thinking before ${name}`), make("pre", null, story.texts[thought])));
      parts.push(...said(`${name}: ${count(tokens, "token")}${why}`, story.texts[text]));
    });
    const read = [
      ...(request.made || []).map((i) => make("li", null, "thought ", this.button(i, story.names[i]))),
      ...(request.values || []).map(([i, value]) => make("li", null, `value ${number(value)} for “${story.names[i]}”`)),
      ...(request.scores || []).map(([judge, score, why]) => make("li", null, `${judge}: ${number(score)}${why && `, ${why}`}`)),
      ...(request.unread || []).map(([why, text]) => make("li", null, `not read, ${why}: `, make("q", null, line(text)))),
    ];
    if (read.length) parts.push(make("p", { class: "tot-x-label" }, "read as"), make("ul", null, read));
    return parts;
  }
}
