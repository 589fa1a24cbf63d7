// What a prediction does. While the answer is open the guess cannot be changed.

// Shows what the slider says, and that it was touched. A click where it rests, and a key that cannot move it, count too.
function moved() {
  const b = this.closest('.tot-predict');
  b.dataset.guess = this.value;
  const t = Number(this.value) + b.dataset.unit;
  b.querySelector('output').textContent = t;
  this.setAttribute('aria-valuetext', t)
}

function touched() {
  if (/^(Arrow|Home|End|Page)/.test(event.key)) this.oninput()
}

function picked() {
  this.closest('.tot-predict').dataset.guess = event.target.value
}

// A press gives a choice the next place; another takes it and those after it back. The last place is left over.
function placed() {
  const b = this.closest('.tot-predict'), all = [...this.querySelectorAll('button')], o = event.target.closest('button');
  if (!o) return;
  const had = all.filter(x => x.dataset.place).sort((x, y) => x.dataset.place - y.dataset.place);
  let now = had.includes(o) ? had.slice(0, had.indexOf(o)) : had.concat(o);
  if (now.length === all.length - 1) now = now.concat(all.filter(x => !now.includes(x)));
  all.forEach(x => {
    x.dataset.place = now.indexOf(x) + 1 || '';
    x.firstChild.textContent = x.dataset.place || '–'
  });
  b.dataset.guess = now.map(x => x.value).join();
  if (now.length < all.length) delete b.dataset.guess
}

// A click sets the nearest mark of a drawn guess: in its own axis where it was clicked.
function set() {
  const b = this.closest('.tot-predict'), x = b.dataset.along === 'x';
  const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.getScreenCTM().inverse());
  const far = m => Math.abs(x ? m.lastChild.cy.baseVal.value - p.y : m.lastChild.cx.baseVal.value - p.x);
  const m = [...b.querySelectorAll('.tot-handle')].sort((m, o) => far(m) - far(o))[0];
  m.dispatchEvent(new CustomEvent('keydown', {bubbles: true, detail: x ? p.x : p.y}))
}

function dragged() {
  if (event.buttons === 1 && event.pointerType === 'mouse') this.onclick(event)
}

// Moves a mark, by a key or (detail) to a place, and draws the line through all that were set.
function keyed() {
  const b = this.closest('.tot-predict'), d = b.dataset, m = event.target.closest('.tot-handle');
  const keys = {ArrowUp: .02, ArrowRight: .02, ArrowDown: -.02, ArrowLeft: -.02, PageUp: .1, PageDown: -.1, Home: -1, End: 1};
  const by = keys[event.key];
  if (!m || b.querySelector('.tot-reveal').open || event.key && !by) return;
  event.preventDefault();
  const [s, e, l, h] = d.scale.split(',').map(Number), c = m.lastChild, a = d.along === 'x' ? 'cx' : 'cy';
  const at = by ? c[a].baseVal.value + by * (e - s) : event.detail, f = Math.min(1, Math.max(0, (at - s) / (e - s)));
  const v = d.log === undefined ? l + f * (h - l) : l * (h / l) ** f, t = Number((v * d.factor).toPrecision(2)) + d.unit;
  c.setAttribute(a, s + f * (e - s));
  m.dataset.set = v;
  m.setAttribute('aria-valuenow', v);
  m.setAttribute('aria-valuetext', t);
  d.guess = 'drawn';
  b.querySelector('output').textContent = m.dataset.name + ': ' + t;
  const all = [...this.querySelectorAll('.tot-handle[data-set]')].map(o => o.lastChild);
  this.querySelector('.tot-guessed').setAttribute('points', all.map(o => o.getAttribute('cx') + ',' + o.getAttribute('cy')).join(' '))
}

// The first press without a guess asks for one; the second one shows the answer all the same.
function asked() {
  const b = this.closest('.tot-predict'), f = b.querySelector('.tot-first');
  if (b.dataset.guess !== undefined || this.parentNode.open || !f.hidden) return;
  event.preventDefault();
  f.hidden = false
}

function anyway() {
  this.closest('.tot-predict').querySelector('.tot-reveal').open = true
}

// What discusses the answer, elsewhere in its box, opens and closes with it. A number of steps is rounded: 0.3 - 0.1 is no 0.2.
function revealed() {
  const b = this.closest('.tot-predict'), d = b.dataset, g = d.guess, s = b.querySelector('.tot-said');
  b.querySelector('.tot-first').hidden = true;
  b.closest('.tot-predicted')?.querySelectorAll('.tot-discussed').forEach(o => o.open = this.open);
  b.querySelectorAll('form input, form button').forEach(i => i.disabled = this.open);
  s.textContent = '';
  if (!this.open || g === undefined) return;
  if (d.kind === 'choice') {
    const c = b.querySelector('input:checked').nextElementSibling.textContent;
    s.textContent = g === d.answer ? `You said “${c}”: right.` : `You said “${c}”.`;
    return
  }
  if (d.kind === 'order') {
    const mine = g.split(','), n = d.answer.split(',').filter((o, i) => o === mine[i]).length;
    b.querySelectorAll('[data-of]').forEach(o => o.lastChild.textContent = `you: ${mine.indexOf(o.dataset.of) + 1}`);
    s.textContent = n === mine.length ? 'Your order is right.' : `${n} of ${mine.length} are where you put them.`;
    return
  }
  if (d.kind === 'drawn') {
    const t = d.answer.split(','), off = [];
    b.querySelectorAll('.tot-handle').forEach((m, i) => m.dataset.set && off.push(Math.abs(m.dataset.set - t[i])));
    const mean = Number((d.factor * off.reduce((x, y) => x + y) / off.length).toPrecision(2));
    s.textContent = `Your ${off.length > 1 ? 'marks are' : 'mark is'} ${mean}${d.unit.trim() === '%' ? ' points' : d.unit} off${off.length > 1 ? ', on average' : ''}.`;
    return
  }
  const i = b.querySelector('input'), y = b.querySelector('.tot-yours');
  y.hidden = false;
  y.style.left = 100 * (g - i.min) / (i.max - i.min) + '%';
  const o = Number(g) - Number(d.answer), n = Number(Math.abs(o).toPrecision(3)), said = `You said ${Number(g)}${d.unit}: `;
  s.textContent = said + (n === 0 ? 'right.'
    : 2 * n <= Number(d.step) ? 'as near as the slider goes.'
    : `${n}${d.unit.trim()==='%'?' points':d.unit} too ${o>0?'high':'low'}.`)
}
