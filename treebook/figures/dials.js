// Reads the dials of the box, finds the combination's place in the table, and sets the bars.
function turned() {
  const b = this.closest('.tot-dials'), d = JSON.parse(b.getAttribute('data-table'));
  let i = 0;
  b.querySelectorAll('input').forEach((s, j) => {
    i = i * d.labels[j].length + Number(s.value);
    const t = d.labels[j][s.value];
    s.nextElementSibling.textContent = t;
    s.setAttribute('aria-valuetext', t)
  });
  b.querySelectorAll('.tot-bar').forEach((r, j) => {
    const v = d.shares[i * d.rows + j];
    r.querySelector('i').style.width = (v ?? 0) + '%';
    r.querySelector('b').textContent = v === null ? 'n/a' : v + '%'
  })
}
