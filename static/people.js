// Comfort for people among themselves: names offered after an @ in a comment, and notices that are read once they are
// followed. Each can be done without it.
(() => {
  "use strict";
  const doc = document;

  // --- Names after an @ -------------------------------------------------------------------------------------------
  // The focus stays in the text; the list beside it is moved through by aria-activedescendant. The text keeps its own role,
  // because a text of several lines can't be a combobox; its keys are those of one.
  const most = 8;
  let people = null, asked = null; // who is offered; fetched with the first @
  let list = null, field = null, from = -1, active = -1;
  const fold = s => s.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

  function load(href) {
    asked ??= fetch(href, { headers: { "HX-Request": "true" } }).then(r => r.ok ? r.text() : Promise.reject(r.status)).then(html => {
      const page = new DOMParser().parseFromString(html, "text/html");
      people = [...page.querySelectorAll("#mention-people > li")].map(li => ({
        insert: li.dataset.insert, find: fold(li.dataset.find), name: li.children[0].textContent, email: li.children[1].textContent,
      }));
    }).catch(() => { asked = null; });
    return asked;
  }

  // typedName is what follows the @ before the caret, or null where none begins a word.
  function typedName(el) {
    const before = el.value.slice(0, el.selectionStart), at = before.lastIndexOf("@");
    if (at < 0 || el.selectionStart !== el.selectionEnd) return null;
    const word = before.slice(at + 1);
    if (word.length > 60 || /[\n@]| {2}|\s$/.test(word) && word.trim() === "" || word.split(" ").length > 4) return null;
    if (at > 0 && /[\p{L}\p{N}\p{M}._%+\-@/#=&?]/u.test(before[at - 1])) return null;
    return { at, word: fold(word) };
  }

  function matching(word) {
    const begins = p => p.find.split(/[\s@.]+/).some(w => w.startsWith(word)) || p.find.startsWith(word);
    return people.filter(begins).slice(0, most);
  }

  function show(el, at, found) {
    close();
    field = el; from = at; active = 0;
    list = doc.createElement("ul");
    list.id = "mention-list"; list.className = "mention-list"; list.setAttribute("role", "listbox"); list.setAttribute("aria-label", "People to mention");
    found.forEach((p, i) => {
      const li = doc.createElement("li"), email = doc.createElement("span");
      li.id = `mention-${i}`; li.setAttribute("role", "option"); li.dataset.insert = p.insert; li.textContent = p.name + " ";
      email.className = "soft small"; email.textContent = p.email; li.append(email);
      list.append(li);
    });
    el.after(list);
    el.setAttribute("aria-controls", list.id); el.setAttribute("aria-autocomplete", "list"); el.setAttribute("aria-haspopup", "listbox");
    mark();
    say(`${found.length === 1 ? "1 person" : found.length + " people"}. Arrow keys choose, Enter takes.`);
  }

  function mark() {
    [...list.children].forEach((li, i) => li.setAttribute("aria-selected", String(i === active)));
    field.setAttribute("aria-activedescendant", list.children[active].id);
    list.children[active].scrollIntoView({ block: "nearest" });
  }

  function close() {
    if (!list) return;
    list.remove(); list = null;
    for (const a of ["aria-controls", "aria-activedescendant"]) field.removeAttribute(a);
    field = null;
  }

  function take(i) {
    const el = field, insert = "@" + list.children[i].dataset.insert + " ", end = el.selectionStart;
    close();
    el.setRangeText(insert, from, end, "end");
    el.focus();
    el.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // say tells a screen reader, in a region that is there before it speaks.
  function say(text) {
    let line = doc.getElementById("mention-said");
    if (!line) {
      line = doc.createElement("p");
      line.id = "mention-said"; line.className = "sr"; line.setAttribute("role", "status");
      doc.body.append(line);
    }
    setTimeout(() => { line.textContent = text; }, 50);
  }

  doc.addEventListener("input", async ev => {
    const el = ev.target;
    if (!el.matches?.("textarea[data-mentions]")) return;
    const typed = typedName(el);
    if (!typed) { if (field === el) close(); return; }
    if (!people) { await load(el.dataset.mentions); if (!people || doc.activeElement !== el) return; }
    const now = typedName(el), found = now ? matching(now.word) : [];
    if (found.length) show(el, now.at, found); else if (field === el) close();
  });
  doc.addEventListener("keydown", ev => {
    const key = keys.of(ev);
    if (!list || ev.target !== field || !key) return;
    const n = list.children.length;
    const move = { ArrowDown: (active + 1) % n, ArrowUp: (active + n - 1) % n, PageDown: n - 1, PageUp: 0 }[key];
    if (move !== undefined) { active = move; mark(); }
    else if (key === "Enter" || key === "Tab" && !ev.shiftKey) take(active);
    else if (key === "Escape") close();
    else return;
    ev.preventDefault(); ev.stopImmediatePropagation(); // Escape closes the list and leaves the field
  }, true);
  doc.addEventListener("pointerdown", ev => {
    const option = list && ev.target.closest("#mention-list > li");
    if (option) { ev.preventDefault(); take([...list.children].indexOf(option)); }
  });
  doc.addEventListener("focusout", ev => { if (ev.target === field) close(); });

  // --- A notice that is followed is read --------------------------------------------------------------------------
  const read = ev => {
    const link = ev.target.closest?.("a[data-read]");
    if (!link || ev.type === "auxclick" && ev.button !== 1) return;
    fetch(link.dataset.read, { method: "POST", keepalive: true, redirect: "manual" }).catch(() => {});
    link.removeAttribute("data-read");
  };
  doc.addEventListener("click", read, true);
  doc.addEventListener("auxclick", read, true);
})();
