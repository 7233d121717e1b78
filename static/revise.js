// A revision: words are put in with a button, and what changes at the place where one types is in view beside the text.
(() => {
  "use strict";
  const doc = document;
  doc.addEventListener("click", ev => {
    const button = ev.target.closest("[data-put]"), text = doc.getElementById("text");
    if (!button || !text) return;
    ev.preventDefault();
    const words = button.dataset.put, sources = text.value.lastIndexOf(`\n${button.dataset.before}\n`);
    let from = text.selectionStart, to = text.selectionEnd;
    if (button.name === "put" || to === 0) from = to = sources > 0 ? sources : text.value.length; // nobody said where
    const before = text.value.slice(0, from), after = text.value.slice(to);
    const part = (/(^|\n\n)$/.test(before) ? "" : before.endsWith("\n") ? "\n" : "\n\n") + words + (/^(\n\n|$)/.test(after) ? "" : after.startsWith("\n") ? "\n" : "\n\n");
    const menu = button.closest("details.menu");
    if (menu) menu.open = false;
    text.focus();
    text.setSelectionRange(from, to);
    doc.execCommand("insertText", false, part); // which can be undone, and is typing to everything that listens
    const open = /\{\{[^{}\n]+\}\}/.exec(part);
    if (open) text.setSelectionRange(from + open.index, from + open.index + open[0].length);
    const is = text.getBoundingClientRect(), at = is.top + is.height * from / text.value.length; // about there
    if (at < 80 || at > innerHeight - 280) scrollBy(0, at - innerHeight / 3);
  });
  // What was refused is another text once one goes on to write.
  doc.addEventListener("input", ev => {
    if (ev.target.id !== "text") return;
    ev.target.removeAttribute("aria-invalid");
    for (const el of doc.querySelectorAll("#text-error, .panel > .notices")) el.remove();
  });

  // What is told of the lesson is what its form holds: while that changes nothing is told, and an answer from before
  // takes the place of nothing that was ticked or typed since.
  let stated = 0;
  for (const kind of ["input", "change"]) {
    doc.addEventListener(kind, ev => {
      const told = ev.target.closest("#teach") && doc.getElementById("teach-told");
      if (told) { stated += 1; told.textContent = "…"; }
    });
  }
  doc.addEventListener("htmx:before:request", ev => { ev.detail.ctx.stated = stated; });
  doc.addEventListener("htmx:before:swap", ev => {
    const { ctx, tasks } = ev.detail, is = id => t => t.target === `#${id}` || t.target?.id === id;
    if (ctx.stated === undefined || ctx.stated === stated || ctx.sourceElement.matches("button")) return;
    const rows = tasks.some(is("teach-rows"));
    for (const t of tasks.filter(t => is("teach-told")(t) || rows)) tasks.splice(tasks.indexOf(t), 1);
    if (rows) doc.getElementById("text")?.dispatchEvent(new Event("input", { bubbles: true })); // once more
  });
  doc.addEventListener("htmx:after:swap", () => {
    const side = doc.querySelector(".editor-side"), text = doc.getElementById("text");
    if (!side || !text || side.scrollHeight <= side.clientHeight) return;
    const at = [...side.querySelectorAll("[data-at]")].findLast(el => Number(el.dataset.at) <= text.selectionStart);
    if (at) side.scrollTop += at.getBoundingClientRect().top - side.getBoundingClientRect().top - side.clientHeight / 2;
  });
})();
