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
  this.closest('.tot-predict').dataset.guess = this.value
}

// A number of steps is rounded: 0.3 - 0.1 is no 0.2.
function revealed() {
  const b = this.closest('.tot-predict'), d = b.dataset, g = d.guess, s = b.querySelector('.tot-said');
  b.querySelectorAll('input').forEach(i => i.disabled = this.open);
  if (!this.open || g === undefined) {
    s.textContent = '';
    return
  }
  if (d.step === undefined) {
    const c = b.querySelector('input:checked').nextElementSibling.textContent;
    s.textContent = g === d.answer ? `You said “${c}”: right.` : `You said “${c}”.`;
    return
  }
  const o = Number(g) - Number(d.answer), n = Number(Math.abs(o).toPrecision(3)), y = `You said ${Number(g)}${d.unit}: `;
  s.textContent = y + (n === 0 ? 'right.'
    : 2 * n <= Number(d.step) ? 'as near as the slider goes.'
    : `${n}${d.unit.trim()==='%'?' points':d.unit} too ${o>0?'high':'low'}.`)
}
