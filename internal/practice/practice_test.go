package practice

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"preceptor/internal/compliance"
	"preceptor/internal/pack"
	"preceptor/internal/rule"
)

// Whom the warning about leaving a defined benefit pension is due to, their question says. A text that comes to speak
// of a transfer and doesn't warn is a problem that the checks find, and nobody more of whom the warning is asked.
func TestTheWarningIsAskedOfTheSamePeopleWhateverTheAnswer(t *testing.T) {
	asks := Person{Situation: pack.Situation{Pack: pack.Pension, HasDB: true,
		Question: "Should I transfer my final salary pension?"}}
	other := Person{Situation: pack.Situation{Pack: pack.Pension, HasDB: true,
		Question: "When will my pension be paid?"}}
	missing := compliance.Verdict{
		Issues: []compliance.Issue{{Code: compliance.MissingDBWarning, Severity: compliance.Critical}}}
	for name, c := range map[string]struct {
		who     *Person
		verdict compliance.Verdict
		want    string
	}{
		"asked, and warned":               {&asks, compliance.Verdict{}, "true"},
		"asked, and not warned":           {&asks, missing, "false"},
		"not asked":                       {&other, compliance.Verdict{}, "nil"},
		"not asked, and the text missing": {&other, missing, "nil"},
	} {
		o := judged(c.who, "A text.", nil, c.verdict)
		got := "nil"
		if o.DBWarningGiven != nil {
			got = fmt.Sprint(*o.DBWarningGiven)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if flagged := len(o.Issues) > 0; flagged != (len(c.verdict.Issues) > 0) || flagged && o.Successful {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

func pensioners(t testing.TB) *People { return peopleOf(t, pack.Pension) }

func peopleOf(t testing.TB, packName string) *People {
	t.Helper()
	p, err := Of(packName)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// each runs a test for the people of each pack.
func each(t *testing.T, f func(t *testing.T, p *People)) {
	for _, name := range []string{pack.Pension, pack.GeneralName} {
		t.Run(name, func(t *testing.T) { f(t, peopleOf(t, name)) })
	}
}

// The files are whole, there are as many as we say, and everybody needs something.
func TestThePeopleOfAPack(t *testing.T) {
	for name, least := range map[string]struct{ needs, wordings, authors int }{pack.Pension: {60, 400, 5},
		pack.GeneralName: {30, 60, 2}} {
		if p := peopleOf(t, name); len(p.Needs) < least.needs || len(p.Questions()) < least.wordings ||
			len(p.Authors) < least.authors {
			t.Errorf("%s: %d needs, %d wordings, %d authors", name, len(p.Needs), len(p.Questions()), len(p.Authors))
		}
	}
	each(t, everybodyNeedsSomething)
}

func everybodyNeedsSomething(t *testing.T, p *People) {
	met := map[string]bool{}
	for _, l := range p.Lives {
		for _, a := range p.Authors {
			who := p.person(l, a)
			if len(who.Needs) == 0 || len(who.Needs) > mostNeeds || len(who.Question) < 12 {
				t.Errorf("%s: %d needs, asks %q", who.Key(), len(who.Needs), who.Question)
			}
			for _, n := range who.Needs {
				met[n.ID] = true
			}
		}
	}
	for _, n := range p.Needs {
		if !met[n.ID] {
			t.Errorf("nobody needs %s", n.ID)
		}
		if n.Source == "" || n.Ask == "" || n.Recap == "" {
			t.Errorf("%s has no source, question or recap", n.ID)
		}
	}
}

// A need is for those who have one of its features, and none of those that it leaves out.
func TestWhoseANeedIs(t *testing.T) {
	need := Need{Topics: []string{"contributions"},
		When: When{Features: []string{"self_employed", "large_pot"}, WithoutFeatures: []string{"took_flexible_income"}}}
	for _, one := range []struct {
		topic    string
		features []string
		want     bool
	}{
		{"contributions", []string{"self_employed"}, true},
		{"contributions", []string{"self_employed", "took_flexible_income"}, false},
		{"contributions", []string{"married"}, false},
		{"tax", []string{"large_pot"}, false},
	} {
		if got := need.of(&Life{Topic: one.topic, Features: one.features}); got != one.want {
			t.Errorf("%s with %v: %v", one.topic, one.features, got)
		}
	}
}

// No situation and no wording's author is in two parts of a split; where there are two authors, validation and test
// have one of them.
func TestThePartsOfASplitShareNobody(t *testing.T) { each(t, partsShareNobody) }

func partsShareNobody(t *testing.T, p *People) {
	for split := range Splits {
		lives, by, n := map[string]string{}, map[string]string{}, 0
		for _, where := range []string{Train, Validation, Test} {
			list := p.All(where, split)
			if len(list) == 0 {
				t.Errorf("split %d: nobody for %s", split, where)
			}
			for _, who := range list {
				if who.Twin != "" && part(&Life{ID: who.Twin}, split) != where {
					t.Errorf("split %d: %s is in %s without its twin %s", split, who.ID, where, who.Twin)
				}
				for _, in := range []struct {
					of  map[string]string
					key string
				}{{lives, who.ID}, {by, who.Author}} {
					if was := in.of[in.key]; was != "" && was != where &&
						(in.key != who.Author || len(p.Authors) > 2 || was == Train) {
						t.Errorf("split %d: %s is in %s and %s", split, in.key, was, where)
					}
					in.of[in.key] = where
				}
				n++
			}
		}
		if len(lives) != len(p.Lives) {
			t.Errorf("split %d: %d of %d situations in %d people", split, len(lives), len(p.Lives), n)
		}
	}
}

// The people who are drawn are spread as the sources say.
func TestTheMarginalsAreThoseOfTheSources(t *testing.T) { each(t, marginals) }

func marginals(t *testing.T, p *People) {
	sum := 0.0
	have := map[string]float64{}
	for i := range p.Lives {
		l := &p.Lives[i]
		w := p.weight[l.ID]
		sum += w
		have["literacy/"+l.Literacy] += w
		have["vulnerable/"+yes(l.Vulnerable)] += w
		have["age/"+valueOf(l, "age", p.Spreads["age"].Values)] += w
		for _, v := range l.Pensions {
			have["pensions/"+v] += w
		}
		for _, v := range l.Features {
			have["features/"+v] += w
		}
	}
	for name, s := range p.Spreads {
		if s.Source == "" {
			t.Errorf("%s has no source", name)
		}
		for v, want := range s.Values {
			if got := have[name+"/"+v] / sum; math.Abs(got-want) > 0.01 {
				t.Errorf("%s %s: %.3f, want %.3f", name, v, got, want)
			}
		}
	}
}

// The n-th customer is the same however many were drawn, and another seed draws others.
func TestDrawing(t *testing.T) {
	p := pensioners(t)
	a, b, other := p.drawer(Train, 0, 1), p.drawer(Train, 0, 1), p.drawer(Train, 0, 2)
	differ := 0
	for n := 60; n >= 0; n-- {
		if a.at(n).Key() != b.at(n).Key() {
			t.Fatalf("customer %d is another one", n)
		}
		if a.at(n).Key() != other.at(n).Key() {
			differ++
		}
	}
	if differ < 30 {
		t.Errorf("another seed gives %d others of 61", differ)
	}
}

// The judge hears its author's phrases, each held against all others, and seldom what only comes near. What it misses
// it misses in every arm alike.
func TestTheJudgeHearsWhatIsSaid(t *testing.T) {
	r := pensioners(t).recognise()
	if r.told.Found < 0.6 || r.told.False > 0.3 {
		t.Errorf("of its own phrases, each held against the others: %+v", r.told)
	}
	for text, want := range map[string]string{
		"You can look for a lost pension with the free Pension Tracing Service.": "tracing",
		"Please bring your reading glasses to the meeting.":                      "",
		"The office is open from nine to five.":                                  "",
	} {
		if got := r.says(text); got != want {
			t.Errorf("%q says %q, want %q", text, got, want)
		}
	}
	if got := r.met("Prices rise. Your will doesn't normally cover your pension, so complete an expression of wish " +
		"form with your provider."); !got["nomination"] {
		t.Errorf("met %v", got)
	}
}

func TestOutcomes(t *testing.T) {
	risk, step := &Need{ID: "risk", Kind: Warning, Risk: true, Weight: 3}, &Need{ID: "step", Kind: NextStep, Weight: 1}
	check := &Need{ID: "check", Kind: Fact, Weight: 1, Statement: "Is it clear?"}
	who := &Person{Life: Life{Literacy: "low"}, Needs: []*Need{risk, step, check}}
	fine := compliance.Verdict{}
	bad := compliance.Verdict{Issues: []compliance.Issue{{Code: "PRESSURE", Severity: compliance.Critical},
		{Code: "X", Severity: compliance.Minor}}}
	all := map[string]bool{"risk": true, "step": true, "check": true}
	o := judged(who, "Short.", all, fine)
	if !o.Successful || o.Satisfaction != 10 || o.Comprehension != 10 || o.RisksIdentified != 1 || !*o.Signposted ||
		!*o.UnderstandingChecked || o.DBWarningGiven != nil {
		t.Errorf("all met: %+v", o)
	}
	if o := judged(who, "Short.", all, bad); o.Successful || o.FCACompliant || o.GuidanceAppropriate ||
		!slices.Equal(o.Issues, []string{"PRESSURE"}) {
		t.Errorf("a critical issue: %+v", o)
	}
	o = judged(who, "Short.", map[string]bool{"risk": true}, fine)
	if o.Successful || *o.Signposted || *o.UnderstandingChecked || o.Satisfaction != 6.8 || o.GoalAlignment != 0 ||
		!slices.Equal(o.Missed, []string{"step", "check"}) {
		t.Errorf("the danger alone: %+v", o)
	}
	if o := judged(who, strings.Repeat("word ", 3*easeLow), all, fine); o.Comprehension != 0 || o.Successful ||
		o.Satisfaction != 8 {
		t.Errorf("far too long: %+v", o)
	}
}

// Reflection finds out for whom a sentence is meant, and says nothing where it can't.
func TestReflection(t *testing.T) {
	r := newReflector(pack.Pension)
	see := func(key, task string, low, had bool) {
		s := Session{Person: key}
		if had {
			s.Missed = []string{"x"}
		}
		at := pack.Situation{Task: task, Literacy: "high"}
		if low {
			at.Literacy = "low"
		}
		r.see(s, at)
	}
	needs := []Need{{ID: "x", Kind: Warning, Statement: "Mind the step.", Because: "it is high"}}
	see("a", "tax", true, true)
	see("b", "tax", true, true)
	if got := r.lessons(needs); len(got) != 0 {
		t.Errorf("two customers are too few: %+v", got)
	}
	for i, key := range []string{"c", "d", "e", "f"} {
		see(key, "tax", true, true)
		see(key+"2", "tax", false, false)
		see(key+"3", []string{"access", "charges"}[i%2], true, false)
	}
	got := r.lessons(needs)
	if len(got) != 1 || got[0].Do.Kind != rule.Include || got[0].Do.Text != "Mind the step." {
		t.Fatalf("lessons: %+v", got)
	}
	on := func(task, literacy string) rule.State {
		return rule.Match(got[0].Statement,
			rule.Subject{Pack: pack.Of(pack.Pension), Situation: pack.Situation{Task: task, Literacy: literacy}}).State
	}
	if on("tax", "low") != rule.Met || on("tax", "high") != rule.NotMet || on("access", "low") != rule.NotMet {
		t.Errorf("it is meant for %+v", got[0].When)
	}
	if again := r.lessons(needs); len(again) != 0 {
		t.Errorf("nobody missed it since: %+v", again)
	}
}

// A difference between a list and itself is none, and one that all share has no width.
func TestGain(t *testing.T) {
	var a, b []Session
	for _, key := range []string{"P1/a", "P1/b", "P2/a", "P3/a"} {
		a = append(a, Session{Person: key, Outcome: Outcome{Satisfaction: 5}})
		b = append(b, Session{Person: key, Outcome: Outcome{Satisfaction: 7}})
	}
	if f := gain(a, a, satisfaction); f.Of != 0 || f.Low != 0 || f.High != 0 {
		t.Errorf("with itself: %+v", f)
	}
	if f := gain(b, a, satisfaction); f.Of != 2 || f.Low != 2 || f.High != 2 {
		t.Errorf("all by two: %+v", f)
	}
	b[0].Satisfaction, b[1].Satisfaction = 5, 5
	if f := gain(b, a, satisfaction); f.Of != 1 || f.Low > 0 || f.High < 2 {
		t.Errorf("two situations of three: %+v", f)
	}
}

// An ablation claims no more than each split shows.
func TestVerdict(t *testing.T) {
	up, level, down := Figure{Of: .3, Low: .2, High: .4}, Figure{Low: -.1, High: .1},
		Figure{Of: -.3, Low: -.4, High: -.2}
	sound := map[string]Figure{CasesOnly: up, RulesOnly: up, Full: up, Shuffled: level, WrongArm: down, OtherArm: level}
	for _, tc := range []struct {
		arm  string
		is   Figure
		says string
	}{
		{Full, level, "No gain was shown."},
		{CasesOnly, level, " Cases alone were shown to help on 1 of 2 splits: needs met, in points with 95% CI, +30.0 (+20.0 " +
			"to +40.0), +0.0 (-10.0 to +10.0)."},
		{RulesOnly, level, " Rules alone were shown to help on 1 of 2 splits"},
		{Shuffled, up, "Part of the gain is not about the customer"},
		{WrongArm, level, "the score can't be trusted"},
		{OtherArm, up, "not all of the gain is learning"},
	} {
		var all, one Ablated
		for split := range 2 {
			for name, figure := range sound {
				all.Arms = append(all.Arms, Arm{Split: split, Name: name, NeedsMet: figure, Quality: figure})
				if split == 1 && name == tc.arm {
					figure = tc.is
				}
				one.Arms = append(one.Arms, Arm{Split: split, Name: name, NeedsMet: figure, Quality: figure})
			}
		}
		if got := all.Verdict(); got != "What was learned meets more needs, on every split." {
			t.Errorf("sound: %q", got)
		}
		if got := one.Verdict(); !strings.Contains(got, tc.says) {
			t.Errorf("%s: %q, want %q", tc.arm, got, tc.says)
		}
	}
}
