// What the dials say, after they have turned (their own handler runs first): the dot, the map's layer, the case, the link.
function moved() {
  const b = this.closest('.tot-centrefold'), d = JSON.parse(b.dataset.table);
  const at = b.querySelector('.tot-dials').dataset.at.split(',').map(Number);
  const [i, layer] = d.on.map(on => on.reduce((i, k) => i * d.labels[k].length + at[k], 0));
  const key = d.cases.replace(/(\d+)(\D)/g, (_, n, c) => c.repeat(n)).charCodeAt(i) - 97;
  const who = d.players.findIndex(p => p.slice(1).join() === at.join());
  const on = (all, n) => b.querySelectorAll(all).forEach((e, j) => e.toggleAttribute('data-on', j === n));
  on('.tot-layer', Number(d.layers[layer]));
  on('.tot-case', key);
  on('.tot-of-player', who);
  on('.tot-player', who);
  const m = b.querySelectorAll('.tot-player')[who], dot = b.querySelector('.tot-dot');
  if (!dot) return; // the map is still an image
  dot.setAttribute('x', m ? m.getAttribute('x') : d.axes[0][at[0]] + '%');
  dot.setAttribute('y', m ? m.getAttribute('y') : 100 - d.axes[1][at[1]] + '%');
  const to = '#at=' + (m ? d.players[who][0] : at.map((k, j) => d.labels[j][k]).join());
  b.querySelector('.tot-link a').href = to;
  if (b.dataset.ready) history.replaceState(null, '', to)
}

// A click on the map goes to the nearest values of the first two dials, one on a player to the player; the page stays.
function placed() {
  const b = this.closest('.tot-centrefold'), d = JSON.parse(b.dataset.table), a = event.target.closest('a');
  const r = b.querySelector('.tot-field').getBoundingClientRect();
  const p = [100 * (event.clientX - r.left) / r.width, 100 * (r.bottom - event.clientY) / r.height];
  const at = b.querySelector('.tot-dials').dataset.at.split(',').map((k, j) => {
    const far = (d.axes[j] || []).map(x => Math.abs(x - p[j]));
    return d.labels[j][j < 2 ? far.indexOf(Math.min(...far)) : k]
  });
  event.preventDefault();
  history.replaceState(null, '', a ? a.getAttribute('href') : '#at=' + at);
  window.dispatchEvent(new CustomEvent('hashchange'))
}

function dragged() {
  if (event.buttons === 1 && event.pointerType === 'mouse') this.onclick(event)
}

// Goes where the address says, now and whenever it changes: to a player, or to a label of each dial.
function loaded() {
  const b = this.closest('.tot-centrefold'), d = JSON.parse(b.dataset.table), dials = b.querySelectorAll('.tot-dial');
  const go = e => {
    const said = decodeURIComponent(location.hash).split('=');
    if (said[0] === '#at') {
      const who = d.players.find(p => p[0] === said[1]), names = said[1].split(',');
      const at = who ? who.slice(1) : d.labels.map((all, j) => all.indexOf(names[j]));
      dials.forEach((dial, j) => {
        const all = dial.querySelectorAll('input');
        if (at[j] < 0) return;
        if (all.length > 1) all[at[j]].checked = true;
        else all[0].value = at[j]
      });
      if (!(e instanceof CustomEvent)) b.querySelector('.tot-plane').scrollIntoView()
    }
    if (said[0] === '#at' || !b.dataset.ready) dials[0].querySelector('input').dispatchEvent(new Event('input', {bubbles: true}));
    b.dataset.ready = 1
  };
  window.addEventListener('hashchange', go);
  go()
}
