// Where the boxes go at one moment of the search: those that are there then, and room for no others.
const [MINOR, MANY] = [["dropped", "new", "valued", "pruned"], 12]; // of folding
const MARGIN = 14; // around the tree; all lengths are in CSS pixels
const LOOK = { least: 84, most: 230, mark: 10, rows: 4 }; // of a box: its width at least and at most; a mark; lines

// The centre of every node along the axis of its level, smallest edge at 0: `tidy` of tot/show/layout.py, line by line.
// Python cannot do it for the page: what is there, and how high, depends on the step, on what the reader folded and chose,
// and on the room; so this is all that is laid out here, and a test compares the places.
function tidy(root, children, size, gap) {
  const order = [root];
  for (const key of order) order.push(...children(key));
  const [contours, places] = [new Map(), new Map([[root, 0]])];
  const distance = (a, b) => (size(a) + size(b)) / 2 + gap(a, b);
  for (const key of order.slice().reverse()) {
    const subtrees = children(key).map((child) => contours.get(child));
    const { at, left, right } = sideBySide(subtrees, distance);
    children(key).forEach((child) => contours.delete(child)); // in a long chain they would fill the memory
    contours.set(key, [[[key, 0], ...left], [[key, 0], ...right]]);
    children(key).forEach((child, n) => places.set(child, at[n]));
  }
  for (const key of order) for (const child of children(key)) places.set(child, places.get(child) + places.get(key));
  const least = order.reduce((least, key) => Math.min(least, places.get(key) - size(key) / 2), Infinity);
  for (const key of order) places.set(key, places.get(key) - least);
  return places;
}

// Where siblings go, from the middle between the first and the last, and the contours of all of them together.
function sideBySide(subtrees, distance) {
  if (!subtrees.length) return { at: [], left: [], right: [] };
  let [left, right] = subtrees[0];
  const [at, whose] = [[0], right.map(() => 0)]; // whose: the sibling that the right contour belongs to, level by level
  const [pushed, shares] = [subtrees.map(() => 0), subtrees.map(() => 0)];
  subtrees.slice(1).forEach(([ownLeft, ownRight], before) => {
    const i = before + 1;
    let near = at[before];
    let place = near + distance(right[0][0], ownLeft[0][0]);
    let own = place;
    for (let level = 1; level < Math.min(right.length, ownLeft.length); level++) {
      [near, own] = [near + right[level][1], own + ownLeft[level][1]];
      const push = near + distance(right[level][0], ownLeft[level][0]) - own;
      if (push <= 0) continue;
      [place, own] = [place + push, own + push];
      const share = push / (i - whose[level]);
      pushed[i] += push;
      shares[i] -= share;
      shares[whose[level]] += share;
    }
    [left, right] = [continued(left, ownLeft, place), continued(ownRight, right, at[before] - place)];
    whose.splice(0, ownRight.length, ...ownRight.map(() => i));
    at.push(place);
  });
  let [shift, share] = [0, 0];
  for (let i = at.length - 1; i >= 0; i--) {
    at[i] += shift;
    share += shares[i];
    shift += pushed[i] + share;
  }
  const middle = at[at.length - 1] / 2;
  const [first, last] = [[left[0][0], -middle], [right[0][0], middle]];
  return { at: at.map((place) => place - middle), left: [first, ...left.slice(1)], right: [last, ...right.slice(1)] };
}

// `upper`, and where it ends the rest of `lower`, whose top is `apart` from its own.
function continued(upper, lower, apart) {
  const end = upper.length;
  if (lower.length <= end) return upper;
  const reach = (contour) => contour.slice(1, end + 1).reduce((sum, [, step]) => sum + step, 0);
  return [...upper, [lower[end][0], apart + reach(lower) - reach(upper)], ...lower.slice(end + 1)];
}

// What is drawn after step k, in the order of the tree: key -> { i, depth, children (keys) }, or { parent, folded, depth }
// of a stub, whose key is its parent's with "+". Folded, as in layout.py: children that came to nothing, but for the `few`
// best ones, and of many others the worst; yet none that `near` has, and none below a node that the reader `opened`.
function grown(story, k, few, near, opened = new Set()) {
  const [found, path] = [new Map(), story.path(k)];
  const states = story.nodes.map((_, i) => story.at(i, k));
  const present = story.children.map((all) => all.filter((i) => states[i]));
  const value = (i) => (isNumber(states[i].value) ? Math.round(states[i].value * 1e9) : 0);
  const least = few ? 1 : 0; // a stub for one node would be as tall as the node: only where there is no room at all
  const beyond = (all, limit) => {
    if (all.length <= limit + least) return [];
    const ranked = all.slice().sort((a, b) => path.has(b) - path.has(a) || value(b) - value(a) || a - b);
    return ranked.slice(limit).filter((i) => !path.has(i) && !near.has(i));
  };
  const nothing = (i) => MINOR.includes(states[i].status) && !path.has(i) && !present[i].length;
  for (const stack = [["0", { i: 0, depth: 0 }]]; stack.length; ) {
    const [key, box] = stack.pop();
    const children = box.folded ? [] : present[box.i];
    const folds = few < Infinity && !opened.has(box.i);
    const hidden = folds ? [...beyond(children.filter(nothing), few), ...beyond(children.filter((i) => !nothing(i)), MANY)] : [];
    const away = new Set(hidden.length > least ? hidden : []);
    const depth = box.depth + 1;
    const below = children.filter((i) => !away.has(i)).map((i) => [String(i), { i, depth }]);
    if (away.size) below.push([`${key}+`, { parent: box.i, depth, folded: children.filter((i) => away.has(i)) }]);
    found.set(key, Object.assign(box, { children: below.map(([key]) => key) }));
    stack.push(...below.reverse());
  }
  return found;
}

// How many lines a text takes in this width, by the widths of its own letters.
const pen = document.createElement("canvas").getContext("2d");
function rows(text, width, font) {
  pen.font = font;
  let [lines, at] = [1, 0];
  for (const word of text.split(" ")) {
    const long = pen.measureText(word).width;
    if (at && at + long > width) [lines, at] = [lines + 1, 0];
    if (long > width) lines += Math.floor(long / width);
    at += (long % width) + pen.measureText(" ").width;
  }
  return lines;
}

// Boxes with places: { x (left), y (middle), w, h } each; and width, height, and how the boxes are written.
// `view` is "tree"; "outline", as narrow as a phone; or "map", all of it in `room`.
function arrange(story, k, { view, room, few, near, opened }) {
  const boxes = grown(story, k, few, near, opened);
  const levels = 1 + Math.max(...[...boxes.values()].map((box) => box.depth));
  if (view === "outline" && k > 0) return outline(boxes, levels, room);
  pen.font = `12px ${room.font}`;
  const first = k > 0 && levels > 1 ? pen.measureText(story.shown(0, k)).width + 20 : Infinity; // the problem may be short
  const share = (gap) => {
    const all = room.width - 2 * MARGIN - (levels - 1) * gap;
    return first < all / levels ? (all - first) / (levels - 1) : all / levels;
  };
  const map = view === "map";
  let gap = map ? Math.min(18, (0.3 * room.width) / levels) : share(30) > 120 ? 30 : 16;
  let w = Math.min(share(gap), LOOK.most);
  const clipped = !map && w < LOOK.least;
  if (clipped) [gap, w] = [22, 128]; // the tree scrolls in any case, so its boxes may as well be legible
  const path = story.path(k);
  // low boxes only where there is no room for others: first of what came to nothing, then of all but the path
  const low = [
    () => false,
    (box) => !box.children.length && !path.has(box.i) && ["dropped", "new", "valued"].includes(story.at(box.i, k).status),
    (box) => !path.has(box.i),
  ];
  const parent = (box) => (box.folded ? box.parent : story.nodes[box.i].parent);
  const apart = (a, b) => (parent(boxes.get(a)) === parent(boxes.get(b)) ? 5 : 9);
  const high = room.height - 2 * MARGIN;
  const font = (bold, size) => `${bold ? 600 : 400} ${size}px ${room.font}`;
  // as many lines as the thought needs, and below it the marks with what became of it
  const tall = (box) => {
    if (map || box.folded) return 18;
    const [state, bold] = [story.at(box.i, k), path.has(box.i) && box.i > 0];
    const marks = LOOK.mark * state.marks.length + (box.low && /^[✓✗✕]/.test(story.outcome(box.i, state)) ? 16 : 0);
    const lines = (text, width, font) => Math.min(rows(text, width, font), LOOK.rows);
    if (box.low) return 8 + 15 * lines(story.shown(box.i, k), w - 19 - marks, font(false, 11));
    const [label, foot] = [lines(story.shown(box.i, k), w - 19, font(bold, 12)), `${story.facts(state)} ${story.outcome(box.i, state)}`];
    const below = foot.trim() || marks ? 1 + (rows(foot, w - 30 - marks, font(false, 11)) > 1) : 0;
    return 8 + 17 * (label + below) + 3 * !!below;
  };
  let [width, height] = [0, Infinity];
  for (const lower of boxes.size < 100 ? low : low.slice(1, 2)) {
    if (height <= high) break;
    for (const box of boxes.values()) {
      box.low = !!box.folded || lower(box);
      const wide = Math.min(first, w);
      Object.assign(box, { x: box.depth && wide + gap + (box.depth - 1) * (w + gap), w: box.depth ? w : wide, h: tall(box) });
    }
    if (k === 0) Object.assign(boxes.get("0"), beginning(story, room));
    const y = tidy("0", (key) => boxes.get(key).children, (key) => boxes.get(key).h, apart);
    [width, height] = [0, 0];
    for (const [key, box] of boxes) {
      box.y = y.get(key);
      [width, height] = [Math.max(width, box.x + box.w), Math.max(height, box.y + box.h / 2)];
    }
  }
  if (!map || k === 0 || height <= high) return { boxes, levels, width, height, clipped, view: "tree" };
  const less = high / height;
  for (const box of boxes.values()) Object.assign(box, { y: box.y * less, h: Math.max(3, box.h * less - 1) });
  return { boxes, levels, width, height: high, clipped: false, view: "map" };
}

// The problem before the search: the whole question, line by line, as large as it needs to be; where it scrolls, whole lines.
function beginning(story, room) {
  const w = Math.min(room.width - 2 * MARGIN, 460);
  const lines = story.question().split("\n");
  const rows = lines.reduce((sum, each) => sum + Math.max(1, Math.ceil((each.length * 7.4) / (w - 40))), 0);
  return { w, h: 28 + 21 * Math.min(rows, 9) };
}

// One line below the other, each a little to the right of its parent.
function outline(boxes, levels, room) {
  const wide = room.width - 2 * MARGIN;
  const indent = Math.min(16, (0.35 * wide) / levels);
  let height = -4;
  for (const [key, box] of boxes) {
    const h = room.dense ? (box.folded ? 18 : 28) : 42; // of a finger, where it can be opened
    Object.assign(box, { x: box.depth * indent, y: height + 4 + h / 2, w: wide - box.depth * indent, h, low: key !== "0" });
    height += 4 + h;
  }
  return { boxes, levels, width: wide, height, clipped: false, view: "outline" };
}
