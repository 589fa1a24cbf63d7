// Opens the folds of a chapter while it is printed, for browsers whose style sheets cannot (see css/print.css).
{
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll(".bd-article details.tot-fold:not([open]), .bd-article details:not([class]):not([open])")];
    opened.forEach((fold) => (fold.open = true));
  });
  addEventListener("afterprint", () => {
    opened.forEach((fold) => (fold.open = false));
    opened = [];
  });
}
