// Fits each slide's text and outputs to the stage, once, and starts reveal.js. D: light or dark. S: the speaker's view.
(() => {
  const page = document.documentElement;
  const asked = new URLSearchParams(location.search);
  const printed = asked.has("print-pdf") || asked.get("view") === "print";
  const remembered = () => {
    try {
      return localStorage.getItem("tot-slides-theme");
    } catch {
      return null; // a page that was opened from a file may have no memory
    }
  };
  page.dataset.theme = printed ? "light" : asked.get("theme") || remembered() || "light";
  const other = () => {
    page.dataset.theme = page.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("tot-slides-theme", page.dataset.theme);
    } catch {
      // then the next page begins light
    }
  };

  const sideways = (slide) =>
    [slide, ...slide.querySelectorAll(".piece, pre, .tot-scroll, .tot-table, .tot-shows, .tot-said, .tot-columns")].some(
      (box) => box.scrollWidth > box.clientWidth + 1 && !box.closest("details:not([open])") // which is not drawn
    );
  const fits = (slide) => {
    const bottom = slide.getBoundingClientRect().bottom - parseFloat(getComputedStyle(slide).paddingBottom);
    const low = [...slide.querySelectorAll(":scope > .piece")].every((p) => p.getBoundingClientRect().bottom <= bottom + 1);
    return low && !sideways(slide);
  };
  // The largest text first; with it the largest zoom of outputs. Text gives way only where outputs would be too small.
  const fit = (slide) => {
    const outputs = slide.querySelector(".jp-OutputArea-output, .jp-InputArea-editor");
    const enough = outputs ? (slide.querySelector('.piece-ask') ? 1.8 : 1.42) : 1;
    for (const text of outputs ? [30, 28, 26, 24] : [38, 36, 34, 32, 30, 28, 26, 24]) {
      slide.style.setProperty("--text", `${text}px`);
      let least = 0.5, most = outputs ? 2.4 : 1, zoom = least;
      for (let step = 0; step < 9; step++) {
        const tried = step ? (least + most) / 2 : most;
        slide.style.setProperty("--zoom", tried);
        if (fits(slide)) {
          zoom = least = tried;
          if (!step) break;
        } else most = tried;
      }
      slide.style.setProperty("--zoom", zoom);
      if (zoom >= enough && fits(slide)) return;
    }
  };
  const slides = document.querySelector(".slides");
  slides.classList.add("measured");
  slides.querySelectorAll(":scope > section:not([data-layout=title])").forEach(fit);
  slides.classList.remove("measured");

  // Paper cannot play a search: it has the end of it.
  const ended = () => slides.querySelectorAll(".tot-x-buttons button:last-child").forEach((button) => button.click());
  if (printed) Reveal.on("pdf-ready", ended);
  Reveal.initialize({
    width: 1280,
    height: 720,
    margin: 0,
    center: false,
    display: "flex",
    hash: true,
    slideNumber: "c/t",
    transition: "none",
    defaultTiming: 120,
    pdfMaxPagesPerSlide: 1,
    showNotes: printed && asked.has("notes") ? "separate-page" : false,
    keyboardCondition: () => !document.activeElement?.closest(".jp-OutputArea-output"), // an output in use has the keys
    keyboard: { 68: other },
    plugins: printed ? [] : [RevealNotes], // where the address has `notes`, it opens the speaker's window
  });
})();
