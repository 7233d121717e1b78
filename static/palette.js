// The command palette: Ctrl+K finds what this page can do, where one may go, and help, or searches. It offers what the page has already, and
// does it as a click would. A combobox: the focus stays in the field, aria-activedescendant walks the list.
(() => {
  "use strict";
  const doc = document, box = doc.getElementById("palette");
  if (!box) return;
  const find = box.querySelector("input"), list = box.querySelector("ul"), said = box.querySelector("[role=status]");
  const fold = s => s.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  let all = [], found = [], active = 0, help = null;

  function go(href) {
    const link = Object.assign(doc.createElement("a"), { href });
    doc.getElementById("main").append(link); // where what was typed is looked after when one leaves
    link.click();
    link.remove();
  }
  const act = (el, key) => ({
    kind: "This page", name: keys.words(el), key,
    run: () => { if (el.isConnected && keys.visible(el) && !app.busy()) keys.press(el); else app.announce("The page has changed. Open the palette again."); },
  });
  function gather() {
    const here = keys.list().filter(k => k.el && !["/", "Escape"].includes(k.key)), known = new Set(here.map(k => k.el));
    const more = [...doc.querySelectorAll("#main :is(.bar, .case-head) :is(a.btn, button, summary)")].filter(el => !known.has(el) && !el.disabled && keys.visible(el) && keys.words(el));
    const links = new Map([...doc.querySelectorAll("#nav a, #main nav.tabs a, .top .menu-body > a")].map(el => [el.href, el])).values();
    all = [...here.map(k => act(k.el, k.key)), ...more.filter(el => el.getAttribute("aria-disabled") !== "true").map(el => act(el)),
      ...[...links].map(el => ({ kind: "Go to", name: keys.words(el), run: () => go(el.href) }))];
    help ??= fetch("/help", { headers: { "HX-Request": "true" } }).then(r => r.ok ? r.text() : "").then(html =>
      [...new DOMParser().parseFromString(html, "text/html").querySelectorAll("#main a[href^='/help/']")].map(a => ({ kind: "Help", name: a.textContent.trim(), run: () => go(a.getAttribute("href")) })),
    ).catch(() => { help = null; return []; });
    help?.then(pages => { all.push(...pages); if (box.open) draw(); });
  }

  function draw() {
    const q = find.value.trim(), parts = fold(q).split(/\s+/).filter(Boolean), starts = o => fold(o.name).startsWith(parts[0] || "");
    const fits = o => parts.every(part => fold(`${o.name} ${o.kind}`).includes(part));
    found = all.filter(fits).sort((a, b) => starts(b) - starts(a)).slice(0, 40);
    if (q) found.push({ kind: "Search", name: `Search for “${q}”`, run: () => go(`/search?q=${encodeURIComponent(q)}`) });
    list.replaceChildren(...found.map((o, i) => {
      const li = doc.createElement("li"), kind = Object.assign(doc.createElement("span"), { className: "soft small", textContent: o.kind });
      li.id = `palette-${i}`; li.setAttribute("role", "option"); li.append(Object.assign(doc.createElement("span"), { textContent: o.name }), kind);
      if (o.key) li.append(Object.assign(doc.createElement("kbd"), { className: "key", textContent: o.key }));
      return li;
    }));
    mark(0);
    said.textContent = found.length === 1 ? "1 result" : `${found.length} results`;
  }
  function mark(i) {
    active = i;
    [...list.children].forEach((li, n) => li.setAttribute("aria-selected", String(n === i)));
    if (!list.children[i]) { find.removeAttribute("aria-activedescendant"); return; }
    find.setAttribute("aria-activedescendant", list.children[i].id);
    list.children[i].scrollIntoView({ block: "nearest" });
  }
  function take(i) {
    const what = found[i];
    if (!what) return;
    box.close(); // the focus goes back to where it was
    what.run();
  }

  function open() {
    if (doc.querySelector("[popover]:popover-open, dialog[open]")) return;
    for (const menu of doc.querySelectorAll("details.menu[open]")) menu.open = false;
    find.value = "";
    gather();
    box.showModal();
    draw();
  }
  doc.addEventListener("keydown", ev => {
    if (keys.command(ev) !== "k" || keys.mac && !ev.metaKey) return; // on a Mac, Ctrl+K deletes to the end of the line
    ev.preventDefault();
    if (ev.repeat) return;
    if (box.open) box.close(); else open();
  });
  doc.addEventListener("click", ev => { if (ev.target.closest("[data-palette]")) open(); });
  find.addEventListener("input", draw);
  find.addEventListener("keydown", ev => {
    const key = keys.of(ev), n = found.length;
    if (key === "ArrowDown" || key === "ArrowUp") mark((active + (key === "ArrowDown" ? 1 : n - 1)) % Math.max(1, n));
    else if (key === "Enter") take(active);
    else return;
    ev.preventDefault();
    ev.stopPropagation();
  });
  list.addEventListener("click", ev => { const li = ev.target.closest("li"); if (li) take([...list.children].indexOf(li)); });
})();
