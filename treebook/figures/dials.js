// Reads the dials of the box, finds each row's share in the table of the dials that it hangs on, and sets the bars.
function turned() {
  const d = JSON.parse(this.dataset.table);
  const at = [...this.querySelectorAll('.tot-dial')].map((e, j) => {
    const s = e.querySelector('input:checked') || e.querySelector('input'), o = e.querySelector('output');
    if (o) {
      o.textContent = d.labels[j][s.value];
      s.setAttribute('aria-valuetext', o.textContent)
    }
    return Number(s.value)
  });
  this.dataset.at = at;
  this.querySelectorAll('.tot-bar').forEach((r, j) => {
    const [on, shares] = d.rows[j], v = shares[on.reduce((i, k) => i * d.labels[k].length + at[k], 0)];
    r.querySelector('i').style.width = (v ?? 0) + '%';
    r.querySelector('b').textContent = v === null ? 'n/a' : v + '%'
  })
}
