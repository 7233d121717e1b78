// Marks the words that are selected in a text: they go into the first empty row of the form. Without this one copies them.
(() => {
  "use strict";
  const doc = document;

  // text is what a part of the page says, without the numbers that lead to notes.
  function text(range) {
    const box = doc.createElement("div");
    box.append(range.cloneContents());
    box.querySelectorAll(".mark-no").forEach(el => el.remove());
    return box.textContent;
  }

  // picked are the selected words and their place in code points; null when none of the text is selected.
  function picked() {
    const sel = getSelection();
    if (!sel.rangeCount || sel.isCollapsed) return null;
    const range = sel.getRangeAt(0), at = range.commonAncestorContainer;
    const box = (at.nodeType === 1 ? at : at.parentElement).closest("[data-pick]");
    if (!box) return null;
    const before = doc.createRange();
    before.selectNodeContents(box);
    before.setEnd(range.startContainer, range.startOffset);
    const raw = text(range), quote = raw.trim();
    if (!quote) return null;
    const start = [...text(before)].length + [...raw.slice(0, raw.indexOf(quote))].length;
    return { quote, start, end: start + [...quote].length };
  }

  function row(list) {
    const rows = [...list.querySelectorAll(".mark-row")], quote = r => r.querySelector("[name=mark_quote]");
    const free = rows.find(r => !quote(r).value);
    if (free) return free;
    const last = rows[rows.length - 1], more = last.cloneNode(true);
    more.querySelectorAll("[id]").forEach(el => { el.id = el.id.replace(/\d+$/, rows.length); });
    more.querySelectorAll("[for]").forEach(el => { el.htmlFor = el.htmlFor.replace(/\d+$/, rows.length); });
    more.querySelectorAll("input, select").forEach(el => { el.value = ""; });
    more.querySelectorAll(".field-error").forEach(el => el.remove());
    last.after(more);
    return more;
  }

  doc.addEventListener("mousedown", ev => { if (ev.target.closest("[data-pick-mark], [data-pick-to]")) ev.preventDefault(); });
  doc.addEventListener("click", ev => {
    const to = ev.target.closest("[data-pick-to]"), some = to && picked();
    if (some) { // a comment is about the selected words
      doc.getElementById(to.dataset.pickTo).value = some.quote;
      doc.getElementById("remark").focus();
    }
    if (!ev.target.closest("[data-pick-mark]")) return;
    const words = picked(), list = doc.querySelector("[data-marks]");
    if (!words || !list) return;
    const r = row(list);
    list.closest("details").open = true;
    r.querySelector("[name=mark_quote]").value = words.quote;
    r.querySelector("[name=mark_start]").value = words.start;
    r.querySelector("[name=mark_end]").value = words.end;
    r.querySelector("[name=mark_code]").focus();
  });
  // Words that were changed by hand have no place any more; the server looks for them.
  doc.addEventListener("input", ev => {
    if (!ev.target.matches("[name=mark_quote]")) return;
    ev.target.closest(".mark-row").querySelectorAll("[name=mark_start], [name=mark_end]").forEach(el => { el.value = ""; });
  });
})();
