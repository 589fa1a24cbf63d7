// What a style sheet cannot do on paper: open folds (for some browsers), and put answers on the last page.
{
  let undo = [];
  const moved = (node, to) => {
    const place = document.createComment("");
    node.replaceWith(place);
    to.append(node);
    undo.push(() => place.replaceWith(node));
  };
  addEventListener("beforeprint", () => {
    const folds = ":is(.tot-fold, .tot-mark, .tot-discussed, .tot-reveal, :not([class])):not([open])";
    for (const fold of document.querySelectorAll(`.bd-article details${folds}`)) {
      fold.open = true;
      undo.push(() => (fold.open = false));
    }
    const last = document.createElement("section");
    last.className = "tot-answers";
    last.innerHTML = "<h2>Answers</h2>";
    for (const box of document.querySelectorAll(".bd-article .tot-predicted")) {
      const answer = last.appendChild(document.createElement("section"));
      answer.append(box.querySelector("h2, h3").cloneNode(true));
      for (const plot of box.querySelectorAll(".tot-predict > .tot-scroll")) answer.append(plot.cloneNode(true));
      for (const part of box.querySelectorAll(".tot-reveal, .tot-discussed")) moved(part, answer);
    }
    if (last.children.length > 1) document.querySelector(".bd-article").append(last);
    undo.push(() => last.remove());
  });
  addEventListener("afterprint", () => {
    while (undo.length) undo.pop()();
  });
}
