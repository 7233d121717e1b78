package browsertest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"preceptor/internal/account"
)

// typedHere opens everything on a page that a click opens, types a sentence with every letter, digit and sign from its
// field, from the heading and from nowhere, and lists what came of it but text.
const typedHere = `(async () => {
	const found = [], rest = () => new Promise(done => setTimeout(done, 5)), seen = e => e.checkVisibility();
	const field = "input:not([type=hidden], [readonly], :disabled), textarea:not([readonly], :disabled), select:not(:disabled)";
	const sentence = "an expert should see pages 0123456789, quickly; jobs of vexing work? x/z";
	let did = "", typing = false;
	for (const kind of ["click", "submit"]) addEventListener(kind, ev => { if (!typing) return; did = kind + " on " + (ev.target.id || ev.target.textContent.trim().slice(0, 30)); ev.preventDefault(); }, true);
	function type(what) {
		typing = true;
		for (const [where, e] of [["its field", document.activeElement], ["the heading", document.querySelector("h1")], ["nowhere", document.body]]) {
			if (!e) continue;
			if (e !== document.body) e.focus({ preventScroll: true }); else document.activeElement.blur();
			const at = document.activeElement;
			for (const c of sentence) for (const key of new Set([c, c.toUpperCase()])) {
				did = "";
				const ev = new KeyboardEvent("keydown", { key, code: /[a-z]/.test(c) ? "Key" + c.toUpperCase() : "", bubbles: true, cancelable: true });
				const took = !at.dispatchEvent(ev), choice = at.type === "radio" && document.activeElement.name === at.name;
				if ((took || did || document.activeElement !== at) && !choice) { found.push(what + ": " + key + " from " + where + ": " + (did || "taken")); at.focus(); }
			}
		}
		typing = false;
	}
	const form = document.getElementById("decide");
	if (form) {
		const at = document.activeElement;
		if (at.form !== form || !at.matches(field)) found.push("the form has not the focus, but " + at.tagName + " " + at.id);
		type("the form");
	}
	for (const opener of [...document.querySelectorAll("summary, [popovertarget]")]) {
		if (!opener.isConnected || !seen(opener)) continue;
		const open = opener.localName === "summary" ? opener.parentElement : document.getElementById(opener.getAttribute("popovertarget"));
		if (!open) { found.push(opener.textContent.trim() + " opens nothing"); continue; }
		const what = open.id || opener.textContent.trim().replace(/\s+/g, " ").slice(0, 40), is = () => open.localName === "details" ? open.open : open.matches(":popover-open");
		if (is()) continue;
		opener.click();
		await rest();
		if (!is()) { found.push(what + " does not open"); continue; }
		const first = [...open.querySelectorAll(field)].find(seen), isMenu = open.matches("[popover], .menu");
		if (first && !(open.contains(document.activeElement) && document.activeElement.matches(field))) found.push(what + ": its first field has not the focus, but " + document.activeElement.tagName);
		if (first || isMenu) type(what);
		if (open.localName === "details") open.open = false; else open.hidePopover();
	}
	return found;
})()`

// typedOn are a page of each kind.
var typedOn = strings.Fields("case case-clean case-revise case-reject case-return case-skip case-recall " +
	"case-comments case-with-experts practice-case-reject " +
	"queue datasets-label datasets-ruling borderline-blind lesson rule-edit admin-people busy")

// TestNothingButTextComesOfTyping: a question that was typed beside its field approved a draft.
func TestNothingButTextComesOfTyping(t *testing.T) {
	b := open(t, false)
	b.size(1440, 900, "light")
	srv := galleryServer(t)
	opened := 0
	for _, s := range Samples() {
		if testing.Short() && !slices.Contains(typedOn, s.Name) {
			continue // make check types on every page
		}
		b.run(chromedp.Navigate(srv.URL+"/"+s.Name), chromedp.WaitReady(chromedp.CSS("body")))
		opened += eval[int](b, `document.querySelectorAll("summary, [popovertarget], #decide").length`)
		if found := eval[[]string](b, typedHere); len(found) > 0 {
			t.Errorf("%s: %d faults, as %s", s.Name, len(found), strings.Join(found[:min(len(found), 4)], "; "))
		}
	}
	if opened < 40 {
		t.Errorf("%d things were opened, want all of them", opened)
	}
}

// TestATypedQuestionIsAQuestion: by key and by click, and with the focus taken away, on the program itself.
func TestATypedQuestionIsAQuestion(t *testing.T) {
	site, ids := plainDesk(t, 2)
	b := open(t, true)
	b.size(1440, 900, "light")
	b.enter(site, "/reviews/"+ids[0], account.Supervisor)
	b.says("#claim", "You're reviewing this")
	b.press("e")
	b.until("the question has the focus", `document.activeElement.id === "refer-note"`)
	eval[any](b, `(document.activeElement.value = "", 0)`) // the driver types the key as well
	b.run(chromedp.KeyEvent("an expert asks so"))
	b.until("it was typed", `document.activeElement.value === "an expert asks so"`)
	eval[any](b, `(document.querySelector("h1").focus(), 0)`)
	b.run(chromedp.KeyEvent("arxsj"))
	b.press(kb.Escape)
	b.until("Escape closes it",
		`!document.getElementById("refer").open && document.activeElement.localName === "summary"`)
	b.click("#refer > summary")
	b.until("a click leads into it, too",
		`document.activeElement.id === "refer-note" && document.activeElement.value === "an expert asks so"`)
	b.at("/reviews/" + ids[0])
	b.ctrlEnter()
	b.says("#case-notices", "With the compliance experts")
	item, err := site.Reviews.Get(t.Context(), ids[0])
	if err != nil || item.State == "decided" {
		t.Errorf("it is %s (%v), want it undecided", item.State, err)
	}
	b.quiet("asking")
}

// stroke is one key as a keyboard sends it, and what it means to us: "" for nothing.
type stroke struct{ Name, Key, Code, Mods, Want string }

var strokes = []stroke{
	{"plain", "a", "KeyA", "", "a"}, {"Caps Lock", "A", "KeyA", "", "a"},
	{"Caps Lock and Shift", "a", "KeyA", "shift", "a"},
	{"Russian", "ф", "KeyA", "", "a"}, {"Russian with Caps Lock", "К", "KeyR", "", "r"},
	{"Ukrainian", "ч", "KeyX", "", "x"}, {"Greek", "χ", "KeyX", "", "x"},
	{"Hebrew", "ש", "KeyA", "", "a"}, {"Arabic", "ق", "KeyR", "", "r"}, {"Thai vowel", "ั", "KeyY", "", "y"},
	{"full width", "ｒ", "KeyR", "", "r"},
	{"Dvorak goes by its letter", "r", "KeyO", "", "r"}, {"AZERTY goes by its letter", "a", "KeyQ", "", "a"},
	{"Dvorak's comma is no w", ",", "KeyW", "", ","},
	{"Turkish i without a dot is no i", "ı", "KeyI", "", "ı"}, {"Arabic-Indic", "٣", "Digit3", "", "3"},
	{"Persian", "۷", "Digit7", "", "7"},
	{"Devanagari", "९", "Digit9", "", "9"}, {"keypad", "4", "Numpad4", "", "4"}, {"AZERTY", "&", "Digit1", "", "1"},
	{"AZERTY with an accent", "é", "Digit2", "", "2"},
	{"AZERTY with Shift", "3", "Digit3", "shift", "3"}, {"! is no 1", "!", "Digit1", "shift", "!"},
	{"Arabic question mark", "؟", "Slash", "shift", "?"},
	{"AltGr", "r", "KeyR", "altgr", ""}, {"Ctrl", "a", "KeyA", "ctrl", ""}, {"composing", "a", "KeyA", "composing", ""},
	{"an input method", "Process", "KeyA", "229", ""},
	{"named", "Enter", "Enter", "", "Enter"}, {"dead", "Dead", "Quote", "", "Dead"},
}

func TestKeysOfOtherKeyboards(t *testing.T) {
	b := open(t, false)
	b.run(chromedp.Navigate(galleryServer(t).URL+"/case-clean"), chromedp.WaitReady(chromedp.CSS("#main")))
	for _, s := range strokes {
		got := eval[string](b, fmt.Sprintf(`(() => { const how = %q;
			return keys.of(new KeyboardEvent("keydown", { key: %q, code: %q, shiftKey: how === "shift", ctrlKey: how === "ctrl", modifierAltGraph: how === "altgr", isComposing: how === "composing", keyCode: how === "229" ? 229 : 0 })); })()`, s.Mods, s.Key, s.Code))
		if got != s.Want {
			t.Errorf("%s: %q at %s is %q, want %q", s.Name, s.Key, s.Code, got, s.Want)
		}
	}
	// What the page does with one: the letter of another keyboard presses the button that it would in Latin.
	pressed := eval[string](b,
		`(() => { let at = ""; addEventListener("click", ev => { at = ev.target.closest("[data-key]")?.dataset.key; ev.preventDefault(); ev.stopImmediatePropagation(); }, { capture: true, once: true });
		document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "К", code: "KeyR", bubbles: true, cancelable: true })); return at; })()`)
	if pressed != "r" {
		t.Errorf("К presses %q, want what r presses", pressed)
	}
	if command := eval[string](b,
		`keys.command(new KeyboardEvent("keydown", { key: "л", code: "KeyK", ctrlKey: true }))`); command != "k" {
		t.Errorf("Ctrl with л is %q, want k", command)
	}
}

// TestTheSheetSaysWhatKeysDoHere: in the words of the page; what doesn't act isn't listed.
func TestTheSheetSaysWhatKeysDoHere(t *testing.T) {
	if testing.Short() {
		t.Skip("no main flow; make check runs it")
	}
	b := open(t, false)
	b.size(1440, 900, "light")
	srv := galleryServer(t)
	for name, want := range map[string]map[string]string{
		"datasets-label": {"a": "Missing DB warning", "1": "Compliant", "s": "Skip", "Ctrl+Enter": "Send the form",
			"r": ""},
		"queue":      {"j": "Next row", "a": "", "Ctrl+K": "Command palette", "?": "Shortcuts"},
		"case-clean": {"a": "Approve and next", "r": "Revise", "Ctrl+Enter": "", "b": ""},
		"case-reject": {"1": "Personal recommendation", "a": "", "b": "", "Ctrl+Enter": "Reject and next",
			"j": ""},
		"case-comments":    {"c": "Your comment", "Ctrl+Enter": "Send the form"},
		"borderline-blind": {"1": "Compliant guidance", "m": "Mark the selected words", "a": ""},
	} {
		b.run(chromedp.Navigate(srv.URL+"/"+name), chromedp.WaitReady(chromedp.CSS("#main")))
		said := eval[map[string]string](b, `(() => { const keys = document.getElementById("keys"); keys.showPopover();
			return Object.fromEntries([...keys.querySelectorAll("dt")].map(dt => [dt.querySelector(".sr").textContent, dt.nextElementSibling.textContent])); })()`)
		for key, does := range want {
			if got, ok := said[key]; does == "" && ok || does != "" && !strings.HasPrefix(got, does) {
				t.Errorf("%s: %s does %q, want %q; the sheet is %v", name, key, got, does, said)
			}
		}
	}
}

// TestCtrlEnterNeedsNoField: it sends the only form of the page; an empty comment is none, and of two it sends neither.
func TestCtrlEnterNeedsNoField(t *testing.T) {
	b := open(t, false)
	b.size(1440, 900, "light")
	srv := galleryServer(t)
	sent := `(() => { let sent = ""; addEventListener("submit", ev => { sent = ev.target.id || ev.target.getAttribute("aria-label") || "one"; ev.preventDefault(); ev.stopImmediatePropagation(); }, { capture: true, once: true });
		document.activeElement.blur(); for (const f of document.forms) f.noValidate = true;
		document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true, cancelable: true })); return sent; })()`
	for name, want := range map[string]string{"datasets-label": "answer", "borderline-blind": "answer",
		"case-reject": "decide", "case-clean": ""} {
		b.run(chromedp.Navigate(srv.URL+"/"+name), chromedp.WaitReady(chromedp.CSS("#main")))
		if got := eval[string](b, sent); got != want {
			t.Errorf("%s: Ctrl+Enter sends %q, want %q", name, got, want)
		}
	}
}

// TestThePaletteFindsAndDoes: what the page can do, where one may go, help, and a search; nothing of it by a letter
// that is typed.
func TestThePaletteFindsAndDoes(t *testing.T) {
	if testing.Short() {
		t.Skip("no main flow; make check runs it")
	}
	site, ids := plainDesk(t, 2)
	b := open(t, true)
	b.size(1440, 900, "light")
	b.enter(site, "/reviews/"+ids[0], account.Supervisor)
	b.says("#claim", "You're reviewing this")
	ctrlK := func() {
		t.Helper()
		call(b, input.DispatchKeyEvent,
			input.DispatchKeyEventParams{Type: "rawKeyDown", Key: "k", Code: "KeyK", WindowsVirtualKeyCode: 75,
				Modifiers: 2})
		b.until("the palette is open",
			`document.getElementById("palette").open && document.activeElement.getAttribute("role") === "combobox"`)
	}
	chosen :=
		`(document.getElementById(document.querySelector("#palette input").getAttribute("aria-activedescendant"))?.innerText || "")`
	ctrlK()
	b.says("#palette li", "Approve and next")
	b.says("#palette li", "Help")
	b.says("#palette ul", "Saved replies")
	b.says("#palette ul", "Exports")
	b.accessible("the palette")
	b.shot("palette")
	b.run(chromedp.KeyEvent("asxr revise"))
	b.until("nothing but the search fits", `document.querySelectorAll("#palette li").length === 1 && `+chosen+
		`.includes("Search for")`)
	b.write("#palette input", "keyb short")
	b.until("a help page is found", chosen+`.includes("Keyboard shortcuts")`)
	b.write("#palette input", "revise")
	b.until("what the page does comes first", chosen+`.startsWith("Revise")`)
	b.enterKey()
	b.at("/reviews/" + ids[0] + "?mode=revise")
	b.until("the editor has the focus", `document.activeElement.id === "text"`)
	ctrlK()
	b.press(kb.Escape)
	b.until("Escape gives the focus back",
		`!document.getElementById("palette").open && document.activeElement.id === "text"`)
	ctrlK()
	b.size(390, 800, "dark")
	b.fits("the palette on a phone")
	b.shot("palette-phone")
	b.write("#palette input", "ask")
	b.press(kb.ArrowDown)
	b.write("#palette input", "quarter pot")
	b.until("one can search", chosen+`.includes("quarter pot")`)
	b.enterKey()
	b.until("the search has it", `location.pathname === "/search" && location.search === "?q=quarter%20pot"`)
	b.quiet("the palette")
}

// TestNothingIsSentThatIsNotOnTheScreen: without a line a decision says so where its button is, and stays; with one,
// what follows from the text is there before it goes out, lesson included.
func TestNothingIsSentThatIsNotOnTheScreen(t *testing.T) {
	const fact = "You have 30 days from the first payment to change your mind."
	site, ids := plainDesk(t, 4)
	b := open(t, true)
	b.size(1440, 900, "light")
	b.enter(site, "/reviews/"+ids[3], account.Supervisor)
	b.says("#claim", "You're reviewing this")
	// A machine without a network that runs the server itself.
	eval[any](b, `(Object.defineProperty(navigator, "onLine", { configurable: true, get: () => false }), 0)`)
	b.press("a")
	b.at("/reviews/" + ids[0])
	b.says("#claim", "You're reviewing this")
	eval[any](b, `(delete navigator.onLine, 0)`)

	b.offline(true)
	b.press("a")
	b.says(".bar .not-sent", "Not sent, you’re offline")
	b.click(`#nav a[href="/reviews"]`)
	b.says(".stays", "This page stays open")
	b.offline(false)
	b.says(".bar .not-sent", "You’re online again")
	b.press("a")
	b.at("/reviews/" + ids[1])

	b.press("r")
	b.at("/reviews/" + ids[1] + "?mode=revise")
	b.lesson()
	b.says("#teach-rows", "appears here")
	b.write("#reason", "It never mentions the 30 days.")
	b.offline(true)
	b.write("#text", passing+"\n\n"+fact)
	b.until("what is old says so",
		`document.querySelector("#check[data-outdated]") !== null && document.querySelector("#teach-rows[data-outdated]") !== null`)
	b.ctrlEnter()
	b.says(".bar .not-sent", "Not sent, you’re offline")
	b.accessible("offline")
	b.shot("offline")
	// Sent in the moment in which the line is there again, before anything was loaded: it waits for that.
	eval[any](b,
		`(addEventListener("online", ev => { ev.stopImmediatePropagation(); document.getElementById("decide").requestSubmit(); }, { capture: true, once: true }), 0)`)
	b.offline(false)
	b.says(".bar .not-sent", "check it, then send")
	b.says("#check ins", "30 days from the first payment")
	b.says(".teach-row[data-kind=include]", "Say this last")
	if item, err := site.Reviews.Get(t.Context(), ids[1]); err != nil || item.State == "decided" ||
		item.First.Name != "" {
		t.Fatalf("it went out as %+v (%v)", item, err)
	}
	b.ctrlEnter()
	b.at("/reviews/" + ids[2])
	b.says("#toast", "Revised")
	item, err := site.Reviews.Get(t.Context(), ids[1])
	if err != nil || item.Decision == nil || len(item.Decision.Statements) == 0 {
		t.Errorf("it was sent without its lesson: %+v (%v)", item.Decision, err)
	}

	// A form that the browser itself sends.
	b.run(chromedp.Navigate(site.URL+"/account"), chromedp.WaitReady(chromedp.CSS("#main form")))
	b.offline(true)
	b.run(chromedp.Sleep(100 * time.Millisecond))
	eval[any](b,
		`(() => { const f = document.querySelector("#main form[method=post]"); f.noValidate = true; f.requestSubmit(); return 0; })()`)
	b.says("#main .not-sent", "Not sent, you’re offline")
	b.offline(false)
	b.quiet("offline", "answer none", "htmx:error", "sse")
}
