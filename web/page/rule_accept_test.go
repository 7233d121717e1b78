package page_test

import (
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/conflict"
	"preceptor/internal/learning"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/rule"
)

const tracing = "When the customer asks about a lost pension, point to the free Pension Tracing Service because paid " +
	"services charge for the same"

// bringRule puts a rule into the base as an import does.
func bringRule(t *testing.T, s *apptest.Site, status, text string) (r knowledge.Rule) {
	t.Helper()
	if err := s.DB.Write(t.Context(), func(tx *db.Tx) (err error) {
		r, err = s.Knowledge.AddRuleTx(tx,
			knowledge.Rule{Status: status, Domain: knowledge.PensionEducation, By: audit.System("import"),
				Reason: "imported",
				RuleText: knowledge.RuleText{Title: "Point to the tracing service", Principle: text, Confidence: .5,
					Provisional: true}})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestARuleThatWasBroughtInIsAcceptedOnItsPage(t *testing.T) {
	s := apptest.Open(t)
	edie, ann, morag := s.SignedIn(t, account.Expert), s.SignedIn(t, account.Supervisor), s.SignedIn(t, account.Manager)
	r := bringRule(t, s, knowledge.Candidate, tracing)
	at := "/knowledge/rules/" + r.ID

	doc := page(t, edie.Get(t, "/learning"), http.StatusOK)
	has(t, doc, "#board", "Imported, not yet accepted")
	has(t, doc, `#board a[href="`+at+`"]`, "R-1")
	has(t, page(t, edie.Get(t, "/todo"), http.StatusOK), `#todo a[href="`+at+`"]`, "Imported rule to accept")
	has(t, page(t, morag.Get(t, "/overview"), http.StatusOK), ".figure", "1 rule imported, not yet accepted")
	doc = page(t, ann.Get(t, at), http.StatusOK)
	has(t, doc, "main", "An expert or an administrator decides.")
	hasNot(t, doc, `form[action$="/accept"]`)
	want(t, "a supervisor",
		ann.Post(t, at+"/accept", url.Values{"do": {"accept"}, "version": {"1"}, "text": {tracing}, "why": {"x"}}),
		http.StatusForbidden)

	has(t, page(t, edie.Get(t, at), http.StatusOK), `form[action$="/accept"] #teach-0-text`, tracing)
	form := url.Values{"version": {"1"}, "do": {"accept"}, "teach.0.kind": {"point"}, "teach.0.on": {"1"},
		"teach.0.text": {"The Pension Tracing Service is free."}, "when.0.kind": {"mentions"},
		"when.0.how": {"question"}, "when.0.values": {"lost pension"}, "when.0.on": {"1"}, "when.0.typed": {"1"}}
	again := page(t, edie.Post(t, at+"/accept", form), http.StatusUnprocessableEntity)
	has(t, again, "#why-error", "history")
	form.Set("why", "<b>We say so</b> already.")
	form.Set("teach.0.text", " ")
	again = page(t, edie.Post(t, at+"/accept", form), http.StatusUnprocessableEntity)
	has(t, again, ".teach-row.wrong", "Write where to point")
	has(t, again, "#why", "<b>We say so</b> already.")
	form.Set("teach.0.text", "The Pension Tracing Service is free.")
	if res := edie.Post(t, at+"/accept", form); res.Status != http.StatusSeeOther {
		t.Fatalf("accept: %d %.300s", res.Status, res.Body)
	}
	has(t, page(t, edie.Get(t, at), http.StatusOK), "main", "in use")
	has(t, page(t, edie.Post(t, at+"/accept", form), http.StatusConflict), ".notice", "is no longer waiting")
	hasNot(t, page(t, edie.Get(t, "/learning"), http.StatusOK), "#unclaimed")

	other := bringRule(t, s, knowledge.Candidate, strings.Replace(tracing, "lost", "forgotten", 1))
	if res := edie.Post(t, "/knowledge/rules/"+other.ID+"/accept",
		url.Values{"do": {"reject"}, "version": {"1"}, "why": {"Not ours."}}); res.Status != http.StatusSeeOther {
		t.Fatalf("reject: %d %.300s", res.Status, res.Body)
	}
	has(t, page(t, edie.Get(t, "/knowledge/rules/"+other.ID), http.StatusOK), "main", "rejected")
	want(t, "neither", edie.Post(t, "/knowledge/rules/"+other.ID+"/accept", url.Values{"do": {"x"}, "version": {"2"}}),
		http.StatusUnprocessableEntity)
}

// taught is a lesson that waits for an expert.
func taught(t *testing.T, s *apptest.Site, ann *apptest.Client) learning.Lesson {
	t.Helper()
	correct(t, s, ann)
	s.Clock.Advance(time.Minute)
	s.Drain(t)
	list, err := s.Learning.List(t.Context(), learning.Filter{Stage: learning.StageAccept, State: learning.Waiting})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range list.Items {
		if l.Cause == learning.CauseDecision {
			return l
		}
	}
	t.Fatalf("nobody's lesson waits: %+v", list.Items)
	return learning.Lesson{}
}

// A correction of which nobody states what it teaches is a guess for questions like the one that was asked; one click
// widens it.
func TestAGuessIsWidenedWithOneClick(t *testing.T) {
	s := apptest.Open(t)
	edie, ann := s.SignedIn(t, account.Expert), s.SignedIn(t, account.Supervisor)
	const added = "Ask the scheme what it pays to a partner after a death."
	id := bring(t, s, passing, dbCustomer())
	form := with(seen(t, page(t, ann.Get(t, "/reviews/"+id+"?mode=revise"), http.StatusOK), "#decide"), "text",
		passing+" "+added, "reason", "nothing about what a widow or partner would get")
	want(t, "revise", ann.Post(t, "/reviews/"+id+"/revise", form), http.StatusSeeOther)
	agree(t, s, id)
	s.Clock.Advance(time.Minute)
	s.Drain(t)
	list, err := s.Learning.List(t.Context(), learning.Filter{Stage: learning.StageAccept, State: learning.Waiting})
	if err != nil || len(list.Items) != 1 || !list.Items[0].Guessed {
		t.Fatalf("%+v, %v", list.Items, err)
	}
	l := list.Items[0]
	doc := page(t, edie.Get(t, "/learning/"+l.ID), http.StatusOK)
	has(t, doc, "#teach-0-text", added)
	has(t, doc, ".teach-condition.like", "The question is broadly like")
	like := doc.Find(".teach-condition.like").First()
	_, narrow := like.Find(`select option[value=near]`).Attr("selected")
	if _, on := like.Find("input[type=checkbox]").Attr("checked"); !narrow || !on {
		t.Errorf("the guess's condition: %s", words(doc, "#teach-whom"))
	}
	name := like.Find("select").First().AttrOr("name", "")
	at := strings.TrimSuffix(name, "how")
	wide := url.Values{"version": {strconv.Itoa(l.Version)}, "teach.0.kind": {"include"}, "teach.0.on": {"1"},
		"teach.0.text": {added}, at + "kind": {"like"}, at + "on": {"1"},
		at + "typed": {"1"}, name: {"wide"}, at + "values": {like.Find("textarea").Text()}}
	want(t, "accept", edie.Post(t, "/learning/"+l.ID+"/accept", wide), http.StatusSeeOther)
	if now, err := s.Learning.Get(t.Context(), l.ID); err != nil || now.State != learning.Accepted ||
		len(now.Statement.When) != 1 || !now.Statement.When[0].Wide {
		t.Errorf("%s %+v, %v", now.State, now.Statement, err)
	}
}

func TestAnEmptiedRuleIsNotAcceptedAsItWas(t *testing.T) {
	s := apptest.Open(t)
	edie, ann := s.SignedIn(t, account.Expert), s.SignedIn(t, account.Supervisor)
	l := taught(t, s, ann)
	form := url.Values{"version": {strconv.Itoa(l.Version)}, "teach.0.kind": {"include"}, "teach.0.on": {"1"},
		"teach.0.text": {"  "}, "when.0.kind": {"scope"}, "when.0.value": {"universal"}, "when.0.on": {"1"}}
	has(t, page(t, edie.Post(t, "/learning/"+l.ID+"/accept", form), http.StatusUnprocessableEntity), ".teach-row.wrong",
		"Write the text to include")
	if now, err := s.Learning.Get(t.Context(), l.ID); err != nil || now.State != learning.Waiting {
		t.Errorf("the lesson is %s, %v", now.State, err)
	}
}

func TestARuleWhoseTextBeginsLaterSaysWhatHoldsUntilThen(t *testing.T) {
	s := apptest.Open(t)
	edie := s.SignedIn(t, account.Expert)
	r := bringRule(t, s, knowledge.Active, tracing)
	edit := knowledge.EditOf(&r)
	edit.Principle, edit.ValidFrom, edit.Reason = strings.Replace(tracing, "the free", "the new", 1),
		knowledge.DayOf(s.DB.Now().AddDate(0, 1, 0)), "A new service."
	if _, err := s.Knowledge.EditRule(t.Context(), r.ID, edit, 1,
		knowledge.Person{ID: edie.Account.ID, Name: edie.Account.Name, Roles: []string{"expert"}}); err != nil {
		t.Fatal(err)
	}
	doc := page(t, edie.Get(t, "/knowledge/rules/"+r.ID), http.StatusOK)
	has(t, doc, ".sentence", tracing)
	has(t, doc, "#coming", "Scheduled")
	has(t, doc, "main", "Until then version 1 applies.")
	has(t, doc, ".page-head", "from "+s.DB.Now().AddDate(0, 1, 0).In(knowledge.UK).Format("2 January 2006"))
	has(t, doc, ".facts", "changes on ")
	edit.Principle, edit.ValidFrom = strings.Replace(tracing, "the free", "the newest", 1),
		knowledge.DayOf(s.DB.Now().AddDate(0, 2, 0))
	if _, err := s.Knowledge.EditRule(t.Context(), r.ID, edit, 2,
		knowledge.Person{ID: edie.Account.ID, Name: edie.Account.Name, Roles: []string{"expert"}}); err != nil {
		t.Fatal(err)
	}
	versions := page(t, edie.Get(t, "/knowledge/rules/"+r.ID), http.StatusOK).Find(".versions > li")
	for i, want := range []string{"scheduled", "scheduled", "in use"} {
		if got := versions.Eq(i).Text(); !strings.Contains(got, want) {
			t.Errorf("version %d is not %s: %s", 3-i, want, got)
		}
	}
	for _, path := range []string{"/knowledge", "/knowledge?q=Service+tracing"} {
		row := page(t, edie.Get(t, path), http.StatusOK).Find(".result").First().Text()
		if !strings.Contains(row, tracing) || !strings.Contains(row, "in use") ||
			!strings.Contains(row, "changes on "+
				s.DB.Now().AddDate(0, 1, 0).In(knowledge.UK).Format("2 January 2006")) {
			t.Errorf("%s does not show the wording of today: %s", path, row)
		}
	}
}

func TestASearchFindsWhatIsNotInUseByItsWords(t *testing.T) {
	s := apptest.Open(t)
	ann := s.SignedIn(t, account.Supervisor)
	for _, status := range []string{knowledge.Candidate, knowledge.Quarantined, knowledge.Rejected} {
		bringRule(t, s, status, tracing)
	}
	doc := page(t, ann.Get(t, "/knowledge?q=Service+tracing"), http.StatusOK) // the words, in another order
	has(t, doc, "main", "Not in use, containing these words")
	if n := doc.Find("#idle ~ .results .result").Length(); n != 3 {
		t.Errorf("%d rules are found", n)
	}
	has(t, page(t, ann.Get(t, "/knowledge?q=Service+tracing&status=active"), http.StatusOK), ".empty",
		"No close matches in use")
	has(t, page(t, ann.Get(t, "/knowledge?q=Service+tracing&status=rejected"), http.StatusOK), ".result", "R-3")
}

// Where one of two opposites is for all customers of the other, accepting asks which holds for these, and keeps it.
func TestAcceptingAnOppositeAsksWhichHolds(t *testing.T) {
	s := apptest.Open(t)
	edie := s.SignedIn(t, account.Expert)
	on := rule.Condition{Kind: rule.Mentions, Values: []string{"tax code"}}
	old := rule.Condition{Kind: rule.Field, Name: "age", Op: rule.Above, Values: []string{"60"}}
	add := func(status, text string, when ...rule.Condition) (r knowledge.Rule) {
		t.Helper()
		st := rule.Statement{When: when, Do: rule.Act{Kind: rule.Include, Text: text}}
		r = knowledge.Rule{Status: status, Domain: knowledge.PensionEducation, By: audit.System("import"),
			Reason: "imported", RuleText: knowledge.RuleOf(st, pack.Of("pension"))}
		if err := s.Knowledge.PrepareRule(t.Context(), &r); err != nil {
			t.Fatal(err)
		}
		if err := s.DB.Write(t.Context(), func(tx *db.Tx) (err error) {
			r, err = s.Knowledge.AddRuleTx(tx, r)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return r
	}
	wide := add(knowledge.Active, "HMRC pays the emergency tax back.", on)
	narrow := add(knowledge.Candidate, "HMRC does not pay the emergency tax back.", on, old)
	s.Drain(t)
	at := "/knowledge/rules/" + narrow.ID
	found, _, err := s.Conflicts.List(t.Context(), conflict.Filter{})
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	doc := page(t, edie.Get(t, at), http.StatusOK)
	hasNot(t, doc, `button[value=accept]`)
	has(t, doc, `button[name=except][value="`+wide.ID+`"]`, "Accept as an exception to R-1")
	has(t, doc, `button[name=retire]`, "Accept and retire R-1")
	form := with(filled(t, doc, `form[action$="/accept"]`), "why", "Over 60s are told otherwise.")
	again := page(t, edie.Post(t, at+"/accept", with(maps.Clone(form), "do", "accept")),
		http.StatusUnprocessableEntity)
	has(t, again, "main", "R-1 says the opposite")
	has(t, again, `button[name=except]`, "Accept as an exception to R-1")
	if r := edie.Post(t, at+"/accept", with(form, "except", wide.ID)); r.Status != http.StatusSeeOther {
		doc := page(t, r, r.Status)
		t.Fatalf("as an exception: %d %s", r.Status, doc.Find(".notice, .field-error, .teach-row, #accept").Text())
	}
	s.Drain(t)
	has(t, page(t, edie.Get(t, at), http.StatusOK), ".exception", "this rule holds instead of R-1")
	has(t, page(t, edie.Get(t, "/knowledge/rules/"+wide.ID), http.StatusOK), ".exception", "R-2 holds instead")
	if list, _, err := s.Conflicts.List(t.Context(), conflict.Filter{}); err != nil || len(list) > 0 {
		t.Errorf("still in conflict: %+v, %v", list, err)
	}
	// Who decided it, and what, is in all that is kept of both.
	name := edie.Account.Name
	has(t, page(t, edie.Get(t, "/knowledge/conflicts/"+found[0].ID), http.StatusOK), "main",
		"R-2 is an exception to R-1, by "+name)
	has(t, page(t, edie.Get(t, at), http.StatusOK), ".story", "Accepted by "+name+" as an exception to R-1.")
	has(t, page(t, edie.Get(t, "/knowledge/rules/"+wide.ID), http.StatusOK), ".story",
		"R-2 was accepted as an exception to R-1 by "+name)
	said, err := db.Read(t.Context(), s.DB, func(tx *db.Tx) (string, error) {
		return db.Value[string](tx, "test: audit", `SELECT c.content FROM audit a JOIN audit_content c ON c.seq = a.seq
			WHERE a.action = 'rule.accepted'`)
	})
	if err != nil || !strings.Contains(said, "as an exception to R-1") {
		t.Errorf("%s, %v", said, err)
	}
	// The rule that yields says so wherever it is given.
	const line = "(not where R-2 applies: the question mentions “tax code” and age is above 60)"
	if list, err := s.Knowledge.RulesInForce(t.Context(), ""); err != nil || !strings.HasSuffix(list[0].Line(), line) ||
		strings.Contains(list[1].Line(), "not where") {
		t.Errorf("%+v, %v", list, err)
	}
	for age, want := range map[int]string{65: narrow.ID, 50: wide.ID} {
		const asked = "Why did they use an emergency tax code?"
		r, err := s.Knowledge.Recall(t.Context(), knowledge.Query{Text: asked,
			Situation: pack.Situation{Pack: "pension", Question: asked, Age: age}})
		if err != nil || len(r.Rules) != 1 || r.Rules[0].ID != want ||
			strings.Contains(r.Prompt, line) != (want == wide.ID) {
			t.Errorf("at %d: %+v, %v", age, r.Rules, err)
		}
	}
}
