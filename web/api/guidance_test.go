package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/review"
)

const full = `{
	"agent": " Pension-Advisor ",
	"consultation": {
		"customer": {"age": 58, "pensions": [{"kind": "db", "value_gbp": 310000.5, "features": ["bridging"]}], "literacy": "low",
			"vulnerable": false, "goal": "retire at 60", "name": "Jo", "married": true, "notes": {"deep": [1, null]}},
		"question": "What could I do?",
		"task_type": "DB transfer"
	},
	"guidance": "A transfer gives up a guaranteed income.",
	"reasoning": "DB.", "model": "m-1",
	"knowledge_used": ["case-1", {"id": "rule-2", "version": 3}],
	"steps": [{"tool": "recall"}, 2],
	"metadata": {"run": {"id": 7}}
}`

func TestTheRulesInForceAreListed(t *testing.T) {
	k := open(t)
	got := k.call(http.MethodGet, "/api/rules", "")
	if want := `{"items":[{"id":"r1","label":"R-12","version":3,"domain":"guidance","text":"When …","confidence":0.9,"own":true},` +
		`{"id":"r2","label":"R-13","version":1,"domain":"guidance","text":"Untested","own":false}]}`; strings.TrimSpace(got.Body.String()) != want {
		t.Errorf("got %s", got.Body)
	}
}

func TestSubmitTakesEverything(t *testing.T) {
	k := open(t)
	a := k.post(full)
	id, _ := a.json["id"].(string)
	if a.Code != http.StatusAccepted || a.json["status"] != "waiting" ||
		a.Header().Get("Location") != "/api/guidance/"+id {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	if links := a.json["links"].(map[string]any); links["self"] != "/api/guidance/"+id {
		t.Errorf("links = %v", links)
	}
	in, err := k.in.Get(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	c := in.Consultation.Customer
	if in.AgentName != "pension-advisor" || in.Consultation.TaskType != "db_transfer" || *c.Age != 58 ||
		*c.Pensions[0].ValueGBP != 310000.5 || c.Extra["married"] != true {
		t.Errorf("in = %+v", in)
	}
	if diff := cmp.Diff([]interaction.Used{{ID: "case-1"}, {ID: "rule-2", Version: 3}}, in.KnowledgeUsed); diff != "" {
		t.Error(diff)
	}
	if string(in.Steps) != `[{"tool": "recall"}, 2]` || string(in.Metadata) != `{"run": {"id": 7}}` ||
		in.Origin != interaction.OriginAPI {
		t.Errorf("steps %s, metadata %s, origin %s", in.Steps, in.Metadata, in.Origin)
	}
}

func TestNullIsLikeLeavingItOut(t *testing.T) {
	k := open(t)
	a := k.post(
		`{"agent":"pension-advisor","consultation":{"question":"q","customer":null,"task_type":null},"guidance":"g",
		"reasoning":null,"model":null,"knowledge_used":null,"steps":null,"metadata":null}`)
	if a.Code != http.StatusAccepted {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	in, err := k.in.Get(ctx, a.json["id"].(string))
	if err != nil || in.Steps != nil || in.Metadata != nil {
		t.Errorf("%+v, %v", in, err)
	}
}

func TestFinalTextOnlyOnceReleased(t *testing.T) {
	k := open(t)
	id := k.submit()
	get := func() answer {
		a := k.call(http.MethodGet, "/api/guidance/"+id, "")
		if a.Code != http.StatusOK {
			t.Fatalf("%d %s", a.Code, a.Body)
		}
		if _, there := a.json["final_text"]; there != (a.json["status"] == "released") {
			t.Errorf("final_text there: %v while %v", there, a.json["status"])
		}
		return a
	}
	if a := get(); a.json["status"] != "waiting" || a.json["decision"] != nil ||
		strings.Contains(a.Body.String(), "A quarter") {
		t.Errorf("waiting: %s", a.Body)
	}
	k.decide(id, review.Revise)
	a := get()
	d := a.json["decision"].(map[string]any)
	if a.json["status"] != "held" || d["kind"] != "revise" || d["state"] != "held" || d["feedback"] != nil ||
		strings.Contains(a.Body.String(), "up to a limit") {
		t.Errorf("held: %s", a.Body)
	}
	if strings.Contains(a.Body.String(), "Ann") {
		t.Errorf("an agent is told the supervisor's name: %s", a.Body)
	}
	k.clock.Advance(30 * time.Second)
	if err := k.jobs.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	a = get()
	if d := a.json["decision"].(map[string]any); d["feedback"] != "Mention the limit." ||
		d["reason"] != "The limit is missing." {
		t.Errorf("what is learned from a release: %v", d)
	}
	if a.json["status"] != "released" || a.json["final_text"] != "A quarter, up to a limit." ||
		a.json["released_at"] == nil {
		t.Errorf("released: %s", a.Body)
	}
	var kinds []string
	for _, e := range a.json["history"].([]any) {
		kinds = append(kinds, e.(map[string]any)["kind"].(string)+" by "+e.(map[string]any)["actor"].(string))
	}
	if diff := cmp.Diff([]string{"submitted by agent", "revised by person", "released by system"}, kinds); diff != "" {
		t.Error(diff)
	}
}

// An agent learns which checks were overruled for its draft, and why once the text is out; never by whom.
func TestWhatWasOverruledIsTold(t *testing.T) {
	k := open(t)
	k.assess = review.Assessment{Blocked: true,
		Flags: []review.Flag{{Code: "PRESSURE", Severity: review.Critical, Stops: true}}}
	for _, q := range []string{`INSERT INTO account (id, email, email_key, name, password_hash, created_at)
		VALUES ('ann', 'ann', 'ann', 'Ann', '', 1), ('bob', 'bob', 'bob', 'Bob', '', 1)`,
		`INSERT INTO account_role (account_id, role) VALUES ('ann', 'supervisor'), ('bob', 'supervisor')`} {
		if err := k.db.Write(ctx, func(tx *db.Tx) error { _, err := tx.Exec(q); return err }); err != nil {
			t.Fatal(err)
		}
	}
	id := k.submit()
	for _, by := range []review.Person{ann, {ID: "bob", Name: "Bob"}} {
		item, err := k.reviews.Get(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		in := review.Input{ID: id, By: by, Kind: review.Approve, Version: item.Version, TextHash: item.TextHash}
		if by == ann {
			in.Overrule = []review.Overruling{{Code: "PRESSURE", Reason: "It warns of pressure."}}
		}
		if _, err := k.reviews.Decide(ctx, in); err != nil {
			t.Fatal(err)
		}
	}
	overruled := func() any {
		return k.call(http.MethodGet, "/api/guidance/"+id, "").json["decision"].(map[string]any)["overruled"].([]any)[0]
	}
	if diff := cmp.Diff(map[string]any{"code": "PRESSURE"}, overruled()); diff != "" {
		t.Error(diff)
	}
	k.clock.Advance(30 * time.Second)
	if err := k.jobs.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{"code": "PRESSURE", "reason": "It warns of pressure."},
		overruled()); diff != "" {
		t.Error(diff)
	}
	if a := k.call(http.MethodGet, "/api/guidance/"+id, ""); strings.Contains(a.Body.String(), "Ann") ||
		strings.Contains(a.Body.String(), "Bob") {
		t.Errorf("an agent is told who: %s", a.Body)
	}
}

func TestRejectedIsEscalated(t *testing.T) {
	k := open(t)
	id := k.submit()
	k.decide(id, review.Reject)
	k.clock.Advance(30 * time.Second)
	if err := k.jobs.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	a := k.call(http.MethodGet, "/api/guidance/"+id, "")
	if a.json["status"] != "escalated" || a.json["final_text"] != nil ||
		a.json["decision"].(map[string]any)["reason_code"] != "wrong_facts" {
		t.Errorf("%s", a.Body)
	}
}

func TestListIsMineAndPaged(t *testing.T) {
	k := open(t)
	other := k.newToken("other", time.Time{}, account.Submit)
	for range 5 {
		k.submit()
		k.clock.Advance(time.Second)
	}
	k.post(strings.Replace(small, "pension-advisor", "other", 1), as(other))
	seen := map[string]bool{}
	path, pages := "/api/guidance?status=waiting&limit=2", 0
	for cursor := ""; ; pages++ {
		a := k.call(http.MethodGet, path+cursor, "")
		if a.Code != http.StatusOK {
			t.Fatalf("%d %s", a.Code, a.Body)
		}
		for _, one := range a.json["items"].([]any) {
			item := one.(map[string]any)
			if item["agent"] != "pension-advisor" || seen[item["id"].(string)] {
				t.Errorf("item = %v", item)
			}
			seen[item["id"].(string)] = true
		}
		next, more := a.json["next_cursor"].(string)
		if !more {
			break
		}
		cursor = "&cursor=" + next
	}
	if len(seen) != 5 || pages != 2 {
		t.Errorf("%d items, %d more pages", len(seen), pages)
	}
	if a := k.call(http.MethodGet, "/api/guidance?status=released", ""); a.Body.String() != "{\"items\":[]}\n" {
		t.Errorf("nothing is released: %s", a.Body)
	}
	for query, name := range map[string]string{"status=sent": "status", "limit=1000": "limit", "limit=x": "limit",
		"cursor=%25": "cursor", "page=2": "page"} {
		a := k.call(http.MethodGet, "/api/guidance?"+query, "")
		if a.Code != http.StatusUnprocessableEntity || a.Header().Get("Content-Type") != "application/problem+json" ||
			len(a.fields()) != 1 || a.fields()[0] != name {
			t.Errorf("%s: %d %s", query, a.Code, a.Body)
		}
	}
}

func TestIdempotency(t *testing.T) {
	k := open(t)
	first := k.post(small, header("Idempotency-Key", "k1"))
	if first.Code != http.StatusAccepted || first.Header().Get("Idempotency-Replayed") != "" {
		t.Fatalf("%d %v", first.Code, first.Header())
	}
	k.decide(first.json["id"].(string), review.Approve)
	respaced := strings.ReplaceAll(small, `,"`, ",\n  \"")
	for _, body := range []string{small, respaced} {
		again := k.post(body, header("Idempotency-Key", "k1"))
		if again.Code != http.StatusAccepted || again.Body.String() != first.Body.String() ||
			again.Header().Get("Idempotency-Replayed") != "true" {
			t.Errorf("again: %d %s", again.Code, again.Body)
		}
	}
	changed := k.post(strings.Replace(small, "usually", "always", 1), header("Idempotency-Key", "k1"))
	if changed.Code != http.StatusUnprocessableEntity || changed.fields()[0] != "Idempotency-Key" {
		t.Errorf("changed: %d %s", changed.Code, changed.Body)
	}
	elsewhere := k.call(http.MethodPost, "/api/advise", `{"consultation":{"question":"q"}}`,
		header("Idempotency-Key", "k1"))
	if elsewhere.Code != http.StatusUnprocessableEntity {
		t.Errorf("the same key at another address: %d %s", elsewhere.Code, elsewhere.Body)
	}
	other := k.newToken("other", time.Time{}, account.Submit)
	theirs := k.post(strings.Replace(small, "pension-advisor", "other", 1), as(other), header("Idempotency-Key", "k1"))
	if theirs.Code != http.StatusAccepted || theirs.json["id"] == first.json["id"] {
		t.Errorf("another agent's key: %d %s", theirs.Code, theirs.Body)
	}
	for _, bad := range []string{"", strings.Repeat("x", 256), "a\tb"} {
		if a := k.post(small, header("Idempotency-Key", bad)); a.Code != http.StatusUnprocessableEntity ||
			a.fields()[0] != "Idempotency-Key" {
			t.Errorf("key %q: %d %s", bad, a.Code, a.Body)
		}
	}
	if n := k.count("interaction"); n != 2 {
		t.Errorf("%d interactions, want 2", n)
	}
}

func TestFiftyParallelSubmissionsOfOneKey(t *testing.T) {
	k := open(t)
	answers := make([]answer, 50)
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() { answers[i] = k.post(small, header("Idempotency-Key", "same")) })
	}
	wg.Wait()
	for i, a := range answers {
		if a.Code != http.StatusAccepted || a.Body.String() != answers[0].Body.String() {
			t.Errorf("call %d: %d %s", i, a.Code, a.Body)
		}
	}
	if n := k.count("interaction"); n != 1 {
		t.Errorf("%d interactions", n)
	}
}

func TestWhoMayCall(t *testing.T) {
	k := open(t)
	id := k.submit()
	revoked := k.newToken("pension-advisor", time.Time{}, account.Submit)
	tokens, err := k.people.Tokens(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, tok := range tokens {
		if strings.HasPrefix(revoked, tok.Hint) {
			if err := k.people.RevokeToken(ctx, tok.ID, audit.System("test")); err != nil {
				t.Fatal(err)
			}
		}
	}
	expiring := k.newToken("pension-advisor", k.clock.Now().Add(time.Hour), account.Submit)
	recallOnly := k.newToken("pension-advisor", time.Time{}, account.Recall)
	submitOnly := k.newToken("pension-advisor", time.Time{}, account.Submit)
	other := k.newToken("other", time.Time{}, account.Submit, account.Recall)
	k.clock.Advance(time.Hour)
	for name, c := range map[string]struct {
		method, path, body string
		auth               option
		want               int
	}{
		"no token": {"POST", "/api/guidance", small, func(r *http.Request) {
			r.Header.Del("Authorization")
		}, 401},
		"not a token":      {"POST", "/api/guidance", small, as("pcp_x"), 401},
		"basic":            {"POST", "/api/guidance", small, header("Authorization", "Basic "+k.token), 401},
		"revoked":          {"POST", "/api/guidance", small, as(revoked), 401},
		"expired":          {"POST", "/api/guidance", small, as(expiring), 401},
		"token in address": {"GET", "/api/guidance?token=" + k.token, "", header("Authorization", ""), 401},
		"wrong scope":      {"POST", "/api/guidance", small, as(recallOnly), 403},
		"no recall":        {"POST", "/api/recall", `{"query":"q"}`, as(submitOnly), 403},
		"recall reads":     {"GET", "/api/guidance/" + id, "", as(recallOnly), 403},
		"foreign agent":    {"POST", "/api/guidance", small, as(other), 403},
		"foreign recall":   {"POST", "/api/recall", `{"query":"q","agent":"pension-advisor"}`, as(other), 403},
		"foreign advise": {"POST", "/api/advise", `{"consultation":{"question":"q"},"agent":"pension-advisor"}`,
			as(other), 403},
		"foreign guidance": {"GET", "/api/guidance/" + id, "", as(other), 404},
		"unknown guidance": {"GET", "/api/guidance/nope", "", as(k.token), 404},
	} {
		t.Run(name, func(t *testing.T) {
			a := k.call(c.method, c.path, c.body, c.auth)
			if a.Code != c.want || a.Header().Get("Content-Type") != "application/problem+json" ||
				a.json["status"] != float64(c.want) || a.json["detail"] == "" {
				t.Errorf("%d %s", a.Code, a.Body)
			}
			if challenge := a.Header().Get("WWW-Authenticate"); (challenge != "") != (c.want == 401) {
				t.Errorf("WWW-Authenticate %q", challenge)
			}
			if strings.Contains(a.Body.String(), k.token) {
				t.Error("the answer repeats a token")
			}
		})
	}
	theirs, mine := k.call("GET", "/api/guidance/"+id, "", as(other)), k.call("GET", "/api/guidance/nope", "")
	if theirs.json["detail"] != mine.json["detail"] {
		t.Error("another's guidance can be told from none")
	}
	if n := k.count("interaction"); n != 1 {
		t.Errorf("%d interactions: somebody got in", n)
	}
}

// brings are the addresses to which something is brought, and at which nothing of the desk's is decided.
var brings = []string{"/api/guidance", "/api/guidance/:id", // to withdraw it
	"/api/recall", "/api/advise", "/api/check",
	"/api/feedback/interactions", "/api/feedback/submit", "/api/feedback/outcomes", "/api/feedback/experiences",
	"/api/feedback/links",
	"/api/preferences", "/api/preferences/:id/choices", "/api/experiments", "/api/experiments/:id/outcome",
	"/api/experiments/:id/assignments", "/api/experiments/:id/outcomes",
	"/api/turns", "/api/sessions/end", "/api/evaluations", "/api/observations", "/api/learnings", "/api/reminders"}

// There is no address under which a token could decide.
func TestTokensNeverDecide(t *testing.T) {
	k := open(t)
	id := k.submit()
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
		for _, path := range []string{"", "/approve", "/release", "/decision"} {
			if a := k.call(method, "/api/guidance/"+id+path, `{}`); a.Code < 400 {
				t.Errorf("%s %s: %d", method, path, a.Code)
			}
		}
	}
	for _, r := range k.e.Routes() {
		if r.Method != "GET" && !slices.Contains(brings, r.Path) {
			t.Errorf("%s %s changes something; may it?", r.Method, r.Path)
		}
	}
	if n := k.count("decision"); n != 0 {
		t.Errorf("%d decisions", n)
	}
}

func TestRecall(t *testing.T) {
	k := open(t)
	a := k.call("POST", "/api/recall",
		`{"query":"can i take it all","customer":{"age":61,"pensions":[{"kind":"db","value_gbp":5}],"x":"free"},"task_type":"Tax-free cash","token_budget":900,"top_k":1}`)
	if a.Code != http.StatusOK || a.json["prompt"] != "## Similar Cases (from Case Base)" || a.json["tokens"] != 7.0 {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	item := a.json["items"].([]any)[0].(map[string]any)
	if item["id"] != "r1" || item["version"] != 3.0 || item["score"] != 0.9 || item["why"].([]any)[0] != "DB pension" {
		t.Errorf("item = %v", item)
	}
	q := k.asked
	if q.Text != "can i take it all" || q.Task != "tax_free_cash" || q.TokenBudget != 900 || q.TopCases != 1 || q.TopRules != 1 || q.AgentID == "" ||
		!q.Situation.HasDB || q.Situation.Age != 61 || q.Situation.Text != "x: free" {
		t.Errorf("asked %+v", q)
	}
	for body, at := range map[string]string{
		`{}`:                                              "#/query",
		`{"query":"q","customer":{"age":"x"}}`:            "#/customer/age",
		`{"query":"q","token_budget":-1}`:                 "#/token_budget",
		`{"query":"q","token_budget":"9"}`:                "#/token_budget",
		`{"query":"q","top":3}`:                           "#/top",
		`{"query":"q","top_k":21}`:                        "#/top_k",
		`{"query":"` + strings.Repeat("x", 20_001) + `"}`: "#/query",
	} {
		if a := k.call("POST", "/api/recall", body); a.Code != http.StatusUnprocessableEntity || len(a.fields()) != 1 ||
			a.fields()[0] != at {
			t.Errorf("%.60s: %d %s", body, a.Code, a.Body)
		}
	}
}

func TestAdviseAnswersAnIDAndNeverText(t *testing.T) {
	k := open(t)
	body := `{"consultation":{"question":"Should I move my works pension?","customer":{"pensions":[{"kind":"db"}]}}}`
	a := k.call("POST", "/api/advise", body, header("Idempotency-Key", "a1"))
	id, _ := a.json["id"].(string)
	if a.Code != http.StatusAccepted || a.json["status"] != "drafting" || id == "" || len(a.json) != 3 {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	if again := k.call("POST", "/api/advise", body,
		header("Idempotency-Key", "a1")); again.Body.String() != a.Body.String() ||
		again.Header().Get("Idempotency-Replayed") != "true" ||
		a.Header().Get("Idempotency-Replayed") != "" {
		t.Errorf("again: %s", again.Body)
	}
	if err := k.in.DraftArrived(ctx, id,
		interaction.Draft{Text: "SECRET DRAFT", Drafter: "embedded advisor"}); err != nil {
		t.Fatal(err)
	}
	got := k.call("GET", "/api/guidance/"+id, "")
	if got.Code != http.StatusOK || got.json["status"] != "waiting" || strings.Contains(got.Body.String(), "SECRET") {
		t.Errorf("%d %s", got.Code, got.Body)
	}
	if a := k.call("POST", "/api/advise", `{"consultation":{"question":" "}}`); a.Code != 422 ||
		a.fields()[0] != "#/consultation/question" {
		t.Errorf("%d %s", a.Code, a.Body)
	}
}

func TestDraftThatCannotBeMade(t *testing.T) {
	k := open(t)
	a := k.call("POST", "/api/advise", `{"consultation":{"question":"q"}}`)
	id := a.json["id"].(string)
	if got := k.call("GET", "/api/guidance/"+id, ""); got.json["status"] != "drafting" || got.json["decision"] != nil {
		t.Errorf("%s", got.Body)
	}
	if err := k.in.DraftFailed(ctx, id, "The model is down."); err != nil {
		t.Fatal(err)
	}
	if got := k.call("GET", "/api/guidance/"+id, ""); got.json["status"] != "failed" ||
		got.json["failure"] != "The model is down." {
		t.Errorf("%s", got.Body)
	}
}

// A conversation comes in with its question, and is found again by the agent's name for it.
func TestGuidanceInAConversation(t *testing.T) {
	k := open(t)
	a := k.post(`{"consultation":{"thread":"talk-7","messages":[
		{"role":"user","text":"My works pension is final salary.","at":"2026-03-01T09:30:00+01:00"},
		{"role":"assistant","text":"What would you like to know?"},{"role":"user","text":"And the tax on that?"}]},
		"guidance":"It depends on your income."}`)
	in, err := k.in.Get(ctx, fmt.Sprint(a.json["id"]))
	if err != nil {
		t.Fatalf("%s: %v", a.Body, err)
	}
	if c := in.Consultation; c.Question != "And the tax on that?" || len(c.Messages) != 3 || c.Turn() != 2 {
		t.Errorf("%+v", c)
	}
	for query, want := range map[string]int{"?thread=talk-7": 1, "?thread=talk-8": 0, "": 1} {
		if items, _ := k.call("GET", "/api/guidance"+query, "").json["items"].([]any); len(items) != want {
			t.Errorf("%q: %d items, want %d", query, len(items), want)
		}
	}
	for body, field := range map[string]string{
		`{"question":"q","messages":[{"role":"system","text":"x"}]}`:                                   "#/consultation/messages/0/role",
		`{"question":"q","messages":[{"role":"user","text":"x","at":"noon"}]}`:                         "#/consultation/messages/0/at",
		`{"question":"q","messages":[{"role":"user"}]}`:                                                "#/consultation/messages/0/text",
		`{"messages":[{"role":"agent","text":"Hello."}]}`:                                              "#/consultation/question",
		`{"question":"q","thread":"` + strings.Repeat("t", 201) + `"}`:                                 "#/consultation/thread",
		`{"question":"q","messages":[` + strings.Repeat(`{"role":"tool"},`, 200) + `{"role":"tool"}]}`: "#/consultation/messages",
	} {
		a := k.post(`{"consultation":` + body + `,"guidance":"g"}`)
		if a.Code != 422 || len(a.fields()) != 1 || a.fields()[0] != field {
			t.Errorf("%.80s: %d %v, want %s", body, a.Code, a.fields(), field)
		}
	}
}
