// The settings of the lab as the part of an address after "#", which no server sees. A link may come from anybody: what
// is not offered is refused, and neither an address nor a key of a model can be in it.

/** The knobs that are not as they usually are. */
function turned(form, offer) {
  const paper = form.knobs.style === "paper";
  return offer.methods[form.method].knobs.filter((knob) => {
    const usual = paper && knob.paper !== null ? knob.paper : knob.default;
    return (form.knobs[knob.name] ?? "") !== (usual ?? "");
  });
}

/** Whether settings of a model may stand in an address: numbers and short words, nothing that could be a key. */
export const open = (settings) =>
  settings.split(/[\s,]+/).filter(Boolean).every((one) => /^(?!\w*(key|secret|pass|auth))\w{1,24}=(-?[\d.]{1,12}|[a-z]{1,12})$/i.test(one));

/** Whether a budget may: limits by name, which a key is not. */
export const plain = (budget) =>
  [...limitsOf(budget)].every(([name, n]) => /^[a-z]{1,8}$/.test(name) && /^[\d.e]{1,12}$/.test(n ?? "0"));

export function toLink(form, offer) {
  const link = new URLSearchParams({ task: form.task });
  if (form.split) {
    link.set("split", form.split);
    link.set("number", form.number + 1);
  } else link.set("problem", form.problem);
  link.set("method", form.method);
  link.set("model", form.model);
  for (const { name } of turned(form, offer)) link.set(`knob.${name}`, form.knobs[name]);
  if (form.settings && open(form.settings)) link.set("settings", form.settings);
  if (plain(form.budget)) link.set("budget", form.budget);
  return link.toString();
}

const own = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined);

function number(text, { kind, least, most }) {
  const value = /^-?\d+(\.\d+)?(e-?\d+)?$/.test(text) ? Number(text) : NaN;
  const fits = Number.isFinite(value) && (kind !== "int" || (Number.isInteger(value) && value <= 1e6));
  return fits && value >= (least ?? -Infinity) && value <= (most ?? Infinity) ? value : undefined;
}

/** A budget's limits, by name: "calls=9, soft" has calls "9", and soft without a number. */
const limitsOf = (text) =>
  new Map(text.split(",").map((part) => part.trim().split(/\s*=\s*/)).filter(([name]) => name));

function valueOf(text, knob, choices) {
  if (choices.length) return choices.includes(text) ? text : undefined;
  if (knob.kind === "bool") return { true: true, false: false }[text];
  if (knob.kind === "int" || knob.kind === "float") return number(text, knob);
  return text.length <= 4000 ? text : undefined;
}

/** The settings of a link, as far as they are offered, and the names of those that were refused. */
export function readLink(text, offer) {
  const given = new Map(new URLSearchParams(text));
  const refused = [];
  const take = (name, fits) => {
    const value = given.get(name);
    given.delete(name);
    if (value !== undefined && !fits(value)) refused.push(name);
    return value !== undefined && fits(value) ? value : undefined;
  };
  const task = take("task", (name) => !!own(offer.tasks, name)) ?? offer.form.task;
  const offered = offer.tasks[task];
  const form = { task };
  const split = take("split", (name) => !!own(offered.splits, name));
  const size = split ? offered.splits[split].problems.length : 0;
  const place = take("number", (at) => number(at, { kind: "int", least: 1, most: size }) !== undefined);
  if (split && place) Object.assign(form, { split, number: place - 1 });
  const problem = take("problem", (x) => x.length <= 4000);
  if (problem !== undefined) form.problem = problem;
  form.method = take("method", (name) => offered.methods.includes(name)) ?? offered.usual;
  const model = take("model", (name) => offer.models.includes(name));
  if (model) form.model = model;
  const settings = take("settings", (x) => x.length <= 400 && open(x));
  if (settings) form.settings = settings;
  const most = limitsOf(offer.form.budget ?? "");
  const softens = !most.has("soft") && (most.has("tokens") || most.has("dollars"));
  const small = (name, n) => /^\w+=[\d.e]+$/.test(`${name}=${n}`) && Number(n) <= (most.get(name) ?? Infinity);
  const within = ([name, n]) => (n === undefined ? name === "soft" && !softens : small(name, n));
  const budget = take("budget", (x) => x.length <= 400 && [...limitsOf(x)].every(within));
  const all = [...most, ...limitsOf(budget ?? "")]; // no link takes a limit of the page away, or raises one
  if (budget?.trim()) form.budget = [...new Map(all)].map(([name, n]) => (n ? `${name}=${n}` : name)).join(",");
  form.knobs = {};
  for (const knob of offer.methods[form.method].knobs) {
    const choices = knob.name === "style" ? ["", ...(offered.styles[form.method] ?? [])] : knob.choices;
    const found = take(`knob.${knob.name}`, (x) => valueOf(x, knob, choices) !== undefined);
    if (found !== undefined) form.knobs[knob.name] = valueOf(found, knob, choices);
  }
  const others = [...given.keys()].map((name) => (/^[\w.]{1,24}$/.test(name) ? name : "something unreadable"));
  return { form, refused: [...new Set([...refused, ...others])].slice(0, 6) };
}
