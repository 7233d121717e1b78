package app_test

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/comment"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/erase"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/table/imports"
	"preceptor/internal/review"
)

// planted are words that stand nowhere but in one customer's texts, each in places of its own. They are pure letters,
// so that an index of words holds them as they are, or cut at the end by its stemmer.
var planted = map[string]string{
	"name": "Wobblethwaq Zorquimb", "question": "quxiblor", "goal": "vontrazzle", "free": "plimthwock",
	"guidance": "grobnizzle", "reasoning": "drazzlefump",
	"steps": "snorfblat", "metadata": "krelvimo", "revised": "trundlewix", "reason": "mizzlecrank",
	"comment": "gribblenock", "draft": "jorvanpizz",
	// the last is of another customer and stays
	"skip": "hinglemop", "note": "yarblefust", "rationale": "quimblestrad", "bystander": "",
}

const customerRef = "CRM-7781-XQ"

func (s spine) plant(t *testing.T, name, ref, key string) string {
	t.Helper()
	p := planted
	body := `{"agent":"pension-advisor","consultation":{"question":"My name is ` + name + `. Could I put my ` +
		p["question"] + ` pensions together in one place?","task_type":"pension_consolidation",
		"customer":{"age":58,"literacy":"low","name":"` + name + `","customer_id":"` + ref + `","goal":"A ` +
		p["goal"] + ` retirement","note":"Plays ` + p["free"] + `",
		"pensions":[{"kind":"db","value_gbp":310000},{"kind":"dc","value_gbp":42000}]}},
		"guidance":"You could put your pensions together, ` + name + `; it is ` + p["guidance"] +
		` to compare charges and what you would give up first.","reasoning":"They asked about ` + p["reasoning"] + `.",
		"steps":[{"say":"` + p["steps"] + `"}],"metadata":{"customer_id":"` + ref + `","trace":"` + p["metadata"] +
		`"}}`
	r := s.agent.Do(t, http.MethodPost, "/api/guidance", "application/json", body, "Idempotency-Key", key)
	if r.Status != http.StatusCreated && r.Status != http.StatusAccepted {
		t.Fatalf("submit: %d %s", r.Status, r.Body)
	}
	return s.id(t, r)
}

// worked has people do with a case all that leaves words.
func (s spine) worked(t *testing.T, id string) {
	t.Helper()
	ctx, by := t.Context(), review.Person{ID: s.supervisor.Account.ID, Name: s.supervisor.Account.Name}
	if _, err := s.Comments.Add(ctx, comment.Input{CaseID: id, By: comment.Person{ID: by.ID, Name: by.Name},
		Text: "Ask about the " + planted["comment"] + "."}); err != nil {
		t.Fatal(err)
	}
	other := s.SignedIn(t, account.Supervisor)
	item, err := s.Reviews.Get(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Reviews.SaveDraft(ctx, review.Person{ID: other.Account.ID, Name: other.Account.Name},
		review.Draft{CaseID: id, Version: item.Version, Mode: review.Reject,
			Reason: "Too " + planted["draft"]}); err != nil {
		t.Fatal(err)
	}
	if err := s.Reviews.Skip(ctx, id, review.Person{ID: other.Account.ID, Name: other.Account.Name}, item.Version,
		"I know this "+planted["skip"]); err != nil {
		t.Fatal(err)
	}
	v, err := s.Compliance.Latest(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Borderline.Send(ctx,
		borderline.SendInput{Subject: borderline.Subject{Interaction: item.Interaction, Text: item.Text,
			Verdict: v.Verdict},
			By: by, Note: "Is it " + planted["note"] + "?"}); err != nil && !fault.Is(err, fault.Conflict) {
		t.Fatal(err)
	}
	if err := s.DB.Write(ctx, func(tx *db.Tx) error {
		return s.Borderline.OvertakeTx(tx, id, audit.System("test"))
	}); err != nil {
		t.Fatal(err)
	}
	form := s.shown(t, id, "revise")
	form.Set("text", warning+item.Interaction.Guidance+" The "+planted["revised"]+
		" part is that a transfer worth more than £30,000 needs regulated financial advice first. You can talk it "+
		"over with Pension Wise, a free and impartial service.")
	form.Set("reason", "The guarantees are not mentioned to this "+planted["reason"]+" customer.")
	state(form, "A defined benefit pension promises an income for life, and a transfer gives that up for good.")
	if r := s.supervisor.Post(t, "/reviews/"+id+"/revise", form); r.Status != http.StatusSeeOther {
		t.Fatalf("revise: %d %s", r.Status, notices(r.Body))
	}
	if list, err := s.Reviews.DecisionsFor(ctx, id); err != nil || len(list) != 1 {
		t.Fatalf("decisions %v, %v", list, err)
	} else if list[0].State == review.Pending {
		first := s.supervisor
		s.supervisor = s.SignedIn(t, account.Supervisor)
		form = s.shown(t, id, "approve")
		if r := s.supervisor.Post(t, "/reviews/"+id+"/approve", form); r.Status != http.StatusSeeOther {
			t.Fatalf("second: %d %s", r.Status, notices(r.Body))
		}
		s.supervisor = first
	}
	s.Clock.Advance(31 * time.Second)
	s.Drain(t)
}

// left are the planted words that stand in the database's files.
func (s spine) left(t *testing.T) (found []string) {
	t.Helper()
	for _, file := range []string{s.DB.Path(), s.DB.Path() + "-wal"} {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		b = bytes.ToLower(b)
		for where, words := range planted {
			for word := range strings.FieldsSeq(strings.ToLower(words)) {
				if bytes.Contains(b, []byte(word[:len(word)-2])) { // a stem, too
					found = append(found, where+" "+word+" in "+file[strings.LastIndexByte(file, '.'):]+
						s.standsIn(t, word[:len(word)-2]))
				}
			}
		}
		if bytes.Contains(b, bytes.ToLower([]byte(customerRef))) {
			found = append(found, "the reference in "+file)
		}
	}
	return found
}

// standsIn names the tables and columns that have a word, for whoever mends it; none when it is only in the slack of a
// page.
func (s spine) standsIn(t *testing.T, word string) (places string) {
	t.Helper()
	rows, err := s.DB.Reader().Query(`SELECT m.name, c.name
		FROM sqlite_schema m JOIN pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name NOT LIKE 'entry_vector%'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			t.Fatal(err)
		}
		var n int
		if err := s.DB.Reader().QueryRow(`SELECT count(*) FROM "`+table+`" WHERE instr(lower(CAST("`+column+
			`" AS TEXT)), ?) > 0`, word).Scan(&n); err == nil && n > 0 {
			places += " " + table + "." + column
		}
	}
	return places
}

// Whatever one customer and the people who worked on their case wrote is gone from the file's bytes, the audit log
// still verifies, every page of the case says so, and another customer's case is as it was.
func TestErasureReachesEveryByte(t *testing.T) {
	s := openSpine(t)
	id := s.plant(t, planted["name"], customerRef, "first")
	s.worked(t, id)
	waiting := s.plant(t, planted["name"], customerRef, "second") // nobody decided this one
	stays := s.advise(t, "Could I take a quarter of it?", 90_000)
	if status, text := s.status(t, id); status != interaction.Released || !strings.Contains(text, planted["revised"]) {
		t.Fatalf("the case is %s: %q", status, text)
	}
	if had := s.left(t); len(had) < len(planted)-2 {
		t.Fatalf("only %v were planted, so this would prove little", had)
	}
	vectors := s.vectorsOf(t, id)
	if len(vectors) == 0 {
		t.Fatal("no case was made, so this would prove nothing about vectors")
	}
	for _, why := range []string{"", planted["name"] + " is no label."} {
		if err := s.Imports.Start(t.Context(), imports.Run{Kind: imports.Dataset, Subject: "set"},
			func(context.Context, func(done, total int)) (any, error) {
				if why == "" {
					return struct{ Added int }{3}, nil
				}
				return imports.Problem{Why: why}, nil
			}); err != nil {
			t.Fatal(err)
		}
		s.Drain(t)
	}
	preview, err := s.Erase.Preview(t.Context(), interaction.ByReference, "crm 7781 xq")
	if err != nil || len(preview.Interactions) != 2 || len(preview.Counts) < 8 {
		t.Fatalf("preview %+v, %v", preview, err)
	}
	if !slices.ContainsFunc(preview.Counts, func(c erase.Count) bool {
		return strings.HasPrefix(c.Place, "Import reports") && c.N == 1
	}) {
		t.Errorf("one report quotes the file, and it is counted once: %v", preview.Counts)
	}
	by := audit.Actor{Kind: audit.Person, ID: "boss", Name: "Bo Boss"}
	rec, err := s.Erase.Erase(t.Context(),
		erase.Request{How: interaction.ByReference, Subject: customerRef, Why: "Request 12 of " + planted["name"],
			By: by})
	if err != nil || rec.State != erase.Done || rec.Interactions != 2 || !rec.Clean {
		t.Fatalf("%+v, %v", rec, err)
	}
	if len(rec.Counts) != len(preview.Counts) {
		t.Errorf("the preview said\n%v and it was\n%v", preview.Counts, rec.Counts)
	}
	for i := range min(len(rec.Counts), len(preview.Counts)) {
		if rec.Counts[i] != preview.Counts[i] {
			t.Errorf("the preview said %v and it was %v", preview.Counts[i], rec.Counts[i])
		}
	}
	for _, found := range s.left(t) {
		t.Errorf("left: %s", found)
	}
	if s.standsIn(t, "erased on") == "" {
		t.Error("nothing says that it was erased")
	}
	raw, err := os.ReadFile(s.DB.Path())
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		if bytes.Contains(raw, v[:64]) {
			t.Error("a vector is left in the file")
		}
	}
	report, err := audit.Verify(t.Context(), s.DB, nil)
	if err != nil || report.Bad != nil || report.Erased == 0 {
		t.Errorf("the audit log: %+v, %+v, %v", report, report.Bad, err)
	}
	s.erasedPages(t, id, waiting)
	if in, err := s.Interactions.Get(t.Context(), stays.ID); err != nil || in.Guidance != stays.Guidance ||
		!in.ErasedAt.IsZero() {
		t.Errorf("another customer's: %+v, %v", in, err)
	}
	if check, err := s.Search.Check(t.Context()); err != nil || len(check.Problems) > 0 {
		t.Errorf("the indexes: %v, %v", check.Problems, err)
	}
	if _, err := s.Erase.Erase(t.Context(),
		erase.Request{How: interaction.ByReference, Subject: customerRef, Why: "Again", By: by}); !fault.Is(err,
		fault.NotFound) || !strings.Contains(fault.Message(err), "erased on") {
		t.Errorf("again: %v", err)
	}
	if r := s.agent.Do(t, http.MethodPost, "/api/guidance", "application/json", `{}`, "Idempotency-Key",
		"first"); r.Status < 400 {
		t.Errorf("the key brings it back: %d", r.Status)
	}
	s.Clock.Advance(48 * time.Hour)
	s.Drain(t)
	for _, found := range s.left(t) {
		t.Errorf("came back: %s", found)
	}
}

// vectorsOf are the stored vectors of the knowledge that a case became.
func (s spine) vectorsOf(t *testing.T, id string) (list [][]byte) {
	t.Helper()
	rows, err := s.DB.Reader().Query(`SELECT v.vector
		FROM lesson l JOIN search_entry e ON e.item_id = l.case_id JOIN embedding v ON v.entry_id = e.id
		WHERE l.interaction_id = ? AND l.case_id <> ''`, id)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var v []byte
		if err := rows.Scan(&v); err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

// erasedPages reads every page that shows a case.
func (s spine) erasedPages(t *testing.T, id, waiting string) {
	t.Helper()
	everybody := s.SignedIn(t, account.Admin, account.Supervisor, account.Expert, account.Manager)
	paths := []string{"/reviews/" + id, "/reviews/" + waiting, "/reviews", "/reviews?state=done", "/comments",
		"/learning", "/knowledge", "/compliance", "/compliance?list=ruled", "/compliance?list=ratings", "/admin/audit",
		"/", "/stats"}
	lessons, err := s.Learning.ForInteraction(t.Context(), id)
	if err != nil || len(lessons) == 0 {
		t.Fatalf("lessons %v, %v", lessons, err)
	}
	for _, l := range lessons {
		paths = append(paths, "/learning/"+l.ID)
		if l.CaseID != "" {
			paths = append(paths, "/knowledge/cases/"+l.CaseID)
		}
		if l.RuleID != "" {
			paths = append(paths, "/knowledge/rules/"+l.RuleID)
		}
	}
	for _, path := range paths {
		r := everybody.Get(t, path)
		if r.Status >= 500 {
			t.Errorf("%s: %d", path, r.Status)
		}
		says := strings.Contains(r.Body, "rased on 2 November 2026")
		if strings.Contains(path, id) && !says {
			t.Errorf("%s does not say when it was erased", path)
		}
		for where, words := range planted {
			for word := range strings.FieldsSeq(words) {
				if strings.Contains(r.Body, word) {
					t.Errorf("%s shows the %s", path, where)
				}
			}
		}
	}
	if r := s.agent.Get(t, "/api/guidance/"+id); r.Status != http.StatusOK ||
		!strings.Contains(r.Body, `"erased_at"`) || strings.Contains(r.Body, "final_text") {
		t.Errorf("the agent reads %d %s", r.Status, r.Body)
	}
}
