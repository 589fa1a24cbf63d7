// Small means: elements of the page, and texts and numbers as people read them.

// An element. Attributes that are functions become listeners; children that are null or "" are left out.
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value != null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== ""));
  return element;
}

const line = (text) => text.replace(/\s+/g, " ").trim();
const cut = (text, most) => {
  const letters = text.length > most ? [...text] : []; // a letter beyond the first 65,536 is two in text.length
  return letters.length > most ? letters.slice(0, most - 1).join("").trimEnd() + "…" : text;
};
const count = (n, noun, nouns) => `${n.toLocaleString("en")} ${n === 1 ? noun : nouns || noun + "s"}`;
const isNumber = (value) => typeof value === "number";
const number = (v) => (!isNumber(v) ? String(v) : Number.isInteger(v) ? v.toLocaleString("en") : String(+v.toPrecision(4)));
