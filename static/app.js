// Everything here is comfort: each thing it does can be done without it. It listens on the document, so nothing has to
// be set up again when htmx swaps a part of the page.
const app = (() => {
  "use strict";
  const doc = document, root = doc.documentElement;

  const busy = () => root.dataset.busy === "1" || doc.querySelector(":is(form, a)[data-asked].htmx-request") !== null;

  // --- One submit at a time ----------------------------------------------------------------------------------------
  let approved = -Infinity;
  doc.addEventListener("submit", ev => { // approved twice within a second: the second is not about the page that came meanwhile, which nobody has read
    if (!ev.target.querySelector("#approve")) return;
    if (ev.timeStamp - approved < 1000) { ev.preventDefault(); ev.stopImmediatePropagation(); }
    else approved = ev.timeStamp;
  }, true);
  doc.addEventListener("submit", ev => {
    if (ev.defaultPrevented || ev.target.closest("[data-keep]")) return;
    root.dataset.busy = "1";
    setTimeout(() => { delete root.dataset.busy; }, 4000);
  });
  addEventListener("pageshow", () => { delete root.dataset.busy; });
  for (const done of ["htmx:finally:request", "htmx:after:swap"]) {
    doc.addEventListener(done, ev => { if (ev.detail.ctx?.asked !== false) delete root.dataset.busy; });
  }

  // --- Links and forms that swap the main region are given to htmx when they are used, before it hears of it -----------
  for (const kind of ["click", "submit"]) {
    doc.addEventListener(kind, ev => {
      const el = kind === "click" ? ev.target.closest?.("a[href]") : ev.target;
      const how = el?.closest("[data-boost]")?.dataset.boost;
      if (!how || el.hasAttribute("hx-boost") || el.matches("[hx-get], [hx-post]")) return;
      el.setAttribute("hx-boost", how);
      htmx.process(el);
    }, true);
  }

  // --- What one did is painted before its answer takes the place of something ----------------------------------------
  // The server is often quicker than a frame, and a swap is long: the request runs meanwhile, the swap waits for the frame.
  // What nobody asked for, a live part, waits until nothing else is to be done.
  const frame = () => new Promise(done => {
    const late = setTimeout(done, 300); // a page that is not shown has no frames
    requestAnimationFrame(() => { clearTimeout(late); setTimeout(done); });
  });
  const quiet = () => new Promise(done => { if (window.requestIdleCallback) requestIdleCallback(done, { timeout: 500 }); else setTimeout(done, 50); });
  doc.addEventListener("htmx:before:request", ev => {
    const ctx = ev.detail.ctx, fetch = ctx.fetch, why = ctx.sourceEvent?.type;
    ctx.asked = why === "click" || why === "submit"; // what the page asks of itself, a renewal or a live part, turns no key off
    ctx.sourceElement.toggleAttribute("data-asked", ctx.asked);
    if (ctx.sourceElement.id === "live") return;
    const painted = !why || ["click", "submit", "change", "input"].includes(why) ? frame() : null;
    ctx.fetch = async (to, how) => {
      const res = await fetch(to, how);
      ctx.answered = now();
      await (painted || quiet());
      return res;
    };
  });

  // --- What stands below the first sight is laid out when there is time ---------------------------------------------
  const below = ".rail-item:not(.laid), .queue-row:not(.laid), .case-known > .block > :is(ul, ol):not(.laid)";
  let laying = false;
  async function lay() {
    if (laying) return;
    laying = true;
    for (let some; (some = [...doc.querySelectorAll(below)].slice(0, 2)).length;) {
      await quiet();
      for (const el of some) el.classList.add("laid");
    }
    laying = false;
  }
  lay();
  doc.addEventListener("htmx:after:swap", lay);

  // --- The tab of the page is in view where the navigation scrolls ---------------------------------------------------
  let tab = null;
  function showTab() {
    const nav = doc.getElementById("nav"), is = nav && nav.querySelector("[aria-current]");
    if (!is || is === tab || !matchMedia("(width < 48rem)").matches) return;
    tab = is;
    const a = is.getBoundingClientRect(), n = nav.getBoundingClientRect();
    nav.scrollLeft += a.left - n.left - (n.width - a.width) / 2;
  }
  showTab();
  doc.addEventListener("htmx:after:swap", showTab);

  // --- Copy what a page shows once -----------------------------------------------------------------------------------
  doc.addEventListener("click", async ev => {
    const button = ev.target.closest("[data-copy]");
    if (!button) return;
    const shown = doc.getElementById(button.dataset.copy);
    getSelection().selectAllChildren(shown);
    const copied = await navigator.clipboard?.writeText(shown.textContent).then(() => true, () => false);
    button.textContent = copied ? "Copied" : "Selected: copy it with Ctrl+C";
    announce(button.textContent);
  });

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

  // --- What is announced: after a part was swapped, to those who see nothing ---------------------------------------
  const said = doc.createElement("p");
  said.className = "sr";
  said.setAttribute("role", "status");
  doc.body.append(said);
  const announce = text => { said.textContent = ""; setTimeout(() => { said.textContent = text; }, 50); };
  doc.addEventListener("submit", ev => {
    const other = ev.target.dataset.said && doc.querySelector("form[data-guard][data-dirty]");
    if (other && other !== ev.target && !confirm("Continue without your comment? It hasn't been posted yet.")) {
      ev.preventDefault(); ev.stopImmediatePropagation();
      other.querySelector("textarea").focus();
      return;
    }
    if (other) delete other.dataset.dirty;
  }, true);
  doc.addEventListener("htmx:before:request", ev => { // another part may be swapped before its answer is there
    const { ctx } = ev.detail;
    if (ctx.sourceElement.matches("form[data-said]")) { ctx.saying = ctx.sourceElement.dataset.said; said.textContent = ""; }
  });
  function swapped(ev) {
    const { saying, response } = ev.detail.ctx;
    const claim = doc.getElementById("claim"), tell = claim ? claim.dataset.tell || "" : "";
    const told = root.dataset.told || "";
    root.dataset.told = tell;
    if (saying && response.status < 400 && !doc.querySelector("#main .notices [role=alert], #notice [role=alert]")) {
      const h1 = doc.querySelector("#main h1");
      announce(`${saying} ${h1 ? `Next: ${h1.textContent}` : ""}`);
    } else if (tell && tell !== told) announce(tell);
  }
  doc.addEventListener("htmx:after:swap", swapped);

  // --- What is typed is saved on the server: a second after one stops, and when the page goes -----------------------
  // Nothing of it is kept in this browser beyond the page. While it can't be saved it is tried again, and the page says so.
  const typed = new WeakMap(), windowID = String(Math.random()); // two windows of one person don't overwrite each other
  const of = form => { if (!typed.has(form)) typed.set(form, { dirty: false, tries: 0 }); return typed.get(form); };
  const show = (name, text) => { const el = doc.querySelector(`[data-${name}]`); if (el && el.textContent !== text) el.textContent = text; };
  const formOf = el => { const f = el.form || el.closest("form"); return f && f.dataset.draft ? f : null; };
  const troubles = {
    401: "You are signed out. Sign in again in another tab; what you typed stays here and will then be saved.",
    403: "Not saved: you no longer have access, or someone else has signed in here. What you typed stays on this page.", 413: "Not saved: this is too long. Shorten it.", 422: "Not saved: this is too long. Shorten it.",
  };
  function later(form, ms) { const s = of(form); clearTimeout(s.timer); s.timer = setTimeout(() => save(form), ms); }
  async function save(form, leaving) {
    const s = of(form);
    clearTimeout(s.timer);
    while (s.under && !leaving) await s.done; // the one under way doesn't hold what was typed since
    clearTimeout(s.timer);
    if (!s.dirty || s.sending) return !s.dirty;
    let over;
    s.done = new Promise(resolve => { over = resolve; });
    const body = new URLSearchParams([...new FormData(form), ["tab", windowID], ["seen", form.dataset.seen || ""]]).toString();
    s.dirty = false; s.since = 0; s.under = new AbortController();
    let status = 0, text = "";
    try {
      const res = await fetch(form.dataset.draft, {
        method: "POST", body, keepalive: Boolean(leaving) && body.length < 60000, credentials: "same-origin",
        headers: { "Content-Type": "application/x-www-form-urlencoded", Accept: "text/plain" },
        signal: AbortSignal.any ? AbortSignal.any([s.under.signal, AbortSignal.timeout(15000)]) : s.under.signal,
      });
      status = res.status;
      if (res.ok || status === 412) text = await res.text();
    } catch { status = 0; }
    s.under = null;
    over();
    if (s.sending || status === 409) return true; // the form itself was sent, and holds it
    if (status === 200) {
      s.tries = 0;
      if (form.isConnected) {
        show("saved", text); show("unsaved", "");
        const drop = doc.querySelector("[data-discard]");
        if (drop) drop.hidden = false;
      }
      if (s.dirty) later(form, 1000);
      return !s.dirty;
    }
    s.dirty = true;
    if (status === 412) { if (form.isConnected) show("unsaved", text); return false; }
    s.tries += 1;
    if (form.isConnected) show("unsaved", troubles[status] || "Not saved yet: no connection. We'll keep trying; you can go on typing.");
    later(form, Math.min(1000 * 2 ** (s.tries - 1), 15000));
    return false;
  }
  const forms = () => [...doc.querySelectorAll("form[data-draft]")];
  const again = () => { for (const f of forms()) if (of(f).tries > 0) save(f); };
  doc.addEventListener("input", ev => {
    const form = formOf(ev.target);
    if (!form) return;
    const s = of(form);
    s.dirty = true; s.since ||= Date.now();
    if (s.tries === 0) later(form, Date.now() - s.since > 8000 ? 0 : 1000);
  });
  addEventListener("online", again);
  addEventListener("focus", again);
  addEventListener("pagehide", () => { for (const f of forms()) save(f, true); });
  doc.addEventListener("visibilitychange", () => { if (doc.hidden) for (const f of forms()) save(f, true); });
  doc.addEventListener("submit", ev => { // the decision carries what was typed; a save that comes after it would be stale
    const form = ev.target, s = form.dataset.draft && of(form);
    if (!s || (ev.submitter && ev.submitter.formAction.endsWith("/check"))) return;
    clearTimeout(s.timer);
    s.sending = true;
    if (s.under) s.under.abort();
  });
  doc.addEventListener("htmx:finally:request", ev => { // it did not go through, and the form is still there
    const form = ev.target, s = form instanceof Element && form.matches("form[data-draft]") && form.isConnected && of(form);
    if (s && s.sending) { s.sending = false; s.dirty = true; later(form, 500); }
  });

  // --- The hold on a case: kept while somebody is active, given back when they go on to another ---------------------
  let renewed = Date.now(), renewing = false;
  const hold = typed => doc.querySelector("form[data-renew]") || (typed && doc.querySelector("form[data-retake]"));
  const active = async ev => {
    const typed = ev.type === "input";
    if (renewing || Date.now() - renewed < 45000 || doc.hidden || !window.htmx || !hold(typed)) return;
    renewing = true;
    await quiet(); // what was decided meanwhile needs no renewal
    renewing = false;
    const form = hold(typed); // another than before, where the page was told of news
    if (!form || busy()) return;
    renewed = Date.now();
    htmx.trigger(form, form.dataset.retake === undefined ? "renew" : "retake");
  };
  for (const sign of ["keydown", "input", "pointerdown", "pointermove", "scroll"]) doc.addEventListener(sign, active, { passive: true });
  doc.addEventListener("click", ev => {
    const link = ev.target.closest("a[href]");
    if (!link || link.target || link.origin !== location.origin || ev.ctrlKey || ev.metaKey || ev.shiftKey) return;
    if (link.hash && link.pathname + link.search === location.pathname + location.search) return;
    const form = forms().find(f => of(f).dirty && !of(f).sending);
    const other = !form && doc.querySelector("form[data-guard][data-dirty]");
    if (form) { // first what was typed, then the way
      ev.preventDefault(); ev.stopImmediatePropagation();
      const s = of(form), go = () => { s.dirty = false; clearTimeout(s.timer); link.click(); };
      save(form).then(ok => { if (ok || confirm("Leave this page? What you typed hasn't been saved yet.")) go(); });
      return;
    }
    if (other) {
      if (!confirm("Leave this page? What you typed isn't saved.")) { ev.preventDefault(); ev.stopImmediatePropagation(); return; }
      delete other.dataset.dirty;
    }
  }, true);

  // However one leaves a case, its claim ends: another page takes its place, the tab goes, or the claim came too late.
  let mine = "";
  const leave = id => { if (id) fetch(`/reviews/${id}/unclaim`, { method: "POST", keepalive: true, redirect: "manual" }).catch(() => {}); };
  function follow() {
    const claim = doc.getElementById("claim"), at = claim ? claim.dataset.case : "";
    if (mine !== at) leave(mine);
    mine = claim && claim.querySelector("form[data-renew]") ? at : "";
  }
  follow();
  doc.addEventListener("htmx:after:swap", follow);
  doc.addEventListener("htmx:before:request", ev => { const el = ev.detail.ctx.sourceElement; if (el.id === "claim" && !el.isConnected) ev.preventDefault(); });
  doc.addEventListener("htmx:finally:request", ev => { const el = ev.detail.ctx.sourceElement; if (el.id === "claim" && !el.isConnected) leave(el.dataset.case); });
  addEventListener("pagehide", () => leave(mine));
  addEventListener("load", () => setTimeout(() => { if (mine) htmx.trigger("#claim", "over"); }, 400)); // loaded again: the page before has let it go

  // --- Unsaved words -----------------------------------------------------------------------------------------------
  doc.addEventListener("input", ev => { const f = ev.target.closest("form[data-guard]"); if (f) f.dataset.dirty = "1"; });
  doc.addEventListener("submit", ev => { delete ev.target.dataset.dirty; });
  addEventListener("beforeunload", ev => {
    if (doc.querySelector("form[data-guard][data-dirty]") || forms().some(f => of(f).dirty && of(f).tries > 0)) ev.preventDefault();
  });

  // --- The next case is loaded while one reads ---------------------------------------------------------------------
  // Looking takes nothing. The decision names the text that was loaded; only when the server hands out that very text does
  // its page take the place, with the parts that changed since; otherwise the answer leads to a page like any other.
  const AHEAD = "X-Case-Ahead", thrifty = () => (navigator.connection && navigator.connection.saveData) || matchMedia("(prefers-reduced-data: reduce)").matches;
  let ahead = null, looking = 0;
  const parse = html => new DOMParser().parseFromString(html, "text/html");
  async function look() {
    const page = doc.querySelector("[data-ahead]");
    if (!page || doc.hidden || thrifty()) return;
    try {
      const res = await fetch(page.dataset.ahead, { headers: { "HX-Request": "true", [AHEAD]: ahead ? ahead.key : "" }, priority: "low" });
      const key = res.headers.get(AHEAD);
      if (res.status === 204 && key) return;
      const html = res.status === 200 && key ? await res.text() : "";
      ahead = null;
      if (!html) return;
      await quiet();
      const next = parse(html);
      ahead = { key, title: next.title, main: doc.adoptNode(next.getElementById("main")) };
    } catch { ahead = null; }
  }
  const soon = ms => { clearTimeout(looking); looking = setTimeout(look, ms); };
  soon(900);
  doc.addEventListener("htmx:after:swap", ev => { if (!ahead && ev.target.isConnected) soon(400); });
  doc.addEventListener("reviews", () => soon(1500));
  doc.addEventListener("htmx:config:request", ev => {
    const ctx = ev.detail.ctx;
    if (ahead && ctx.sourceElement.matches("form[data-said]")) ctx.request.headers[AHEAD] = ahead.key;
  });
  doc.addEventListener("htmx:after:request", ev => {
    const ctx = ev.detail.ctx, key = ctx.sourceElement.matches("form[data-said]") && ctx.response.headers.get(AHEAD);
    if (!key) return;
    if (!ahead || ahead.key !== key) { ev.preventDefault(); location.href = ctx.response.headers.get("HX-Push-Url"); return; }
    const { main } = ahead, news = parse(ctx.text);
    for (const id of ["case-nav", "claim", "rail"]) {
      const old = main.querySelector(`#${id}`), fresh = news.getElementById(id);
      if (old && fresh) old.replaceWith(doc.adoptNode(fresh));
    }
    ctx.prepared = ahead;
    ctx.text = '<main id="main"></main>'; // its place is taken by what is ready
    ahead = null;
  });
  doc.addEventListener("htmx:before:swap", ev => {
    const { ctx, tasks } = ev.detail;
    for (let i = tasks.length - 1; i >= 0; i--) { // a note that is being typed beside the draft stays
      const at = typeof tasks[i].target === "string" ? doc.querySelector(tasks[i].target) : tasks[i].target;
      if (at?.id === "case-draft" && at.querySelector("form[data-guard][data-dirty]")) tasks.splice(i, 1);
    }
    if (!ctx.prepared) return;
    ctx.title = ctx.prepared.title;
    tasks[0].fragment.replaceChildren(ctx.prepared.main);
  });

  // --- The live line ------------------------------------------------------------------------------------------------
  const lost = on => { const el = doc.getElementById("live-lost"); if (el) el.hidden = !on; };
  doc.addEventListener("htmx:sse:after:connection", () => lost(false));
  doc.addEventListener("htmx:sse:error", () => lost(true));
  doc.addEventListener("htmx:finally:request", ev => { // one that never stood is not tried again by itself
    const el = ev.target;
    if (el.id !== "live" || el._htmx?.sse) return;
    lost(true);
    setTimeout(() => htmx.trigger(el, "again"), 15000);
  });

  // A page that took another's place was drawn a while ago, and what changed since went to the page before: tell it, too.
  const line = doc.getElementById("live"), changed = {};
  let main = doc.getElementById("main");
  if (line) {
    const drawn = ["reviews", "learning"]; // what follows these is drawn anew with every decision
    for (const topic of new URLSearchParams(line.getAttribute("hx-sse:connect").split("?")[1]).get("topics").split(",")) {
      doc.addEventListener(topic, ev => { if (ev.target === line) changed[topic] = now(); });
    }
    doc.addEventListener("htmx:after:swap", ev => {
      const is = doc.getElementById("main");
      if (!is || is === main) return;
      main = is;
      const { prepared, answered } = ev.detail.ctx, at = Number(main.dataset.at) - 1000;
      const missed = Object.keys(changed).filter(topic => changed[topic] > (prepared && drawn.includes(topic) ? answered : at));
      quiet().then(() => { for (const topic of missed) htmx.trigger(line, topic); }); // once its parts listen
    });
  }

  return { announce, busy };
})();
