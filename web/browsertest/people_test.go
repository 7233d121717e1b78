package browsertest

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
)

// colleague is another supervisor's browser, on a path.
func colleague(t *testing.T, site *apptest.Site, name, email, path string) *tab {
	t.Helper()
	a, err := site.Accounts.Add(t.Context(),
		account.NewAccount{Email: email, Name: name, Password: apptest.Password,
			Roles: []account.Role{account.Supervisor}}, audit.System("test"))
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, true)
	b.size(1440, 900, "light")
	for _, c := range site.Enter(t, a).Cookies() {
		call(b, network.SetCookie, network.SetCookieParams{Name: c.Name, Value: c.Value, URL: site.URL})
	}
	b.run(chromedp.Navigate(site.URL+path), chromedp.WaitReady(chromedp.CSS("#main")))
	return b
}

// enterKey presses Enter as a keyboard does: one event, whose text is dropped when a script takes the key. KeyEvent
// sends the text by itself.
func (b *tab) enterKey() {
	b.t.Helper()
	call(b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: "keyDown", Key: "Enter", Code: "Enter",
		Text: "\r", WindowsVirtualKeyCode: 13})
	call(b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: "keyUp", Key: "Enter", Code: "Enter",
		WindowsVirtualKeyCode: 13})
}

// Two people on one case: a name is chosen with the keyboard, the comment appears on the other's page, their bell
// rings, and what they were typing stays.
func TestACommentWithAMentionByKeyboard(t *testing.T) {
	if testing.Short() {
		t.Skip("no main flow; make check runs it")
	}
	site, ids := plainDesk(t, 1)
	path := "/reviews/" + ids[0]
	ann := colleague(t, site, "Ann Archer", "ann@example.org", path+"?mode=skip") // who works on it
	ben := colleague(t, site, "Ben Carter", "ben@example.org", path)              // who reads it
	colleague(t, site, "Bea Carter", "bea@example.org", "/inbox")
	ben.write("#comment-text", "Half a sentence")

	ann.write("#reason", "I know the customer.") // typed elsewhere on the page
	ann.write("#comment-text", "Is the figure right, ")
	ann.run(chromedp.KeyEvent("@cart"))
	ann.until("two people are offered", `document.querySelectorAll("#mention-list [role=option]").length === 2`)
	ann.until("the first is chosen",
		`document.activeElement.getAttribute("aria-activedescendant") === "mention-0" && document.querySelector("#mention-0").getAttribute("aria-selected") === "true"`)
	ann.until("it is said", `document.getElementById("mention-said")?.textContent.startsWith("2 people")`)
	ann.shot("people-listbox")
	ann.accessible("the list of names")
	ann.press(kb.ArrowDown)
	ann.until("the second is chosen", `document.activeElement.getAttribute("aria-activedescendant") === "mention-1"`)
	ann.press(kb.ArrowDown) // round again
	ann.press(kb.Escape)
	ann.until("Escape closes the list and stays in the text",
		`!document.getElementById("mention-list") && document.activeElement.id === "comment-text"`)
	ann.run(chromedp.KeyEvent("er, ben"))
	ann.until("nobody is offered", `!document.getElementById("mention-list")`)
	ann.write("#comment-text", "Is the figure right, ")
	ann.run(chromedp.KeyEvent("@ben"))
	ann.until("Ben is offered", `document.querySelector("#mention-0")?.dataset.insert === "Ben Carter"`)
	ann.enterKey()
	ann.until("the name stands in the text",
		`document.getElementById("comment-text").value === "Is the figure right, @Ben Carter "`)
	ann.ctrlEnter()
	ann.until("the new comment has the focus",
		`document.activeElement.matches(".comment") && document.activeElement.innerText.includes("Is the figure right")`)
	ann.until("the form is empty again", `document.getElementById("comment-text").value === ""`)
	ann.until("what was typed elsewhere stays", `document.getElementById("reason").value === "I know the customer."`)
	ann.quiet("posting")

	ben.says("#comment-list .mention.me", "@Ben Carter")
	ben.until("what he types stays", `document.getElementById("comment-text").value === "Half a sentence"`)
	ben.says("#bell", "1")
	ben.accessible("a case with a comment")
	// or the browser asks about the half sentence
	eval[any](ben, `delete document.getElementById("comment-form").dataset.dirty; 0`)
	ben.click("#bell")
	ben.at("/inbox")
	ben.says(".notice-row.unread", "Ann Archer mentioned you in a comment")
	ben.accessible("the inbox")
	ben.click(".notice-row a")
	ben.at(path)
	ben.until("the notice is read", `!document.querySelector("#bell .count")`)
	ben.quiet("the inbox")
	if hash := eval[string](ben, "location.hash"); !strings.HasPrefix(hash, "#comment-") {
		t.Errorf("the notice leads to %q", hash)
	}
}

// A question about who is meant is answered in place, with the keyboard.
func TestAnUnclearMentionIsAskedInPlace(t *testing.T) {
	if testing.Short() {
		t.Skip("no main flow; make check runs it")
	}
	site, ids := plainDesk(t, 1)
	colleague(t, site, "Ben Carter", "ben@example.org", "/inbox")
	colleague(t, site, "Bea Carter", "bea@example.org", "/inbox")
	ann := colleague(t, site, "Ann Archer", "ann@example.org", "/reviews/"+ids[0])
	ann.write("#comment-text", "Ask @Carter.")
	ann.ctrlEnter()
	ann.until("the first choice has the focus",
		`document.activeElement.matches("input[type=radio][name='meant:carter']")`)
	ann.says("#comments .notice", "Choose who you mean")
	ann.accessible("the question")
	ann.press(" ")
	ann.ctrlEnter()
	ann.until("the comment is posted", `document.activeElement.matches(".comment")`)
	ann.quiet("asking", "answer 422")
}
