// A search that still runs: the page is told what is new (page.py), and the reader keeps the place.
Explorer.prototype.grow = function (data) {
  const { tree, step, timer, story: before } = this;
  const newest = step === before.last && !timer;
  const story = (this.story = tree.story = this.panel.story = new Story(data));
  tree.canvas.setAttribute("aria-label", story.start.about);
  this.slider.max = story.last;
  this.said.setAttribute("aria-live", "off"); // until it has ended: a step may last less than its sentence
  if (story.start.ended) this.ended();
  this.fit();
  this.go(newest ? story.last : Math.min(step, story.last), newest ? "move" : "stay");
};

// It is all there: title, options and text say so. What had the focus keeps it.
Explorer.prototype.ended = function () {
  const { root, tree } = this;
  const places = "button,input,select,summary,[tabindex]";
  const app = root.querySelector(".tot-x-app");
  const active = document.activeElement;
  const at = app.contains(active) ? [...app.querySelectorAll(places)].indexOf(active) : -1;
  const { scrollLeft, scrollTop } = tree.pane;
  const second = this.views.classList.contains("tot-x-second");
  const fresh = this.build();
  app.replaceWith(fresh);
  this.turn_to(second ? 1 : 0);
  tree.pane.scrollTo(scrollLeft, scrollTop);
  root.querySelector(".tot-x-still pre").textContent = this.story.text;
  if (at >= 0) (active.isConnected ? active : fresh.querySelectorAll(places)[at])?.focus({ preventScroll: true });
};
