// The queue by keyboard, and what changes in it said aloud. Comfort only, like app.js, which it follows.
(() => {
  "use strict";
  const doc = document, root = doc.documentElement;

  // --- j and k move along the rows of a list; Enter on a row opens it -----------------------------------------------
  const rows = () => [...doc.querySelectorAll("[data-rows] .queue-row a")];
  doc.addEventListener("keydown", ev => {
    if (ev.defaultPrevented || ev.isComposing || ev.repeat || ev.ctrlKey || ev.metaKey || ev.altKey) return;
    if (ev.key !== "j" && ev.key !== "k" || root.classList.contains("nokeys")) return;
    const target = ev.target instanceof Element ? ev.target : doc.body;
    if (target.closest("input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]")) return;
    if (doc.querySelector("[popover]:popover-open, dialog[open], details.menu[open]")) return;
    const list = rows();
    if (!list.length) return;
    const at = list.findIndex(a => a === doc.activeElement || a.closest(".queue-row").contains(doc.activeElement));
    const to = list[at < 0 ? (ev.key === "j" ? 0 : list.length - 1) : at + (ev.key === "j" ? 1 : -1)];
    if (!to) return;
    ev.preventDefault();
    to.focus();
    to.closest(".queue-row").scrollIntoView({ block: "nearest" });
  });

  // --- Ticks, and the row that has the focus, outlive a refresh -----------------------------------------------------
  const boxes = () => [...doc.querySelectorAll("#ticked input[name=id]")];
  const idOf = box => box.value.split(":")[0];
  let ticked = null, on = "";
  const caseOf = a => a.pathname;
  doc.addEventListener("htmx:before:swap", () => {
    ticked = new Set(boxes().filter(b => b.checked).map(idOf));
    const row = rows().find(a => a === doc.activeElement);
    if (row) on = caseOf(row);
  });
  doc.addEventListener("focusin", ev => { if (!ev.target.closest(".queue-row")) on = ""; });
  doc.addEventListener("htmx:after:swap", () => {
    if (ticked) for (const b of boxes()) if (ticked.has(idOf(b))) b.checked = true;
    ticked = null;
    if (on && doc.activeElement === doc.body) {
      const row = rows().find(a => caseOf(a) === on);
      if (row) row.focus({ preventScroll: true });
    }
    on = "";
    tell();
  });

  // --- Counts are said when they changed, at most once in half a minute ----------------------------------------------
  const line = doc.createElement("p");
  line.className = "sr";
  line.setAttribute("role", "status");
  doc.body.append(line);
  const now = () => { const q = doc.getElementById("queue"); return q ? q.dataset.tell || "" : ""; };
  let said = now(), quiet = 0, timer = 0;
  function tell() {
    const text = now();
    if (!text || text === said || timer) return;
    timer = setTimeout(() => {
      timer = 0;
      const latest = now();
      if (latest && latest !== said) { said = latest; quiet = Date.now() + 30000; line.textContent = latest; }
    }, Math.max(500, quiet - Date.now()));
  }
})();
