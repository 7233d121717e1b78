// A revision: what changes at the place where one types is in view beside the text.
(() => {
  "use strict";
  const doc = document;
  doc.addEventListener("htmx:after:swap", () => {
    const side = doc.querySelector(".editor-side"), text = doc.getElementById("text");
    if (!side || !text || side.scrollHeight <= side.clientHeight) return;
    const at = [...side.querySelectorAll("[data-at]")].findLast(el => Number(el.dataset.at) <= text.selectionStart);
    if (at) side.scrollTop += at.getBoundingClientRect().top - side.getBoundingClientRect().top - side.clientHeight / 2;
  });
})();
