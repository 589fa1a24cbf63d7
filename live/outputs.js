// Outputs of a cell, in the form in which a notebook stores them.

const VARIES = [[/took \d+(\.\d+)? ?m?s\b/g, "took TIME"], [/0x[0-9a-f]{6,16}/g, "0xADDRESS"]]; // tests/nbval_sanitize.cfg
const RICH = ["text/html", "image/svg+xml", "text/markdown"];

const joined = (text) => (Array.isArray(text) ? text.join("") : text);

/**
 * Takes the outputs of a cell into `outputs`, as they come; writes to one stream are one. A loop without an end must not
 * fill the page, so what is written or displayed is cut somewhere; a cell's value and its error are kept in any case.
 */
export function taking(outputs) {
  const left = { stream: 1e6, display_data: 2000 }; // letters, displays
  return (output) => {
    const { output_type: type, name } = output, written = type === "stream", last = outputs.at(-1);
    if (left[type] <= 0) return;
    if (written) output.text = output.text.slice(0, left[type]);
    const more = written && last?.name === name;
    left[type] -= written ? output.text.length + (more ? 0 : 500) : 1; // 500: two streams in turn are many boxes
    if (more) last.text += output.text;
    else outputs.push(output);
    if (left[type] <= 0) outputs.push({ output_type: "stream", name: "stderr", text: "\n(more is not shown)\n" });
  };
}

/** The richest form of an output that has several: [media type, text]. */
export function richest(data) {
  const media = RICH.find((each) => data[each] !== undefined) ?? "text/plain";
  return [media, joined(data[media] ?? "")];
}

/** Outputs with the writes to one stream joined, as a reader sees them: [kind, text] each. */
export function seen(outputs) {
  const found = [];
  for (const output of outputs) {
    const [kind, text] = output.output_type === "stream" ? [output.name, joined(output.text)]
      : output.data ? richest(output.data) : [output.output_type, output.evalue];
    if (output.output_type === "stream" && found.at(-1)?.[0] === kind) found.at(-1)[1] += text;
    else found.push([kind, text]);
  }
  return found;
}

/** Whether a reader sees the same: what `make test` compares, with the same few things left out. */
export function same(outputs, others) {
  const plain = (each) => JSON.stringify(seen(each).map(([kind, text]) =>
    [kind, VARIES.reduce((done, [from, to]) => done.replace(from, to), text).trimEnd()]));
  return plain(outputs) === plain(others);
}
