// The button "Run this page": all that a page loads before somebody presses it.
(() => {
  const offer = document.querySelector(".tot-live-offer");
  const [button, note] = offer.querySelectorAll("button, span");
  const folder = new URL(".", document.currentScript.src).href;
  try {
    if (localStorage.getItem(`tot-live:${location.pathname}`)) note.textContent = "What you changed here comes back with it.";
  } catch {} // a browser that keeps nothing
  button.addEventListener("click", async () => {
    if (location.protocol === "file:") {
      note.textContent = "A page opened as a file cannot run: serve its folder (python -m http.server --directory _build/live) and open the address that it prints.";
      return;
    }
    button.disabled = true;
    try {
      await (await import(`${folder}page.js`)).live(offer);
    } catch (error) {
      note.textContent = `This page cannot run here: ${error.message}.`;
    } finally {
      button.disabled = false;
    }
  });
})();
