// The queue by keyboard, and what changes in it said aloud. Comfort only, like app.js, which it follows.
(() => {
  "use strict";
  const doc = document;

  // --- j and k move along the rows of a list; Enter on a row opens it -----------------------------------------------
  const rows = () => [...doc.querySelectorAll("[data-rows] .queue-row a")];
  function move(by) {
    const list = rows(), at = list.findIndex(a => a.closest(".queue-row").contains(doc.activeElement));
    const to = list[at < 0 ? (by > 0 ? 0 : list.length - 1) : at + by];
    if (!to) return false;
    to.focus();
    to.closest(".queue-row").scrollIntoView({ block: "nearest" });
  }
  keys.also(() => rows().length ? [{ key: "j", does: "Next row", run: () => move(1) }, { key: "k", does: "Previous row", run: () => move(-1) }] : []);

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
