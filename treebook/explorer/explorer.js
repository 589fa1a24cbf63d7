// The explorer: controls, keys and pace. See data.py for the data, page.py for the page around it.
// Whatever comes from the data reaches the page as text (textContent, append), never as HTML.
const NARROW = 560; // pixels: below, the tree and the details are two views, one at a time

class Explorer {
  constructor(root) {
    this.root = root;
    this.story = new Story(JSON.parse(root.querySelector('script[type="application/json"]').textContent));
    const { step, node, bare, play } = this.story.start; // where the page wants to begin
    const { steps } = this.story;
    this.first = bare ? Math.max(steps.findIndex(({ kind }) => kind === "expanded"), 0) : 0; // a film has no empty frame
    this.beats = steps.slice(this.first).filter(({ kind }) => kind !== "asked").length;
    this.step = step || this.first;
    this.timer = 0;
    this.tree = new Tree(this.story, (key) => this.select(key));
    this.panel = new Panel(this.story, (i) => this.choose(i));
    root.querySelector(".tot-x-app")?.remove(); // of a page that was saved with it
    root.querySelector(".tot-x-still").before(bare ? this.bare() : this.build());
    root.classList.toggle("tot-x-bare", !!bare);
    if (node !== undefined) this.tree.chosen = this.tree.active = String(node);
    this.fit();
    this.go(this.step, "jump");
    if (node !== undefined) this.reveal(node);
    if (!bare) root.addEventListener("keydown", (event) => this.key(event));
    if (play) this.perform();
    if (document.readyState !== "loading") this.told();
    else addEventListener("DOMContentLoaded", () => this.told()); // the words stand below the script
    if (window.ResizeObserver) {
      let width = this.tree.pane.clientWidth;
      new ResizeObserver(() => {
        const resized = this.tree.pane.clientWidth !== width;
        width = this.tree.pane.clientWidth; // 0: it is hidden
        if (!width) return;
        if (resized) this.fit();
        if (resized || this.tree.view === "map") this.tree.show(this.step, "jump");
        else this.tree.draw();
      }).observe(this.tree.pane);
    }
  }

  button(text, label, click, name) {
    return make("button", { type: "button", "aria-label": label, title: label, class: name, click }, text);
  }

  choice(label, options, change) {
    const select = make("select", { change }, options.map(([value, text]) => make("option", { value }, text)));
    return [make("label", null, `${label} `, select), select];
  }

  // Only the tree, a button, and a line about the step.
  bare() {
    this.player = this.button("", "", () => this.play(), "tot-x-play");
    this.said = make("p", { class: "tot-x-said" });
    return make(
      "div",
      { class: "tot-x-app", role: "group", "aria-label": this.story.start.about },
      make("div", { class: "tot-x-stage" }, this.tree.pane),
      make("div", { class: "tot-x-bar-of-controls" }, this.player, this.said),
    );
  }

  build() {
    const { story, tree } = this;
    const [what, how] = story.caption;
    this.slider = make("input", { type: "range", min: 0, max: story.last, "aria-label": "Step", autocomplete: "off" });
    this.slider.addEventListener("input", () => (this.play(false), this.go(+this.slider.value)));
    this.player = this.button("", "", () => this.play(), "tot-x-play");
    this.begin = this.button("▶ Play the search", "Play the search from its start", () => this.play(), "tot-x-begin");
    const kinds = new Map();
    for (const step of story.steps) kinds.set(step.kind, (kinds.get(step.kind) || 0) + 1);
    const stops = [...kinds].filter(([kind]) => kind !== "start" && kind !== "finished");
    const named = stops.map(([kind, n]) => [kind, `${story.words.kinds[kind] || kind} (${n})`]);
    const [stop, stopping] = this.choice("Stop at", [["", "every step"], ...named]);
    this.stopping = stopping;
    const views = [["tree", "tree"], ["outline", "outline"], ["map", "all of it"]];
    const [view, viewing] = this.choice("View", views, () => {
      this.wanted = tree.view = viewing.value;
      tree.show(this.step);
    });
    this.viewing = viewing;
    const fold = () => ((tree.folded = this.folding.checked), tree.opened.clear(), this.fit(), tree.show(this.step));
    this.folding = make("input", { type: "checkbox", change: fold });
    const foldable = [...grown(story, story.last, 1, new Set()).values()].some((box) => box.folded);
    this.said = make("p", { class: "tot-x-said", role: "status", "aria-live": "polite" });
    this.billed = make("p", { class: "tot-x-quiet tot-x-bill" });
    this.open = make("ol", { "aria-label": story.frontier.title });
    this.opened = make("p", { class: "tot-x-head" });
    const controls = [
      this.player,
      this.button("|◀", "To the start (Home)", () => (this.play(false), this.go(0))),
      this.button("◀", "Step back (left arrow)", () => (this.play(false), this.turn(-1))),
      this.button("▶", "Step forward (right arrow)", () => (this.play(false), this.turn(1))),
      this.button("▶|", "To the end (End)", () => (this.play(false), this.go(story.last))),
    ];
    const keys = "Keys: ← → step, Home and End, space plays; in the tree ↑ ↓ move, Enter opens, Esc comes back.";
    const folding = foldable ? make("label", null, this.folding, " fold what came to nothing") : "";
    const options = make("div", { class: "tot-x-bar-of-controls" }, stop, view, folding);
    this.tabs = ["Tree", "Details"].map((name, n) =>
      make("button", { type: "button", class: "tot-x-tab", click: () => this.turn_to(n) }, name),
    );
    this.views = make(
      "div",
      { class: "tot-x-views" },
      make("div", { class: "tot-x-stage" }, tree.pane, this.begin),
      make("div", { class: "tot-x-side" }, make("section", { class: "tot-x-open" }, this.opened, this.open), this.panel.element),
    );
    this.turn_to(0);
    return make(
      "div",
      { class: "tot-x-app", role: "group", "aria-label": "Search explorer" },
      make("p", { class: "tot-x-title" }, cut(what, 140)),
      story.notice ? make("p", { class: "tot-x-quiet" }, story.notice) : "",
      make("p", { class: "tot-x-quiet" }, how),
      make("div", { class: "tot-x-bar-of-controls" }, make("span", { class: "tot-x-buttons" }, controls), this.slider),
      this.said,
      make("div", { class: "tot-x-tabs" }, this.tabs),
      this.views,
      this.billed,
      make(
        "details",
        { class: "tot-x-options" },
        make("summary", null, "Options and keys"),
        options,
        make("p", { class: "tot-x-quiet tot-x-keys" }, keys),
      ),
    );
  }

  // What depends on how wide the explorer is: how many views, which one, and how high. Where it is hidden, not yet.
  fit() {
    const { tree, story, root } = this;
    const width = root.clientWidth;
    if (!width) return;
    root.classList.toggle("tot-x-narrow", width < NARROW);
    const { ended } = story.start;
    const before = ended === false ? tree.pane.clientHeight : 0; // of a search that still runs it never shrinks
    tree.pane.style.height = `${story.start.height}px`;
    tree.view = this.wanted || "tree";
    if (!this.wanted && width < NARROW && tree.arranged(story.last).clipped) tree.view = "outline";
    const screen = root.closest(".tot-slowly") && width < NARROW ? 0.4 * innerHeight : Infinity; // its words need the rest
    const height = Math.min(tree.view === "outline" ? Math.min(1.5 * story.start.height, 0.8 * innerHeight) : story.start.height, screen);
    tree.pane.style.height = `${height}px`;
    if (this.viewing) this.viewing.value = tree.view;
    let needs = 0;
    for (tree.few of tree.folded == null ? [Infinity, 1, 0] : tree.folded ? [1, 0] : [Infinity]) {
      needs = tree.arranged(story.last).height + 2 * MARGIN + 2;
      if (needs <= height) break;
    }
    if (this.folding) this.folding.checked = tree.few < Infinity;
    const least = Math.max(180, beginning(story, tree.room).h + 100, before);
    tree.pane.style.height = `${Math.round(Math.min(Math.max(needs, least), height))}px`; // of the end: nothing moves on the way
  }

  // On a narrow page: the tree (0), or the details (1).
  turn_to(n) {
    if (!this.tabs) return;
    this.views.classList.toggle("tot-x-second", n === 1);
    this.tabs.forEach((tab, i) => tab.setAttribute("aria-pressed", i === n));
  }

  go(step, how = "move") {
    const { story, tree } = this;
    this.step = Math.min(Math.max(step, 0), story.last);
    tree.show(this.step, how);
    const said = story.say(this.step);
    this.named();
    const { calls, tokens, round } = story.bill[this.step];
    const bill = `So far: ${count(calls, "request")} in ${count(round, "round")}, ${count(tokens, "token")}.`;
    if (story.start.bare) return (this.said.textContent = `${said} ${bill}`);
    this.begin.hidden = this.step > 0;
    this.slider.value = this.step;
    this.said.textContent = `Step ${this.step} of ${story.last}. ${said}`;
    this.slider.setAttribute("aria-valuetext", this.said.textContent);
    this.billed.textContent = bill;
    this.list();
    this.panel.show(tree.chosen, this.about(), this.step);
  }

  list() {
    const open = this.story.open(this.step);
    const most = 8;
    this.opened.textContent = `${this.story.frontier.title}: ${open.length}`;
    const rows = open.slice(0, most).map(([i, state]) => {
      const { order } = this.story.frontier;
      const value = order in state && state[order] != null ? `${order} ${number(state[order])}` : "";
      return make("li", null, this.panel.button(i, this.story.names[i]), value && make("span", null, ` ${value}`));
    });
    if (open.length > most) rows.push(make("li", { class: "tot-x-quiet" }, `and ${open.length - most} more`));
    this.open.replaceChildren(...rows);
  }

  // What the details are about.
  about() {
    const key = this.tree.chosen;
    return key === "" ? null : { i: +key };
  }

  select(key) {
    if (this.story.start.bare) return;
    const { tree } = this;
    const box = tree.now.boxes.get(key);
    if (box?.folded) {
      tree.opened.add(box.parent);
      tree.active = String(box.folded[0]);
      tree.show(this.step, "stay");
      return tree.focus(tree.active);
    }
    tree.chosen = tree.active = key;
    tree.draw();
    this.panel.show(key, this.about(), this.step);
    this.turn_to(1);
  }

  choose(i) {
    this.tree.chosen = String(i);
    this.reveal(i);
    this.panel.show(String(i), this.about(), this.step);
    this.turn_to(1);
    this.panel.element.focus();
  }

  // Bring node i into sight, out of the fold that it may be in.
  reveal(i) {
    const { tree } = this;
    tree.show(this.step, "stay");
    if (!this.story.at(i, this.step)) return;
    tree.active = tree.key(i);
    tree.follow([tree.active, ...tree.matters().map((j) => tree.key(j))]);
    tree.draw();
  }

  turn(by) {
    const { story, stopping } = this;
    let to = this.step + by;
    const passes = (step) => (stopping?.value ? step.kind !== stopping.value : story.start.bare && step.kind === "asked");
    while (to > 0 && to < story.last && passes(story.steps[to])) to += by;
    this.go(to);
  }

  play(on = !this.timer) {
    clearTimeout(this.timer);
    this.timer = 0;
    if (on) {
      if (this.step === this.story.last) this.go(this.first);
      this.timer = setTimeout(() => this.beat(), this.step ? this.pace() : 400);
    }
    this.named();
  }

  beat() {
    this.turn(1);
    this.play(this.step < this.story.last && this.root.isConnected);
  }

  // How long a step is shown: as long as it takes to read, shorter if all that happened is that something was asked. A film
  // is over in eight seconds.
  pace() {
    if (this.story.start.bare) return 8000 / this.beats;
    const { kind } = this.story.steps[this.step];
    return kind === "asked" ? 800 : Math.min(3200, 1100 + 14 * this.said.textContent.length);
  }

  named() {
    const ended = this.step === this.story.last;
    this.player.textContent = this.timer ? "❚❚ Pause" : ended ? "↻ Again" : "▶ Play";
    this.player.setAttribute("aria-label", this.timer ? "Pause (space)" : "Play the search (space)");
  }

  // Paragraphs beside it, each of a step: the one in the middle of the screen says which is shown.
  told() {
    const paragraphs = this.root.closest(".tot-slowly")?.querySelectorAll("[data-step]") ?? [];
    if (!paragraphs.length || !window.IntersectionObserver) return;
    const middle = { rootMargin: "-48% 0px -48% 0px" };
    const observer = new IntersectionObserver((entries) => {
      const there = entries.find((entry) => entry.isIntersecting)?.target;
      if (!there) return;
      for (const paragraph of paragraphs) paragraph.classList.toggle("tot-x-told", paragraph === there);
      this.play(false);
      this.go(+there.dataset.step);
    }, middle);
    for (const paragraph of paragraphs) observer.observe(paragraph);
  }

  // Play once, by itself, while it is in view and the pointer is elsewhere; for those who want no motion: the end.
  perform() {
    if (calm() || !window.IntersectionObserver) return this.go(this.story.last, "jump");
    let [visible, away, done] = [false, true, false];
    const turn = () => {
      const wanted = visible && away;
      if (done || wanted === !!this.timer) return;
      done = wanted && this.step === this.story.last; // once
      if (!done) this.play(wanted);
    };
    const pointer = (there) => ((away = !there), turn());
    new IntersectionObserver(([entry]) => ((visible = entry.isIntersecting), turn()), { threshold: 0.6 }).observe(this.root);
    for (const [name, there] of [["mouseenter", true], ["mouseleave", false], ["focusin", true], ["focusout", false]]) {
      this.root.addEventListener(name, () => pointer(there));
    }
    this.player.addEventListener("click", () => (done = true)); // from now on the reader decides
  }

  key(event) {
    const { target } = event;
    const range = target.type === "range";
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || target.matches("select")) return;
    const item = target.closest('[role="treeitem"]');
    const step = (act) => () => (this.play(false), act());
    const act = {
      ArrowLeft: step(() => this.turn(-1)),
      ArrowRight: step(() => this.turn(1)),
      Home: step(() => this.go(0)),
      End: step(() => this.go(this.story.last)),
      " ": target.closest("button,summary,input") && !range ? null : () => this.play(),
      ArrowUp: item && (() => this.tree.walk(-1)),
      ArrowDown: item && (() => this.tree.walk(1)),
      Enter: item && (() => (this.select(item.dataset.key), this.panel.element.focus())),
      Escape: this.panel.element.contains(target) && (() => (this.turn_to(0), this.tree.focus(this.tree.active))),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation(); // the page around may have its own use for arrow keys
    act();
  }
}

function start() {
  for (const root of document.querySelectorAll(".tot-explorer")) {
    if (root.totExplorer || !root.querySelector('script[type="application/json"]')) continue;
    root.totExplorer = "broken"; // one that fails is not tried again by the next one's script
    root.totExplorer = new Explorer(root);
  }
}
start();
// A page may keep this script once for all of its explorers: those below it are there when the page is.
if (document.readyState === "loading") addEventListener("DOMContentLoaded", start);
