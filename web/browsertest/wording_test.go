package browsertest

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// mayBeBare are the attributes that have no value. Any other bare one is a slip of a template, as an else among
// attributes.
var mayBeBare = []string{"alt", "async", "autofocus", "checked", "content", "crossorigin", "defer", "disabled",
	"download", "formnovalidate", "hidden", "inert",
	"multiple", "novalidate", "open", "popover", "readonly", "required", "reversed", "selected", "value",
	"class", "href", "hx-get"} // empty, and not bare

// slips are words that come together only when a page is drawn: a time in a sentence, an abbreviation with a capital as
// if it were a word.
var slips = regexp.MustCompile(`(?i:\bwaiting just now\b)|\b(Os|Db|Fca|Url|Uk)\b`)

// slip is the first of them, or a word that stands twice; "" for none.
func slip(text string) string {
	last := ""
	for _, w := range strings.Fields(strings.ToLower(text)) {
		if w == last && len(w) > 1 && w != "had" && w != "that" &&
			strings.Trim(w, "abcdefghijklmnopqrstuvwxyz'’") == "" {
			return w + " " + w
		}
		last = w
	}
	return slips.FindString(text)
}

// No page, in any state, has a stray attribute or a sentence that was put together wrongly.
func TestNoPageHasASlipOfATemplate(t *testing.T) {
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	for _, s := range Samples() {
		var page bytes.Buffer
		if err := s.View(frame(s.Path(), now), Plain(now)).Render(t.Context(), &page); err != nil {
			t.Fatal(err)
		}
		for z := html.NewTokenizer(&page); z.Next() != html.ErrorToken; {
			tok := z.Token()
			if tok.Type == html.TextToken {
				if found := slip(tok.Data); found != "" {
					t.Errorf("%s: %q", s.Name, found)
				}
			}
			for _, a := range tok.Attr {
				if a.Val == "" && !slices.Contains(mayBeBare, a.Key) && !strings.HasPrefix(a.Key, "data-") {
					t.Errorf("%s: <%s %s>", s.Name, tok.Data, a.Key)
				}
			}
		}
	}
}

func TestSlipsAreFound(t *testing.T) {
	for text, want := range map[string]string{"Drawdown, waiting just now": "waiting just now",
		"The the other days": "the the", "is the\nthe other": "the the",
		"it is in the queue, and to a person": "", "Os": "Os", "Sent just now": "", "bis, bis": "", "10 10": ""} {
		if got := slip(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
