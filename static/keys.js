// How keys are read, once, for every script of a page. An element says which key it answers to: data-key="a". A single key acts only while
// nothing is open that one may be typing into, wherever the focus is.
const keys = (() => {
  "use strict";
  const doc = document, root = doc.documentElement, mac = /Mac|iP/.test(navigator.platform);

  // --- Which key it is ----------------------------------------------------------------------------------------------
  // Letters without their case and digits of any script; a letter that isn't Latin, and a digit that needs Shift (AZERTY), go by their
  // place on the keyboard. None ("") while a word is composed, and with AltGr.
  function digit(c) { // the digits of a script follow each other, from its nought
    let n = 0;
    for (let p = c.codePointAt(0) - 1; n < 9 && /\p{Nd}/u.test(String.fromCodePoint(p)); p--) n++;
    return String(n);
  }
  function named(ev) {
    if (ev.isComposing || ev.keyCode === 229 || !ev.key || ev.getModifierState?.("AltGraph")) return "";
    if ([...ev.key].length > 1) return ev.key;
    const c = ev.key.normalize("NFKC").toLowerCase(), at = ev.code || "";
    if (/^\p{Nd}$/u.test(c)) return digit(c);
    if (/^[a-z]$/.test(c)) return c;
    if (/^Digit\d$/.test(at) && !ev.shiftKey) return at.slice(5);
    if (/^Key[A-Z]$/.test(at) && /^[\p{L}\p{M}]/u.test(c) && !/^\p{Script=Latin}/u.test(c)) return at.slice(3).toLowerCase();
    return c === "؟" ? "?" : c;
  }
  const of = ev => ev.ctrlKey || ev.metaKey || ev.altKey ? "" : named(ev);
  const command = ev => (ev.ctrlKey || ev.metaKey) && !ev.altKey && !ev.shiftKey ? named(ev) : "";

  // --- What is open -------------------------------------------------------------------------------------------------
  const visible = el => el.checkVisibility ? el.checkVisibility() : el.offsetParent !== null;
  const typing = el => el.closest("input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]");
  const fields = "input:not([type=hidden], [readonly], :disabled), textarea:not([readonly], :disabled), select:not(:disabled)";
  const fieldIn = el => [...el.querySelectorAll(fields)].find(visible);
  const opened = new WeakSet(); // by a key or a click, on this page
  const held = () => [...doc.querySelectorAll("details[open]")].find(d => (opened.has(d) || d.querySelector("form [aria-invalid]")) && fieldIn(d));
  const layer = () => doc.querySelector("[popover]:popover-open, dialog[open], details.menu[open]") || held() || doc.getElementById("decide");

  // What opens takes the focus into its first field, unless the person has gone on elsewhere meanwhile.
  function entered(el, from = doc.activeElement) {
    const isOpen = el.localName === "details" ? el.open : el.matches("[popover]:popover-open");
    if (!isOpen) { opened.delete(el); return; }
    opened.add(el);
    if (doc.activeElement !== from && !el.contains(doc.activeElement)) return;
    if (!el.contains(doc.activeElement) || !doc.activeElement.matches(fields)) fieldIn(el)?.focus();
  }
  const opens = el => el.closest("summary")?.parentElement || doc.getElementById(el.closest("[popovertarget]")?.getAttribute("popovertarget"));
  doc.addEventListener("click", ev => {
    const what = opens(ev.target), from = doc.activeElement;
    if (what) setTimeout(() => entered(what, from)); // it opens after the click
  });

  // --- What a key does here -----------------------------------------------------------------------------------------
  // A field in something closed answers, too: its key opens it.
  const closed = el => el.matches("input, textarea") && el.closest("details:not([open])");
  const shown = el => !el.disabled && (visible(el) || closed(el) && visible(closed(el)));
  const answering = key => [...doc.querySelectorAll("[data-key]")].find(el => el.dataset.key === key && shown(el));
  const others = []; // of scripts that add keys of a page: () => [{ key, does, run }]
  const added = () => others.flatMap(list => list());

  function press(el) {
    el.classList.add("pressed");
    setTimeout(() => el.classList.remove("pressed"), 250);
    const around = closed(el);
    if (around) { around.open = true; opened.add(around); }
    if (el.matches("input[type=radio], input[type=checkbox]")) { el.focus({ preventScroll: el.closest("#answer:has(.labelling)") !== null }); el.click(); } // the text that one labels stays where it is
    else if (el.matches("input, textarea, select")) el.focus();
    else {
      el.click();
      const what = opens(el);
      if (what) entered(what); // before the next key
    }
  }

  // words are what a page calls what a key does.
  function words(el) {
    const copy = (el.labels?.[0] || el).cloneNode(true);
    copy.querySelectorAll(".key, .count, .hint, .optional, input, select, textarea").forEach(part => part.remove());
    return el.getAttribute("aria-label") || copy.textContent.replace(/\s+/g, " ").trim();
  }
  // list is what every key does on this page, each once.
  function list() {
    const out = new Map(), put = k => { if (!out.has(k.key)) out.set(k.key, k); };
    for (const el of doc.querySelectorAll("[data-key]")) if (shown(el)) put({ key: el.dataset.key, does: words(el), el });
    for (const el of doc.querySelectorAll("[data-late]")) put({ key: el.dataset.late, does: el.textContent.trim() });
    added().forEach(put);
    if ([...doc.querySelectorAll("form[data-submit-key]")].some(visible)) put({ key: "Ctrl+Enter", does: "Send the form" });
    put({ key: "Ctrl+K", does: "Command palette" });
    put({ key: "Escape", does: "Leave the field, or close what is open" });
    return [...out.values()];
  }

  // --- Ctrl+Enter sends the form one types in; where one types in none, the only one of the page or of what is open -----
  function toSend(target) {
    const near = target.form || target.closest("form");
    if (near && near.matches("[data-submit-key]")) return near;
    if (typing(target) || target.closest("a, button, summary")) return null;
    const at = layer(), apart = at && at.id !== "decide" && (at.localName !== "details" || at.querySelector("form")), within = apart ? at : doc;
    let all = [...within.querySelectorAll("form[data-submit-key]")].filter(visible);
    if (all.some(f => f.dataset.keep === undefined)) all = all.filter(f => f.dataset.keep === undefined || f.dataset.dirty);
    else all = all.filter(f => f.dataset.dirty); // an empty comment is nothing to send
    const main = all.find(f => f.id === "decide");
    if (all.length > 1 && !main) app.announce("More than one form can be sent. Put the cursor in the one you mean.");
    return main || (all.length === 1 ? all[0] : null);
  }

  function escape(target) {
    const menu = doc.querySelector("details.menu[open]"), open = held(), around = menu || (open && (open.contains(target) || !typing(target)) && open);
    if (target.closest("dialog[open]")) return;
    if (around) { around.open = false; opened.delete(around); around.querySelector("summary").focus(); return; }
    if (typing(target)) { target.blur(); return; }
    if (doc.querySelector("[popover]:popover-open, dialog[open]")) return;
    const back = answering("Escape");
    if (back) press(back);
  }

  doc.addEventListener("keydown", ev => {
    if (ev.defaultPrevented) return;
    const target = ev.target instanceof Element ? ev.target : doc.body;
    if (command(ev) === "Enter") {
      const form = toSend(target);
      if (form && !app.busy() && !ev.repeat) { ev.preventDefault(); form.requestSubmit(form.querySelector("[data-default]")); }
      return;
    }
    const key = of(ev);
    if (key === "Escape") { escape(target); return; }
    if (!key || ev.repeat || typing(target) || app.busy()) return;
    if (key.length === 1 && root.classList.contains("nokeys")) return;
    if (key === "Enter" && target.closest("a, button, summary, [role=button]")) return;
    const el = answering(key);
    if (layer()) { // within a choice its own keys choose
      const choice = el && el.type === "radio" && target.type === "radio" && el.name === target.name && el.form === target.form;
      if (!choice) return;
    }
    const late = !el && doc.querySelector(`[data-late="${CSS.escape(key)}"]`), own = !el && added().find(k => k.key === key);
    if (el) { ev.preventDefault(); press(el); }
    else if (own) { if (own.run() !== false) ev.preventDefault(); }
    else if (late) { late.hidden = false; app.announce(late.textContent); }
  });

  // --- The keys of this page, as its buttons call them ----------------------------------------------------------------
  const last = ["/", "Ctrl+Enter", "Ctrl+K", "Escape", "?"], print = { Enter: "↵", Escape: "Esc" };
  doc.addEventListener("beforetoggle", ev => {
    if (ev.target.id !== "keys" || ev.newState !== "open") return;
    const writing = doc.getElementById("decide"), make = (tag, props) => Object.assign(doc.createElement(tag), props);
    const here = list().filter(k => k.key.length > 1 || !root.classList.contains("nokeys") && (!writing || k.el?.type === "radio"));
    here.sort((a, b) => last.indexOf(a.key) - last.indexOf(b.key));
    ev.target.querySelector("dl").replaceChildren(...here.flatMap(k => {
      const dt = make("dt"), kbd = make("kbd", { className: "key", textContent: print[k.key] || k.key });
      kbd.setAttribute("aria-hidden", "true");
      dt.append(kbd, make("span", { className: "sr", textContent: k.key }));
      return [dt, make("dd", { textContent: k.does })];
    }));
  }, true);

  return { of, command, mac, list, press, words, visible, layer, also: more => others.push(more) };
})();
