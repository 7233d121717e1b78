// Labelling for volume: words are marked by selecting them, the next item is on the screen before the answer to the last one
// comes back, and the time on each item is measured. Comfort only, like app.js, which it follows: a form field does the same.
(() => {
  "use strict";
  const doc = document;
  const form = () => doc.getElementById("answer");
  const text = () => doc.querySelector("[data-text]");
  const make = (tag, props, ...inside) => { const e = Object.assign(doc.createElement(tag), props); e.append(...inside); return e; };

  // --- Places in the text, in code points as the server counts them. A sign that can't be seen is drawn as its number, and is
  // one code point. ---------------------------------------------------------------------------------------------------
  function pieces(root) {
    const out = [];
    let n = 0;
    const walk = el => {
      for (const c of el.childNodes) {
        if (c.nodeType === 3) { const len = [...c.data].length; out.push({ node: c, start: n, end: n + len }); n += len; }
        else if (c.nodeType === 1 && c.classList.contains("unseen")) { out.push({ node: c, start: n, end: ++n }); }
        else if (c.nodeType === 1 && !c.classList.contains("mark-no")) walk(c);
      }
    };
    walk(root);
    return out;
  }
  function place(root, node, offset) {
    const before = doc.createRange();
    before.setStart(root, 0);
    before.setEnd(node, offset);
    let n = 0;
    for (const p of pieces(root)) {
      if (p.node === node) return p.start + [...node.data.slice(0, offset)].length;
      if (before.comparePoint(p.node, 0) > 0) break;
      n = p.node.contains(node) ? p.start : p.end;
    }
    return n;
  }
  function range(root, start, end) {
    const r = doc.createRange(), all = pieces(root);
    const units = (p, at) => p.node.nodeType === 3 ? [...p.node.data].slice(0, at - p.start).join("").length : 0;
    const a = all.find(p => start >= p.start && start < p.end), b = all.find(p => end > p.start && end <= p.end);
    if (!a || !b) return null;
    if (a.node.nodeType === 3) r.setStart(a.node, units(a, start)); else r.setStartBefore(a.node);
    if (b.node.nodeType === 3) r.setEnd(b.node, units(b, end)); else r.setEndAfter(b.node);
    return r;
  }
  const plain = root => pieces(root).map(p => p.node.nodeType === 3 ? p.node.data : "\u0000").join("");

  // --- Marks -----------------------------------------------------------------------------------------------------------
  let picked = null; // the words that are selected, or were until a code was reached for
  const short = s => { const w = s.replace(/\s+/g, " ").trim(); return w.length > 80 ? `${w.slice(0, 38)} … ${w.slice(-38)}` : w; };
  const words = (start, end) => [...plain(text())].slice(start, end).join("");
  function draw() {
    if (!window.CSS || !CSS.highlights || !window.Highlight) return;
    const root = text(), all = [];
    if (root) {
      for (const f of doc.querySelectorAll('#spans input[name="span"]')) {
        const [end, start] = f.value.split(" ").reverse().map(Number), r = range(root, start, end);
        if (r) all.push(r);
      }
    }
    CSS.highlights.set("span", new Highlight(...all));
    const now = root && picked && range(root, picked.start, picked.end);
    CSS.highlights.set("picked", now ? new Highlight(now) : new Highlight());
  }
  const hint = { el: null, was: "" };
  function tell() {
    const el = doc.getElementById("picked");
    if (!el) return;
    if (hint.el !== el) { hint.el = el; hint.was = el.textContent; }
    const line = picked ? `“${short(words(picked.start, picked.end))}” is selected: choose an issue.` : hint.was;
    if (el.textContent !== line) el.textContent = line;
  }
  function select() {
    const root = text(), s = getSelection();
    if (!root || !doc.getElementById("spans") || !s.rangeCount || s.isCollapsed) return;
    const r = s.getRangeAt(0);
    if (!root.contains(r.startContainer) || !root.contains(r.endContainer)) return;
    let start = place(root, r.startContainer, r.startOffset), end = place(root, r.endContainer, r.endOffset);
    const all = [...plain(root)];
    while (start < end && /\s/.test(all[start])) start++;
    while (end > start && /\s/.test(all[end - 1])) end--;
    picked = start < end ? { start, end } : null;
    tell();
    draw();
  }
  doc.addEventListener("selectionchange", select);
  doc.addEventListener("pointerdown", ev => {
    if (picked && ev.target.closest("[data-text]")) { picked = null; tell(); draw(); }
  });
  const changed = () => form().dispatchEvent(new Event("input", { bubbles: true })); // so that marks are kept as well
  function add(code, name) {
    const value = `${code} ${picked.start} ${picked.end}`, list = doc.getElementById("spans");
    if (![...list.querySelectorAll("input")].some(i => i.value === value)) {
      const drop = make("button", { type: "submit", className: "btn link small", name: "drop", value, formNoValidate: true },
        "Remove", make("span", { className: "sr" }, ` ${name}`));
      drop.dataset.drop = "";
      list.append(make("li", {}, make("input", { type: "hidden", name: "span", value }),
        make("span", {}, make("strong", {}, name), "\u00a0", make("span", { className: "user-text" }, `“${short(words(picked.start, picked.end))}”`)), drop));
    }
    picked = null;
    getSelection().removeAllRanges();
    tell();
    draw();
    changed();
  }
  doc.addEventListener("click", ev => {
    const box = ev.target.closest("input[data-code]");
    if (box && picked) { ev.preventDefault(); add(box.value, box.dataset.code); return; }
    const drop = ev.target.closest("[data-drop]");
    if (drop) {
      ev.preventDefault();
      const next = drop.closest("li").nextElementSibling;
      drop.closest("li").remove();
      (next ? next.querySelector("button") : doc.querySelector("input[data-code]")).focus();
      draw();
      changed();
    }
    // A label's key may send at once, where the person chose so; a click or the arrow keys never do.
    const pick = ev.target.closest('input[name="label"].pressed'), quick = doc.querySelector("[data-quick]");
    if (pick && quick && quick.checked) setTimeout(() => form().requestSubmit(form().querySelector("[data-default]")));
  });

  // --- What a person chose stays as they chose it: the guidelines open or closed, a label key that sends ------------------
  const kept = name => { try { return localStorage.getItem(`label-${name}`); } catch { return null; } };
  const keep = (name, value) => { try { localStorage.setItem(`label-${name}`, value); } catch { /* then it is chosen anew */ } };
  doc.addEventListener("toggle", ev => {
    if (ev.target.dataset && ev.target.dataset.remember) keep(ev.target.dataset.remember, ev.target.open ? "open" : "closed");
  }, true);
  doc.addEventListener("change", ev => { if (ev.target.matches("[data-quick]")) keep("quick", ev.target.checked ? "on" : "off"); });

  // --- How long the item was on the screen, and seen ----------------------------------------------------------------------
  let item = "", since = 0, spent = 0;
  const seen = () => { if (since) spent += performance.now() - since; since = doc.hidden ? 0 : performance.now(); };
  doc.addEventListener("visibilitychange", seen);
  function start() {
    const f = form(), is = f ? f.dataset.item : "";
    if (f && is !== item) { spent = 0; since = doc.hidden ? 0 : performance.now(); }
    item = is;
    picked = null;
    for (const d of doc.querySelectorAll("details[data-remember]")) {
      const was = kept(d.dataset.remember) || (d.dataset.remember === "guide" && innerWidth < 960 ? "closed" : "");
      if (was && !d.querySelector("[aria-invalid]")) d.open = was === "open" || (d.dataset.remember === "words" && [...d.querySelectorAll("textarea")].some(t => t.value));
    }
    const quick = doc.querySelector("[data-quick]");
    if (quick) { quick.closest("[data-quick-host]").hidden = false; quick.checked = kept("quick") === "on"; }
    draw();
  }

  // --- The next item is shown at once; the answer to the form then takes the page's place. If it can't be sent, all is as before.
  let held = null;
  doc.addEventListener("submit", ev => {
    const f = ev.target;
    if (ev.defaultPrevented || !f.closest(".label-page")) return;
    if (f.id === "answer") {
      const field = f.querySelector("[data-spent]");
      seen();
      if (field) field.value = String(Math.round(spent));
    }
    const then = doc.getElementById("then"), reading = doc.getElementById("reading");
    const chosen = f.id === "answer" ? f.querySelector('input[name="label"]:checked') : f.closest("#skip-sheet");
    if (!then || !reading || !chosen || (ev.submitter && ev.submitter.name === "drop") || !window.htmx) return;
    held = { reading, was: [...reading.childNodes], then, y: scrollY };
    setTimeout(() => { // once the form was read
      if (!held) return;
      reading.replaceChildren(...[...then.childNodes].map(c => c.cloneNode(true)));
      reading.setAttribute("aria-busy", "true");
      if (window.CSS && CSS.highlights) CSS.highlights.delete("span");
      scrollTo(0, 0);
    });
  }, true); // before htmx reads the form
  doc.addEventListener("htmx:finally:request", () => {
    if (held && held.reading.isConnected) {
      held.reading.replaceChildren(...held.was);
      held.reading.removeAttribute("aria-busy");
      scrollTo(0, held.y);
      draw();
    }
    held = null;
  });
  doc.addEventListener("htmx:after:swap", start);
  start();
})();
