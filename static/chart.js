// The values of a chart by keyboard: the arrow keys go along the axis, Enter opens the rows. The table below has the same without a script.
(() => {
  "use strict";
  const doc = document;
  const at = plot => [...plot.querySelectorAll(".of")];
  const choose = (plot, i) => {
    const list = at(plot), to = list[Math.min(Math.max(i, 0), list.length - 1)];
    for (const one of list) one.classList.toggle("on", one === to);
    const said = doc.querySelector("body > p.sr[role=status]"); // of app.js
    if (to && said) said.textContent = [...to.querySelectorAll("tspan")].map(t => t.textContent).join(", ");
  };
  doc.addEventListener("focusin", ev => {
    const plot = ev.target.closest?.("svg[data-plot]");
    if (plot && plot === ev.target) choose(plot, at(plot).length - 1);
  });
  doc.addEventListener("focusout", ev => {
    for (const one of ev.target.closest?.("svg[data-plot]")?.querySelectorAll(".on") ?? []) one.classList.remove("on");
  });
  doc.addEventListener("keydown", ev => {
    const plot = ev.target, key = keys.of(ev);
    if (!plot.matches?.("svg[data-plot]")) return;
    const list = at(plot), now = list.findIndex(one => one.classList.contains("on"));
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: list.length - 1 }[key];
    if (to !== undefined) choose(plot, to);
    else if (key === "Enter" && list[now]?.matches("a")) location.href = list[now].href.baseVal;
    else return;
    ev.preventDefault(); ev.stopPropagation();
  });
})();
