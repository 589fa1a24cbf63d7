// Outputs as parts of the page. Text is text; HTML and SVG are what the package drew, which escapes what models wrote.

import { richest } from "./outputs.js";

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/** HTML whose scripts run, as they do in a page that is loaded. */
function markup(html, classes) {
  const box = element("div", { class: classes });
  box.innerHTML = html;
  for (const script of box.querySelectorAll("script")) {
    const copy = element("script");
    for (const { name, value } of script.attributes) copy.setAttribute(name, value);
    copy.textContent = script.textContent;
    script.replaceWith(copy);
  }
  return box;
}

const words = (text, classes) =>
  element("div", { class: `output ${classes}` }, element("div", { class: "highlight" }, element("pre", {}, text)));

function fault({ ename, evalue, line, traceback }, number) {
  const where = line ? `Line ${line} of cell ${number}: ` : `Cell ${number}: `;
  return element("div", { class: "output tot-live-error" },
    element("p", {}, where, element("strong", {}, evalue ? `${ename}: ${evalue}` : ename)),
    element("details", {}, element("summary", {}, "Traceback"), element("pre", {}, traceback)));
}

const DRAW = {
  "text/html": (text) => markup(text, "output text_html"),
  "image/svg+xml": (text) => markup(text.slice(text.indexOf("<svg")), "output tot-picture tot-scroll"),
  "text/markdown": (text) => words(text, "text_markdown"),
  "text/plain": (text) => words(text, "text_plain"),
};

/** One output of a cell as an element. `number`: of the cell, for its errors. */
export function draw(output, number) {
  if (output.output_type === "stream") return words(output.text, `stream tot-live-${output.name}`);
  if (output.output_type === "error") return fault(output, number);
  const [media, text] = richest(output.data);
  return DRAW[media](text);
}
