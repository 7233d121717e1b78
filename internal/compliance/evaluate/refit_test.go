package evaluate

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/refit"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/version"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// pupil is a judge that can be taught: of each text it sees one thing, whether the firm's own sign is in it, and no
// line at all.
type pupil struct {
	b    *bench
	base *string
	read *int
}

func (p pupil) Name() string { return "pupil" }
func (p pupil) Local() bool  { return true }
func (p pupil) Base() string { return *p.base }
func (p pupil) Model() string {
	out := p.Base()
	for _, name := range []string{"general", "pension"} {
		if _, v := p.taught(name); v > 0 {
			out += fmt.Sprint(" ", name, v)
		}
	}
	return out
}

func (p pupil) taught(name string) (*refit.Head, int) {
	if p.b == nil || p.b.Store == nil {
		return nil, 0
	}
	return p.b.Taught(name)
}

func (p pupil) Features(_ context.Context, s compliance.Subject) ([]float64, float64, error) {
	*p.read++
	sum := 0.0
	for _, r := range s.Text { // some noise
		sum += float64(r)
	}
	x := []float64{-0.8, 0.6 * math.Sin(sum), 0.6 * math.Cos(sum)}
	if strings.Contains(s.Text, "sign") {
		x[0] = 0.8
	}
	return x, math.Sin(7 * sum), nil
}

func (p pupil) Judge(ctx context.Context, s compliance.Subject) (v compliance.Vote, _ error) {
	x, odds, err := p.Features(ctx, s)
	head, _ := p.taught(s.Situation.Pack)
	v.AnsweredBy = p.Base()
	v.Decide(1/(1+math.Exp(-odds-head.Add(x))), false)
	return v, err
}

// rulings are n of a pack, half of them violations, each of a customer of its own; telling: the sign says which.
func rulings(packName string, from, n int, telling bool) (list []Labelled) {
	for i := from; i < from+n; i++ {
		l := Labelled{ID: fmt.Sprintf("00000000-0000-0000-0000-%s%05d", packName[:7], i), Violation: i%2 == 0}
		l.Keys = []string{fmt.Sprint("customer ", i)}
		l.Subject.Text, l.Subject.Situation.Pack = fmt.Sprintf("%s text %d", packName, i*i), packName
		if telling && l.Violation || !telling && i%4 < 2 {
			l.Subject.Text += " sign"
		}
		list = append(list, l)
	}
	return list
}

func taughtBench(t *testing.T) (b *bench, ruled *[]Labelled, p pupil) {
	t.Helper()
	base, read := "embedded 1", 0
	p = pupil{b: &bench{}, base: &base, read: &read}
	made := open(t, compliance.Panel{Judges: []compliance.Judge{p}}, 30)
	*p.b = *made
	ruled = &[]Labelled{}
	made.Rulings = func(context.Context) ([]Labelled, error) { return *ruled, nil }
	return made, ruled, p
}

func (b *bench) refit(t *testing.T, packName string) Refit {
	t.Helper()
	if err := b.Refit(ctx); err != nil {
		t.Fatal(err)
	}
	list, err := b.Refits(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		if r.Pack == packName {
			return r
		}
	}
	return Refit{}
}

// What the labels of one trade teach is offered for that trade, counts once two people accepted it, and can be taken
// back.
func TestAFirmsJudgeIsOfferedAcceptedAndTakenBack(t *testing.T) {
	b, ruled, p := taughtBench(t)
	*ruled = rulings("general", 0, 60, true)
	r := b.refit(t, "general")
	if r.Proposed == nil || !r.Report.Better() || r.Report.Tested != 60 || len(r.Report.Curve) != 4 || r.Active != nil {
		t.Fatalf("%+v", r)
	}
	if other := b.refit(t, "pension"); other.Proposed != nil || other.Report.Lacking == "" {
		t.Errorf("pensions, of which the gold set has a few texts: %+v", other)
	}
	if _, v := b.Taught("general"); v != 0 || p.Model() != "embedded 1" {
		t.Errorf("version %d counts before anybody accepted it", v)
	}
	first, panel := r.Proposed.ID, PanelID(b.Validator().Panel())
	if err := b.AskOn(ctx, first, "It was measured.", eve); err != nil {
		t.Fatal(err)
	}
	*ruled = append(*ruled, rulings("general", 60, 30, true)...)
	if r = b.refit(t, "general"); r.Proposed.ID != first || r.Report.Labels != 60 {
		t.Errorf("what somebody asked for made way: %+v", r)
	}
	if err := b.agree(t, first, eve); !fault.Is(err, fault.Denied) {
		t.Errorf("one person alone: %v", err)
	}
	if err := b.agree(t, first, ada); err != nil {
		t.Fatal(err)
	}
	head, v := b.Taught("general")
	if v != r.Proposed.Version || head.Add([]float64{1, 0, 0}) <= head.Add([]float64{-1, 0, 0}) {
		t.Errorf("version %d, %+v", v, head)
	}
	if other, v := b.Taught("pension"); other != nil || v != 0 {
		t.Error("a ruling of another trade moves pensions")
	}
	if PanelID(b.Validator().Panel()) == panel {
		t.Error("thresholds of the panel before it still apply")
	}

	// The next is measured on what this one wasn't fitted on: it is as good, so nothing is offered.
	if r = b.refit(t, "general"); r.Proposed != nil || r.Active == nil || r.Report.Tested != 30 ||
		r.Report.Labels != 90 {
		t.Errorf("%+v", r)
	}
	// The line moves, and the one after is better.
	moved := rulings("general", 90, 90, true)
	for i := range moved {
		moved[i].Violation = !moved[i].Violation
	}
	*ruled = moved
	if r = b.refit(t, "general"); r.Proposed == nil {
		t.Fatalf("%+v", r.Report)
	}
	second := r.Proposed.ID
	b.on(t, second)
	if _, now := b.Taught("general"); now != r.Proposed.Version {
		t.Errorf("version %d counts", now)
	}
	if was, err := b.Threshold(ctx, first); err != nil || was.State != Superseded {
		t.Errorf("%s, %v", was.State, err)
	}
	if err := b.SwitchOff(ctx, second, "It flags what is fine.", eve); err != nil {
		t.Fatal(err)
	}
	if _, now := b.Taught("general"); now != v {
		t.Errorf("taken back: version %d counts, not %d", now, v)
	}
	*p.base = "embedded 2"
	b.forget()
	if _, now := b.Taught("general"); now != 0 {
		t.Errorf("version %d counts beside another judge in the program", now)
	}
	*p.base = "embedded 1"
	b.forget()
	if err := b.SwitchOff(ctx, first, "That one, too.", ada); err != nil {
		t.Fatal(err)
	}
	if _, now := b.Taught("general"); now != 0 || PanelID(b.Validator().Panel()) != panel {
		t.Errorf("all taken back: version %d counts", now)
	}
	if err := b.db.Write(ctx, func(tx *db.Tx) error {
		return db.Exec(tx, "test: reinstate", `UPDATE judge_threshold SET state = 'active', ended_at = 0
			WHERE id = $1`, second)
	}); err == nil {
		t.Error("what was taken back counts again without two people")
	}
}

// Without a signal, or with too little, nothing is proposed, and what would tell is kept for the page. A fit takes ten
// labels that are new.
func TestNothingIsOfferedWithoutAReason(t *testing.T) {
	b, ruled, p := taughtBench(t)
	*ruled = rulings("general", 0, 12, true)
	if r := b.refit(t, "general"); r.Report.Lacking == "" || r.Report.More != 8 || r.Proposed != nil || *p.read != 0 {
		t.Errorf("%+v, read %d", r, *p.read)
	}
	*ruled = rulings("general", 0, 60, false)
	r := b.refit(t, "general")
	if r.Report.Lacking != "" || r.Proposed != nil || r.Report.Better() || *p.read != 60 {
		t.Errorf("%+v, read %d", r, *p.read)
	}
	*ruled = rulings("general", 0, 69, false)
	if b.refit(t, "general"); *p.read != 60 {
		t.Errorf("nine more labels: read %d", *p.read-60)
	}
	*ruled = nil
	if r := b.refit(t, "general"); r.Report.Labels != 0 || r.Report.Lacking == "" {
		t.Errorf("all labels are gone: %+v", r)
	}
	*p.read, *ruled = 60, rulings("general", 0, 60, false)
	b.refit(t, "general")
	*p.read = 60
	*ruled = rulings("general", 3, 64, false) // seven that are new, three that were erased
	if r := b.refit(t, "general"); *p.read != 60+64 || r.Report.Labels != 64 {
		t.Errorf("ten that differ: read %d, %+v", *p.read-60, r.Report)
	}
}

// A gold set teaches its own trade, with its training texts alone; what taught before a set had it is certified on by
// nobody.
func TestGoldTeachesWithItsTrainingTexts(t *testing.T) {
	b, ruled, _ := taughtBench(t)
	set, items := goldOf(t, b, "general", 60)
	list, err := b.goldLabels(ctx)
	if err != nil {
		t.Fatal(err)
	}
	v, err := b.versions.Get(ctx, set.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	train := map[string]bool{}
	see := func(r *version.Row) error { train[r.ItemID] = true; return nil }
	if err := b.versions.Each(ctx, v.ID, version.Train, see); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, l := range list {
		if l.Subject.Situation.Pack == "general" {
			if n++; !train[l.ID] || len(l.Keys) < 2 {
				t.Errorf("%+v", l)
			}
		}
	}
	if n != len(train) || n == 0 || n == items {
		t.Errorf("%d teach, of %d in training and %d in all", n, len(train), items)
	}
	// Two texts outside training taught as rulings before.
	*ruled = rulings("general", 0, 60, true)
	var outside []string
	see = func(r *version.Row) error { outside = append(outside, r.SourceID); return nil }
	if err := b.versions.Each(ctx, v.ID, version.Accept, see); err != nil {
		t.Fatal(err)
	}
	(*ruled)[0].ID, (*ruled)[1].ID = outside[0], outside[1]
	b.on(t, b.refit(t, "general").Proposed.ID)
	run, err := b.Start(ctx, set.ID, 0, "", eve, true)
	if err != nil {
		t.Fatal(err)
	}
	b.drain(t)
	answered, err := b.Answers(ctx, run.ID)
	if err != nil || len(answered) != items {
		t.Fatalf("%d, %v", len(answered), err)
	}
	accept := 0
	for _, a := range answered {
		if a.Split == version.Accept {
			accept++
		}
	}
	if accept != len(outside)-2 {
		t.Errorf("%d texts to certify on, of %d two taught", accept, len(outside))
	}
}

// goldOf is a frozen set of n texts from rulings of a pack.
func goldOf(t *testing.T, b *bench, packName string, n int) (*dataset.Dataset, int) {
	t.Helper()
	settings := dataset.DefaultSettings()
	settings.Name, settings.Pack = "Of "+packName, packName
	set, err := b.sets.Create(ctx, settings, mo)
	if err != nil {
		t.Fatal(err)
	}
	var items []dataset.NewItem
	for i := range n {
		label := "COMPLIANT_GUIDANCE"
		if i%2 == 0 {
			label = "NON_COMPLIANT"
		}
		source := fmt.Sprintf("ruling-of-gold-%05d", i)
		text := dataset.Text{Customer: []byte(`{"age":60}`), Question: "What now?", Guidance: caseText(i, 0.5)}
		items = append(items, dataset.NewItem{Source: dataset.FromRuling, SourceID: source,
			Final: &dataset.Answer{Label: label}, Text: text})
	}
	if _, err := b.sets.Add(ctx, set.ID, items, mo); err != nil {
		t.Fatal(err)
	}
	if _, err := b.versions.Freeze(ctx, set.ID, version.Options{By: mo}); err != nil {
		t.Fatal(err)
	}
	return set, n
}

// A run names the rubric that was in force for its set's pack.
func TestARunNamesTheRubricOfItsPack(t *testing.T) {
	b, _, _ := taughtBench(t)
	b.Validator().Rubric = func(packName string) compliance.Rubric {
		return compliance.Rubric{Version: map[string]int{"": 3, "pension": 3, "general": 7}[packName]}
	}
	for name, want := range map[string]int{"pension": 3, "general": 7} {
		set, _ := goldOf(t, b, name, 20)
		r, err := b.Start(ctx, set.ID, 0, "", eve, false)
		if err != nil {
			t.Fatal(err)
		}
		if r, err = b.Get(ctx, r.ID); err != nil || r.Rubric != want {
			t.Errorf("%s: rubric %d, %v", name, r.Rubric, err)
		}
	}
}

// Labelling offers first what the judge is unsure of and is unlike what is labelled, in that set alone.
func TestLabellingOffersWhatTeachesMost(t *testing.T) {
	b, _, _ := taughtBench(t)
	settings := dataset.DefaultSettings()
	settings.Name, settings.Pack, settings.CheckShare = "To label", "general", 0
	set, err := b.sets.Create(ctx, settings, mo)
	if err != nil {
		t.Fatal(err)
	}
	sure := func(s string) float64 { // as the pupil reads
		_, odds, _ := pupil{read: new(int)}.Features(ctx, compliance.Subject{Text: s})
		return math.Abs(odds)
	}
	var items []dataset.NewItem
	for i := range 40 {
		text := dataset.Text{Customer: []byte(`{}`), Question: "What now?",
			Guidance: fmt.Sprint("Reply number ", i*i, ".")}
		items = append(items, dataset.NewItem{Text: text})
	}
	if _, err := b.sets.Add(ctx, set.ID, items, mo); err != nil {
		t.Fatal(err)
	}
	ann := dataset.Person{ID: "ann", Name: "Ann"}
	if err := b.Order(ctx, set.ID, "sideways", mo); !fault.Is(err, fault.Invalid) {
		t.Errorf("an order that isn't there: %v", err)
	}
	if err := b.Order(ctx, set.ID, TeachesMost, dataset.Person{}); !fault.Is(err, fault.Unsigned) {
		t.Errorf("nobody asks: %v", err)
	}
	if err := b.Order(ctx, set.ID, TeachesMost, mo); err != nil {
		t.Fatal(err)
	}
	b.drain(t)
	first, mean, least := 0.0, 0.0, math.Inf(1)
	for _, i := range items {
		mean, least = mean+sure(i.Guidance)/40, min(least, sure(i.Guidance))
	}
	for i := range 8 {
		w, err := b.sets.Next(ctx, set.ID, ann)
		if err != nil || w.Now == nil {
			t.Fatal(w, err)
		}
		if first += sure(w.Now.Guidance) / 8; i == 0 && (sure(w.Now.Guidance) != least || w.Now.Flag != "") {
			t.Errorf("first comes %+v", w.Now)
		}
		label := dataset.LabelInput{ItemID: w.Now.ItemID, By: ann, Answer: dataset.Answer{Label: "COMPLIANT_GUIDANCE"}}
		if _, err := b.sets.Label(ctx, label); err != nil {
			t.Fatal(err)
		}
	}
	if first > 0.9*mean {
		t.Errorf("the judge is as sure of the first (%.2f) as of all (%.2f)", first, mean)
	}
	if err := b.Order(ctx, set.ID, AsTheyCame, mo); err != nil {
		t.Fatal(err)
	}
	b.drain(t)
	if w, err := b.sets.Next(ctx, set.ID, dataset.Person{ID: "ben", Name: "Ben"}); err != nil || w.Now.Guidance == "" {
		t.Errorf("%+v, %v", w, err)
	}
}

// A version that nobody asked for isn't offered once the labels that it was measured on say otherwise, or are gone.
func TestAnOfferEndsWithItsEvidence(t *testing.T) {
	b, ruled, _ := taughtBench(t)
	for _, later := range [][]Labelled{nil, rulings("general", 100, 60, false)} {
		*ruled = rulings("general", 0, 60, true)
		if r := b.refit(t, "general"); r.Proposed == nil {
			t.Fatalf("%+v", r)
		}
		*ruled = later
		if r := b.refit(t, "general"); r.Proposed != nil {
			t.Errorf("%d labels: still offered: %+v", len(later), r.Report)
		}
	}
}
