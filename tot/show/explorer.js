// Draws what tot.show.explorer wrote: see view.py for the data, explorer.py for the page around it.
// Whatever comes from the data reaches the page as text (textContent, append), never as HTML.
(() => {
  "use strict";
  const BIRTH = { why: "", failed: "", open: false, verdict: "" }; // what is known of a node before its first step

  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (typeof value === "function") element.addEventListener(name, value);
      else if (value != null && value !== false) element.setAttribute(name, value);
    }
    element.append(...children.flat().filter((child) => child !== null && child !== ""));
    return element;
  }

  const line = (text) => text.replace(/\s+/g, " ").trim() || "(empty)";
  const cut = (text, most) => (text.length > most ? text.slice(0, most - 1).trimEnd() + "…" : text);
  const count = (n, noun, nouns) => `${n.toLocaleString("en")} ${n === 1 ? noun : nouns || noun + "s"}`;
  const isNumber = (value) => typeof value === "number";
  const number = (v) => (!isNumber(v) ? String(v) : Number.isInteger(v) ? v.toLocaleString("en") : String(+v.toPrecision(4)));

  // ------------------------------------------------------------------- the search: any moment of it, from the data
  class Story {
    constructor(data) {
      Object.assign(this, data);
      for (const table of ["nodes", "steps", "requests"]) {
        const [columns, ...rows] = data[table];
        this[table] = rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])));
      }
      this.last = this.steps.length - 1;
      this.depth = [];
      this.children = this.nodes.map(() => []);
      this.nodes.forEach((node, i) => {
        this.depth.push(node.parent < 0 ? 0 : this.depth[node.parent] + 1);
        if (node.parent < 0) return;
        node.id ??= `${this.nodes[node.parent].id}.${this.children[node.parent].length}`;
        this.children[node.parent].push(i);
      });
      this.preorder = [];
      for (let [stack, n] = [[0], 0]; stack.length; n++) {
        const i = stack.pop();
        this.preorder[i] = n;
        stack.push(...this.children[i].slice().reverse());
      }
      this.history = this.nodes.map(() => []); // of each node: [step, what is known of it since then]
      this.bill = []; // what had been asked after each step
      this.incumbents = []; // the best ones after each step
      let [calls, tokens, round, best] = [0, 0, 0, []];
      this.steps.forEach((step, k) => {
        step.kind = this.kinds[step.kind];
        for (const [field, value, ...nodes] of step.set) {
          for (const i of nodes) {
            const past = this.history[i];
            const before = past.length ? past[past.length - 1] : [-1, BIRTH];
            if (before[0] < k) past.push([k, { ...before[1] }]);
            past[past.length - 1][1][this.fields[field]] = value;
          }
        }
        calls += step.requests || 0;
        tokens += step.tokens || 0;
        round = step.round || round;
        this.bill.push({ calls, tokens, round });
        this.incumbents.push((best = this.best[k] || best));
      });
      this.concerned = this.nodes.map(() => []); // of each node: the requests that are about it
      this.origin = this.nodes.map(() => []); // and those that it came from
      for (const request of this.requests) {
        for (const i of request.nodes) this.concerned[i].push(request);
        for (const i of request.made || []) this.origin[i].push(request);
      }
    }

    // What is known of node i after step k; undefined before it is there.
    at(i, k) {
      const past = this.history[i];
      let [low, high] = [0, past.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (past[middle][0] <= k) low = middle + 1;
        else high = middle;
      }
      return low ? past[low - 1][1] : undefined;
    }

    path(k) {
      const found = new Set();
      for (let i = this.incumbents[k].length ? this.incumbents[k][0] : -1; i >= 0; i = this.nodes[i].parent) found.add(i);
      return found;
    }

    way(k) {
      return k === this.last && this.mark !== "best so far" ? `on the ${this.mark} path` : "on the path of the best so far";
    }

    thought(i) {
      return line(this.texts[this.nodes[i].thought]);
    }

    word(state) {
      const word = this.words.status[state.status] + (state.failed ? ", tool failed" : "");
      return state.status === "pruned" && state.why ? `${word}: ${state.why}` : word;
    }

    measure(i, state, name) {
      return name === "prior" ? this.nodes[i].prior : state[name];
    }

    measured(i, state) {
      const known = Object.keys(this.measures).filter((name) => this.measure(i, state, name) != null);
      return known.map((name) => `${name} ${number(this.measure(i, state, name))}`);
    }

    // The nodes that the search may come back to after step k, in its order.
    open(k) {
      const { order } = this.frontier;
      const open = [];
      for (let i = 0; i < this.nodes.length; i++) {
        const state = this.at(i, k);
        if (state && state.open) open.push([i, state]);
      }
      if (order === "f") open.sort(([, a], [, b]) => (a.f ?? Infinity) - (b.f ?? Infinity) || 0);
      if (order === "value") open.sort(([, a], [, b]) => (b.value ?? 0) - (a.value ?? 0));
      if (order === "depth") open.sort(([a], [b]) => this.depth[b] - this.depth[a] || a - b);
      return open;
    }

    about(nodes) {
      if (nodes.length !== 1) return nodes.length ? count(nodes.length, "thought") : "";
      return nodes[0] === 0 ? "the problem" : `${this.nodes[nodes[0]].id} “${cut(this.thought(nodes[0]), 60)}”`;
    }

    // Step k in one sentence.
    say(k) {
      const step = this.steps[k];
      const words = this.words.kinds[step.kind] || step.kind;
      if (step.kind === "start") return "The problem, before anything was asked.";
      const what = this.about(step.nodes);
      const why = step.why ? ` (${step.why})` : "";
      if (step.kind === "asked") {
        return `Asked the ${step.role}: ${count(step.requests, "request")}${what && ` about ${what}`}.`;
      }
      const one = step.nodes.length === 1 ? this.at(step.nodes[0], k) : null;
      const numbers = one && step.kind !== "finished" ? this.measured(step.nodes[0], one).join(", ") : "";
      const failed = step.kind === "acted" ? step.nodes.filter((i) => this.at(i, k).failed).length : 0;
      const more = [numbers, failed && `${failed} failed`].filter(Boolean).join(", ");
      return `${words[0].toUpperCase()}${words.slice(1)}${what && `: ${what}`}${more && `, ${more}`}${why}.`;
    }
  }

  // --------------------------------------------------------------------------------------- the tree: what is in sight
  class Tree {
    constructor(story, open) {
      Object.assign(this, { story, open, drawn: new Map(), step: story.last, shade: "", zoom: 1, active: "0", chosen: "" });
      const svg = (tag) => document.createElementNS("http://www.w3.org/2000/svg", tag);
      this.edges = svg("svg");
      this.edges.setAttribute("aria-hidden", "true");
      this.lines = ["", "tot-x-faint", "tot-x-best"].map((name) => {
        const path = svg("path");
        path.setAttribute("class", name);
        this.edges.append(path);
        return path;
      });
      this.canvas = make("div", { class: "tot-x-canvas", role: "tree", "aria-label": story.start.about }, this.edges);
      this.pane = make("div", { class: "tot-x-pane" }, this.canvas);
      let waiting = false;
      const later = () => {
        if (!waiting) requestAnimationFrame(() => ((waiting = false), this.draw()));
        waiting = true;
      };
      this.pane.addEventListener("scroll", later, { passive: true });
      if (window.ResizeObserver) new ResizeObserver(later).observe(this.pane);
    }

    lay(name) {
      const { tall, low, width, column } = this.story.look;
      const layout = this.story.layouts[name];
      this.boxes = new Map(); // key -> where it is; a node's key is its number, a stub's that of its parent with "+"
      layout.y.forEach((y, i) => {
        if (y >= 0) this.boxes.set(String(i), { x: this.story.depth[i] * column, y, h: layout.tall[i] === "1" ? tall : low, i });
      });
      this.stub_of = new Map();
      for (const [parent, y, folded] of layout.stubs) {
        const key = parent + "+";
        this.boxes.set(key, { x: (this.story.depth[parent] + 1) * column, y, h: low, parent, folded });
        for (const i of folded) this.stub_of.set(i, key);
      }
      const place = (key) => {
        const box = this.boxes.get(key);
        if (box.folded) return Math.max(...this.story.children[box.parent].map((i) => this.story.preorder[i])) + 0.5;
        return this.story.preorder[box.i];
      };
      this.order = [...this.boxes.keys()].sort((a, b) => place(a) - place(b));
      this.size = { width: layout.size[0] * column + width, height: layout.size[1] };
      for (const target of [this.canvas, this.edges]) {
        target.style.width = `${this.size.width}px`;
        target.style.height = `${this.size.height}px`;
      }
      for (const element of this.drawn.values()) element.remove();
      this.drawn.clear();
    }

    // The key under which node i is drawn: its own, or that of the stub that it is folded into.
    key(i) {
      return this.boxes.has(String(i)) ? String(i) : this.stub_of.get(i);
    }

    // The part of a box that is there after the present step: a node's state, or those of a stub's nodes that are.
    there(box) {
      if (!box.folded) return this.story.at(box.i, this.step);
      const states = box.folded.map((i) => this.story.at(i, this.step)).filter(Boolean);
      return states.length ? states : undefined;
    }

    draw(all = false) {
      const { pane, story } = this;
      const { width } = story.look;
      const [wide, high] = [pane.clientWidth / this.zoom, pane.clientHeight / this.zoom];
      const [left, top] = [pane.scrollLeft / this.zoom - wide, pane.scrollTop / this.zoom - high];
      const [right, bottom] = [left + 3 * wide, top + 3 * high]; // what is in sight, and as much again on each side
      const path = story.path(this.step);
      const now = new Set(story.steps[this.step].nodes.map((i) => this.key(i)));
      if (!this.boxes.has(this.active) || !this.there(this.boxes.get(this.active))) this.active = "0";
      const focused = this.canvas.contains(document.activeElement);
      const seen = new Set();
      const d = ["", "", ""];
      let next = this.edges.nextSibling;
      for (const key of this.order) {
        const box = this.boxes.get(key);
        const inside = all || (box.x + width > left && box.x < right && box.y + box.h > top && box.y - box.h < bottom);
        const best = path.has(box.i);
        if (!inside && !best && key !== this.active) continue;
        const there = this.there(box);
        if (!there) continue;
        const from = box.folded ? box.parent : story.nodes[box.i].parent;
        if (from >= 0 && this.boxes.has(String(from))) {
          const a = this.boxes.get(String(from));
          const [x, middle] = [a.x + width, (a.x + width + box.x) / 2];
          const dashed = box.folded || !["kept", "root"].includes(there.status);
          d[best ? 2 : dashed ? 1 : 0] += `M${x} ${a.y}C${middle} ${a.y} ${middle} ${box.y} ${box.x} ${box.y}`;
        }
        if (!inside && key !== this.active) continue;
        seen.add(key);
        let element = this.drawn.get(key);
        if (!element) this.drawn.set(key, (element = this.box(key, box)));
        this.paint(element, key, box, there, best, now.has(key));
        if (element === next) next = next.nextSibling;
        else this.canvas.insertBefore(element, next); // in the order of the tree; those that stay are not moved
      }
      for (const [key, element] of this.drawn) {
        if (!seen.has(key)) {
          element.remove();
          this.drawn.delete(key);
        }
      }
      d.forEach((path, i) => this.lines[i].setAttribute("d", path));
      const lost = focused && !this.canvas.contains(document.activeElement); // it was on a thought that is not there now
      if (lost) this.drawn.get(this.active).focus({ preventScroll: true });
    }

    box(key, box) {
      const place = `left:${box.x}px;top:${box.y - box.h / 2}px;width:${this.story.look.width}px;height:${box.h}px`;
      const open = () => this.open(key);
      const parts = ["thought", "facts", "word", "bar"].map((name) => make("span", { class: `tot-x-${name}` }));
      const level = (box.folded ? this.story.depth[box.parent] + 1 : this.story.depth[box.i]) + 1;
      return make("div", { role: "treeitem", "aria-level": level, "data-key": key, style: place, click: open }, parts);
    }

    paint(element, key, box, there, best, now) {
      const marks = [best, now, key === this.chosen, key === this.active, this.shade, this.step === this.story.last].join();
      if (element.there === there && element.marks === marks) return;
      Object.assign(element, { there: box.folded ? null : there, marks });
      const { story } = this;
      const [thought, facts, word, bar] = element.children;
      const set = (target, text) => target.textContent !== text && (target.textContent = text);
      let [kind, label, share] = ["more", "", null];
      if (box.folded) {
        const words = [...new Set(there.map((state) => story.words.status[state.status]))];
        label = `+${there.length} ${words.length === 1 ? words[0] : "more"}`;
        set(thought, label);
        label += ", folded";
      } else {
        const deep = story.nodes[box.i].parent >= 0;
        kind = there.verdict || (best && deep ? "chosen" : there.failed ? "failed" : there.status);
        const value = this.shade ? story.measure(box.i, there, this.shade) : null;
        const cross = there.status === "pruned" || there.failed ? "✕ " : "";
        const tick = { correct: "✓ correct", wrong: "✗ wrong" }[there.verdict];
        const low = box.h === story.look.low;
        set(thought, (low ? cross : "") + cut(story.thought(box.i), 160));
        set(facts, value == null ? "" : low ? number(value) : `${this.shade} ${number(value)}`);
        set(word, low || !deep ? "" : tick || cross + cut(story.word(there), 80));
        const [least, most] = story.measures[this.shade] || [0, 0];
        if (isNumber(value) && most > least) share = (value - least) / (most - least);
        const numbers = story.measured(box.i, there);
        const parts = [cut(story.thought(box.i), 160), ...numbers, deep ? story.word(there) : "the problem", there.verdict];
        label = [...parts, best && deep ? story.way(this.step) : "", now ? "in this step" : ""].filter(Boolean).join(", ");
      }
      bar.style.width = share === null ? "0" : `${(share * 100).toFixed(1)}%`;
      element.style.setProperty("--share", share === null ? "0%" : `${(share * 40).toFixed(1)}%`);
      element.className = `tot-x-node tot-x-${kind}${box.h === story.look.low ? " tot-x-low" : ""}`;
      element.classList.toggle("tot-x-two", !facts.textContent && !word.textContent);
      element.classList.toggle("tot-x-path", best && box.i !== 0);
      element.classList.toggle("tot-x-now", now);
      element.classList.toggle("tot-x-selected", key === this.chosen);
      element.setAttribute("aria-selected", key === this.chosen);
      element.setAttribute("aria-label", label);
      element.title = label;
      element.tabIndex = key === this.active ? 0 : -1;
    }

    // Zoom 0: the whole tree, as far as it stays visible at all.
    enlarge(zoom) {
      const { pane, size } = this;
      const all = Math.min(1, (pane.clientWidth - 28) / size.width, (pane.clientHeight - 40) / size.height);
      this.zoom = this.canvas.style.zoom = zoom || Math.max(all, 0.1);
      this.draw();
    }

    // Scroll, no further than needed, until the box of that key is in sight. The page itself stays where it is.
    reveal(key) {
      const [box, { pane }] = [this.boxes.get(key), this];
      if (!box) return;
      const room = 24;
      const into = (at, size, from, to) => Math.min(Math.max(at, to * this.zoom + room - size), from * this.zoom - room);
      pane.scrollLeft = into(pane.scrollLeft, pane.clientWidth - 28, box.x, box.x + this.story.look.width);
      pane.scrollTop = into(pane.scrollTop, pane.clientHeight - 40, box.y - box.h / 2, box.y + box.h / 2);
    }

    focus(key) {
      this.active = key;
      this.reveal(key);
      this.draw();
      this.drawn.get(key)?.focus({ preventScroll: true });
      this.pane.scrollIntoView({ block: "nearest" });
    }

    // To the next or the last thought that is there, in the order of the tree.
    walk(by) {
      const there = this.order.filter((key) => this.there(this.boxes.get(key)));
      const to = there[there.indexOf(this.active) + by];
      if (to) this.focus(to);
    }
  }

  // ------------------------------------------------------------------------- the panel: all about one node, or a stub
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
      const state = box && !box.folded ? story.at(box.i, step) : null;
      const requests = state ? [...story.origin[box.i], ...story.concerned[box.i]].filter((r) => r.step <= step) : [];
      const now = [key, JSON.stringify(state), requests.length, box && box.folded ? step : "", step === story.last].join();
      if (now === this.shown) return; // so that a reader's place and open prompts stay while the search goes on
      this.shown = now;
      const parts = !box ? this.empty() : box.folded ? this.folded(box, step) : this.node(box.i, state, step);
      this.element.replaceChildren(...parts.filter(Boolean));
    }

    empty() {
      return [make("p", { class: "tot-x-quiet" }, "Choose a thought to see what was asked and what was replied.")];
    }

    folded(box, step) {
      const { story } = this;
      const items = box.folded.filter((i) => story.at(i, step)).map((i) => {
        const state = story.at(i, step);
        const facts = [...story.measured(i, state), story.word(state)].join(", ");
        return make("li", null, this.button(i, cut(story.thought(i), 120)), ` ${facts}`);
      });
      const shown = items.slice(0, 200);
      const more = items.length - shown.length;
      return [
        make("p", { class: "tot-x-head" }, `Folded: ${count(items.length, "thought")}`),
        make("ul", null, shown, more ? make("li", null, `and ${more} more`) : ""),
      ];
    }

    node(i, state, step) {
      const { story } = this;
      const node = story.nodes[i];
      const head = make("p", { class: "tot-x-head" }, i === 0 ? `The problem (node ${node.id})` : `Thought ${node.id}`);
      if (!state) return [head, make("p", { class: "tot-x-quiet" }, "It is not there yet at this step.")];
      const facts = [];
      const fact = (name, value) => value != null && value !== "" && facts.push([name, value]);
      fact("status", i === 0 ? "" : story.word(state) + (story.path(step).has(i) ? `, ${story.way(step)}` : ""));
      fact("verifier", state.verdict);
      fact("numbers", story.measured(i, state).join(", "));
      fact("answer", node.answer);
      fact("why", state.status === "pruned" ? "" : state.why);
      fact("tool said", state.observation == null ? null : story.texts[state.observation]);
      fact("tool cost", state.cost == null ? null : number(state.cost));
      fact("tool failed", state.failed);
      const asked = story.concerned[i].filter((request) => request.step <= step);
      const origin = story.origin[i].filter((request) => request.step <= step);
      const tokens = asked.reduce((sum, request) => sum + this.tokens(request), 0);
      fact("asked about it", asked.length ? `${count(asked.length, "request")}, ${count(tokens, "token")}` : "nothing so far");
      return [
        head,
        make("pre", null, story.texts[node.thought] || "(empty)"),
        make("dl", null, facts.flatMap(([name, value]) => [make("dt", null, name), make("dd", null, String(value))])),
        ...origin.map((request) => this.request(request, "It came from this: ")),
        ...asked.map((request) => this.request(request, "")),
      ];
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
        parts.push(...said(`reply ${request.first + i}: ${count(tokens, "token")}${why}`, story.texts[text]));
      });
      const read = [
        ...(request.made || []).map((i) => make("li", null, "thought ", this.button(i, cut(story.thought(i), 100)))),
        ...(request.values || []).map(([i, value]) => make("li", null, `value ${number(value)} for ${story.nodes[i].id}`)),
        ...(request.scores || []).map(([judge, score, why]) => make("li", null, `${judge}: ${number(score)}${why && `, ${why}`}`)),
        ...(request.unread || []).map(([why, text]) => make("li", null, `not read, ${why}: `, make("q", null, line(text)))),
      ];
      if (read.length) parts.push(make("p", { class: "tot-x-label" }, "read as"), make("ul", null, read));
      return parts;
    }
  }

  // ---------------------------------------------------------------------------------- the explorer: controls and keys
  class Explorer {
    constructor(root) {
      this.root = root;
      const data = JSON.parse(root.querySelector('script[type="application/json"]').textContent);
      this.story = new Story(data);
      const { folded, step = this.story.last, node } = data.start; // where the page wants to begin
      this.step = step;
      this.timer = 0;
      this.tree = new Tree(this.story, (key) => this.select(key));
      this.panel = new Panel(this.story, (i) => this.choose(i));
      root.querySelector(".tot-x-app")?.remove(); // of a page that was saved with it
      root.querySelector(".tot-x-text").before(this.build());
      root.querySelector(".tot-x-text").open = false;
      root.addEventListener("keydown", (event) => this.key(event));
      if (node !== undefined) this.tree.chosen = this.tree.active = String(node);
      this.lay(folded ? "folded" : "whole");
      this.tree.pane.scrollTop = this.tree.boxes.get("0").y - this.tree.pane.clientHeight / 2;
      this.tree.reveal([...this.story.path(this.step)].at(-2)?.toString()); // where the chosen path goes,
      this.tree.reveal("0"); // if there is room for both
      if (step !== this.story.last) this.go(step);
      if (node !== undefined) this.tree.reveal(this.tree.key(node));
      this.tree.draw();
      addEventListener("beforeprint", () => this.print(true));
      addEventListener("afterprint", () => this.print(false));
    }

    build() {
      const { story } = this;
      const [what, how, outcome] = story.caption;
      const button = (text, label, click) => make("button", { type: "button", "aria-label": label, title: label, click }, text);
      const choice = (label, options, change) => {
        const select = make("select", { change }, options.map(([value, text]) => make("option", { value }, text)));
        return [make("label", null, `${label} `, select), select];
      };
      this.slider = make("input", { type: "range", min: 0, max: story.last, "aria-label": "Step", autocomplete: "off" });
      this.slider.addEventListener("input", () => this.go(+this.slider.value));
      this.player = button("Play", "Play the search (space)", () => this.play());
      const kinds = new Map();
      for (const step of story.steps) kinds.set(step.kind, (kinds.get(step.kind) || 0) + 1);
      const stops = [...kinds].filter(([kind]) => kind !== "start" && kind !== "finished");
      const named = stops.map(([kind, n]) => [kind, `${story.words.kinds[kind] || kind} (${n})`]);
      const [stop, stopping] = choice("Stop at", [["", "every step"], ...named]);
      this.stopping = stopping;
      const measures = Object.keys(story.measures);
      const [shade, shading] = choice("Shade by", [...measures.map((name) => [name, name]), ["", "nothing"]], () => {
        this.tree.shade = shading.value;
        this.tree.draw();
      });
      shading.value = this.tree.shade = ["f", "visits", "value", "prior"].find((name) => name in story.measures) || "";
      const [zoom, zooming] = choice("Zoom", [["1", "100 %"], ["0.7", "70 %"], ["0.5", "50 %"], ["0", "all"]], () => {
        this.tree.enlarge(+zooming.value);
      });
      this.folding = make("input", { type: "checkbox", change: () => this.lay(this.folding.checked ? "folded" : "whole") });
      this.folding.checked = story.start.folded;
      const foldable = story.layouts.folded.stubs.length > 0;
      this.said = make("p", { class: "tot-x-said", role: "status", "aria-live": "polite" });
      this.billed = make("p", { class: "tot-x-quiet" });
      this.open = make("ol", { "aria-label": story.frontier.title });
      this.opened = make("p", { class: "tot-x-head" });
      const controls = [
        button("|◀", "To the start (Home)", () => this.go(0)),
        button("◀", "Step back (left arrow)", () => this.turn(-1)),
        this.player,
        button("▶", "Step forward (right arrow)", () => this.turn(1)),
        button("▶|", "To the end (End)", () => this.go(story.last)),
      ];
      const keys = "Keys: ← → step, Home and End, space plays; in the tree ↑ ↓ move, Enter opens, Esc comes back.";
      const fold = foldable ? make("label", null, this.folding, " fold what came to nothing") : "";
      return make(
        "div",
        { class: "tot-x-app", role: "group", "aria-label": "Search explorer" },
        make("p", { class: "tot-x-title" }, cut(what, 140)),
        story.notice ? make("p", { class: "tot-x-quiet" }, story.notice) : "",
        make("p", { class: "tot-x-quiet" }, [how, outcome].filter(Boolean).join(" · ")),
        make("div", { class: "tot-x-bar-of-controls" }, make("span", { class: "tot-x-buttons" }, controls), this.slider),
        make("div", { class: "tot-x-bar-of-controls" }, stop, measures.length ? shade : "", zoom, fold),
        this.said,
        this.billed,
        make(
          "div",
          { class: "tot-x-views" },
          this.tree.pane,
          make("div", { class: "tot-x-side" }, make("section", { class: "tot-x-open" }, this.opened, this.open), this.panel.element),
        ),
        make("p", { class: "tot-x-quiet tot-x-keys" }, keys),
      );
    }

    lay(name) {
      this.tree.lay(name);
      this.tree.pane.style.height = `${Math.min(this.tree.size.height + 44, this.story.start.height)}px`;
      this.go(this.step, false);
    }

    go(step, follow = true) {
      const { story, tree } = this;
      this.step = tree.step = Math.min(Math.max(step, 0), story.last);
      if (follow) {
        const first = story.steps[this.step].nodes[0] ?? 0;
        tree.reveal(tree.key(story.nodes[first].parent)); // if there is room for both
        tree.reveal(tree.key(first));
      }
      tree.draw();
      this.slider.value = this.step;
      this.said.textContent = `Step ${this.step} of ${story.last}. ${story.say(this.step)}`;
      this.slider.setAttribute("aria-valuetext", this.said.textContent);
      const { calls, tokens, round } = story.bill[this.step];
      this.billed.textContent = `So far: ${count(calls, "request")} in ${count(round, "round")}, ${count(tokens, "token")}.`;
      this.list();
      this.panel.show(tree.chosen, this.about(), this.step);
    }

    list() {
      const open = this.story.open(this.step);
      const most = 8;
      this.opened.textContent = `${this.story.frontier.title}: ${open.length}`;
      const rows = open.slice(0, most).map(([i, state]) => {
        const { order } = this.story.frontier;
        const value = order in state && state[order] != null ? ` ${order} ${number(state[order])}` : "";
        return make("li", null, this.panel.button(i, i === 0 ? "the problem" : cut(this.story.thought(i), 70)), value);
      });
      if (open.length > most) rows.push(make("li", { class: "tot-x-quiet" }, `and ${open.length - most} more`));
      this.open.replaceChildren(...rows);
    }

    // The box whose details are shown. A folded node has none in the tree: then only its number is known.
    about() {
      const key = this.tree.chosen;
      return key === "" ? null : this.tree.boxes.get(key) || (key.endsWith("+") ? null : { i: +key });
    }

    select(key) {
      this.tree.chosen = this.tree.active = key;
      this.tree.draw();
      this.panel.show(key, this.about(), this.step);
      const { element } = this.panel; // below the tree where the page is narrow
      if (element.getBoundingClientRect().top > innerHeight - 80) element.scrollIntoView({ block: "nearest" });
    }

    choose(i) {
      const key = String(i);
      this.tree.chosen = key;
      if (this.tree.boxes.has(key)) this.tree.active = key;
      this.tree.reveal(this.tree.key(i));
      this.tree.draw();
      this.panel.show(key, this.about(), this.step);
      this.panel.element.focus();
    }

    turn(by) {
      const { story, stopping } = this;
      let to = this.step + by;
      while (to > 0 && to < story.last && stopping.value && story.steps[to].kind !== stopping.value) to += by;
      this.go(to);
    }

    play(on = !this.timer) {
      clearInterval(this.timer);
      this.timer = 0;
      if (on) {
        if (this.step === this.story.last) this.go(0);
        this.timer = setInterval(() => {
          this.turn(1);
          if (this.step === this.story.last || !this.root.isConnected) this.play(false);
        }, 900);
      }
      this.player.textContent = on ? "Pause" : "Play";
      this.player.setAttribute("aria-label", on ? "Pause (space)" : "Play the search (space)");
    }

    key(event) {
      const { target } = event;
      const range = target.type === "range";
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || target.matches("select")) return;
      const item = target.closest('[role="treeitem"]');
      const act = {
        ArrowLeft: () => this.turn(-1),
        ArrowRight: () => this.turn(1),
        Home: () => this.go(0),
        End: () => this.go(this.story.last),
        " ": target.closest("button,summary,input") && !range ? null : () => this.play(),
        ArrowUp: item && (() => this.tree.walk(-1)),
        ArrowDown: item && (() => this.tree.walk(1)),
        Enter: item && (() => (this.select(item.dataset.key), this.panel.element.focus())),
        Escape: this.panel.element.contains(target) && (() => this.tree.focus(this.tree.active)),
      }[event.key];
      if (!act) return;
      event.preventDefault();
      event.stopPropagation(); // the page around may have its own use for arrow keys
      act();
    }

    // Paper has no scroll bars: the whole tree, as small as it must be, and the text below it.
    print(on) {
      const { tree, root } = this;
      const [text, fits] = [root.querySelector(".tot-x-text"), tree.size.width < 2000 && tree.size.height < 3000];
      root.classList.toggle("tot-x-printed", on);
      text.open = on;
      tree.canvas.style.zoom = on && fits ? Math.min(1, 640 / tree.size.width) : tree.zoom;
      tree.draw(on && fits);
    }
  }

  for (const root of document.querySelectorAll(".tot-explorer")) {
    if (root.totExplorer) continue;
    root.totExplorer = "broken"; // one that fails is not tried again by the next one's script
    root.totExplorer = new Explorer(root);
  }
})();
