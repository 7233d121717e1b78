// The feedback widget, for pages of others: it puts Preceptor's own small page into every element that carries a link's token.
//
//   <div data-preceptor-feedback="TOKEN"></div>
//   <script src="https://preceptor.example/static/widget.js" defer></script>
//
// <div data-preceptor-chat="AGENT"></div> puts the chat there, where customers ask an agent for which that was switched on.
// Optional on the element: data-theme="light" or "dark", data-title for screen readers. Elements that come later are found, too.
// It reads nothing of the page, keeps nothing, and takes one kind of message, from its own frame only: how high it wants to be.
(() => {
  "use strict";
  const here = document.currentScript;
  if (!here || window.preceptorFeedback) return;
  const home = new URL(here.src, document.baseURI).origin;
  const mark = "data-preceptor-feedback";
  const chat = "data-preceptor-chat";
  const frames = new Map(); // the window of a frame -> the frame

  function place(host) {
    const token = host.getAttribute(mark);
    const agent = host.getAttribute(chat);
    if (!agent && !/^[A-Za-z0-9_-]{20,700}$/.test(token || "") || host.firstElementChild) return;
    const frame = document.createElement("iframe");
    const theme = host.dataset.theme === "light" || host.dataset.theme === "dark" ? "?theme=" + host.dataset.theme : "";
    frame.title = host.dataset.title || (agent ? "Ask a question" : "Was this answer helpful?");
    frame.setAttribute("sandbox", "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox");
    frame.referrerPolicy = "no-referrer";
    Object.assign(frame.style, { display: "block", inlineSize: "100%", blockSize: "7rem", border: "0", colorScheme: "normal" });
    let answered = false;
    frame.addEventListener("load", () => {
      if (!frame.contentWindow) return;
      frames.set(frame.contentWindow, { frame, heard: () => { answered = true; } });
      frame.contentWindow.postMessage({ preceptor: "hello" }, home);
      // What never answers was refused by the browser: this site is not among those that may show it. Nothing is better than a broken box.
      setTimeout(() => { if (!answered) frame.remove(); }, 8000);
    });
    frame.src = home + "/widget/" + (agent ? "chat/" + encodeURIComponent(agent) : token) + theme;
    host.append(frame);
  }

  addEventListener("message", (e) => {
    if (e.origin !== home) return;
    const known = frames.get(e.source);
    if (!known || !e.data || e.data.preceptor !== "height") return;
    const height = Number(e.data.height);
    if (!Number.isFinite(height)) return;
    known.heard();
    known.frame.style.blockSize = Math.min(Math.max(Math.ceil(height), 40), 2000) + "px";
  });

  function find(root) {
    if (root.nodeType !== 1 && root !== document) return;
    const marked = "[" + mark + "], [" + chat + "]";
    if (root.nodeType === 1 && root.matches(marked)) place(root);
    root.querySelectorAll(marked).forEach(place);
  }

  window.preceptorFeedback = find;
  function start() {
    find(document);
    new MutationObserver((list) => list.forEach((m) => m.addedNodes.forEach(find))).observe(document.documentElement, { childList: true, subtree: true });
  }
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", start, { once: true });
  else start();
})();
