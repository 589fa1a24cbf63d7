// What the slider of frames does.

// Shows the frame with the slider's number, its label beside the slider, and in the middle of its box what it marks.
function moved() {
  const b = this.closest('.tot-frames');
  b.querySelectorAll('.tot-frame').forEach((f, i) => {
    f.hidden = i != this.value;
    if (!f.hidden) {
      const t = f.getAttribute('data-label');
      b.querySelector('output').textContent = t;
      this.setAttribute('aria-valuetext', t);
      const m = [...f.querySelectorAll('.tot-now')].map(e => e.getBoundingClientRect());
      if (m.length) {
        const o = f.getBoundingClientRect();
        f.scrollLeft += (Math.min(...m.map(r => r.left)) + Math.max(...m.map(r => r.right)) - o.left - o.right) / 2
      }
    }
  })
}

// One frame back, or on: moves the slider, which does the rest. The arrow keys do the same on the buttons as on it.
function back() {
  const s = this.closest('.tot-slider').querySelector('input');
  s.stepDown();
  s.dispatchEvent(new Event('input'))
}

function on() {
  const s = this.closest('.tot-slider').querySelector('input');
  s.stepUp();
  s.dispatchEvent(new Event('input'))
}

function keyed() {
  const w = {ArrowLeft: 0, ArrowRight: 1}[event.key];
  if (w !== undefined && event.target.tagName == 'BUTTON') {
    event.preventDefault();
    this.querySelectorAll('button')[w].click()
  }
}
