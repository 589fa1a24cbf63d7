"""What a reader in the back row would complain about: measured in a browser, slide by slide."""

LEAST = {"text": 24, "code or table": 18, "picture": 13}  # pixels on a stage of 1280 by 720

# Font sizes are multiplied by every zoom above them; letters of an SVG also by the scale of the picture.
MEASURE = """(least) => {
  const faults = [], slide = Reveal.getCurrentSlide(), scale = Reveal.getScale();
  const stage = slide.getBoundingClientRect();
  const say = (what) => faults.includes(what) || faults.push(what);
  for (const piece of slide.querySelectorAll(":scope > .piece")) {
    const box = piece.getBoundingClientRect();
    const low = (box.bottom - stage.bottom) / scale + 20; // the line at the bottom of the stage is below it
    if (low > 0) say(`too tall by ${Math.round(low)} px`);
    if (box.right > stage.right + 1) say(`too wide by ${Math.round((box.right - stage.right) / scale)} px`);
  }
  for (const box of slide.querySelectorAll(".piece, pre, .tot-scroll, .tot-table, .tot-shows, .tot-picture"))
    if (box.scrollWidth > box.clientWidth + 1) say(`a ${box.className || box.tagName} is cut off at the right`);
  const walker = document.createTreeWalker(slide, NodeFilter.SHOW_TEXT);
  const sizes = {};
  for (let node; (node = walker.nextNode()); ) {
    const of = node.parentElement;
    const unseen = "aside, style, title, desc, script, details:not([open])";
    if (!node.textContent.trim() || !of.checkVisibility() || of.closest(unseen)) continue;
    const picture = of.closest("svg");
    if (picture && of.closest(".tot-formula, .tot-letters")) continue;
    let size = parseFloat(getComputedStyle(of).fontSize);
    if (picture) {
      const matrix = of.getScreenCTM();
      size *= Math.hypot(matrix.a, matrix.b) / scale;
    } else for (let up = of; up; up = up.parentElement) size *= parseFloat(getComputedStyle(up).zoom) || 1;
    const kind = picture || of.closest(".tot-explorer, .tot-frames") ? "picture"
      : of.closest("pre, code, table, .jp-OutputArea-output") ? "code or table" : "text";
    if (!(kind in sizes) || size < sizes[kind][0]) sizes[kind] = [size, node.textContent.trim().slice(0, 40)];
  }
  for (const [kind, [size, words]] of Object.entries(sizes))
    if (size < least[kind] - 0.2) say(`${kind} of ${size.toFixed(1)} px: ${words}`);
  for (const picture of slide.querySelectorAll("img, svg[role=img]")) {
    const named = picture.getAttribute("alt") || picture.getAttribute("aria-label");
    if (!named && !picture.querySelector("title")?.textContent) say("a picture without words");
  }
  return faults;
}"""


def faults(page):
    """What is wrong with the deck that is open in this page: (number of the slide, from 1, and a sentence)."""
    found = []
    for number in range(page.evaluate("Reveal.getTotalSlides()")):
        page.evaluate(f"Reveal.slide({number})")
        found += [(number + 1, fault) for fault in page.evaluate(MEASURE, LEAST)]
    return found
