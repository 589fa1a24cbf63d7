// Tables that are wider than the paper: smaller letters, step by step; in the end words that break anywhere.
// Returns the letters that no font here can draw: they would be empty places.
() => {
  for (const table of document.querySelectorAll(".bd-article table")) {
    const wide = () => table.getBoundingClientRect().width > table.parentElement.getBoundingClientRect().width + 1;
    for (const size of [8.5, 7.5, 6.8]) {
      if (wide()) table.style.setProperty("font-size", `${size}pt`, "important");
    }
    if (wide()) table.classList.add("tight");
  }
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  pen.font = '16px "Book", serif';
  const drawn = (letter) => {
    pen.clearRect(0, 0, 30, 30);
    pen.fillText(letter, 5, 20);
    return pen.getImageData(0, 0, 30, 30).data.join();
  };
  const none = drawn("\u{10ffff}"); // is no letter
  return [...new Set(document.body.innerText)].filter((c) => c > "\x7f" && c.trim() && drawn(c) === none).join("");
}
