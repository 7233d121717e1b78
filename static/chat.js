// A customer's conversation: fetches the page again when an answer came, and puts in what is new, so that a screen reader reads no more.
// Without it a link on the page does the same.
(() => {
  "use strict";
  const turns = document.getElementById("turns");
  const form = document.getElementById("ask-again");
  if (form) form.addEventListener("submit", (e) => {
    if (form.dataset.sent) e.preventDefault();
    form.dataset.sent = "yes";
  });
  addEventListener("pageshow", () => { if (form) delete form.dataset.sent; });
  if (!turns || !turns.dataset.events) return;

  async function refresh() {
    const r = await fetch(location.href);
    if (!r.ok) return;
    const fresh = new DOMParser().parseFromString(await r.text(), "text/html");
    for (const item of fresh.querySelectorAll("#turns > ol > li")) {
      const old = document.getElementById(item.id);
      if (!old) turns.firstElementChild.append(item);
      else if (old.innerHTML !== item.innerHTML) old.replaceWith(item);
    }
    document.title = fresh.title;
    if (!form && fresh.getElementById("ask-again")) location.reload();
  }
  const news = new EventSource(turns.dataset.events);
  const look = () => refresh().catch(() => {});
  news.addEventListener("changed", look);
  let slow;
  news.addEventListener("error", () => { // refused, which a browser doesn't try again
    if (news.readyState === EventSource.CLOSED) slow ??= setInterval(look, 30_000);
  });
})();
