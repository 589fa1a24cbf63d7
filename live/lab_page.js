// The lab's own page: one lab, one kernel, and an address that holds the settings.

import { Kernel } from "./kernel.js";
import { LabView } from "./lab.js";
import { element } from "./render.js";

const folder = new URL(".", import.meta.url);

async function load(name) {
  const reply = await fetch(new URL(name, folder));
  if (!reply.ok) throw new Error(`${name} is not here (${reply.status}): run make live again`);
  return reply.json();
}

class Host {
  constructor(bar) {
    this.bar = bar;
    this.link = true;
    this.kernel = new Kernel((bytes) => { bar.value += bytes; });
  }

  claim() { return true; }
  release() {}
  end() { this.kernel.stop(); }

  async start() {
    if (this.kernel.started) return this.kernel;
    const { bytes } = await load("settings.json");
    Object.assign(this.bar, { max: bytes, value: 0, hidden: false });
    try {
      await this.kernel.start();
    } finally {
      this.bar.hidden = true;
    }
    return this.kernel;
  }
}

const place = document.querySelector(".tot-lab-place");
try {
  const bar = element("progress", { "aria-label": "Loading Python", hidden: true });
  const view = new LabView(place, 0, await load("lab.json"), new Host(bar));
  view.status.before(bar);
} catch (error) {
  place.textContent = `The lab cannot open here: ${error.message}.`;
}
