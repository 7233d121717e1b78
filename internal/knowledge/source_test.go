package knowledge_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// web is a site of one page, which changes.
type web struct {
	page, media string
	err         error
}

func (w *web) fetch(context.Context, string) (string, []byte, error) {
	return w.media, []byte(w.page), w.err
}

const address = "https://firm.example/fees"

func (b bench) source(path string) (knowledge.Source, []knowledge.SectionChange) {
	b.t.Helper()
	list, err := b.Sources(ctx)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, s := range list {
		if s.Path == path {
			s, changes, err := b.Source(ctx, s.ID)
			if err != nil {
				b.t.Fatal(err)
			}
			return s, changes
		}
	}
	b.t.Fatalf("no source %s in %+v", path, list)
	return knowledge.Source{}, nil
}

func (b bench) supported(caseIDs ...string) knowledge.Rule {
	b.t.Helper()
	r, err := db.Write(ctx, b.d, func(tx *db.Tx) (knowledge.Rule, error) {
		return b.AddRuleTx(tx, knowledge.Rule{Status: knowledge.Active, Domain: knowledge.Domains[0],
			RuleText: knowledge.RuleText{Principle: "Say what it costs (" + strings.Join(caseIDs, ", ") + ").",
				Supporting: caseIDs}})
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// A web page is imported by its address. What changes there is seen beside what was made of it, and nothing changes here
// until a person took it over; then what went is retired, and rules that rest on it alone are taken out of use.
func TestWhatChangesAtItsSourceWaitsForAPerson(t *testing.T) {
	w := &web{media: "text/html; charset=utf-8", page: `<title>Fees | Firm</title><nav><h2>Menu</h2></nav><main>
		<h1>Fees</h1><p>All of them.</p><h2 id="exit">Exit</h2><p>Leaving costs £20.</p><h2>Old</h2><p>The old plan is free.</p></main>`}
	b := setUp(t, knowledge.Options{Fetch: w.fetch})
	edie := knowledge.Person{ID: "p", Name: "Edie", Roles: []string{"expert"}}
	r, err := b.ImportAddresses(ctx, []string{address + "#exit"}, knowledge.ImportOptions{By: by})
	if err != nil || r.Imported != 3 || len(r.Skipped) > 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	exit, old := b.section(address+"#Exit"), b.section(address+"#Old")
	if exit.Link() != address+"#exit" || exit.Guidance != "Leaving costs £20." {
		t.Errorf("%+v, %s", exit, exit.Link())
	}
	alone, both := b.supported(old.ID), b.supported(old.ID, exit.ID)
	s, changes := b.source(address)
	if s.Seen != "" || len(changes) > 0 || s.Sections != 3 || len(s.Hash) != 64 || !s.Again() {
		t.Fatalf("%+v, %+v", s, changes)
	}

	b.write(func(tx *db.Tx) error {
		_, err := b.RecordUsageTx(tx, "i1", "", []knowledge.Used{{ID: exit.ID}, {ID: old.ID}})
		return err
	})
	w.page = strings.NewReplacer("£20", "£30", "<h2>Old</h2><p>The old plan is free.</p>",
		"<h2>New</h2><p>The new plan is dear.</p>").Replace(w.page)
	if err := b.Reread(ctx, s.ID); err != nil {
		t.Fatal(err)
	}
	s, changes = b.source(address)
	if len(changes) != 3 || changes[0].After != "Leaving costs £30." || changes[0].Before != "Leaving costs £20." ||
		changes[1].Case != nil || changes[1].Heading != "New" || !changes[2].Gone || changes[2].Heading != "Old" {
		t.Fatalf("%+v", changes)
	}
	if now := b.section(address + "#Exit"); now.Guidance != "Leaving costs £20." || now.Version != 1 {
		t.Errorf("it changed without a person: %+v", now)
	}
	if n, err := b.CountChangedSources(ctx); err != nil || n != 1 {
		t.Errorf("%d wait, %v", n, err)
	}
	used, err := b.Usage(ctx, "i1") // of a draft that waits
	if err != nil || len(used) != 2 || !used[0].Outdated || !used[1].Outdated {
		t.Errorf("beside the draft: %+v, %v", used, err)
	}
	sam := knowledge.Person{ID: "s", Roles: []string{"supervisor"}}
	if err := b.ReviewSource(ctx, s.ID, s.Seen, true, sam); !fault.Is(err, fault.Denied) {
		t.Errorf("a supervisor: %v", err)
	}
	if err := b.ReviewSource(ctx, s.ID, "other", true, edie); !fault.Is(err, fault.Conflict) {
		t.Errorf("what nobody saw: %v", err)
	}
	if err := b.ReviewSource(ctx, s.ID, s.Seen, true, edie); err != nil {
		t.Fatal(err)
	}
	if now := b.section(address + "#Exit"); now.Guidance != "Leaving costs £30." {
		t.Errorf("%+v", now)
	}
	if now := b.section(address + "#Old"); now.Status != knowledge.Retired {
		t.Errorf("%+v", now)
	}
	for _, want := range []struct {
		rule   knowledge.Rule
		status string
	}{{alone, knowledge.Quarantined}, {both, knowledge.Active}} {
		if now, err := b.Rule(ctx, want.rule.ID); err != nil || now.Status != want.status {
			t.Errorf("%s is %s, want %s, %v", now.Label(), now.Status, want.status, err)
		}
	}
	if s, changes = b.source(address); s.Seen != "" || len(changes) > 0 {
		t.Errorf("%+v, %+v", s, changes)
	}

	// what a person leaves isn't asked again, until it changes again
	w.page = strings.Replace(w.page, "£30", "£40", 1)
	if err := b.Reread(ctx, s.ID); err != nil {
		t.Fatal(err)
	}
	s, _ = b.source(address)
	if err := b.ReviewSource(ctx, s.ID, s.Seen, false, edie); err != nil {
		t.Fatal(err)
	}
	if err := b.Reread(ctx, s.ID); err != nil {
		t.Fatal(err)
	}
	if s, changes = b.source(address); s.Seen != "" || len(changes) > 0 ||
		b.section(address+"#Exit").Guidance != "Leaving costs £30." {
		t.Errorf("%+v, %+v", s, changes)
	}

	w.err = fault.New(fault.Invalid, "The server answered 503.")
	if err := b.Reread(ctx, s.ID); err != nil {
		t.Fatal(err)
	}
	if s, _ = b.source(address); s.Failure != "The server answered 503." || s.Sections != 3 {
		t.Errorf("%+v", s)
	}
}

// A file of a folder is read again on its schedule; one that is gone waits, too. What was uploaded can't be.
func TestFilesAreReadAgainOnSchedule(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.md", "# A\n\nOne.\n\n## B\n\nTwo.")
	write("c.txt", "CAFÉ\n\nThree.")
	if _, err := b.Import(ctx, os.DirFS(dir), knowledge.ImportOptions{By: by, Folder: dir}); err != nil {
		t.Fatal(err)
	}
	b.importAll(folder(map[string]string{"up.html": "<h1>Up</h1><p>Four.</p>"}))
	edie := knowledge.Person{ID: "p", Name: "Edie", Roles: []string{"expert"}}
	up, _ := b.source("up.html")
	if err := b.Reread(ctx, up.ID); !fault.Is(err, fault.Conflict) {
		t.Errorf("an upload: %v", err)
	}
	write("a.md", "# A\n\nOne and a half.\n\n## B\n\nTwo.")
	if err := os.Remove(filepath.Join(dir, "c.txt")); err != nil {
		t.Fatal(err)
	}
	a, _ := b.source("a.md")
	c, _ := b.source("c.txt")
	for _, s := range []knowledge.Source{a, c} {
		if err := b.SetSource(ctx, s.ID, 7, "", "pension", edie); err != nil {
			t.Fatal(err)
		}
	}
	due := func(after time.Duration) {
		t.Helper()
		b.clock.Advance(after)
		if err := b.RereadDue(ctx); err != nil {
			t.Fatal(err)
		}
	}
	due(6 * 24 * time.Hour)
	if s, _ := b.source("a.md"); s.Seen != "" {
		t.Error("it was read before its time")
	}
	due(2 * 24 * time.Hour)
	if _, changes := b.source("a.md"); len(changes) != 1 || changes[0].After != "One and a half." {
		t.Errorf("%+v", changes)
	}
	if _, changes := b.source("c.txt"); len(changes) != 1 || !changes[0].Gone {
		t.Errorf("%+v", changes)
	}
	if err := b.WithdrawSource(ctx, c.ID, "It names a customer.", false, edie); err != nil {
		t.Fatal(err)
	}
	if now := b.section("c.txt#CAFÉ"); now.Status != knowledge.Retired {
		t.Errorf("%+v", now)
	}
}

// A document can be given to one agent or to those of a pack; others are no longer given it.
func TestADocumentMovesToOtherAgents(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	b.importAll(folder(map[string]string{"oak.md": "# Oak tables\n\nOak tables are oiled once a year."}))
	edie := knowledge.Person{ID: "p", Name: "Edie", Roles: []string{"expert"}}
	given := func(agent string) bool {
		t.Helper()
		r, err := b.Recall(ctx, knowledge.Query{AgentID: agent, Text: "How often are oak tables oiled?"})
		if err != nil {
			t.Fatal(err)
		}
		return len(r.Cases) > 0
	}
	s, _ := b.source("oak.md")
	if s.Pack != "pension" || !given("one") || !given("two") {
		t.Fatalf("%+v", s)
	}
	if err := b.SetSource(ctx, s.ID, 0, "one", "", edie); err != nil {
		t.Fatal(err)
	}
	if s, _ = b.source("oak.md"); s.AgentID != "one" || s.Pack != "" || s.Sections != 1 || !given("one") || given("two") {
		t.Errorf("%+v, %v, %v", s, given("one"), given("two"))
	}
	b.importAll(folder(map[string]string{"oak.md": "# Oak tables\n\nOak tables are never oiled."}))
	if err := b.SetSource(ctx, s.ID, 0, "", "pension", edie); !fault.Is(err, fault.Conflict) {
		t.Errorf("twice in one place: %v", err)
	}
	page, err := audit.List(ctx, b.d, audit.Filter{Action: "knowledge.source_moved"})
	if err != nil || len(page.Rows) != 1 {
		t.Errorf("%+v, %v", page, err)
	}
}

// A rollback gives a document's words back, and not to others than those who are given it now.
func TestARollbackLeavesADocumentWithItsAgents(t *testing.T) {
	for _, way := range []struct{ agent, pack, toAgent, toPack string }{
		{"one", "", "", "general"}, {"", "pension", "one", ""}, {"", "general", "", "pension"}} {
		b := setUp(t, knowledge.Options{})
		edie := knowledge.Person{ID: "p", Name: "Edie", Roles: []string{"expert"}}
		_, err := b.Import(ctx, folder(map[string]string{"oak.md": "# Oak tables\n\nOak tables are oiled once a year."}),
			knowledge.ImportOptions{AgentID: way.agent, Pack: way.pack, By: by})
		if err != nil {
			t.Fatal(err)
		}
		state, err := db.Write(ctx, b.d, func(tx *db.Tx) (knowledge.State, error) {
			return b.AutomaticStateTx(tx, "before", by)
		})
		if err != nil {
			t.Fatal(err)
		}
		s, _ := b.source("oak.md")
		if err := b.SetSource(ctx, s.ID, 0, way.toAgent, way.toPack, edie); err != nil {
			t.Fatal(err)
		}
		p, err := b.PreviewRollback(ctx, state.ID)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Rollback(ctx, state.ID, "It was better.", p.Seq, edie); err != nil {
			t.Fatal(err)
		}
		if s, _ := b.source("oak.md"); s.Hash != "" {
			t.Errorf("%+v: the source is taken to say what was rolled back", way)
		}
		c, _, err := b.Cases(ctx, knowledge.Filter{})
		if err != nil || len(c) != 1 || c[0].AgentID != way.toAgent || c[0].Pack != way.toPack {
			t.Errorf("%+v: %+v, %v", way, c, err)
		}
	}
}

// What a person withdrew stays so until it is uploaded again, and makes room for another agent's; what was left as it is
// isn't asked again because of a token that nobody reads; a document of thousands of sections is refused in a line.
func TestWithdrawnMovedAndLeft(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	edie := knowledge.Person{ID: "p", Name: "Edie", Roles: []string{"expert"}}
	files := folder(map[string]string{"oak.md": "# Oak tables\n\nOak tables are oiled once a year."})
	put := func(agent string) (r knowledge.ImportReport) {
		r, err := b.Import(ctx, files, knowledge.ImportOptions{AgentID: agent, By: by})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	put("one")
	one, _ := b.source("oak.md")
	if err := b.WithdrawSource(ctx, one.ID, "It names a customer.", false, edie); err != nil {
		t.Fatal(err)
	}
	again := knowledge.ImportOptions{AgentID: "one", By: by, Folder: t.TempDir()}
	if r, err := b.Import(ctx, files, again); err != nil || r.StayRetired != 1 || r.Restored != 0 {
		t.Errorf("the import of a folder brought back what a person withdrew: %+v, %v", r, err)
	}
	cases, _, err := b.Cases(ctx, knowledge.Filter{AgentID: "one", Status: knowledge.Retired})
	if err != nil || len(cases) != 1 || cases[0].By.ID != edie.ID || strings.Contains(cases[0].Reason, "gone") {
		t.Errorf("%+v, %v", cases, err)
	}
	if r := put("one"); r.Restored != 1 || r.Imported+r.Updated+r.StayRetired != 0 {
		t.Errorf("uploaded again: %+v", r)
	}
	one, _ = b.source("oak.md")
	if err := b.WithdrawSource(ctx, one.ID, "Again.", false, edie); err != nil {
		t.Fatal(err)
	}
	put("two")
	sources, err := b.Sources(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sources {
		if s.AgentID == "two" {
			if err := b.SetSource(ctx, s.ID, 0, "three", "", edie); err != nil {
				t.Fatal(err)
			}
			if err := b.SetSource(ctx, s.ID, 0, "one", "", edie); err != nil {
				t.Errorf("moved to whom it was withdrawn from: %v", err)
			}
		}
	}
	long := folder(map[string]string{"long.md": strings.Repeat("## Oak\n\nOiled.\n\n", 2001)})
	if r, err := b.Import(ctx, long, knowledge.ImportOptions{By: by}); err != nil || len(r.Skipped) != 1 ||
		!strings.Contains(r.Skipped[0].Why, "2001 sections") {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestATokenInAPageIsNoChange(t *testing.T) {
	w := &web{media: "text/html", page: `<main><h1>Fees</h1><p>£20.</p></main><script>token=1</script>`}
	b := setUp(t, knowledge.Options{Fetch: w.fetch})
	if _, err := b.ImportAddresses(ctx, []string{address}, knowledge.ImportOptions{By: by}); err != nil {
		t.Fatal(err)
	}
	s, _ := b.source(address)
	w.page = strings.Replace(w.page, "£20", "£30", 1)
	if err := b.Reread(ctx, s.ID); err != nil {
		t.Fatal(err)
	}
	s, _ = b.source(address)
	if err := b.ReviewSource(ctx, s.ID, s.Seen, false, knowledge.Person{ID: "p", Roles: []string{"expert"}}); err != nil {
		t.Fatal(err)
	}
	w.page = strings.Replace(w.page, "token=1", "token=2", 1)
	if err := b.Reread(ctx, s.ID); err != nil {
		t.Fatal(err)
	}
	if s, _ = b.source(address); s.Seen != "" {
		t.Error("what was left is asked again")
	}
}

// A document that names a customer can leave the file: every version of every section, also those that went earlier, and
// an import brings none back. That is for administrators.
func TestADocumentIsErased(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	edie := knowledge.Person{ID: "p", Name: "Edie", Roles: []string{"expert"}}
	ada := knowledge.Person{ID: "q", Name: "Ada", Roles: []string{"admin"}}
	first := folder(map[string]string{"oak.md": "# Oak\n\nMrs Featherstone oils hers.\n\n## Ash\n\nMrs Featherstone has none."})
	b.importAll(first)
	b.importAll(folder(map[string]string{"oak.md": "# Oak\n\nMrs Featherstone oils hers twice a year."}))
	s, _ := b.source("oak.md")
	if err := b.WithdrawSource(ctx, s.ID, "It names a customer.", true, edie); !fault.Is(err, fault.Denied) {
		t.Errorf("an expert erases: %v", err)
	}
	if err := b.WithdrawSource(ctx, s.ID, "It names a customer.", true, ada); err != nil {
		t.Fatal(err)
	}
	b.importAll(first)
	for _, at := range []string{"oak.md#Oak", "oak.md#Ash"} {
		c := b.section(at)
		left, err := db.Read(ctx, b.d, func(tx *db.Tx) ([]string, error) { return b.CaseTextsTx(tx, c.ID) })
		if err != nil || len(left) > 0 || c.Status != knowledge.Retired || strings.Contains(c.Guidance, "Featherstone") {
			t.Errorf("%s: %q are left, %+v, %v", at, left, c, err)
		}
	}
}

// A firm's name above the title is no guidance; a sentence there is.
func TestWordsAboveTheFirstHeading(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	r := b.importAll(folder(map[string]string{
		"name.md": "Acme Tables · Booklet\n\n# Oak tables\n\nOak tables are oiled once a year.",
		"text.md": "All tables are made here.\n\n# Ash tables\n\nAsh tables are waxed once a year.",
	}))
	if r.Imported != 3 || len(r.Skipped) != 1 || !strings.Contains(r.Skipped[0].Why, "Acme Tables") || r.Skipped[0].Bad {
		t.Errorf("%d imported, %+v", r.Imported, r.Skipped)
	}
}
