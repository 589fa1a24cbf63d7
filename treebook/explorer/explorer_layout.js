// Where the boxes go at one moment of the search: those that are there then, and room for no others.
const [MINOR, FEW, MANY] = [["dropped", "new", "valued", "pruned"], 1, 12]; // of folding, as explorer_page.py says it
const MARGIN = 14; // around the tree; all lengths are in CSS pixels
const LOOK = { least: 84, most: 230, wide: 150 }; // widths of a box: at least, at most, and enough for low ones

// A node of the drawing of Reingold and Tilford: names as in layout.py, and in Buchheim, Jünger and Leipert (2002).
class Spot {
  constructor(key, size, parent, number) {
    Object.assign(this, { key, size, parent, number, children: [], prelim: 0, mod: 0, shift: 0, change: 0, thread: null });
    this.ancestor = this.first = this;
  }

  get left() {
    return this.parent && this.number ? this.parent.children[this.number - 1] : null;
  }

  get nextLeft() {
    return this.children.length ? this.children[0] : this.thread;
  }

  get nextRight() {
    return this.children.length ? this.children[this.children.length - 1] : this.thread;
  }
}

// The centre of every node along the axis of its level, smallest edge at 0: tidy of layout.py, step for step.
function tidy(root, children, size, gap) {
  const top = new Spot(root, size(root), null, 0);
  const order = [top];
  for (const spot of order) {
    spot.children = children(spot.key).map((key, n) => new Spot(key, size(key), spot, n));
    if (spot.children.length) spot.first = spot.children[0];
    order.push(...spot.children);
  }
  const distance = (a, b) => (a.size + b.size) / 2 + gap(a.key, b.key);
  for (let n = order.length - 1; n >= 0; n--) prepare(order[n]);
  // bottom up, children from left to right: a level is read from its end, so siblings are done when their parent is
  function prepare(spot) {
    for (const child of spot.children) walk(child);
    if (spot === top) walk(top);
  }
  function walk(v) {
    let middle = 0;
    if (v.children.length) {
      let [shift, change] = [0, 0];
      for (const child of v.children.slice().reverse()) {
        child.prelim += shift;
        child.mod += shift;
        change += child.change;
        shift += child.shift + change;
      }
      middle = (v.children[0].prelim + v.children[v.children.length - 1].prelim) / 2;
    }
    const w = v.left;
    v.prelim = w ? w.prelim + distance(w, v) : middle;
    if (w && v.children.length) v.mod = v.prelim - middle;
    if (v.parent) v.parent.first = apportion(v, v.parent.first, distance);
  }
  const [places, moved] = [new Map(), new Map([[root, 0]])];
  let least = Infinity;
  for (const spot of order) {
    places.set(spot.key, spot.prelim + moved.get(spot.key));
    least = Math.min(least, places.get(spot.key) - spot.size / 2);
    for (const child of spot.children) moved.set(child.key, moved.get(spot.key) + spot.mod);
  }
  for (const [key, place] of places) places.set(key, place - least);
  return places;
}

// Push the subtree of v away from those to its left.
function apportion(v, first, distance) {
  const w = v.left;
  if (!w) return first;
  let [innerRight, outerRight, innerLeft, outerLeft] = [v, v, w, v.parent.children[0]];
  let [sir, sor, sil, sol] = [v.mod, v.mod, w.mod, outerLeft.mod];
  for (let right, left; (right = innerLeft.nextRight) && (left = innerRight.nextLeft); ) {
    [innerLeft, innerRight] = [right, left];
    outerLeft = outerLeft.nextLeft || outerLeft;
    outerRight = outerRight.nextRight || outerRight;
    outerRight.ancestor = v;
    const shift = innerLeft.prelim + sil - (innerRight.prelim + sir) + distance(innerLeft, innerRight);
    if (shift > 0) {
      const from = innerLeft.ancestor.parent === v.parent ? innerLeft.ancestor : first;
      const subtrees = v.number - from.number;
      v.change -= shift / subtrees;
      v.shift += shift;
      from.change += shift / subtrees;
      v.prelim += shift;
      v.mod += shift;
      sir += shift;
      sor += shift;
    }
    sil += innerLeft.mod;
    sir += innerRight.mod;
    sol += outerLeft.mod;
    sor += outerRight.mod;
  }
  if (innerLeft.nextRight && !outerRight.nextRight) {
    outerRight.thread = innerLeft.nextRight;
    outerRight.mod += sil - sor;
  }
  if (innerRight.nextLeft && !outerLeft.nextLeft) {
    outerLeft.thread = innerRight.nextLeft;
    outerLeft.mod += sir - sol;
    first = v;
  }
  return first;
}

// What is drawn after step k: key -> { children (keys), depth, i }, or { parent, folded, depth } of a stub, whose key is
// its parent's with "+". Folded, as in layout.py: children that came to nothing, but for the best one, and of many
// others the worst; yet none that `near` has.
function grown(story, k, folded, near) {
  const [found, path] = [new Map(), story.path(k)];
  const states = story.nodes.map((_, i) => story.at(i, k));
  const state = (i) => states[i];
  const present = story.children.map((all) => all.filter(state));
  const children = (i) => present[i];
  const value = (i) => (isNumber(state(i).value) ? Math.round(state(i).value * 1e9) : 0);
  const beyond = (all, limit) => {
    if (all.length <= limit + 1) return [];
    const ranked = all.slice().sort((a, b) => path.has(b) - path.has(a) || value(b) - value(a) || a - b);
    return ranked.slice(limit).filter((i) => !path.has(i) && !near.has(i));
  };
  for (const stack = [[0, 0]]; stack.length; ) {
    const [i, depth] = stack.pop();
    let shown = children(i).slice();
    const box = { i, depth, children: [] };
    found.set(String(i), box);
    if (folded && shown.length > FEW + 1) {
      const nothing = new Set(
        shown.filter((c) => MINOR.includes(state(c).status) && !path.has(c) && !children(c).length),
      );
      const others = shown.filter((c) => !nothing.has(c));
      const hidden = new Set([...beyond([...nothing], FEW), ...beyond(others, MANY)]);
      if (hidden.size > 1) {
        box.stub = { key: `${i}+`, parent: i, depth: depth + 1, folded: shown.filter((c) => hidden.has(c)), children: [] };
        shown = shown.filter((c) => !hidden.has(c));
      }
    }
    box.children = shown.map(String);
    for (const c of shown.reverse()) stack.push([c, depth + 1]);
  }
  // a stub is the last child of its parent: in the order of the tree it comes after all that is below the others
  const ordered = new Map();
  for (const stack = ["0"]; stack.length; ) {
    const key = stack.pop();
    const box = found.get(key);
    ordered.set(key, box);
    stack.push(...box.children.slice().reverse());
    const { stub } = box;
    if (!stub) continue;
    found.set(stub.key, stub);
    box.children.push(stub.key);
    stack.splice(stack.length - box.children.length + 1, 0, stub.key);
  }
  return ordered;
}

// Boxes with places: { x (left), y (middle), w, h } each; and width, height, and how the boxes are written.
// `view` is "tree"; "outline", as narrow as a phone; or "map", all of it in `room`.
function arrange(story, k, { view, room, folded, near }) {
  const boxes = grown(story, k, folded, near);
  const levels = 1 + Math.max(...[...boxes.values()].map((box) => box.depth));
  if (view === "outline" && k > 0) return outline(boxes, levels, room);
  const share = (gap) => (room.width - 2 * MARGIN - (levels - 1) * gap) / levels;
  const map = view === "map";
  let gap = map ? Math.min(18, (0.3 * room.width) / levels) : share(30) > 120 ? 30 : 16;
  let w = Math.min(share(gap), LOOK.most);
  const clipped = !map && w < LOOK.least;
  if (clipped) [gap, w] = [22, 128]; // the tree scrolls in any case, so its boxes may as well be legible
  const lines = w < LOOK.wide ? 2 : 1;
  const [tall, low] = [28 + 17 * lines, 8 + 16 * lines];
  const path = story.path(k);
  const status = (box) => story.at(box.i, k).status;
  const nothing = (box) => !box.children.length && !path.has(box.i) && ["dropped", "new", "valued"].includes(status(box));
  const parent = (box) => (box.folded ? box.parent : story.nodes[box.i].parent);
  const apart = (a, b) => (parent(boxes.get(a)) === parent(boxes.get(b)) ? 6 : 12);
  const high = room.height - 2 * MARGIN;
  let [width, height] = [0, Infinity];
  for (const roomy of boxes.size < 100 ? [true, false] : [false]) { // low boxes only where there is no room for others
    if (height <= high) break;
    for (const box of boxes.values()) {
      box.low = !!box.folded || (!roomy && nothing(box));
      Object.assign(box, { x: box.depth * (w + gap), w, h: box.low ? low : tall });
    }
    if (k === 0) Object.assign(boxes.get("0"), beginning(story, room));
    const y = tidy("0", (key) => boxes.get(key).children, (key) => boxes.get(key).h, apart);
    [width, height] = [0, 0];
    for (const [key, box] of boxes) {
      box.y = y.get(key);
      [width, height] = [Math.max(width, box.x + box.w), Math.max(height, box.y + box.h / 2)];
    }
  }
  if (!map || k === 0 || height <= high) return { boxes, levels, width, height, lines, clipped, view: "tree" };
  const less = high / height;
  for (const box of boxes.values()) Object.assign(box, { y: box.y * less, h: Math.max(3, box.h * less - 1) });
  return { boxes, levels, width, height: high, lines: 1, clipped: false, view: "map" };
}

// The problem before the search: the whole question, as large as it needs to be.
function beginning(story, room) {
  const w = Math.min(room.width - 2 * MARGIN, 460);
  const rows = Math.ceil((story.thought(0).length * 7.4) / (w - 36));
  return { w, h: Math.min(34 + 21 * rows, 258) };
}

// One line below the other, each a little to the right of its parent.
function outline(boxes, levels, room) {
  const wide = room.width - 2 * MARGIN;
  const indent = Math.min(16, (0.35 * wide) / levels);
  let height = -4;
  for (const [key, box] of boxes) {
    const h = 42;
    Object.assign(box, { x: box.depth * indent, y: height + 4 + h / 2, w: wide - box.depth * indent, h, low: key !== "0" });
    height += 4 + h;
  }
  return { boxes, levels, width: wide, height, lines: 2, clipped: false, view: "outline" };
}
