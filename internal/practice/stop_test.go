package practice

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
	"preceptor/internal/search"
)

var morag = audit.Actor{Kind: audit.Person, ID: "morag", Name: "Morag Sinclair"}

func runs(t *testing.T) (*Runs, Run) {
	t.Helper()
	d := dbtest.New(t)
	s := NewRuns(d, knowledge.New(d, search.New(d), embedded.New(), knowledge.Options{}))
	run, err := s.Begin(t.Context(), Plan{AgentID: "a", Kind: Training, Customers: 40}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s, run
}

// A person stops a run: what is under way ends, and the run says who stopped it, and can go on.
func TestARunIsStopped(t *testing.T) {
	s, run := runs(t)
	began := make(chan struct{})
	ended := make(chan error)
	go func() {
		ended <- s.UnderWay(context.Background(), run.ID, func(ctx context.Context) error {
			close(began)
			<-ctx.Done()
			return ctx.Err()
		})
	}()
	<-began
	if err := s.Stop(t.Context(), run.ID, morag); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("a run that a person stopped failed: %v", err)
	}
	if run, err := s.Get(t.Context(), run.ID); err != nil || run.State != Failed {
		t.Errorf("%+v, %v", run, err)
	}
	sam := audit.Actor{Kind: audit.Person, ID: "sam", Name: "Sam"}
	if err := s.Stop(t.Context(), run.ID, sam); !fault.Is(err, fault.Conflict) {
		t.Errorf("stopped twice: %v", err)
	}
}

// The name of who stopped it stays, although what was cut off fails with its own words.
func TestAStoppedRunNamesWho(t *testing.T) {
	s, run := runs(t)
	err := s.UnderWay(t.Context(), run.ID, func(ctx context.Context) error {
		if err := s.Stop(ctx, run.ID, morag); err != nil {
			return err
		}
		return errors.Join(context.Canceled, s.Fail(ctx, run.ID, context.Canceled))
	})
	run, err2 := s.Get(t.Context(), run.ID)
	if err != nil || err2 != nil || run.State != Failed || run.Error != "Morag Sinclair stopped this run." {
		t.Errorf("%q, %v, %v", run.Error, err, err2)
	}
}

// Others' failures stay theirs.
func TestARunThatFailsIsNotStopped(t *testing.T) {
	s, run := runs(t)
	broken := errors.New("no disk")
	if err := s.UnderWay(t.Context(), run.ID, func(context.Context) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// A run that goes on at once stays running, whatever the one that was stopped says last.
func TestARunThatGoesOnIsNotSaidToBeStopped(t *testing.T) {
	s, run := runs(t)
	began, cut, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		ended <- s.UnderWay(context.Background(), run.ID, func(ctx context.Context) error {
			close(began)
			<-ctx.Done()
			<-cut // it takes a while to end
			return errors.Join(ctx.Err(), s.Fail(ctx, run.ID, ctx.Err()))
		})
	}()
	<-began
	if err := s.Stop(t.Context(), run.ID, morag); err != nil {
		t.Fatal(err)
	}
	if err := s.db.Write(t.Context(), func(tx *db.Tx) error { return s.GoOnTx(tx, run.ID, morag) }); err != nil {
		t.Fatal(err)
	}
	close(cut)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if run, err := s.Get(t.Context(), run.ID); err != nil || run.State != Running || run.Error != "" {
		t.Errorf("%s, %q, %v", run.State, run.Error, err)
	}
}

// A batch that was on its way when its run was stopped is kept, and the run stays stopped.
func TestALateBatchStartsNothing(t *testing.T) {
	s, run := runs(t)
	if err := s.Stop(t.Context(), run.ID, morag); err != nil {
		t.Fatal(err)
	}
	if err := s.store(t.Context(), run.ID, phaseTrain, []Session{{N: 1, Person: "p/a"}}); err != nil {
		t.Fatal(err)
	}
	if run, err := s.Get(t.Context(), run.ID); err != nil || run.State != Failed || run.Done != 1 {
		t.Errorf("%s, %d done, %v", run.State, run.Done, err)
	}
}

// What quotes a case goes when the case is erased; the others, and what came of all, stay.
func TestConsultationsThatQuoteAnErasedCaseAreErased(t *testing.T) {
	s, run := runs(t)
	list := []Session{
		{N: 1, Person: "p/a",
			Dialogue: []Turn{{ByAdvisor, "Hello. Your sister's flat in Oban can be left out of this. Thank you."}},
			Outcome:  Outcome{Successful: true}},
		{N: 2, Person: "p/b", Dialogue: []Turn{{ByCustomer, "So, Ms Fairweather, what now?"}}},
		{N: 3, Person: "p/c", Dialogue: []Turn{{ByAdvisor, "Hello. Thank you."}}},
		{N: 4, Person: "p/d", Dialogue: []Turn{{ByAdvisor, "Do you know the Fairweathers' guide?"}}},
	}
	if err := s.store(t.Context(), run.ID, phaseTrain, list); err != nil {
		t.Fatal(err)
	}
	var n int
	if err := s.db.Write(t.Context(), func(tx *db.Tx) (err error) {
		n, err = s.EraseTx(tx, []string{"Fairweather"},
			[]string{"Hello. Your sister's flat in Oban can be left out of this.", ""})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	got, err := s.Sessions(t.Context(), run.ID, phaseTrain)
	if err != nil || n != 2 || len(got) != 4 || !got[0].Successful {
		t.Fatalf("%d erased: %+v, %v", n, got, err)
	}
	for i, c := range got {
		if gone := strings.HasPrefix(c.Dialogue[0].Text, "Erased on "); gone != (i < 2) ||
			!gone && c.Dialogue[0] != list[i].Dialogue[0] {
			t.Errorf("%d says %q", c.N, c.Dialogue[0].Text)
		}
	}
}

// What people do with a run is on record, by whom and once; what is refused isn't.
func TestWhatIsDoneWithARunIsOnRecord(t *testing.T) {
	s, first := runs(t)
	run, err := s.Begin(t.Context(), Plan{AgentID: "a", Kind: Evaluation, Customers: 40, By: morag}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_ = s.Stop(t.Context(), run.ID, morag)
	}
	if err := s.db.Write(t.Context(), func(tx *db.Tx) error { return s.GoOnTx(tx, run.ID, morag) }); err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	if err := s.db.Read(t.Context(), func(tx *db.Tx) error {
		_, err := db.List(tx, "read the log", func(row db.Row) (string, error) {
			var action, id, by string
			err := row.Scan(&action, &id, &by)
			got[action+" "+id+" "+by]++
			return "", err
		}, `SELECT action, object_id, actor_id FROM audit`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"practice.started " + first.ID + " Practice": 1, "practice.started " + run.ID + " morag": 1,
		"practice.stopped " + run.ID + " morag": 1, "practice.continued " + run.ID + " morag": 1}
	if !maps.Equal(got, want) {
		t.Errorf("on record: %v", got)
	}
}

// What a copy tries against what is in use for the same customers is planted beside it: nobody accepts it.
func TestWrongRulesArePlantedBesideTheirOpposite(t *testing.T) {
	d := dbtest.New(t)
	s := School{Room: Room{AgentID: "a"}, People: pensioners(t), DB: d,
		Knowledge: knowledge.New(d, search.New(d), embedded.New(), knowledge.Options{})}
	said := rule.Statement{When: s.People.Wrong[0].When, Do: rule.Act{Kind: rule.Include,
		Text: "MoneyHelper offers a free appointment about pensions and divorce."}}
	if err := d.Write(t.Context(), func(tx *db.Tx) error {
		_, err := s.Knowledge.AddRuleTx(tx, PlantedRule("a", s.People.Pack, said))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Plant(t.Context(), s.People.Wrong); err != nil {
		t.Fatal(err)
	}
	list, err := s.Knowledge.RulesInForce(t.Context(), "a")
	if err != nil || len(list) != 1+len(s.People.Wrong) {
		t.Errorf("%d rules, %v", len(list), err)
	}
}
