package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
)

func parsed(t *testing.T, body string) *goquery.Document {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func value(doc *goquery.Document, selector string) string {
	v, _ := doc.Find(selector).First().Attr("value")
	return v
}

// A pair from the form to the file: put in, judged blind by three, ranked, exported.
func TestAPairIsJudgedBlind(t *testing.T) {
	s := apptest.Open(t)
	boss, judges := s.SignedIn(t, account.Manager),
		[]*apptest.Client{s.SignedIn(t, account.Supervisor), s.SignedIn(t, account.Expert),
			s.SignedIn(t, account.Admin)}
	want(t, "nothing yet", judges[0].Get(t, "/preferences"), http.StatusOK, "No pairs to judge yet")
	want(t, "nothing ranked", boss.Get(t, "/preferences/ranking"), http.StatusOK, "Nothing has been compared yet")
	form := url.Values{"prompt": {"What is <b>tax free</b>?"}, "first": {"A quarter, usually."},
		"first_maker": {"prompt 3"}, "second": {""}, "second_maker": {"prompt 4"}}
	want(t, "half a pair", boss.Post(t, "/preferences/pairs", form), http.StatusUnprocessableEntity, "Write something.",
		"A quarter, usually.")
	form.Set("second", "Everything is. <script>alert(1)</script>")
	want(t, "a pair", boss.Post(t, "/preferences/pairs", form), http.StatusSeeOther)
	want(t, "not for who put it in", boss.Get(t, "/preferences"), http.StatusOK, "No pairs to judge yet")
	for i, c := range judges {
		r := c.Get(t, "/preferences")
		want(t, "the pair", r, http.StatusOK, "What is &lt;b&gt;tax free&lt;/b&gt;?", "A quarter, usually.",
			"1 pair is waiting for you")
		if strings.Contains(r.Body, "prompt 3") || strings.Contains(r.Body, "prompt 4") ||
			strings.Contains(r.Body, "<script>alert") {
			t.Error("the page says whose they are, or runs what they hold")
		}
		doc := parsed(t, r.Body)
		keys := map[string]string{}
		doc.Find("#pair-answer button").Each(func(_ int, b *goquery.Selection) {
			k, _ := b.Attr("data-key")
			v, _ := b.Attr("value")
			keys[k] = v
		})
		if len(keys) != 4 || keys["1"] != "a" || keys["2"] != "b" || keys["3"] != "tie" || keys["4"] != "bad" ||
			doc.Find("form [data-key=s]").Length() != 1 {
			t.Errorf("keys %v", keys)
		}
		choice := "a"
		if !strings.Contains(doc.Find("section[aria-labelledby=a-title] .draft").Text(), "A quarter") {
			choice = "b"
		}
		act := url.Values{"pair": {value(doc, "#pair-answer input[name=pair]")},
			"as": {value(doc, "#pair-answer input[name=as]")}}
		if i == 0 { // passed over, taken up, answered, taken back
			want(t, "skip", c.Post(t, "/preferences/skip", act), http.StatusSeeOther)
			want(t, "only skipped", c.Get(t, "/preferences"), http.StatusOK, "Only skipped pairs are left")
			want(t, "unskip", c.Post(t, "/preferences/unskip", nil), http.StatusSeeOther)
			act.Set("choice", "left")
			want(t, "no such choice", c.Post(t, "/preferences/answer", act), http.StatusUnprocessableEntity,
				"Choose one of the four")
			act.Set("choice", "bad")
			want(t, "answer", c.Post(t, "/preferences/answer", act), http.StatusSeeOther)
			want(t, "the rail", c.Get(t, "/preferences"), http.StatusOK, "You have judged every pair", "Both are bad",
				"Undo")
			want(t, "undo", c.Post(t, "/preferences/undo", act), http.StatusSeeOther)
		}
		act.Set("choice", choice)
		want(t, "answer", c.Post(t, "/preferences/answer", act), http.StatusSeeOther)
		want(t, "twice", c.Post(t, "/preferences/answer", act), http.StatusConflict,
			"You have judged this pair already")
		act.Set("as", "somebody else")
		want(t, "another's form", c.Post(t, "/preferences/answer", act), http.StatusForbidden)
	}
	want(t, "ranking", boss.Get(t, "/preferences/ranking"), http.StatusOK, "prompt 3", "never lost to the others")
	want(t, "its file", boss.Get(t, "/preferences/ranking?format=csv"), http.StatusOK, "Preferred to an average one",
		"1,prompt 3,0.", ",3,0,0")
	want(t, "pairs", boss.Get(t, "/preferences/pairs"), http.StatusOK, "prompt 3, 3 of 3", "added by hand")
	want(t, "a bad day", boss.Post(t, "/preferences/export", url.Values{"from": {"soon"}}),
		http.StatusUnprocessableEntity, "Enter the date as 1/12/2026")
	r := boss.Post(t, "/preferences/export", url.Values{"origin": {"given"}})
	want(t, "the file", r, http.StatusOK,
		`"prompt":"What is <b>tax free</b>?","chosen":"A quarter, usually.","rejected":"Everything is.`,
		`"judges":3,"agreement":1`)
	if got := r.Header.Get("Content-Type"); !strings.HasPrefix(got, "application/jsonl") {
		t.Error(got)
	}
	form = url.Values{}
	take := parsed(t, boss.Get(t, "/preferences/pairs").Body).Find(`form[action$="/remove"]`).AttrOr("action", "")
	want(t, "take out", boss.Post(t, take, form), http.StatusSeeOther)
	want(t, "gone", boss.Get(t, "/preferences/pairs"), http.StatusOK, "Its texts are withdrawn.")
}
