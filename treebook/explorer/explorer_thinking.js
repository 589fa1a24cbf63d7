// What a model thought, folded, above each of its replies. Part of the page only where there is something to show.
const withoutThinking = Panel.prototype.body;

Panel.prototype.body = function (request) {
  const parts = withoutThinking.call(this, request);
  (request.thinking || []).forEach((text, i) => {
    if (text < 0) return;
    const at = parts.findIndex((part) => part.className === "tot-x-label" && part.textContent.startsWith(`reply ${request.first + i}:`));
    parts.splice(at, 0, make("details", null, make("summary", null, `thinking before reply ${request.first + i}`), make("pre", null, this.story.texts[text])));
  });
  return parts;
};
