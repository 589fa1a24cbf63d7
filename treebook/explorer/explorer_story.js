// The search as data: what was known of every node at any moment, and how to say it. See data.py.
const BIRTH = { why: "", failed: "", open: false, verdict: "", marks: "", thick: 0 }; // what is known of a node before its first step
const PROBLEM = "the problem";

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
      this.children[node.parent].push(i);
    });
    this.history = this.nodes.map(() => []); // of each node: [step, what is known of it since then]
    this.bill = []; // what had been asked after each step
    this.incumbents = []; // the best ones after each step
    let [calls, tokens, round, best] = [0, 0, 0, []];
    this.steps.forEach((step, k) => {
      step.kind = this.kinds[step.kind];
      step.changed = [];
      for (const [field, value, ...nodes] of step.set) {
        for (const i of nodes) {
          const past = this.history[i];
          const before = past.length ? past[past.length - 1] : [-1, BIRTH];
          if (before[0] < k) {
            past.push([k, { ...before[1] }]);
            step.changed.push(i);
          }
          past[past.length - 1][1][this.fields[field]] = value;
        }
      }
      calls += step.requests || 0;
      tokens += step.tokens || 0;
      round = step.round || round;
      this.bill.push({ calls, tokens, round });
      this.incumbents.push((best = this.best[k] || best));
    });
    this.names = this.nodes.map((node, i) => node.name ?? this.label(i)); // no two are the same
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
    return line(this.texts[this.nodes[i].thought]) || "(empty)";
  }

  // The problem as it was asked, in lines.
  question() {
    return cut(this.texts[this.nodes[0].thought].trim(), 1200) || "(empty)";
  }

  // A thought as one short line; only its action, if it ends in one.
  label(i, most = 60) {
    const text = this.texts[this.nodes[i].thought];
    const action = text.slice(text.lastIndexOf("Action: ") + 8);
    return cut((text.includes("Action: ") && line(action)) || this.thought(i), most);
  }

  // The way to node i, from the first thought to itself.
  above(i) {
    const way = [];
    for (; i > 0; i = this.nodes[i].parent) way.push(i);
    return way.reverse();
  }

  word(state) {
    const word = this.words.status[state.status] + (state.failed ? ", tool failed" : "");
    return state.status === "pruned" && state.why ? `${word}: ${state.why}` : word;
  }

  measured(i, state) {
    const known = this.measures.map((name) => [name, name === "prior" ? this.nodes[i].prior : state[name]]);
    return known.filter(([, value]) => value != null).map(([name, value]) => `${name} ${number(value)}`);
  }

  // What is written in the box of node i: its thought; beside its marks what the search computed with; and its status.
  // Short brackets stay in one line.
  shown(i, k) {
    const text = i ? this.label(i, 160) : k ? cut(this.thought(0), 160) : this.question();
    return text.replace(/\([^()]{1,16}\)/g, (inside) => inside.replace(/- /g, "-\u2060 ").replace(/ /g, "\u00a0"));
  }

  facts(state) {
    if (state.visits) return `N ${number(state.visits)} · Q ${number(state.mean)}`;
    return state.f == null ? "" : [`f ${number(state.f)}`, state.g == null ? "" : `g ${number(state.g)}`].filter(Boolean).join(", ");
  }

  // Marks in words: "2 filled, 1 empty".
  judged(text) {
    const words = { "●": "filled", "◐": "half", "○": "empty", "–": "not read" };
    const told = Object.entries(words).map(([mark, word]) => [text.split(mark).length - 1, word]);
    return told.filter(([n]) => n).map(([n, word]) => `${n} ${word}`).join(", ");
  }

  // Marks as elements, see marks.py.
  marks(text) {
    const kinds = { "●": "full", "◐": "half", "○": "empty", "–": "unread" };
    return [...text].map((mark) => make("i", { class: `tot-x-${kinds[mark]}` }));
  }

  outcome(i, state) {
    if (!i) return "";
    const tick = { correct: "✓ correct", wrong: "✗ wrong" }[state.verdict];
    return tick || (state.status === "pruned" || state.failed ? "✕ " : "") + cut(this.word(state), 80);
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
    return nodes[0] === 0 ? PROBLEM : `“${this.names[nodes[0]]}”`;
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
