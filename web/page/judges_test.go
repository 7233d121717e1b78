package page_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/comment"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/version"
	"preceptor/internal/pack"
	"preceptor/internal/platform/config"
)

// judgeServer is a model server whose model reads the probability of a violation from the draft.
func judgeServer(t *testing.T) string {
	t.Helper()
	said := regexp.MustCompile(`violation (0\.\d+)`)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		p := "0.5"
		if m := said.FindSubmatch(body); m != nil {
			p = string(m[1])
		}
		answer := `{"reasoning":"So it reads.","boundary_classification":"GUIDANCE","passed":true,"confidence":` +
			"0.95" + `,"issues":[]}`
		if p > "0.5" {
			answer = `{"reasoning":"It steers.","boundary_classification":"ADVICE","passed":false,"confidence":` + p +
				`,"issues":[]}`
		}
		content, _ := json.Marshal(answer)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w,
			`{"id":"x","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":%s}}],"usage":{"prompt_tokens":300,"completion_tokens":40,"total_tokens":340}}`, content)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// goldSet is a frozen version of n texts, half of them violations.
func goldSet(t *testing.T, site *apptest.Site, by account.Account, n int) {
	t.Helper()
	who := dataset.Person{ID: by.ID, Name: by.Name}
	settings := dataset.DefaultSettings()
	settings.Name = "The line"
	set, err := site.Datasets.Create(t.Context(), settings, who)
	if err != nil {
		t.Fatal(err)
	}
	var items []dataset.NewItem
	for i := range n {
		label, p := "COMPLIANT_GUIDANCE", 0.1
		if i%2 == 0 {
			label, p = "NON_COMPLIANT", 0.9
		}
		var b strings.Builder
		fmt.Fprintf(&b, "This is case %d, violation %.2f.", i, p)
		for k := range 30 {
			fmt.Fprintf(&b, " w%dx%d", i*31+k, (i+7)*(k+3))
		}
		items = append(items, dataset.NewItem{Source: dataset.FromImport, Final: &dataset.Answer{Label: label},
			Text: dataset.Text{Customer: json.RawMessage(`{"age":60}`), Question: "What now?", Guidance: b.String()}})
	}
	if _, err := site.Datasets.Add(t.Context(), set.ID, items, who); err != nil {
		t.Fatal(err)
	}
	if _, err := site.Versions.Freeze(t.Context(), set.ID,
		version.Options{By: who, Shares: version.Shares{Train: 40, Accept: 30, Test: 30}}); err != nil {
		t.Fatal(err)
	}
}

func TestJudgesAreMeasuredAndAThresholdIsSwitchedOn(t *testing.T) {
	if testing.Short() {
		t.Skip("labels and measures 240 texts; make check runs it")
	}
	server := judgeServer(t)
	site := apptest.Open(t, func(c *config.Config) { c.Judge = []string{"strict=openai/m,base-url=" + server} })
	mo, eve, sue := site.SignedIn(t, account.Manager), site.SignedIn(t, account.Expert),
		site.SignedIn(t, account.Supervisor)
	want(t, "before", mo.Get(t, "/compliance/judges"), http.StatusOK, "strict", "openai/m", "over a network",
		"Not measured yet", "confidence bands")
	want(t, "a supervisor", sue.Get(t, "/compliance/judges"), http.StatusForbidden)
	goldSet(t, site, mo.Account, 240)
	page := eve.Get(t, "/compliance/judges")
	want(t, "with a set", page, http.StatusOK, "The line, version 1, 240 texts", "Measure the judges")
	if strings.Contains(mo.Get(t, "/compliance/judges").Body, "Measure the judges") {
		t.Error("a manager is offered to measure")
	}
	set := regexp.MustCompile(`<option value="([0-9a-f-]{36} 1)"`).FindStringSubmatch(page.Body)
	if set == nil {
		t.Fatalf("no version to choose:\n%s", page.Body)
	}
	want(t, "a manager measures", mo.Post(t, "/compliance/judges/runs", url.Values{"set": {set[1]}}),
		http.StatusForbidden)
	want(t, "nothing chosen", eve.Post(t, "/compliance/judges/runs", url.Values{"set": {""}}),
		http.StatusUnprocessableEntity, "Choose a version")
	r := eve.Post(t, "/compliance/judges/runs", url.Values{"set": {set[1]}})
	if r.Status != http.StatusSeeOther {
		t.Fatalf("measure: %d %s", r.Status, r.Body)
	}
	run := r.Header.Get("Location")
	want(t, "twice", eve.Post(t, "/compliance/judges/runs", url.Values{"set": {set[1]}}), http.StatusConflict,
		"Run 1 measures this already")
	want(t, "waiting", eve.Get(t, run), http.StatusOK, "waiting", "Stop run")
	site.Drain(t)
	want(t, "done", mo.Get(t, run), http.StatusOK, "Missed violations", "0\u00a0of\u00a0120", "strict", "340",
		"When people would review", "takes at least 149")
	want(t, "all runs", mo.Get(t, "/compliance/judges/runs"), http.StatusOK, "Run 1", "The line, version 1")
	want(t, "one judge", mo.Get(t, run+"/who/strict"), http.StatusOK, "Experts&#39; labels and its verdicts",
		"How reliable its probabilities are", "<svg", "Details", "answered by openai/m")
	want(t, "nobody", mo.Get(t, run+"/who/nobody"), http.StatusNotFound)
	want(t, "figures", mo.Get(t, "/compliance/judges"), http.StatusOK, "Results", "0\u00a0of\u00a0120")
	want(t, "a manager proposes", mo.Post(t, run+"/threshold", url.Values{"alpha": {"0.1"}}), http.StatusForbidden)
	want(t, "too bold", eve.Post(t, run+"/threshold", url.Values{"alpha": {"0.02"}}), http.StatusUnprocessableEntity,
		"takes at least 149")
	r = eve.Post(t, run+"/threshold", url.Values{"alpha": {"0.1"}})
	if r.Status != http.StatusSeeOther {
		t.Fatalf("propose: %d %s", r.Status, r.Body)
	}
	threshold := r.Header.Get("Location")
	want(t, "proposed", mo.Get(t, threshold), http.StatusOK, "proposed", "at most 10% missed",
		"0.0% of violations were missed")
	want(t, "without a reason", eve.Post(t, threshold+"/on", url.Values{"why": {" "}}), http.StatusUnprocessableEntity,
		"Say why. Your reason is kept on record.")
	want(t, "a manager", mo.Post(t, threshold+"/on", url.Values{"why": {"Because."}}), http.StatusForbidden)
	want(t, "asked", eve.Post(t, threshold+"/on", url.Values{"why": {"It was measured."}}), http.StatusSeeOther)
	if site.Validator.Routing().Version != 0 {
		t.Error("one person alone switched it on")
	}
	want(t, "alone", eve.Post(t, "/approvals/"+waits(t, site)+"/agree", nil), http.StatusForbidden,
		"someone else has to agree")
	want(t, "waiting", eve.Get(t, threshold), http.StatusOK, "someone else has to agree", "Withdraw")
	ada := site.SignedIn(t, account.Expert)
	want(t, "the second", ada.Get(t, threshold), http.StatusOK, "Waiting for a second person", "final labels by")
	want(t, "withdrawn", eve.Post(t, "/approvals/"+waits(t, site)+"/withdraw", nil), http.StatusSeeOther)
	if n := unread(t, site, comment.Proposal); n != 0 {
		t.Errorf("%d are still asked", n)
	}
	want(t, "asked again", eve.Post(t, threshold+"/on", url.Values{"why": {"It was measured."}}), http.StatusSeeOther)
	if unread(t, site, comment.Proposal) == 0 {
		t.Error("nobody is asked")
	}
	want(t, "agreed", ada.Post(t, "/approvals/"+waits(t, site)+"/agree", nil), http.StatusSeeOther)
	if n := unread(t, site, comment.Proposal); n != 0 {
		t.Errorf("%d are still asked after the answer", n)
	}
	want(t, "in force", mo.Get(t, "/compliance/judges"), http.StatusOK, "A measured threshold: at most 10% missed",
		"Switched on by")
	if site.Validator.Routing().Version != 1 {
		t.Error("it routes nothing")
	}
	want(t, "on again", eve.Post(t, threshold+"/on", url.Values{"why": {"Again."}}), http.StatusConflict,
		"is now active", "Again.")
	want(t, "off", eve.Post(t, threshold+"/off", url.Values{"why": {"To compare."}}), http.StatusSeeOther)
	want(t, "kept", mo.Get(t, "/compliance/judges/thresholds"), http.StatusOK, "Threshold 1", "switched off")
	want(t, "its story", mo.Get(t, threshold), http.StatusOK, "To compare.", "It was measured.")
	site.Token(t, account.Submit) // makes an agent
	if _, err := site.Accounts.EnsureAgent(t.Context(), "a-helpdesk", pack.GeneralName); err != nil {
		t.Fatal(err)
	}
	learn := "/datasets/" + strings.TrimSuffix(set[1], " 1") + "/versions/1/learn"
	page = eve.Get(t, learn)
	want(t, "what it teaches", page, http.StatusOK, "Clear passes to use as exemplars", "Reflect on",
		"The line, version 1")
	if strings.Contains(page.Body, "a-helpdesk") {
		t.Error("an agent of another pack is to learn from it")
	}
	want(t, "a manager", mo.Get(t, learn), http.StatusForbidden)
	ids := regexp.MustCompile(`name="shown" value="([^"]+)"`).FindAllStringSubmatch(page.Body, -1)
	agent := regexp.MustCompile(`<option value="([^"]+)"[^>]*>pension-advisor`).FindStringSubmatch(page.Body)
	if len(ids) < 2 || agent == nil {
		t.Fatalf("%d texts, agent %v", len(ids), agent)
	}
	want(t, "nobody's", eve.Post(t, learn, url.Values{"approve": {ids[0][1]}}), http.StatusUnprocessableEntity,
		"Choose whose knowledge", `value="`+ids[0][1]+`" checked`)
	form := url.Values{"agent": {agent[1]}, "approve": {ids[0][1]}, "lessons": {"yes"}, "act": {"learn"}}
	want(t, "learn", eve.Post(t, learn, form), http.StatusSeeOther)
	want(t, "again", eve.Post(t, learn, form), http.StatusConflict, "Reload the page")
	after := eve.Get(t, learn)
	want(t, "after", after, http.StatusOK, "used or skipped already", "Reflect on 0 clear fails")
	if strings.Contains(after.Body, ids[0][1]) {
		t.Error("an exemplar is offered again")
	}
	want(t, "the exemplar", eve.Get(t, "/knowledge"), http.StatusOK)
	site.Drain(t)
	want(t, "lessons", eve.Get(t, "/learning?origin=dataset"), http.StatusOK, "labelled in")
	want(t, "help", mo.Get(t, "/help/judges"), http.StatusOK, "When a person must review")
}
