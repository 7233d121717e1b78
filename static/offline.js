// What can't be sent is said beside its button and kept. What follows from a text (its changes, its lesson) and couldn't be loaded is loaded
// before the text is sent, so that nothing goes out that wasn't on the screen. It comes first: what it stops, no other script hears of.
(() => {
  "use strict";
  const doc = document, off = () => !navigator.onLine;
  const stop = ev => { ev.preventDefault(); ev.stopPropagation(); };
  const why = () => off() ? "Not sent, you’re offline. What you typed is kept." : "No answer: it may not have been sent. What you typed is kept. Try again.";

  const told = () => doc.querySelector(".not-sent");
  function tell(el, text) {
    told()?.remove();
    const form = el.form || el.closest("form"), button = el !== form ? el : [...form.elements].find(e => e.type === "submit" && !e.hasAttribute("formaction") && e.checkVisibility());
    const line = Object.assign(doc.createElement("p"), { className: "not-sent", textContent: text });
    line.setAttribute("role", "alert");
    ((button || form).closest(".bar, .form-actions") || form || el.parentElement).append(line);
    line.scrollIntoView({ block: "nearest" });
  }
  function stays() { // a page that can't be left
    const line = doc.querySelector(".stays") || Object.assign(doc.createElement("p"), { className: "live-lost stays" });
    line.setAttribute("role", "alert");
    line.textContent = "You’re offline. This page stays open, and what you typed is kept.";
    doc.body.append(line);
    setTimeout(() => line.remove(), 6000);
  }

  // --- What follows from a text, and couldn't be loaded ---------------------------------------------------------------
  const missed = new Map(), loading = new Map(); // who asked -> how
  const stale = form => [...missed.keys(), ...loading.keys()].some(el => el.isConnected && (el.form || el.closest("form")) === form);
  let under = null;
  function refresh() {
    under ||= (async () => {
      for (const [el, ctx] of missed) loading.set(el, ctx);
      missed.clear();
      await Promise.all([...loading].map(([el, { request, target, swap, select }]) => {
        const to = target.isConnected ? target : target.id && doc.getElementById(target.id);
        return el.isConnected && to && htmx.ajax(request.method, request.action, { source: el, target: to, swap, select });
      }));
      loading.clear();
      under = null;
    })();
    return under;
  }
  doc.addEventListener("htmx:error", ev => {
    const ctx = ev.detail.ctx, el = ctx?.sourceElement, how = ctx?.sourceEvent?.type;
    if (!ctx?.request || ctx.response || el.id === "live" || !el.isConnected) return;
    if (how === "click" || how === "submit") {
      if (el.localName === "a") stays(); else tell(how === "submit" ? ctx.request.submitter || el : el, why());
      return;
    }
    missed.set(el, ctx);
    if (how === "input" || how === "change") ctx.target.dataset.outdated = "";
  });
  doc.addEventListener("htmx:after:swap", ev => { const to = ev.detail.ctx?.target; if (to?.dataset) delete to.dataset.outdated; });
  async function back() {
    if (!off()) doc.querySelector(".stays")?.remove();
    if (!missed.size && !told()) return;
    const old = missed.size > 0;
    if (old) await refresh();
    if (!off() && !missed.size && told()) told().textContent = old ? "You’re online again. What follows from your text is updated: check it, then send." : "You’re online again. Send it now.";
  }
  for (const sign of ["online", "focus"]) addEventListener(sign, back);
  doc.addEventListener("htmx:sse:after:connection", back);

  // --- Sending --------------------------------------------------------------------------------------------------------
  // Where it is doubtful that anybody hears, one asks first: a machine without a network may run the server itself. While the line is lost
  // that holds of what the browser itself sends, which would lose the page.
  let sure = false, asking = false;
  async function ask(ev, go, not) {
    stop(ev);
    if (asking) return;
    asking = true;
    const heard = await fetch("/healthz", { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(4000) }).then(r => r.ok, () => false);
    asking = false;
    if (!heard) { not(); return; }
    sure = true;
    go();
    sure = false;
  }
  addEventListener("submit", ev => {
    const form = ev.target, by = ev.submitter || form, lost = doc.getElementById("live-lost");
    told()?.remove();
    if (!sure && (off() || lost && !lost.hidden && !form.closest("[data-boost]") && ![form, by].some(el => el.matches("[hx-get], [hx-post]")))) {
      ask(ev, () => form.requestSubmit(ev.submitter), () => tell(by, why()));
    } else if (stale(form) && !by.hasAttribute("formaction")) {
      stop(ev);
      refresh().then(() => tell(by, stale(form) ? why() : "Not sent yet: what follows from your text was out of date. It’s updated now; check it, then send."));
    }
  }, true);
  addEventListener("click", ev => {
    const link = off() && !sure && !ev.button && !ev.ctrlKey && !ev.metaKey && !ev.shiftKey && ev.target.closest?.("a[href]");
    if (!link || link.origin !== location.origin || link.hash && link.pathname + link.search === location.pathname + location.search) return;
    ask(ev, () => link.click(), stays);
  }, true);
})();
