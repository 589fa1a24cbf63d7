// The page of a blind comparison: one pair after the other, each judgement kept in this browser as it comes.
// Passages reach the page as text (textContent), never as HTML.
for (const root of document.querySelectorAll(".tot-blind:not([data-ready])")) {
  root.dataset.ready = "";
  const given = JSON.parse(root.querySelector('script[type="application/json"]').textContent);
  const place = root.querySelector(".tot-blind-place");
  const text = Object.fromEntries(given.passages);
  let kept = { reader: "", order: [], said: [] };
  let safe = true;
  const load = () => {  // another tab may have gone on
    try {
      if (safe) kept = JSON.parse(localStorage.getItem(given.key)) || kept;
    } catch {
      safe = false;
    }
  };

  const make = (tag, about, ...inside) => {
    const element = Object.assign(document.createElement(tag), about);
    element.append(...inside);
    return element;
  };
  const button = (label, onclick) => make("button", { type: "button", textContent: label, onclick });
  const keep = () => {
    try {
      localStorage.setItem(given.key, JSON.stringify(kept));
    } catch {
      safe = false;
    }
    show();
  };
  const here = (change) => {  // a press changes what its tab shows; a tab left behind only catches up
    const seen = JSON.stringify(kept);
    return () => {
      load();
      if (JSON.stringify(kept) === seen) change();
      keep();
    };
  };
  const shuffled = (list) => {
    const left = [...list];
    return list.map(() => left.splice(Math.floor(Math.random() * left.length), 1)[0]);
  };

  const save = () => {
    load();
    const lines = kept.said.map((one) => `${JSON.stringify(one)}\n`).join("");
    const href = URL.createObjectURL(new Blob([lines], { type: "application/jsonl" }));
    const reader = kept.reader.replace(/[^\p{L}\p{M}\p{N}_-]+/gu, "_");
    const name = kept.id ? `${reader}-${kept.id}` : reader; // two may have invented one name
    make("a", { href, download: `judgements-${name}.jsonl` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  };

  const begin = () => {
    const field = make("input", { maxLength: 40, autocomplete: "off" });
    const start = () => {
      const reader = field.value.trim() || `reader ${Math.floor(1e6 * Math.random())}`;
      load();
      const id = Math.random().toString(36).slice(2, 7);
      if (!kept.reader) kept = { reader, id, order: shuffled(given.pairs).map(shuffled), said: [] };
      keep();
    };
    const label = make("label", {}, "A name that only you know ", field);
    place.append(make("div", { className: "tot-row" }, label, button("Begin", start)));
  };

  const judge = () => {
    const shown = kept.order[kept.said.length];
    const say = (better) => here(() => kept.said.push({ reader: kept.reader, shown, better }));
    const box = (letter, mark) =>
      make("section", {}, make("h4", { textContent: letter }), make("div", { textContent: text[mark] }));
    place.append(make("div", { className: "tot-two" }, box("A", shown[0]), box("B", shown[1])));
    const says = [["A", shown[0]], ["Both are alike", ""], ["B", shown[1]]];
    const buttons = says.map(([label, better]) => Object.assign(button(label, say(better)), { disabled: true }));
    setTimeout(() => buttons.forEach((one) => { one.disabled = false; }), 400); // a double click is for one pair
    place.append(make("div", { className: "tot-row" }, ...buttons));
  };

  function show() {
    place.replaceChildren();
    if (!kept.reader) {
      begin();
      return;
    }
    if (kept.said.length < kept.order.length) judge();
    else place.append(make("p", { textContent: "Thank you, that was the last pair. Save your judgements and hand them in." }));
    const another = () => {
      load();
      show();
      const whose = `${kept.said.length} of ${kept.reader}`;
      if (!kept.reader || !confirm(`Forget the judgements, ${whose}, for another reader? Save them first.`)) return;
      kept = { reader: "", order: [], said: [] };
      keep();
    };
    const back = here(() => kept.said.pop());
    const row = make("div", { className: "tot-row" }, button("Save judgements", save), button("Another reader", another));
    if (kept.said.length) row.prepend(button("Back", back));
    const where = safe ? "kept in this browser" : "not kept: this browser keeps nothing, so save before you leave";
    row.append(make("small", { textContent: `${kept.said.length} of ${kept.order.length} pairs judged, ${where}` }));
    place.append(row);
  }
  load();
  show();
}
