// Tables that are wider than the paper: smaller letters, step by step; in the end words that break anywhere.
() => {
  for (const table of document.querySelectorAll(".bd-article table")) {
    const wide = () => table.getBoundingClientRect().width > table.parentElement.getBoundingClientRect().width + 1;
    for (const size of [8.5, 7.5, 6.8]) {
      if (wide()) table.style.setProperty("font-size", `${size}pt`, "important");
    }
    if (wide()) table.classList.add("tight");
  }
}
