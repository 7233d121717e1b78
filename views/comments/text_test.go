package comments

import (
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"preceptor/internal/comment"
)

const caseID = "01900000-0000-7000-8000-000000000001"

func TestWhatBecomesALink(t *testing.T) {
	at := "/reviews/" + caseID
	for text, want := range map[string]string{
		"See " + at + ".":                              at,
		"(" + at + "#comment-" + caseID + ")":          at + "#comment-" + caseID,
		at + " and " + at:                              at + " " + at,
		"https://desk.example/learning/3?a=b#c, there": "/learning/3?a=b#c",
		"HTTP://DESK.EXAMPLE" + at:                     at,
		"https://desk.example":                         "/",
		"“https://desk.example/a”":                     "/a",
		// not ours
		"https://evil.example" + at:             "",
		"https://desk.example@evil.example/":    "",
		"https://desk.example.evil.example/":    "",
		"https://u:p@desk.example/":             "",
		"https://desk.example//evil.example/":   "",
		`https://desk.example/\evil.example`:    "/%5Cevil.example",
		"//desk.example/a":                      "",
		"javascript:alert(1)":                   "",
		"data:text/html,x":                      "",
		"/sign-out":                             "",
		"x" + at:                                "",
		at + "0":                                "",
		"/reviews/" + strings.ToUpper("not-an"): "",
		`<a href="` + at + `">`:                 at,
	} {
		var got []string
		for _, p := range links(text, "desk.example") {
			if p.href != "" {
				got = append(got, p.href)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q links to %q, want %q", text, s, want)
		}
	}
	if got := links("https:///a http://x/", ""); len(got) != 1 || got[0].href != "" {
		t.Errorf("without a host: %+v", got)
	}
}

// Whatever is written, the pieces are the text again, and no link leads off this server.
func TestPartsAreTheTextAndStayHere(t *testing.T) {
	piece := rapid.SampledFrom([]string{"https://desk.example", "http://", "//", "/reviews/" + caseID, "@",
		"evil.example", "\\", "/", "?", "#", "%2f", "%", ":", " ", "\n", "é", "\u202e", "javascript:", ".", ")", "<",
		"\""})
	rapid.Check(t, func(t *rapid.T) {
		c := &comment.Comment{Text: strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "text"), "")}
		for range rapid.IntRange(0, 3).Draw(t, "mentions") {
			start := rapid.IntRange(-1, len(c.Text)+1).Draw(t, "start")
			c.Mentions = append(c.Mentions,
				comment.Mention{Start: start, End: start + rapid.IntRange(0, 9).Draw(t, "length"),
					Person: comment.Person{ID: "p"}})
		}
		var whole strings.Builder
		for _, p := range parts(c, "desk.example") {
			whole.WriteString(p.text)
			if p.href == "" {
				continue
			}
			base := &url.URL{Scheme: "https", Host: "desk.example", Path: "/"}
			to, err := base.Parse(p.href)
			if err != nil || to.Host != "desk.example" || to.Scheme != "https" || strings.HasPrefix(p.href, "//") ||
				strings.ContainsAny(p.href, "\\\n\"<") {
				t.Fatalf("%q leads to %q", c.Text, p.href)
			}
		}
		if whole.String() != c.Text {
			t.Fatalf("%q became %q", c.Text, whole.String())
		}
	})
}

func TestEveryNoticeIsASentenceWithAWay(t *testing.T) {
	for _, kind := range []string{comment.Mentioned, comment.Assigned, comment.TeamAssigned, comment.Overruled,
		comment.Stopped, comment.Voided, comment.Lapsed, comment.Recalled, comment.Overdue,
		comment.Second, comment.Planted, comment.Proposal, comment.Agreed, comment.Refused, comment.SwitchedOff, comment.Quarantined,
		comment.Contradiction,
		comment.NoExpert, comment.NoRuler, comment.TrialEnded, "of a later version"} {
		for _, n := range []int{1, 7} {
			text, href := notice(comment.Notice{Kind: kind, N: n, CaseID: caseID, ObjectID: "o", Task: "db_transfer",
				By: comment.Person{ID: "p", Name: "Ben"}}, nil)
			if len(text) < 15 || !strings.HasPrefix(href, "/") || strings.HasSuffix(text, ".") {
				t.Errorf("%s × %d: %q leads to %q", kind, n, text, href)
			}
		}
	}
}
