// What a style sheet cannot do on paper: open folds (for some browsers), and put answers and the code that
// steps back on the last pages.
{
  let undo = [];
  const moved = (node, to) => {
    const place = document.createComment("");
    node.replaceWith(place);
    to.append(node);
    undo.push(() => place.replaceWith(node));
  };
  addEventListener("beforeprint", () => {
    const look = document.documentElement.dataset;
    const { theme } = look;
    look.theme = "light"; // paper is
    undo.push(() => (look.theme = theme));
    const folds = ":is(.tot-fold, .tot-mark, .tot-discussed, .tot-reveal, :not([class])):not([open])";
    for (const fold of document.querySelectorAll(`.bd-article details${folds}`)) {
      fold.open = true;
      undo.push(() => (fold.open = false));
    }
    const chapter = (css, title) => {
      const made = document.createElement("section");
      made.className = css;
      made.innerHTML = `<h2>${title}</h2>`;
      undo.push(() => made.remove());
      return made;
    };
    const code = chapter("tot-codes", "Code");
    document.querySelectorAll(".bd-article :is(.tot-code, .tot-imports)").forEach((mark, i) => {
      const number = document.createElement("small");
      number.className = "tot-code-number";
      number.textContent = `Code ${i + 1}`;
      mark.before(number);
      code.append(number.cloneNode(true));
      moved(mark, code);
      undo.push(() => number.remove());
    });
    const answers = chapter("tot-answers", "Answers");
    for (const box of document.querySelectorAll(".bd-article .tot-predicted")) {
      const answer = answers.appendChild(document.createElement("section"));
      answer.append(box.querySelector("h2, h3").cloneNode(true));
      for (const plot of box.querySelectorAll(".tot-predict > .tot-scroll")) answer.append(plot.cloneNode(true));
      for (const part of box.querySelectorAll(".tot-reveal, .tot-discussed")) moved(part, answer);
    }
    for (const last of [answers, code]) if (last.children.length > 1) document.querySelector(".bd-article").append(last);
  });
  addEventListener("afterprint", () => {
    while (undo.length) undo.pop()();
  });
}
