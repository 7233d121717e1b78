package browsertest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
)

// heard is one thing that a screen reader meets, in the order in which it meets them.
type heard struct {
	Role, Name  string
	Level       int    // of a heading
	Live        string // polite or assertive, of a live region
	Focused     bool
	Description string
	Text        string // all words inside
	node        cdp.BackendNodeID
}

func (h heard) String() string { return h.Role + " " + h.Name }

// tree is the page as a screen reader has it, top to bottom.
func (b *tab) tree() []heard {
	b.t.Helper()
	res, err := chromedp.Call(b.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	b.must(err)
	nodes := map[accessibility.NodeID]*accessibility.Node{}
	for _, n := range res.Nodes {
		nodes[n.NodeID] = n
	}
	var out []heard
	var walk func(id accessibility.NodeID) string
	walk = func(id accessibility.NodeID) string {
		n := nodes[id]
		if n == nil {
			return ""
		}
		at := -1
		if !n.Ignored {
			h := heard{Role: word(n.Role), Name: word(n.Name), Description: word(n.Description),
				node: n.BackendDOMNodeID}
			for _, p := range n.Properties {
				switch p.Name {
				case "level":
					_ = json.Unmarshal(p.Value.Value, &h.Level)
				case "live":
					h.Live = word(p.Value)
				case "focused":
					h.Focused = string(p.Value.Value) == "true"
				}
			}
			if h.Role == "StaticText" || h.Role == "InlineTextBox" {
				if h.Role == "InlineTextBox" {
					return ""
				}
				return h.Name + " "
			}
			out, at = append(out, h), len(out)
		}
		var text strings.Builder
		for _, child := range n.ChildIDs {
			text.WriteString(walk(child))
		}
		if at >= 0 {
			out[at].Text = strings.Join(strings.Fields(text.String()), " ")
		}
		return text.String()
	}
	for _, n := range res.Nodes {
		if n.ParentID == "" {
			walk(n.NodeID)
		}
	}
	return out
}

func word(v *accessibility.Value) string {
	var s string
	if v != nil {
		_ = json.Unmarshal(v.Value, &s)
	}
	return strings.TrimSpace(s)
}

// named are the roles that need a name. Any other role is the browser's affair: which elements it shows, and which of
// its own it adds, changes from version to version. A section and a form are places only once they have a name, and a
// table may have its wrapper's: which of them need one, sample_held_test.go says of the pages as we send them.
var named = []string{
	"link", "button", "switch", "tab", "menuitem", "checkbox", "radio", "radiogroup", "textbox", "searchbox",
	"combobox", "spinbutton", "slider",
	"heading", "image", "img", "dialog", "alertdialog", "navigation", "search", "complementary", "meter", "progressbar",
}

// orderly holds the page to what every page is held to: landmarks, headings in steps, a name on everything that acts.
func (b *tab) orderly(where string) []heard {
	b.t.Helper()
	tree := b.tree()
	count, level, firsts := map[string]int{}, 0, 0
	for _, h := range tree {
		count[h.Role]++
		if h.Role == "heading" {
			if h.Level == 1 {
				firsts++
			}
			if h.Level > level+1 {
				b.t.Errorf("%s: the heading %q of level %d follows one of level %d", where, h.Name, h.Level, level)
			}
			level = h.Level
		}
		if h.Name == "" && slices.Contains(named, h.Role) {
			if ours := b.source(h); ours != "" {
				b.t.Errorf("%s: a %s has no name: %s", where, h.Role, ours)
			}
		}
	}
	for _, one := range []string{"banner", "main", "contentinfo"} {
		if count[one] != 1 {
			b.t.Errorf("%s: %d landmarks %s, want one", where, count[one], one)
		}
	}
	if firsts != 1 {
		b.t.Errorf("%s: %d headings of level 1, want one", where, firsts)
	}
	return tree
}

// source is the element that is heard; "" for what the browser made, as the parts of a date field.
func (b *tab) source(h heard) string {
	b.t.Helper()
	found, err := chromedp.Call(b.ctx, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: h.node})
	if err != nil {
		return "" // of no element
	}
	res, err := chromedp.Call(b.ctx, runtime.CallFunctionOn,
		runtime.CallFunctionOnParams{ObjectID: found.Object.ObjectID, ReturnByValue: new(true),
			FunctionDeclaration: `function() { return this.getRootNode() === document && this.outerHTML || ""; }`})
	b.must(err)
	var html string
	_ = json.Unmarshal(res.Result.Value, &html)
	return fmt.Sprintf("%.200s", html)
}

// inOrder fails the test unless the wanted things are met one after another. Each is "role name", the name a beginning.
func inOrder(t *testing.T, where string, tree []heard, want ...string) {
	t.Helper()
	at := 0
	for _, w := range want {
		i := slices.IndexFunc(tree[at:], func(h heard) bool { return strings.HasPrefix(h.String(), w) })
		if i < 0 {
			var met []string
			for _, h := range tree {
				if h.Name != "" {
					met = append(met, h.String())
				}
			}
			t.Errorf("%s: %q does not come in its place; what is met: %s", where, w, strings.Join(met, " | "))
			return
		}
		at += i + 1
	}
}

// TestTheOrderOfReading has the pages of the desk read as a screen reader reads them.
func TestTheOrderOfReading(t *testing.T) {
	if testing.Short() {
		t.Skip("no main flow; make check runs it")
	}
	site, failed, passed := desk(t, 2)
	b := open(t, true)
	b.size(1440, 900, "light")
	b.enter(site, "/reviews", account.Supervisor)
	visit := func(path string) []heard {
		b.run(chromedp.Navigate(site.URL+path), chromedp.WaitReady(chromedp.CSS("#main")))
		return b.orderly(path)
	}
	inOrder(t, "the queue", visit("/reviews"), "link Skip to the content", "banner", "navigation Main", "main",
		"heading Reviews", "button Start reviewing", "navigation Reviews", "link Needs review",
		"search Reviews", "list", "link DB transfer", "link Tax-free cash", "region Your last decisions", "contentinfo")
	for _, width := range []int64{1440, 360} { // however the columns stand
		b.size(width, 900, "light")
		where := fmt.Sprintf("the case at %d", width)
		inOrder(t, where, visit("/reviews/"+passed[0]), "navigation Reviews", "heading Tax-free cash",
			"region Who is asking", "heading Question", "heading Who is asking",
			"region The draft", "heading The draft", "complementary Sources used", "region Comments",
			"heading Sources used", "group Decision", "button Approve and next", "link Revise", "link Reject",
			"link Skip")
		inOrder(t, where+", stopped", visit("/reviews/"+failed), "region The draft", "heading The draft",
			"list What the check found", "group Decision", "button Approve")
	}
	b.size(1440, 900, "light")
	inOrder(t, "the editor", visit("/reviews/"+failed+"?mode=revise"), "region Who is asking",
		"region Difference and check", "textbox The text for the customer",
		"form Revise", "textbox What was wrong?", "DisclosureTriangle What should change next time?", "group Decision",
		"button Send revision and next")
	inOrder(t, "rejecting", visit("/reviews/"+failed+"?mode=reject"), "region The draft", "form Reject",
		"heading Reject", "radio", "textbox What was wrong?", "group Decision", "button Reject and next")
	inOrder(t, "skipping", visit("/reviews/"+failed+"?mode=skip"), "region The draft", "form Skip", "textbox",
		"group Decision")
	visit("/reviews?state=others")
	visit("/reviews?state=done")
	b.quiet("reading")
}

// live is what stands in the live regions of a page.
func (b *tab) live() string {
	b.t.Helper()
	var all []string
	for _, h := range b.tree() {
		if h.Live == "polite" || h.Live == "assertive" {
			all = append(all, h.Text)
		}
	}
	return strings.Join(all, "\n")
}

// announces waits until a live region says text.
func (b *tab) announces(text string) {
	b.t.Helper()
	var said string
	for range 100 {
		if said = b.live(); strings.Contains(said, text) {
			return
		}
		b.run(chromedp.Sleep(50 * time.Millisecond))
	}
	b.t.Errorf("nothing announces %q; the live regions say %q", text, said)
}

// focused is what has the focus: the innermost, for the page has it as well.
func (b *tab) focused() (last heard) {
	b.t.Helper()
	for _, h := range b.tree() {
		if h.Focused {
			last = h
		}
	}
	return last
}

// TestWhatIsAnnounced listens to what a person hears who sees nothing: after a decision, when somebody else was
// quicker, and when a hold ran out.
func TestWhatIsAnnounced(t *testing.T) {
	if testing.Short() {
		t.Skip("no main flow; make check runs it")
	}
	site, passed := plainDesk(t, 4)
	b := open(t, true)
	b.size(1440, 900, "light")
	b.enter(site, "/reviews/"+passed[0], account.Supervisor)
	b.at("/reviews/" + passed[0])
	b.says("#claim", "You're reviewing this")
	b.press("a")
	b.at("/reviews/" + passed[1])
	b.announces("pproved")
	if h := b.focused(); h.Role != "heading" || h.Level != 1 {
		t.Errorf("after an approval the focus is on %q, want the heading of the next case", h)
	}

	site.Clock.Advance(11 * time.Minute) // the hold runs out, and somebody else decides
	approveAs(t, site, site.SignedIn(t, account.Supervisor), passed[1])
	b.press("a") // too late
	b.announces("already decided")
	if said := b.live(); strings.Contains(said, "Next:") {
		t.Errorf("what was refused is announced as done: %q", said)
	}
	b.quiet("a late decision", "answer 409")

	b.run(chromedp.Navigate(site.URL+"/reviews/"+passed[3]), chromedp.WaitReady(chromedp.CSS("#main")))
	b.says("#claim", "You're reviewing this")
	site.Clock.Advance(11 * time.Minute)
	bringPlain(t, site, 1) // the queue changes, and the page looks again
	b.announces("10 minutes are up")
	b.quiet("announcements")
}

// approveAs approves a case as it stands, in another browser.
func approveAs(t *testing.T, site *apptest.Site, who *apptest.Client, id string) {
	t.Helper()
	item, err := site.Reviews.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	form := url.Values{"version": {strconv.Itoa(item.Version)}, "text_hash": {item.TextHash}}
	if r := who.Post(t, "/reviews/"+id+"/approve", form); r.Status != http.StatusSeeOther {
		t.Fatalf("approve %s: %d %.300s", id, r.Status, r.Body)
	}
}
