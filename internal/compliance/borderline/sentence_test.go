package borderline_test

import (
	"slices"
	"testing"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/compliance/ruled"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

const ruledWords = "you might want to consider consolidating"

// found is a verdict on which experts have two findings to click, and one that is none of theirs.
func found() compliance.Verdict {
	at := len([]rune("Given your situation, "))
	issue := func(code string) compliance.Issue {
		return compliance.Issue{Code: code, Severity: compliance.Major, Span: [2]int{at, at + len(ruledWords)},
			Quote: ruledWords}
	}
	v := compliance.Consent([]compliance.Issue{issue(compliance.DisguisedRecommendation), issue(compliance.Pressure),
		issue(compliance.InaccurateFact)}, seedVotes(), 2, compliance.Routing{})
	v.Judges[0].Issues = []compliance.Issue{issue(compliance.DisguisedRecommendation)} // the same as the checks'
	return v
}

func click(right bool, code string) ruled.Click {
	f := ruled.Findings(found())
	i := f[slices.IndexFunc(f, func(i compliance.Issue) bool { return i.Code == code })]
	return ruled.Click{Code: i.Code, Start: i.Span[0], End: i.Span[1], Right: right}
}

// keep answers and keeps a case with clicks.
func (d *desk) keep(t *testing.T, c *borderline.Case, by borderline.Person, label compliance.Label,
	clicks ...ruled.Click) *borderline.Ruling {
	t.Helper()
	d.blind(t, c, by, label)
	r, err := d.Keep(ctx, c.ID, by, clicks...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (d *desk) sentences(t *testing.T) []ruled.Sentence {
	t.Helper()
	list, err := d.Store.Sentences(ctx, boss, false)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestARulingKeepsWhatExpertsSayOfFindings(t *testing.T) {
	const steer, fine, bad = compliance.DisguisedRecommendation, compliance.Compliant, compliance.NonCompliant
	if f := ruled.Findings(found()); len(f) != 2 {
		t.Fatalf("the findings are %+v", f)
	}
	for _, c := range []struct {
		name   string
		rule   func(t *testing.T, d *desk, c *borderline.Case)
		people []string // who stand behind what is said of the steer; none: nothing is
		right  bool
	}{
		{"two agree", func(t *testing.T, d *desk, c *borderline.Case) {
			d.keep(t, c, eva, fine, click(false, steer))
			d.keep(t, c, fay, fine, click(false, steer))
		}, []string{eva.ID, fay.ID}, false},
		{"one clicks", func(t *testing.T, d *desk, c *borderline.Case) {
			d.keep(t, c, eva, fine, click(true, steer))
			d.keep(t, c, fay, fine)
		}, []string{eva.ID}, true},
		{"nobody clicks", func(t *testing.T, d *desk, c *borderline.Case) {
			d.keep(t, c, eva, fine)
			d.keep(t, c, fay, fine)
		}, nil, false},
		{"they split", func(t *testing.T, d *desk, c *borderline.Case) {
			d.keep(t, c, eva, fine, click(false, steer))
			d.keep(t, c, fay, fine, click(true, steer))
		}, nil, false},
		{"an answer that was changed", func(t *testing.T, d *desk, c *borderline.Case) {
			d.keep(t, c, eva, fine, click(false, steer))
			d.blind(t, c, fay, bad)
			in := answer(c, fay, fine)
			in.Clicks = []ruled.Click{click(true, steer), click(false, steer)} // the last counts
			if _, err := d.Change(ctx, in); err != nil {
				t.Fatal(err)
			}
		}, []string{eva.ID, fay.ID}, false},
		{"an adjudicator decides a split", func(t *testing.T, d *desk, c *borderline.Case) {
			d.split(t, c, gus, click(true, steer))
		}, []string{fay.ID, gus.ID}, true},
		{"an adjudicator leaves a split", func(t *testing.T, d *desk, c *borderline.Case) {
			d.split(t, c, gus)
		}, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := open(t)
			d.AskFor = func(*db.Tx, string) (borderline.Asked, error) {
				return borderline.Asked{Share: 1, First: 2, Hard: 2, Most: 2}, nil
			}
			told := 0
			d.OnSentences = func() { told++ }
			of := d.enrol(t, found(), false)
			c.rule(t, d, of)
			list := d.sentences(t)
			if told != 1 || len(list) != min(len(c.people), 1) {
				t.Fatalf("told %d times, it is %+v", told, list)
			}
			if len(list) == 1 && (!slices.Equal(list[0].By, c.people) || list[0].Right != c.right ||
				list[0].Sentence != seedDraft || list[0].Code != steer || list[0].CaseID != of.ID) {
				t.Errorf("it is %+v", list[0])
			}
		})
	}
}

// split has two experts disagree on a case and on a finding, and another adjudicate it.
func (d *desk) split(t *testing.T, c *borderline.Case, by borderline.Person, clicks ...ruled.Click) {
	t.Helper()
	d.keep(t, c, eva, compliance.Compliant, click(false, compliance.DisguisedRecommendation))
	d.keep(t, c, fay, compliance.NonCompliant, click(true, compliance.DisguisedRecommendation))
	if _, err := d.Adjudicate(ctx, borderline.RuleInput{CaseID: c.ID, By: by, TextHash: c.TextHash,
		Label: compliance.NonCompliant, Rationale: "It steers.", Clicks: clicks}); err != nil {
		t.Fatal(err)
	}
}

// What was ruled on a sentence ends with the ruling, by an expert with a reason, and with the customer's text.
func TestARuledSentenceEnds(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, d *desk, c *borderline.Case, s ruled.Sentence) error{
		"undone": func(t *testing.T, d *desk, c *borderline.Case, _ ruled.Sentence) error {
			return d.Undo(ctx, c.ID, eva)
		},
		"ended": func(t *testing.T, d *desk, _ *borderline.Case, s ruled.Sentence) error {
			if err := d.EndSentence(ctx, s.ID, " ", eva); !fault.Is(err, fault.Invalid) {
				t.Errorf("without a reason: %v", err)
			}
			if err := d.EndSentence(ctx, s.ID, "It is one.", sue); !fault.Is(err, fault.Denied) {
				t.Errorf("a supervisor: %v", err)
			}
			return d.EndSentence(ctx, s.ID, "The rubric says otherwise now.", fay)
		},
		"erased": func(t *testing.T, d *desk, c *borderline.Case, _ ruled.Sentence) error {
			return d.db.Write(ctx, func(tx *db.Tx) error { _, err := d.EraseTx(tx, c.InteractionID); return err })
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t)
			told := 0
			d.OnSentences = func() { told++ }
			c := d.enrol(t, found(), false)
			d.keep(t, c, eva, compliance.Compliant, click(false, compliance.Pressure))
			list := d.sentences(t)
			if len(list) != 1 {
				t.Fatalf("it is %+v", list)
			}
			d.clock.Advance(time.Minute)
			if err := end(t, d, c, list[0]); err != nil {
				t.Fatal(err)
			}
			if left := d.sentences(t); len(left) > 0 || told != 2 {
				t.Errorf("told %d times, %+v is left", told, left)
			}
			if err := d.EndSentence(ctx, list[0].ID, "Again.", fay); !fault.Is(err, fault.NotFound) {
				t.Errorf("ended again: %v", err)
			}
			err := d.db.Read(ctx, func(tx *db.Tx) error {
				words, err := db.Column[string](tx, "", `SELECT sentence FROM ruled_sentence
					UNION ALL SELECT answer FROM labelling_answer
					WHERE answer LIKE '%"quote"%'`)
				if (name == "erased") != (len(words) == 1 && words[0] == "") {
					t.Errorf("stored is %q", words)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

// Clicks are as blind as the rest: none is given before the panel is seen, and others see them with the answers.
func TestClicksAreBlind(t *testing.T) {
	d := open(t)
	d.AskFor = func(*db.Tx, string) (borderline.Asked, error) {
		return borderline.Asked{Share: 1, First: 2, Hard: 2, Most: 3}, nil
	}
	c := d.enrol(t, found(), false)
	in := answer(c, eva, compliance.Compliant)
	in.Clicks = []ruled.Click{click(false, compliance.Pressure)}
	if a, err := d.AnswerBlind(ctx, in); err != nil || len(a.Clicks) > 0 {
		t.Errorf("a blind answer has clicks: %+v, %v", a, err)
	}
	if _, err := d.Keep(ctx, c.ID, eva, ruled.Click{Code: compliance.Pressure, Start: 1, End: 2}); !fault.Is(err,
		fault.Conflict) {
		t.Errorf("a click on nothing: %v", err)
	}
	if _, err := d.Keep(ctx, c.ID, eva, in.Clicks...); err != nil {
		t.Fatal(err)
	}
	d.blind(t, c, fay, compliance.Compliant)
	if v, err := d.Get(ctx, c.ID, borderline.Viewer{Person: fay, Expert: true}); err != nil || v.Panel == nil ||
		len(v.Others) > 0 || len(d.sentences(t)) > 0 {
		t.Errorf("before her last answer Fay sees %+v, %v", v.Others, err)
	}
	if _, err := d.Keep(ctx, c.ID, fay); err != nil {
		t.Fatal(err)
	}
	for _, who := range []borderline.Person{eva, gus} { // Gus might be asked, were it undone
		list, err := d.Store.Sentences(ctx, who, true)
		if err != nil || (len(list) == 1) != (who == eva) {
			t.Errorf("%s sees %+v, %v", who.Name, list, err)
		}
	}
	v, err := d.Get(ctx, c.ID, borderline.Viewer{Person: fay, Expert: true})
	if err != nil || !slices.ContainsFunc(v.Others, func(a borderline.Answer) bool {
		return a.By.ID == eva.ID && len(a.Clicks) == 1 && a.Clicks[0].Quote == ruledWords
	}) {
		t.Errorf("after it she sees %+v, %v", v.Others, err)
	}
}
