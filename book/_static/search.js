/* The search of the book: finds sections that have all words, best first, and shows the sentence with them.
   The text of all sections is in search_sections.js, which is loaded when a search field is first used. */
(() => {
  const MOST = 30;
  const KIND = [1, 0.7, 0.45]; // chapters, appendices, the reference
  const LESSER = /^(Learning objectives|Summary|Further reading|Exercise|Solution)/; // say again what others explain
  const EXPLAINS = 3; // for the chapter that the glossary names for a word
  const IN_CODE = 3; // less for a word that stands in the section's code only
  const root = () => document.documentElement.dataset.content_root || "";

  let loading = null;
  function load() {
    loading ??= new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = root() + "_static/search_sections.js";
      script.onload = () => done(prepare(window.totSections));
      script.onerror = failed;
      document.head.append(script);
    });
    return loading;
  }

  function prepare({ pages, sections }) {
    const whole = pages.map(() => "");
    for (const [page, , title, text] of sections) whole[page] += `${title} ${text} `;
    return sections.map(([page, anchor, title, text, code, chapter]) => {
      const [url, name, kind] = pages[page];
      const weight = KIND[kind] * (LESSER.test(title) ? 0.7 : 1);
      return { page, url, anchor, title, text, code, name, weight, chapter, whole: whole[page] };
    });
  }

  /* A word finds its relatives: "searches" what begins with "search", "policies" also "policy", "backup" also "back-up". */
  function pattern(word) {
    const stem = word.replace(/(ations?|ions?|ing|ies|ied|ed|es|s|y|e)$/, "");
    const letters = [...(stem.length > 3 ? stem : word)].map((sign) => sign.replace(/[.*+?^${}()|[\]\\]/, "\\$&"));
    const before = /^[a-z0-9]/.test(word) ? "(?<![A-Za-z0-9])" : ""; // Chinese words stand without spaces
    return new RegExp(before + letters.join(letters.length > 4 ? "[ _-]?" : "") + "[A-Za-z0-9]*", "gi");
  }
  const count = (text, found) => (text.match(found) || []).length;

  function look(places, asked) {
    const patterns = [...new Set(asked.toLowerCase().split(/\s+/).filter(Boolean))].map(pattern);
    if (!patterns.length) return { hits: [], patterns };
    const pageScores = new Map();
    const pageScore = (place) => { // a page that is about the words, however it spreads them
      if (!pageScores.has(place.page)) {
        const times = patterns.map((p) => Math.log1p(count(place.whole, p)) + 2 * Math.min(1, count(place.name, p)));
        pageScores.set(place.page, times.reduce((a, b) => a + b, 0));
      }
      return pageScores.get(place.page);
    };
    const hits = [];
    for (const place of places) {
      let score = 0, all = true;
      for (const p of patterns) {
        const heading = count(place.title, p), inside = count(place.text, p);
        const code = !heading && !inside && count(place.code, p); // a section that only uses a name comes after the others
        if (!heading && !inside && !code) { all = false; break; }
        score += (heading ? 4 : 0) + Math.log1p(inside) - (code ? IN_CODE : 0);
      }
      if (all) hits.push({ place, score: (score + pageScore(place)) * place.weight });
    }
    const explained = new Set(hits.map((hit) => hit.place.chapter));
    for (const hit of hits) if (explained.has(hit.place.page)) hit.score += EXPLAINS;
    hits.sort((a, b) => b.score - a.score);
    return { hits, patterns };
  }

  /* Text with its words marked, as nodes: nothing of the book is read as HTML. */
  function marked(text, patterns) {
    const all = new RegExp(patterns.map((p) => p.source).join("|"), "gi");
    const parts = document.createDocumentFragment();
    let end = 0;
    for (const found of text.matchAll(all)) {
      const mark = document.createElement("mark");
      mark.textContent = found[0];
      parts.append(text.slice(end, found.index), mark);
      end = found.index + found[0].length;
    }
    parts.append(text.slice(end));
    return parts;
  }

  /* The sentence that has most of the words; a long one is cut around the first of them. */
  function excerpt(text, patterns) {
    const sentences = text.match(/[^.!?]+(?:[.!?](?!\s|$)[^.!?]*)*[.!?]*\s*/g) || [text];
    const has = (s) => patterns.filter((p) => count(s, p)).length;
    const best = sentences.reduce((a, b) => (has(b) > has(a) ? b : a)).trim();
    if (best.length <= 220) return best;
    const first = Math.max(0, best.search(patterns.find((p) => count(best, p)) || /^/));
    const from = first < 140 ? 0 : best.indexOf(" ", first - 90) + 1;
    const to = best.indexOf(" ", from + 210);
    return (from ? "… " : "") + best.slice(from, to < 0 ? undefined : to) + (to < 0 ? "" : " …");
  }

  function entry({ place }, patterns) {
    const item = document.createElement("li"), link = document.createElement("a");
    link.href = `${root()}${place.url}#${place.anchor}`;
    const where = document.createElement("span"), title = document.createElement("b");
    where.className = "tot-found-page";
    where.textContent = place.name;
    title.append(marked(place.title, patterns));
    const said = document.createElement("span");
    said.className = "tot-found-text";
    const names = (place.code || "").split(" ").filter((name) => name && patterns.some((p) => count(name, p)));
    if (names.length && !patterns.every((p) => count(place.text + place.title, p))) {
      const code = document.createElement("code");
      code.append(marked(names.slice(0, 4).join(", "), patterns));
      said.append("In its code: ", code);
    } else said.append(marked(excerpt(place.text, patterns), patterns));
    link.append(where, title, said);
    item.append(link);
    return item;
  }

  function attach(form) {
    const field = form.querySelector("input[type=search]");
    const status = document.createElement("p"), list = document.createElement("ol");
    status.className = "tot-found-status";
    status.setAttribute("role", "status");
    list.className = "tot-found";
    form.after(status, list);

    async function show() {
      const asked = field.value.trim();
      if (asked.length < 2) { status.textContent = ""; list.replaceChildren(); return; }
      let places;
      try { places = await load(); } catch { status.textContent = "The search file could not be loaded."; return; }
      if (asked !== field.value.trim()) return; // typed on while it loaded
      const { hits, patterns } = look(places, asked);
      const pages = new Set(hits.map((hit) => hit.place.page)).size;
      status.textContent = hits.length
        ? `${hits.length} section${hits.length > 1 ? "s" : ""} on ${pages} page${pages > 1 ? "s" : ""}` +
          (hits.length > MOST ? `, the best ${MOST} of them:` : ":")
        : `No section has ${/\s/.test(asked) ? "all these words" : "this word"}.`;
      list.replaceChildren(...hits.slice(0, MOST).map((hit) => entry(hit, patterns)));
    }

    field.addEventListener("focus", () => load().catch(() => {}));
    field.addEventListener("input", show);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      await show();
      list.querySelector("a")?.click();
    });
    const step = (event) => { // arrow keys go from the field through the results and back
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      const stops = [field, ...list.querySelectorAll("a")];
      const at = stops.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
      if (stops[at]) { event.preventDefault(); stops[at].focus(); }
    };
    field.addEventListener("keydown", step);
    list.addEventListener("keydown", step);
    list.addEventListener("click", (event) => { // also where the result is on this page
      if (event.target.closest("a")) form.closest("dialog")?.close();
    });
    return { field, show };
  }

  document.addEventListener("DOMContentLoaded", () => {
    for (const form of document.querySelectorAll("form.bd-search")) {
      const { field, show } = attach(form);
      const asked = new URLSearchParams(location.search).get("q");
      if (!form.closest("dialog") && asked) { field.value = asked; show(); }
    }
  });
})();
