// The tree: draws what is in sight, moves it from step to step, and keeps what the step is about in view.
const DURATION = 350; // of a move, in milliseconds
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;

class Tree {
  constructor(story, open) {
    Object.assign(this, { story, open, drawn: new Map(), step: 0, active: "0", chosen: "" });
    Object.assign(this, { view: "tree", folded: story.start.folded, few: Infinity, opened: new Set(), moving: null });
    const svg = (tag) => document.createElementNS("http://www.w3.org/2000/svg", tag);
    this.edges = svg("svg");
    this.edges.setAttribute("aria-hidden", "true");
    this.lines = ["", "tot-x-faint", "tot-x-best"].map((name) =>
      story.thick.map((width) => {
        const path = svg("path");
        path.setAttribute("class", name);
        path.setAttribute("stroke-width", width);
        this.edges.append(path);
        return path;
      }),
    );
    this.canvas = make("div", { class: "tot-x-canvas", role: "tree", "aria-label": story.start.about }, this.edges);
    this.pane = make("div", { class: "tot-x-pane" }, this.canvas);
    let waiting = false;
    const later = () => {
      if (!waiting) requestAnimationFrame(() => ((waiting = false), this.draw()));
      waiting = true;
    };
    this.pane.addEventListener("scroll", later, { passive: true });
  }

  get room() {
    const { pane, story } = this;
    const font = getComputedStyle(pane).fontFamily;
    return { width: pane.clientWidth || 640, height: pane.clientHeight || 420, font, dense: story.start.bare };
  }

  // Where everything is at step k. Thoughts that the step is about, or that it changes, are not folded while there is room.
  arranged(k) {
    const { story, view, room, few, opened } = this;
    const { nodes, changed } = story.steps[k];
    const chosen = parseInt(this.chosen) || 0;
    let found;
    for (const own of [[...nodes, ...changed], nodes.slice(0, 1)]) {
      if (own.length > 40) continue;
      const near = new Set([...own, ...(story.at(chosen, k) ? [chosen] : [])].flatMap((i) => story.above(i)));
      found = arrange(story, k, { view, room, few, near, opened });
      if (found.height + 2 * MARGIN <= room.height) break;
    }
    found.stub_of = new Map();
    for (const [key, box] of found.boxes) for (const i of box.folded || []) found.stub_of.set(i, key);
    return found;
  }

  // Show step k: `how` is "move" (from where things are now), "jump", or "stay" (jump, and do not scroll).
  show(k, how = "move") {
    const { pane, canvas, edges } = this;
    this.still();
    const before = this.now && { boxes: this.now.boxes, dx: this.dx - pane.scrollLeft, dy: this.dy - pane.scrollTop };
    this.step = k;
    const now = (this.now = this.arranged(k));
    const { width, height } = this.room;
    const size = [Math.max(now.width + 2 * MARGIN, width), Math.max(now.height + 2 * MARGIN, height)];
    this.dx = (size[0] - now.width) / 2;
    this.dy = (size[1] - now.height - (k === 0 ? 48 : 0)) / 2; // room for Play
    for (const target of [canvas, edges]) [target.style.width, target.style.height] = size.map((n) => `${n}px`);
    canvas.className = `tot-x-canvas tot-x-as-${now.view}`;
    if (how !== "stay") this.follow();
    if (how === "move" && before && !calm()) this.move(before);
    else this.draw();
  }

  // From where the boxes were, as seen in the pane, to where they are: new ones come out of their parents.
  move(before) {
    const { pane } = this;
    const [dx, dy] = [before.dx + pane.scrollLeft - this.dx, before.dy + pane.scrollTop - this.dy];
    const began = performance.now();
    const from = (key, box) => {
      const old = before.boxes.get(key) || before.boxes.get(String(box.folded ? box.parent : this.story.nodes[box.i].parent));
      return old && { x: old.x + dx, y: old.y + dy, w: old.w, h: old.h };
    };
    this.moving = { from, share: 0, frame: 0, fresh: (key) => !before.boxes.has(key) };
    const frame = (time) => {
      const t = Math.min(1, Math.max(0, (time - began) / DURATION));
      if (t === 1) return this.still(), this.draw();
      this.moving.share = 1 - (1 - t) ** 3;
      this.draw();
      this.moving.frame = requestAnimationFrame(frame);
    };
    this.draw();
    this.moving.frame = requestAnimationFrame(frame);
  }

  still() {
    if (this.moving) cancelAnimationFrame(this.moving.frame);
    this.moving = null;
  }

  // The key under which node i is drawn: its own, or that of the stub that it, or what it hangs from, is folded into.
  key(i) {
    const { boxes, stub_of } = this.now;
    for (let at = i; at >= 0; at = this.story.nodes[at].parent) {
      if (boxes.has(String(at))) return String(at);
      if (stub_of.has(at)) return stub_of.get(at);
    }
    return "0";
  }

  // A node's state, or those of a stub's nodes.
  there(box) {
    return box.folded ? box.folded.map((i) => this.story.at(i, this.step)) : this.story.at(box.i, this.step);
  }

  at(key, box) {
    const { moving, dx, dy } = this;
    const from = moving && moving.from(key, box);
    if (!from) return { x: box.x + dx, y: box.y + dy, w: box.w, h: box.h };
    const between = (a, b) => a + (b - a) * moving.share;
    return {
      x: between(from.x, box.x) + dx,
      y: between(from.y, box.y) + dy,
      w: between(from.w, box.w),
      h: between(from.h, box.h),
    };
  }

  draw() {
    const { pane, story, moving, now } = this;
    if (!now) return;
    const { boxes, view } = now;
    const [wide, high] = [pane.clientWidth, pane.clientHeight];
    const [left, top] = [pane.scrollLeft - wide / 2, pane.scrollTop - high / 2];
    const [right, bottom] = [left + 2 * wide, top + 2 * high]; // what is in sight, and half as much on each side
    const path = story.path(this.step);
    const current = new Set(story.steps[this.step].nodes.map((i) => this.key(i)));
    if (!boxes.has(this.active)) this.active = "0";
    const focused = this.canvas.contains(document.activeElement);
    const seen = new Set();
    const d = this.lines.map((all) => all.map(() => ""));
    let next = this.edges.nextSibling;
    for (const [key, box] of boxes) {
      const [x, y] = [box.x + this.dx, box.y + this.dy];
      const inside = x + box.w > left && x < right && y + box.h > top && y - box.h < bottom;
      const best = path.has(box.i);
      if (!inside && !best && key !== this.active) continue;
      const there = this.there(box);
      const place = this.at(key, box);
      const above = String(box.folded ? box.parent : story.nodes[box.i].parent);
      if (boxes.has(above)) {
        const a = this.at(above, boxes.get(above));
        const dashed = box.folded || !["kept", "root"].includes(there.status);
        d[best ? 2 : dashed ? 1 : 0][box.folded ? 0 : there.thick] += edge(a, place, view);
      }
      if (!inside && key !== this.active) continue;
      seen.add(key);
      let element = this.drawn.get(key);
      if (!element) this.drawn.set(key, (element = this.box(key, box)));
      this.paint(element, key, box, there, best, current.has(key));
      const faint = moving && moving.fresh(key) ? moving.share : 1;
      const placed = [place.x, place.y - place.h / 2, place.w, place.h, faint].map((n) => n.toFixed(2));
      if (String(placed) !== element.placed) {
        element.placed = String(placed);
        const [x, y, w, h, opacity] = placed;
        Object.assign(element.style, { transform: `translate(${x}px,${y}px)`, width: `${w}px`, height: `${h}px`, opacity });
      }
      if (element === next) next = next.nextSibling;
      else this.canvas.insertBefore(element, next); // in the order of the tree; those that stay are not moved
    }
    for (const [key, element] of this.drawn) {
      if (!seen.has(key)) {
        element.remove();
        this.drawn.delete(key);
      }
    }
    d.forEach((all, i) => all.forEach((path, n) => this.lines[i][n].setAttribute("d", path)));
    const lost = focused && !this.canvas.contains(document.activeElement); // it was on a thought that is not there now
    if (lost) this.drawn.get(this.active).focus({ preventScroll: true });
  }

  box(key, box) {
    const parts = ["thought", "marks", "facts", "word"].map((name) => make("span", { class: `tot-x-${name}` }));
    const click = () => this.open(key);
    return make("div", { role: "treeitem", "aria-level": box.depth + 1, "data-key": key, click }, parts);
  }

  paint(element, key, box, there, best, now) {
    const { story, step } = this;
    const marks = [best, now, key === this.chosen, key === this.active, step === story.last, box.low, step === 0].join();
    if (element.there === there && element.marks === marks) return;
    Object.assign(element, { there: box.folded ? null : there, marks });
    const [thought, judged, facts, word] = element.children;
    const set = (target, text) => target.textContent !== text && (target.textContent = text);
    let [kind, label] = ["more", ""];
    if (box.folded) {
      const words = [...new Set(there.map((state) => story.words.status[state.status]))];
      label = `+${there.length} ${words.length === 1 ? words[0] : "more"}`;
      set(thought, label);
      label += ", folded";
    } else {
      const deep = box.i > 0;
      kind = there.verdict || (best && deep ? "chosen" : there.failed ? "failed" : there.status);
      set(thought, story.shown(box.i, step));
      if (judged.dataset.marks !== there.marks) {
        judged.dataset.marks = there.marks;
        judged.replaceChildren(...story.marks(there.marks));
      }
      set(facts, box.low ? "" : story.facts(there));
      const outcome = story.outcome(box.i, there);
      set(word, box.low ? outcome.match(/^[✓✗✕]/)?.[0] ?? "" : outcome);
      const numbers = story.measured(box.i, there);
      const parts = [cut(story.thought(box.i), 160), ...numbers, deep ? story.word(there) : PROBLEM, there.verdict];
      label = [...parts, best && deep ? story.way(step) : "", now ? "in this step" : ""].filter(Boolean).join(", ");
    }
    element.className = `tot-x-node tot-x-${kind}${box.low ? " tot-x-low" : ""}`;
    element.classList.toggle("tot-x-path", best && box.i !== 0);
    element.classList.toggle("tot-x-question", box.i === 0 && step === 0);
    element.classList.toggle("tot-x-now", now && step > 0);
    element.classList.toggle("tot-x-selected", key === this.chosen);
    element.setAttribute("aria-selected", key === this.chosen);
    if (box.folded) element.setAttribute("aria-expanded", false);
    element.setAttribute("aria-label", label);
    element.title = label;
    element.tabIndex = key === this.active ? 0 : -1;
  }

  // What the reader should see at this step, most important first: what it is about, or the answer and the way to it.
  matters() {
    const { story, step } = this;
    const [first, ...others] = story.steps[step].nodes;
    if (first === undefined) return [...story.path(step)].slice(0, 1).concat(0);
    const above = story.above(first).reverse().slice(1);
    return step === story.last ? [first, ...above, 0] : [first, ...others, ...above.slice(0, 1), 0];
  }

  // Scroll, no further than needed, until that is in sight, as much of it as there is room for.
  follow(keys = this.matters().map((i) => this.key(i))) {
    const { pane, now } = this;
    const [wide, high] = [pane.clientWidth - 2 * MARGIN, pane.clientHeight - 2 * MARGIN];
    let view = null;
    for (const key of keys) {
      const box = now.boxes.get(key);
      if (!box) continue;
      const sides = [box.x, box.y - box.h / 2, box.x + box.w, box.y + box.h / 2];
      const more = view ? sides.map((side, n) => Math[n < 2 ? "min" : "max"](side, view[n])) : sides;
      if (!view || (more[2] - more[0] <= wide && more[3] - more[1] <= high)) view = more;
    }
    if (!view) return;
    const into = (at, size, from, to) => Math.min(Math.max(at, to + 2 * MARGIN - size), from);
    pane.scrollLeft = into(pane.scrollLeft, pane.clientWidth, view[0] + this.dx - MARGIN, view[2] + this.dx - MARGIN);
    pane.scrollTop = into(pane.scrollTop, pane.clientHeight, view[1] + this.dy - MARGIN, view[3] + this.dy - MARGIN);
  }

  focus(key) {
    this.active = key;
    this.follow([key]);
    this.draw();
    this.drawn.get(key)?.focus({ preventScroll: true });
    this.pane.scrollIntoView({ block: "nearest" });
  }

  // To the next or the last thought that is there, in the order of the tree.
  walk(by) {
    const keys = [...this.now.boxes.keys()];
    const to = keys[keys.indexOf(this.active) + by];
    if (to) this.focus(to);
  }
}

// The line from a box to one below it.
function edge(a, b, view) {
  if (view === "outline") return `M${a.x + 7} ${a.y + a.h / 2}V${b.y}H${b.x}`;
  const [x, middle] = [a.x + a.w, (a.x + a.w + b.x) / 2];
  return `M${x} ${a.y}C${middle} ${a.y} ${middle} ${b.y} ${b.x} ${b.y}`;
}
