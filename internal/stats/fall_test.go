package stats

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/stats/counter"
)

// Whatever the period that touches the days, the fall is found with its topic, the rule behind it and comments on that
// topic; a period without it has none.
func TestAFallIsFoundInEveryPeriod(t *testing.T) {
	w, r, f := newDip(t)
	week := Between(w.now.AddDate(0, 0, -8), w.now.AddDate(0, 0, -2), time.UTC)
	var depth Figure // of the other days: the same whatever the period
	for name, in := range map[string]Range{"month": f.Range, "week": Days(w.now, 7, time.UTC), "the days alone": week,
		"quarter": Days(w.now, 90, time.UTC), "years": Days(w.now, 1500, time.UTC)} {
		got, err := r.Fall(t.Context(), Filter{Range: in})
		if err != nil || got == nil {
			t.Fatalf("%s: %v, %v", name, got, err)
		}
		if depth == (Figure{}) {
			depth = got.Before
		}
		if got.Before != depth {
			t.Errorf("%s: the other days are %+v, elsewhere %+v", name, got.Before, depth)
		}
		c, ok := got.Suspect()
		if !ok || c.ID != "bad" || !c.Suspect || got.Topic != "tax_free_cash" {
			t.Errorf("%s: topic %q, change %+v", name, got.Topic, c)
		}
		if got.All.High >= got.Before.Low || got.Dip.High >= got.Rest.Low || got.All.N <= got.Dip.N {
			t.Errorf("%s: all %+v, before %+v, topic %+v, rest %+v", name, got.All, got.Before, got.Dip, got.Rest)
		}
		for _, q := range got.Quotes {
			if q.Topic != "tax_free_cash" || q.Text == "" {
				t.Errorf("%s: %+v", name, q)
			}
		}
		if len(got.Quotes) < 3 {
			t.Errorf("%s: %d comments", name, len(got.Quotes))
		}
	}
	for name, in := range map[string]Filter{"today": {Range: Days(w.now, 1, time.UTC)},
		"another topic": {Range: f.Range, Topic: "scams"}} {
		if got, err := r.Fall(t.Context(), in); got != nil || err != nil {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// The rule that is named is the one whose answers on the topic have worse votes, however long before it came into use;
// one that came into use around then and has no votes on the topic isn't, nor one that is disliked on another topic.
func TestAFallNamesNoRuleWithoutWorseVotes(t *testing.T) {
	for _, early := range []string{"early", ""} {
		w := &dip{T: t, d: dbtest.New(t)}
		w.keep, w.now = counter.New(w.d, time.UTC), w.d.Now()
		came := w.now.AddDate(0, 0, -16)
		w.rule("early", 1, came, "active", "candidate")
		w.rule("other", 2, came, "active", "candidate")
		w.rule("around", 6, w.now.AddDate(0, 0, -9), "active", "candidate")
		for day := range 30 {
			for i := range 6 {
				at := w.now.AddDate(0, 0, -day).Add(time.Duration(i-60) * time.Minute)
				w.vote(at, "tax_free_cash", i > 0, "around", "other")
				w.vote(at, "scams", day > 8, "other")
				w.vote(at, "divorce", true, "around")
				if day > 2 && day < 9 {
					w.vote(at, "tax_free_cash", false, slices.DeleteFunc([]string{early}, func(id string) bool {
						return id == ""
					})...)
				}
			}
		}
		r := New(w.d, time.UTC, quiet())
		f, err := r.Fall(t.Context(), Filter{Range: Days(w.now, 30, time.UTC), Topic: "tax_free_cash"})
		if err != nil || f == nil {
			t.Fatal(f, err)
		}
		c, ok := f.Suspect()
		if c.ID != early || ok != (early != "") || ok && (!c.At.Equal(came) || c.With.Whole != 36 || c.Topic == "") {
			t.Errorf("%q is named, in use since %s, with %+v", c.ID, c.At, c.With)
		}
		for _, c := range f.Changes {
			if c.ID == "other" || c.ID == "around" && c.Suspect {
				t.Errorf("%+v", c)
			}
		}
	}
}

// A rule that was reworded, or got other days, around a fall is weighed since it came into use too.
func TestAFallNamesALongDislikedRuleThatWasReworded(t *testing.T) {
	w, r, f := newDip(t)
	came := w.now.AddDate(0, 0, -20)
	w.write(func(tx *db.Tx) error {
		if err := w.exec(tx, `UPDATE knowledge_rule_version SET created_at = $1 WHERE rule_id = 'bad' AND version = 2`,
			db.Ms(came)); err != nil {
			return err
		}
		if err := w.exec(tx, `UPDATE knowledge_rule SET version = 3 WHERE id = 'bad'`); err != nil {
			return err
		}
		return w.exec(tx, `INSERT INTO knowledge_rule_version (rule_id, version, status, content, by_kind, by_id, reason,
				created_at)
			VALUES ('bad', 3, 'active', '{"principle":"When bad, again"}', 'person', 'nobody', 'so', $1)`,
			db.Ms(w.now.AddDate(0, 0, -3)))
	})
	got, err := r.Fall(t.Context(), f)
	if err != nil || got == nil {
		t.Fatal(got, err)
	}
	var bad []string
	for _, c := range got.Changes {
		if c.ID == "bad" {
			bad = append(bad, fmt.Sprint(c.What, c.Suspect))
		}
	}
	c, _ := got.Suspect()
	if !slices.Equal(bad, []string{"intrue", "newfalse"}) || c.ID != "bad" || !c.At.Equal(came) {
		t.Errorf("%v, %+v", bad, c)
	}
}

func TestARulesVotesAreWeighedSinceItCameIntoUse(t *testing.T) {
	_, r, _ := newDip(t)
	for id, n := range map[string]int{"bad": 36, "old": 0} {
		got, err := r.RuleVotes(t.Context(), id)
		if err != nil || len(got) != 1 || got[0].Suspect != (id == "bad") || got[0].With.Whole != n {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if both, err := r.RuleVotes(t.Context(), "old", "bad", "none"); err != nil || len(both) != 2 {
		t.Errorf("%+v, %v", both, err)
	}
	if none, err := r.RuleVotes(t.Context()); err != nil || len(none) != 0 {
		t.Errorf("%+v, %v", none, err)
	}
}

// A change of a rule that is out of use by now says what became of it, since when and by whom, also after the days.
func TestAChangeSaysThatItsRuleIsOutOfUse(t *testing.T) {
	w, r, f := newDip(t)
	since := w.now.AddDate(0, 0, -1)
	w.write(func(tx *db.Tx) error {
		for v, status := range map[int]string{3: "quarantined", 4: "quarantined"} {
			if err := w.exec(tx, `INSERT INTO knowledge_rule_version (rule_id, version, status, content, by_kind, by_id,
				reason, created_at) VALUES ('bad', $1, $2, '{"principle":"When bad"}', 'person', 'nobody', 'so', $3)`, v,
				status, db.Ms(since)+int64(v-3)); err != nil {
				return err
			}
		}
		return w.exec(tx, `UPDATE knowledge_rule SET status = 'quarantined', version = 4 WHERE id = 'bad'`)
	})
	got, err := r.Fall(t.Context(), f)
	if err != nil || got == nil {
		t.Fatal(got, err)
	}
	now := map[string]string{}
	for _, c := range got.Changes {
		now[c.ID+" "+c.What] = c.Now
		if c.ID == "bad" && !c.NowSince.Equal(since.Truncate(time.Millisecond)) {
			t.Errorf("%s since %s, not %s", c.Now, c.NowSince, since)
		}
	}
	if now["bad in"] != "quarantined" || now["gone out"] != "retired" || now["fine new"] != "" || len(now) != 3 {
		t.Errorf("%v", now)
	}
}
