package browsertest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"preceptor/internal/account"
)

// stop is one place where the tab key stops.
type stop struct {
	Name string `json:"name"`
	Says string `json:"says"` // what stands on it, as in the list of mark
	Seen bool   `json:"seen"` // it stands on the screen, and shows that it has the focus
	Why  string `json:"why"`
}

// mark gives everything that can be reached by the tab key a number, and lists it.
const mark = `(() => {
	const can = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")].filter(e =>
		e.tabIndex >= 0 && !e.disabled && e.type !== "hidden" && e.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) && !e.closest("[popover]:not(:popover-open), [inert]") &&
		!(e.type === "radio" && !e.checked && (e.form || document).querySelector('input[type=radio][name="' + e.name + '"]') !== e || e.type === "radio" && !e.checked && (e.form || document).querySelector('input[type=radio][name="' + e.name + '"]:checked')));
	can.forEach((e, i) => { e.dataset.stop = i; });
	return can.map(e => e.tagName.toLowerCase() + " " + (e.id || e.getAttribute("aria-label") || e.innerText || e.name || "").trim().slice(0, 40));
})()`

// here tells about the place that has the focus. What the browser outlines by itself counts, too.
const here = `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => {
	const e = document.activeElement;
	if (!e || e === document.body) return { name: "" };
	const says = e.tagName.toLowerCase() + " " + (e.id || e.getAttribute("aria-label") || e.innerText || e.name || "").trim().slice(0, 40);
	const s = getComputedStyle(e), r = e.getBoundingClientRect();
	const drawn = s => s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0 || s.boxShadow !== "none";
	const row = e.closest("li, tr, article, .pick-one");
	const ring = drawn(s) || row && drawn(getComputedStyle(row));
	const x = Math.min(Math.max(r.left + r.width / 2, 1), innerWidth - 1), y = Math.min(Math.max(r.top + Math.min(r.height / 2, 12), 1), innerHeight - 1);
	const top = document.elementFromPoint(x, y);
	const open = r.width > 0 && r.bottom > 0 && r.top < innerHeight && top && (e === top || e.contains(top) || top.contains(e));
	return { name: e.dataset.stop || "", says, seen: ring && !!open, why: (ring ? "" : "no ring ") + (open ? "" : "covered by " + (top && (top.className || top.tagName))) };
})`

// walk presses the tab key until everything was reached, and fails for what is not, and for what has the focus unseen.
// A live part may be drawn anew meanwhile; what stands there then is known by what it says.
func (b *tab) walk(where string) {
	b.t.Helper()
	names := eval[[]string](b, mark)
	eval[any](b, `(document.activeElement && document.activeElement.blur(), scrollTo(0, 0), 0)`)
	met := map[string]bool{}
	for i := 0; i < 2*len(names)+8 && len(met) < len(names); i++ {
		b.press(kb.Tab)
		s := eval[stop](b, here)
		if s.Name == "" {
			s.Name = anew(names, met, s.Says)
		}
		if s.Name == "" {
			continue
		}
		if !s.Seen {
			b.t.Errorf("%s: %q has the focus and can't be seen: %s", where, names[number(s.Name)], s.Why)
		}
		met[s.Name] = true
	}
	for i, name := range names {
		if !met[fmt.Sprint(i)] {
			b.t.Errorf("%s: the tab key does not reach %q", where, name)
		}
	}
}

// anew is the number of the first place that says this and was not met yet.
func anew(names []string, met map[string]bool, says string) string {
	for i, name := range names {
		if n := fmt.Sprint(i); name == says && !met[n] {
			return n
		}
	}
	return ""
}

func number(s string) (n int) {
	_, _ = fmt.Sscan(s, &n)
	return n
}

// TestEverythingIsReachedByTheTabKey walks the pages of the desk, wide and narrow.
func TestEverythingIsReachedByTheTabKey(t *testing.T) {
	if testing.Short() {
		t.Skip("looks at every page; make check runs it")
	}
	site, failed, passed := desk(t, 2)
	b := open(t, true)
	b.size(1440, 900, "light")
	b.enter(site, "/reviews", account.Supervisor, account.Admin)
	for _, width := range []int64{1440, 360} {
		b.size(width, 800, "light")
		for _, path := range []string{"/reviews", "/reviews/" + passed[0], "/reviews/" + failed + "?mode=revise",
			"/reviews/" + failed + "?mode=reject"} {
			b.run(chromedp.Navigate(site.URL+path), chromedp.WaitReady(chromedp.CSS("#main")))
			if strings.HasPrefix(path, "/reviews/") {
				b.says("#claim", "You're reviewing this")
			}
			b.run(chromedp.Sleep(1500 * time.Millisecond)) // what follows a claim, or the end of one, is drawn anew
			b.walk(fmt.Sprintf("%s at %d", path, width))
		}
	}
	b.quiet("tabbing")
}

// TestLetterKeysRest: single letters do nothing while one types, in a dialog, with a modifier, on repeat, and when the
// person turned them off (WCAG 2.1.4); the buttons then don't promise them.
func TestLetterKeysRest(t *testing.T) {
	site, passed := plainDesk(t, 2)
	b := open(t, true)
	b.size(1440, 900, "light")
	b.enter(site, "/reviews/"+passed[0], account.Supervisor)
	still := func(why string) {
		t.Helper()
		b.run(chromedp.Sleep(2e8))
		if at := eval[string](b, "location.pathname + location.search"); at != "/reviews/"+passed[0] {
			t.Fatalf("%s: a letter led to %s", why, at)
		}
	}
	b.at("/reviews/" + passed[0])
	for name, m := range map[string]chromedp.Modifier{"ctrl": chromedp.ModifierCtrl, "alt": chromedp.ModifierAlt,
		"meta": chromedp.ModifierMeta} {
		b.run(chromedp.KeyEvent("x", chromedp.KeyModifiers(m)))
		still("with " + name)
	}
	b.press(kb.Backspace) // destroys nothing, goes nowhere
	still("Backspace")
	b.click(".menu > summary")
	b.press("x")
	still("with the menu open")
	b.click(`button[name="keys"][value="off"]`)
	b.until("letters are off", `document.documentElement.classList.contains("nokeys")`)
	for _, k := range []string{"a", "r", "x", "s", "j", "u", "?"} {
		b.press(k)
		still("turned off")
	}
	promised := eval[[]string](b,
		`[...document.querySelectorAll(".bar kbd, .bar .key")].filter(e => e.checkVisibility()).map(e => e.innerText.trim()).filter(s => s.length === 1)`)
	if len(promised) > 0 {
		t.Errorf("letters are turned off, and the buttons still promise %v", slices.Compact(promised))
	}
	b.quiet("letters at rest")
}
