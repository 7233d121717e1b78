// Everything here is comfort: each thing it does can be done without it. It listens on the document, so nothing has to
// be set up again when htmx swaps a part of the page.
(() => {
  "use strict";
  const doc = document, root = doc.documentElement;

  // --- Keys -------------------------------------------------------------------------------------------------------
  // An element says which key it answers to: data-key="a". Keys are dead while one types, while a sheet or a menu is
  // open, while a request is under way, on repeat, with a modifier, and where the person has turned them off.
  const typing = el => el.closest("input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]");
  const openLayer = () => doc.querySelector("[popover]:popover-open, dialog[open], details.menu[open]");
  const busy = () => root.dataset.busy === "1" || doc.querySelector("form.htmx-request, a.htmx-request") !== null;
  const visible = el => el.checkVisibility ? el.checkVisibility() : el.offsetParent !== null;
  const answering = key => [...doc.querySelectorAll("[data-key]")].find(el => el.dataset.key === key && !el.disabled && visible(el));

  function press(el) {
    el.classList.add("pressed");
    setTimeout(() => el.classList.remove("pressed"), 250);
    if (el.matches("input[type=radio], input[type=checkbox]")) { el.focus(); el.click(); }
    else if (el.matches("input, textarea, select")) el.focus();
    else el.click();
  }

  doc.addEventListener("keydown", ev => {
    if (ev.defaultPrevented || ev.isComposing) return;
    const target = ev.target instanceof Element ? ev.target : doc.body;
    if (ev.key === "Enter" && (ev.ctrlKey || ev.metaKey) && !ev.altKey && !ev.shiftKey) {
      const form = target.closest("form[data-submit-key]");
      if (form && !busy() && !ev.repeat) { ev.preventDefault(); form.requestSubmit(form.querySelector("[data-default]")); }
      return;
    }
    if (ev.key === "Escape") {
      const menu = doc.querySelector("details.menu[open]");
      if (menu) { menu.open = false; menu.querySelector("summary").focus(); return; }
      if (typing(target)) { target.blur(); return; }
      if (!openLayer()) { const back = answering("Escape"); if (back) press(back); }
      return;
    }
    if (ev.ctrlKey || ev.metaKey || ev.altKey || ev.repeat) return;
    if (typing(target) || openLayer() || busy()) return;
    const single = ev.key.length === 1;
    if (single && root.classList.contains("nokeys")) return;
    if (ev.key === "Enter" && target.closest("a, button, summary, [role=button]")) return;
    const el = answering(ev.key);
    if (el) { ev.preventDefault(); press(el); }
  });

  // --- One submit at a time ----------------------------------------------------------------------------------------
  doc.addEventListener("submit", ev => {
    if (ev.defaultPrevented || ev.target.closest("[data-keep]")) return;
    root.dataset.busy = "1";
    setTimeout(() => { delete root.dataset.busy; }, 4000);
  });
  addEventListener("pageshow", () => { delete root.dataset.busy; });
  for (const done of ["htmx:finally:request", "htmx:after:swap"]) {
    doc.addEventListener(done, () => { delete root.dataset.busy; });
  }

  // --- Menus close when one clicks elsewhere -----------------------------------------------------------------------
  doc.addEventListener("click", ev => {
    for (const menu of doc.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(ev.target)) menu.open = false;
    }
  });

  // --- Filters apply as they are chosen ----------------------------------------------------------------------------
  doc.addEventListener("change", ev => {
    const form = ev.target.closest("form[data-auto]");
    if (form) form.requestSubmit();
  });

  // --- Time: what is left of a claim or a hold; how long this page has been looked at -----------------------------
  const clockOff = () => Number(root.dataset.clockOff || 0);
  const now = () => Date.now() + clockOff();
  const two = n => String(n).padStart(2, "0");
  function left(el) {
    const s = Math.max(0, Math.round((Number(el.dataset.until) - now()) / 1000));
    const text = s >= 60 ? `${Math.floor(s / 60)}:${two(s % 60)}` : `${s} s`;
    if (el.textContent !== text) el.textContent = text;
    if (s === 0 && !el.dataset.over) { el.dataset.over = "1"; el.dispatchEvent(new CustomEvent("over", { bubbles: true })); }
  }
  let seen = 0;
  function tick() {
    doc.querySelectorAll("[data-until]").forEach(left);
    if (!doc.hidden) seen += 1;
    const spent = doc.querySelector("[data-seconds]");
    if (spent) {
      if (spent.dataset.from === undefined) spent.dataset.from = String(seen);
      spent.value = String(seen - Number(spent.dataset.from));
    }
  }
  const served = doc.querySelector("meta[name=served-at]");
  if (served) { // the server's clock decides, not this machine's; the page is at most a moment old when this runs
    root.dataset.clockOff = String(Number(served.content) - Date.now());
  }
  setInterval(tick, 1000);
  tick();

  // --- The hold on a case: kept while somebody is active, given back when they go on to another ---------------------
  let renewed = Date.now();
  const active = () => {
    const form = doc.querySelector("form[data-renew]");
    if (form && !doc.hidden && Date.now() - renewed > 45000 && window.htmx) { renewed = Date.now(); htmx.trigger(form, "renew"); }
  };
  for (const sign of ["keydown", "input", "pointerdown", "pointermove", "scroll"]) doc.addEventListener(sign, active, { passive: true });
  doc.addEventListener("click", ev => {
    const link = ev.target.closest("a[href]"), held = doc.querySelector("[data-case]");
    if (!link || link.origin !== location.origin || ev.ctrlKey || ev.metaKey || ev.shiftKey) return;
    const typed = doc.querySelector("form[data-guard][data-dirty]");
    if (typed && link.pathname + link.search !== location.pathname + location.search && !link.hash) {
      if (!confirm("Leave this page? What you typed is not saved.")) { ev.preventDefault(); ev.stopImmediatePropagation(); return; }
      delete typed.dataset.dirty;
    }
    if (held && doc.querySelector("form[data-renew]") && link.pathname !== `/reviews/${held.dataset.case}` && !link.hash) {
      fetch(`/reviews/${held.dataset.case}/unclaim`, { method: "POST", keepalive: true, redirect: "manual" }).catch(() => {});
    }
  }, true);

  // --- Unsaved words -----------------------------------------------------------------------------------------------
  doc.addEventListener("input", ev => { const f = ev.target.closest("form[data-guard]"); if (f) f.dataset.dirty = "1"; });
  doc.addEventListener("submit", ev => { delete ev.target.dataset.dirty; });
  addEventListener("beforeunload", ev => { if (doc.querySelector("form[data-guard][data-dirty]")) ev.preventDefault(); });

  // --- The live line ------------------------------------------------------------------------------------------------
  const lost = on => { const el = doc.getElementById("live-lost"); if (el) el.hidden = !on; };
  doc.addEventListener("htmx:sse:after:connection", () => lost(false));
  doc.addEventListener("htmx:sse:error", () => lost(true));
})();
