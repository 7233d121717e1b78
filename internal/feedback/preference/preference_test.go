package preference_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/feedback/preference"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/hook/hooktest"
)

var (
	ctx  = context.Background()
	ann  = preference.Person{ID: "p-ann", Name: "Ann"}
	ben  = preference.Person{ID: "p-ben", Name: "Ben"}
	cora = preference.Person{ID: "p-cora", Name: "Cora"}
	mia  = preference.Person{ID: "p-mia", Name: "Mia"} // puts pairs in
)

type fixture struct {
	*preference.Store
	*preference.Hooks
	d     *db.DB
	clock *dbtest.Clock
}

func open(t testing.TB) fixture {
	clock := dbtest.NewClock()
	d := dbtest.NewAt(t, clock)
	h := &preference.Hooks{Hide: func(text string, _ ...string) string { return text }}
	return fixture{preference.New(d, hooktest.Late(h)), h, d, clock}
}

func (f fixture) add(t testing.TB, prompt, one, two string) *preference.Pair {
	t.Helper()
	f.clock.Advance(time.Second)
	p, err := f.Add(ctx, preference.Input{Origin: preference.Given, Prompt: prompt,
		First:  preference.Response{Text: "text of " + one, Maker: one},
		Second: preference.Response{Text: "other text of " + two, Maker: two}, By: mia})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// prefer answers such that the maker wins, wherever it stands on the judge's screen.
func (f fixture) prefer(t testing.TB, p *preference.Pair, judge preference.Person, maker string) {
	t.Helper()
	f.clock.Advance(time.Second)
	choice := maker
	if maker == p.Left.Maker || maker == p.Right.Maker {
		side := "left"
		if maker == p.Right.Maker {
			side = "right"
		}
		if choice = preference.BBetter; preference.Order(p.ID, judge.ID) == side {
			choice = preference.ABetter
		}
	}
	if err := f.Answer(ctx, p.ID, choice, judge); err != nil {
		t.Fatal(err)
	}
}

func (f fixture) write(t testing.TB, do func(tx *db.Tx) error) {
	t.Helper()
	if err := f.d.Write(ctx, do); err != nil {
		t.Fatal(err)
	}
}

func kind(t testing.TB, what string, err error, k fault.Kind) {
	t.Helper()
	if !fault.Is(err, k) {
		t.Errorf("%s: %v, want %v", what, err, k)
	}
}

func TestAJudgeSeesTextsAndNothingElse(t *testing.T) {
	f := open(t)
	p := f.add(t, "How much is tax free?", "prompt 3", "prompt 4")
	w, err := f.Next(ctx, ann)
	if err != nil || w.Now == nil || w.Waiting != 1 || w.Done != 0 {
		t.Fatalf("%+v, %v", w, err)
	}
	seen, _ := json.Marshal(w)
	if w.Now.Prompt != p.Prompt || w.Now.A == w.Now.B || strings.Contains(string(seen), "Maker") {
		t.Errorf("%s", seen)
	}
	if first := map[string]string{"left": p.Left.Text,
		"right": p.Right.Text}[preference.Order(p.ID, ann.ID)]; w.Now.A != first {
		t.Errorf("A is %q, the order says %q", w.Now.A, first)
	}
	for range 3 {
		if again, _ := f.Next(ctx, ann); *again.Now != *w.Now {
			t.Error("a reload shows another page")
		}
	}
	if own, _ := f.Next(ctx, mia); own.Now != nil || own.Waiting != 0 {
		t.Errorf("who put it in is asked about it: %+v", own)
	}
	kind(t, "one's own pair", f.Answer(ctx, p.ID, preference.Tie, mia), fault.NotFound)
	kind(t, "no choice", f.Answer(ctx, p.ID, "left", ann), fault.Invalid)
	kind(t, "nobody", f.Answer(ctx, p.ID, preference.Tie, preference.Person{}), fault.Unsigned)
	kind(t, "no pair", f.Answer(ctx, "none", preference.Tie, ann), fault.NotFound)
}

// Which text stands first is even over pairs, and over judges.
func TestTheOrderIsEven(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	const n = 4_000
	left, same := 0, 0
	for range n {
		pair, one, two := fmt.Sprint(rnd.Uint64()), fmt.Sprint(rnd.Uint64()), fmt.Sprint(rnd.Uint64())
		if preference.Order(pair, one) == "left" {
			left++
		}
		if preference.Order(pair, one) == preference.Order(pair, two) {
			same++
		}
	}
	for what, got := range map[string]int{"left first": left, "two judges alike": same} {
		if got < n/2-130 || got > n/2+130 { // 4 standard deviations
			t.Errorf("%s: %d of %d", what, got, n)
		}
	}
}

func TestAnswersAreCountedOnceAndTakenBack(t *testing.T) {
	f := open(t)
	p := f.add(t, "q", "prompt 3", "prompt 4")
	f.prefer(t, p, ann, "prompt 4")
	kind(t, "twice", f.Answer(ctx, p.ID, preference.Tie, ann), fault.Conflict)
	f.prefer(t, p, ben, preference.BothBad)
	if w, _ := f.Next(ctx, ann); w.Now != nil || w.Done != 1 {
		t.Errorf("%+v", w)
	}
	mine, err := f.Mine(ctx, ben, 5)
	if err != nil || len(mine) != 1 || mine[0].Choice != preference.BothBad || mine[0].Opening != "q" {
		t.Errorf("%+v, %v", mine, err)
	}
	if err := f.Undo(ctx, p.ID, ben); err != nil {
		t.Fatal(err)
	}
	kind(t, "undo twice", f.Undo(ctx, p.ID, ben), fault.NotFound)
	log := map[string]int{}
	f.write(t, func(tx *db.Tx) error {
		said, err := db.Column[string](tx, "read the log", `SELECT actor_id || ' ' || action FROM audit
			WHERE object_id = $1`, p.ID)
		for _, s := range said {
			log[s]++
		}
		return err
	})
	if log["p-ann preference.judged"] != 1 || log["p-ben preference.judged"] != 1 ||
		log["p-ben preference.undone"] != 1 || len(log) != 4 {
		t.Errorf("on record: %v", log)
	}
	f.prefer(t, p, ben, "prompt 4")
	f.prefer(t, p, cora, "prompt 3")
	got, err := f.Pair(ctx, p.ID)
	if err != nil || got.Counter != (preference.Counter{Answers: 3, Lefts: 1, Rights: 2}) || got.Better() != "right" {
		t.Errorf("%+v, %v", got, err)
	}
	r, err := f.Ranking(ctx)
	if err != nil || len(r.Groups) != 1 || r.Groups[0].Members[0].Name != "prompt 4" ||
		r.Groups[0].Members[0].Wins != 2 || r.Groups[0].Members[0].Ties != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if c, err := f.Counts(ctx); err != nil || c.Given != 1 || c.Answers != 3 || c.Judged != 1 || c.BothBad != 0 {
		t.Errorf("%+v, %v", c, err)
	}
	// Three answers are enough.
	if w, _ := f.Next(ctx, preference.Person{ID: "p-dan", Name: "Dan"}); w.Now != nil {
		t.Errorf("a fourth judge is asked: %+v", w)
	}
	kind(t, "a fourth answer", f.Answer(ctx, p.ID, preference.Tie, preference.Person{ID: "p-dan", Name: "Dan"}),
		fault.Conflict)
	if got, err := f.Pair(ctx, p.ID); err != nil || got.Counter.Answers != 3 {
		t.Errorf("a fourth answer counts: %+v, %v", got, err)
	}
}

// The sums by maker are those of the standing answers, whatever was answered and taken back.
func TestScoresFollowAnswers(t *testing.T) {
	f := open(t)
	rnd := rand.New(rand.NewPCG(3, 4))
	makers := []string{"a", "b", "c"}
	var pairs []*preference.Pair
	for i := range 12 {
		one := rnd.IntN(3)
		pairs = append(pairs, f.add(t, fmt.Sprint("q", i), makers[one], makers[(one+1+rnd.IntN(2))%3]))
	}
	judges := []preference.Person{ann, ben, cora}
	for range 150 {
		p, j := pairs[rnd.IntN(len(pairs))], judges[rnd.IntN(3)]
		var err error
		if rnd.IntN(3) == 0 {
			err = f.Undo(ctx, p.ID, j)
		} else {
			err = f.Answer(ctx, p.ID,
				[]string{preference.ABetter, preference.BBetter, preference.Tie, preference.BothBad}[rnd.IntN(4)], j)
		}
		if err != nil && !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.NotFound) {
			t.Fatal(err)
		}
	}
	want := map[string][3]int{} // won, lost, level
	err := f.d.Read(ctx, func(tx *db.Tx) error {
		rows, err := tx.Query(`SELECT p.left_maker, p.right_maker, a.label
			FROM labelling_answer a JOIN preference_pair p ON p.id = a.item_id
			WHERE a.standing = 1`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var l, r, choice string
			if err := rows.Scan(&l, &r, &choice); err != nil {
				return err
			}
			add := func(name string, at int) { w := want[name]; w[at]++; want[name] = w }
			switch choice {
			case "left":
				add(l, 0)
				add(r, 1)
			case "right":
				add(r, 0)
				add(l, 1)
			default:
				add(l, 2)
				add(r, 2)
			}
		}
		return rows.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := f.Ranking(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range r.Groups {
		for _, s := range g.Members {
			if got := [3]int{s.Wins, s.Losses, s.Ties}; got != want[s.Name] {
				t.Errorf("%s: %v, want %v", s.Name, got, want[s.Name])
			}
		}
	}
}

func TestSkippedPairsComeAgainWhenAsked(t *testing.T) {
	f := open(t)
	p, q := f.add(t, "first", "a", "b"), f.add(t, "second", "a", "b")
	if err := f.Skip(ctx, p.ID, ann); err != nil {
		t.Fatal(err)
	}
	if w, _ := f.Next(ctx, ann); w.Now == nil || w.Now.PairID != q.ID || w.Skipped != 1 || w.Waiting != 1 {
		t.Errorf("%+v", w)
	}
	f.prefer(t, q, ann, "a")
	if w, _ := f.Next(ctx, ann); w.Now != nil || w.Skipped != 1 {
		t.Errorf("%+v", w)
	}
	mine := func(want ...string) {
		t.Helper()
		var got []string
		list, err := f.Mine(ctx, ann, 5)
		for _, m := range list {
			got = append(got, m.Opening+" "+m.Choice)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
	choice := preference.ABetter
	if preference.Order(q.ID, ann.ID) != "left" {
		choice = preference.BBetter
	}
	mine("second "+choice, "first ")
	if err := f.Undo(ctx, p.ID, ann); err != nil { // the skip alone
		t.Fatal(err)
	}
	mine("second " + choice)
	if err := errors.Join(f.Skip(ctx, p.ID, ann), f.Unskip(ctx, ann)); err != nil {
		t.Fatal(err)
	}
	kind(t, "nothing left to undo", f.Undo(ctx, p.ID, ann), fault.NotFound)
	if w, _ := f.Next(ctx, ann); w.Now == nil || w.Now.PairID != p.ID || w.Skipped != 0 {
		t.Errorf("%+v", w)
	}
}

func TestWhatAPairMustHave(t *testing.T) {
	f := open(t)
	for name, in := range map[string]preference.Input{
		"nothing": {}, "the same twice": {Prompt: "q", First: preference.Response{Text: "x", Maker: "a"},
			Second: preference.Response{Text: " x", Maker: "b"}},
		"no maker": {Prompt: "q", First: preference.Response{Text: "x", Maker: "a"},
			Second: preference.Response{Text: "y"}},
		"too long": {Prompt: strings.Repeat("q", preference.MaxPrompt+1),
			First: preference.Response{Text: "x", Maker: "a"}, Second: preference.Response{Text: "y", Maker: "b"}},
		"no text": {Prompt: "q\x00", First: preference.Response{Text: "x", Maker: "a"},
			Second: preference.Response{Text: "y", Maker: "b"}},
		"only room": {Prompt: " \n", First: preference.Response{Text: "x", Maker: "a"},
			Second: preference.Response{Text: "y", Maker: "b"}},
	} {
		in.Origin, in.By = preference.Given, mia
		_, err := f.Add(ctx, in)
		kind(t, name, err, fault.Invalid)
		if len(fault.Fields(err)) == 0 {
			t.Errorf("%s: no field is named", name)
		}
	}
	in := preference.Input{Origin: preference.API, AgentID: "g1", SourceID: "s1", Prompt: "q",
		First: preference.Response{Text: "x", Maker: "a"}, Second: preference.Response{Text: "y", Maker: "b"},
		By: preference.Person{ID: "t1", Name: "token"}}
	one, err := f.Add(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	if two, err := f.Add(ctx, in); err != nil || two.ID != one.ID {
		t.Errorf("the same again: %+v, %v", two, err)
	}
	in.Second.Text = "z"
	_, err = f.Add(ctx, in)
	kind(t, "another text under the same id", err, fault.Conflict)
	in.AgentID = "g2"
	if two, err := f.Add(ctx, in); err != nil || two.ID == one.ID {
		t.Errorf("another agent's: %+v, %v", two, err)
	}
}

func revised(decision, interaction string) preference.Revised {
	return preference.Revised{DecisionID: decision, InteractionID: interaction, AgentID: "g1",
		AgentName: "pension-advisor", Task: "db_transfer",
		Question: "I am Una Moss. What about my pension?", Draft: "Una, transfer it.",
		Human: "Dear Una, a transfer gives up a guaranteed income.", Known: []string{"Una Moss"}, By: ann}
}

func export(t testing.TB, f fixture, filter preference.Filter) (rows []preference.Row) {
	t.Helper()
	var b bytes.Buffer
	n, err := f.Export(ctx, &b, filter, audit.System("test"), nil)
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(&b)
	dec.DisallowUnknownFields()
	for dec.More() {
		var r preference.Row
		if err := dec.Decode(&r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	if len(rows) != n {
		t.Errorf("%d rows, said %d", len(rows), n)
	}
	return rows
}

func TestARevisionIsAPairWhileItStands(t *testing.T) {
	f := open(t)
	f.Hide = func(text string, known ...string) string {
		for _, k := range known {
			for _, part := range append([]string{k}, strings.Fields(k)...) {
				text = strings.ReplaceAll(text, part, "[NAME]")
			}
		}
		return text
	}
	f.write(t, func(tx *db.Tx) error {
		same := revised("d0", "i0")
		same.Human = " " + same.Draft
		return errors.Join(f.FromRevisionTx(tx, revised("d1", "i1")), f.FromRevisionTx(tx, revised("d1", "i1")),
			f.FromRevisionTx(tx, same))
	})
	rows := export(t, f, preference.Filter{})
	if len(rows) != 1 {
		t.Fatalf("%+v", rows)
	}
	if r := rows[0]; r.Chosen != "Dear [NAME], a transfer gives up a guaranteed income." ||
		r.Rejected != "[NAME], transfer it." || strings.Contains(r.Prompt, "Una") || r.By != "supervisor" ||
		r.ChosenMaker != preference.People {
		t.Errorf("%+v", r)
	}
	if w, _ := f.Next(ctx, ben); w.Now != nil {
		t.Error("a revision is put before judges")
	}
	list, err := f.List(ctx, "")
	if err != nil || len(list.Items) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	kind(t, "judging it", f.Answer(ctx, list.Items[0].ID, preference.Tie, ben), fault.NotFound)
	f.write(t, func(tx *db.Tx) error { return errors.Join(f.WithdrawTx(tx, "d1"), f.WithdrawTx(tx, "none")) })
	if rows := export(t, f, preference.Filter{}); len(rows) != 0 {
		t.Errorf("after it was undone: %+v", rows)
	}
	if got := allTexts(t, f); strings.Contains(got, "transfer") {
		t.Errorf("a text stays: %s", got)
	}
}

// allTexts are the texts of every row, as they stand in the file.
func allTexts(t testing.TB, f fixture) string {
	t.Helper()
	rows, err := db.Read(ctx, f.d, func(tx *db.Tx) ([]string, error) {
		return db.Column[string](tx, "texts", `SELECT prompt || left_text || right_text FROM preference_pair`)
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(rows, "|")
}

func TestAnErasureReachesEveryPair(t *testing.T) {
	f := open(t)
	f.Hide = func(text string, _ ...string) string { return strings.ReplaceAll(text, "Una", "[NAME]") }
	f.write(t, func(tx *db.Tx) error {
		return errors.Join(f.FromRevisionTx(tx, revised("d1", "i1")), f.FromRevisionTx(tx, revised("d2", "i2")))
	})
	about := f.add(t, "What shall una moss do?", "a", "b")
	other := f.add(t, "What shall I do?", "a", "b")
	f.prefer(t, about, ann, "a")
	n := 0
	f.write(t, func(tx *db.Tx) (err error) {
		n, err = f.EraseTx(tx, "i1", []string{"Una Moss", " "})
		return err
	})
	if n != 6 { // the revision of this interaction, and the pair that was put in
		t.Errorf("%d texts", n)
	}
	if got := allTexts(t, f); strings.Contains(strings.ToLower(got), "una") || !strings.Contains(got, other.Prompt) ||
		strings.Count(got, "[NAME]") != 3 {
		t.Errorf("what is left: %s", got)
	}
	if r, err := f.Ranking(ctx); err != nil || r.Groups[0].Members[0].Wins != 1 {
		t.Errorf("what was said of it is gone: %+v, %v", r, err)
	}
	f.write(t, func(tx *db.Tx) (err error) {
		n, err = f.EraseTx(tx, "i1", []string{"Una Moss"})
		return err
	})
	if n != 0 {
		t.Errorf("twice: %d", n)
	}
	if err := f.Remove(ctx, other.ID, mia); err != nil {
		t.Fatal(err)
	}
	if got := allTexts(t, f); strings.Contains(got, other.Prompt) {
		t.Errorf("taken out: %s", got)
	}
}

func TestTheExportHasWhatIsDecided(t *testing.T) {
	f := open(t)
	won, level, bad, split := f.add(t, "won", "a", "b"), f.add(t, "level", "a", "b"), f.add(t, "bad", "a", "b"),
		f.add(t, "split", "a", "b")
	for _, j := range []preference.Person{ann, ben, cora} {
		f.prefer(t, bad, j, preference.BothBad)
		f.prefer(t, level, j, preference.Tie)
	}
	f.prefer(t, won, ann, "b")
	f.prefer(t, won, ben, "b")
	f.prefer(t, won, cora, "a")
	f.prefer(t, split, ann, "a")
	f.prefer(t, split, ben, "b")
	f.write(t, func(tx *db.Tx) error { return f.FromRevisionTx(tx, revised("d1", "i1")) })
	rows := export(t, f, preference.Filter{})
	if len(rows) != 2 || rows[0].Prompt != "won" || rows[0].ChosenMaker != "b" || rows[0].Judges != 3 ||
		rows[0].Agreement != 0.667 || rows[0].By != "judges" || rows[1].Origin != preference.Revision {
		t.Errorf("%+v", rows)
	}
	if rows := export(t, f, preference.Filter{Origin: preference.Revision}); len(rows) != 1 {
		t.Errorf("%+v", rows)
	}
	if rows := export(t, f, preference.Filter{To: dbtest.Start}); len(rows) != 0 {
		t.Errorf("%+v", rows)
	}
	if rows := export(t, f, preference.Filter{From: dbtest.Start, To: dbtest.Start.Add(time.Hour)}); len(rows) != 2 {
		t.Errorf("%+v", rows)
	}
	kind(t, "no such origin", preference.Filter{Origin: "x"}.Check(), fault.Invalid)
	kind(t, "backwards", preference.Filter{From: dbtest.Start.Add(time.Hour), To: dbtest.Start}.Check(), fault.Invalid)
}

// An export of many pairs is read in batches; a page of the list leads to the next.
func TestManyPairs(t *testing.T) {
	f := open(t)
	const n = 450
	f.write(t, func(tx *db.Tx) error {
		for i := range n { // all at the same moment
			if err := f.FromRevisionTx(tx, revised(fmt.Sprint("d", i), fmt.Sprint("i", i))); err != nil {
				return err
			}
		}
		return nil
	})
	pieces := 0
	var b bytes.Buffer
	got, err := f.Export(ctx, &b, preference.Filter{}, audit.System("test"), func() error { pieces++; return nil })
	if err != nil || got != n || pieces != 3 || strings.Count(b.String(), "\n") != n {
		t.Errorf("%d in %d pieces, %v", got, pieces, err)
	}
	seen, cursor := map[string]bool{}, ""
	for {
		page, err := f.List(ctx, cursor)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range page.Items {
			seen[p.ID] = true
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if len(seen) != n {
		t.Errorf("%d in the list", len(seen))
	}
	_, err = f.List(ctx, "no cursor")
	kind(t, "a bad cursor", err, fault.Invalid)
}
