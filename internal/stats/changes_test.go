package stats

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"preceptor/internal/feedback"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/stats/counter"
)

// dip is a file in which a rule was put in use ten days ago and answers made with it are disliked; another rule does no
// harm.
type dip struct {
	*testing.T
	d    *db.DB
	keep *counter.Keeper
	now  time.Time
	n    int
}

func (w *dip) exec(tx *db.Tx, query string, args ...any) error {
	_, err := tx.Exec(query, args...)
	return err
}

func (w *dip) write(f func(tx *db.Tx) error) {
	w.Helper()
	if err := w.d.Write(w.Context(), f); err != nil {
		w.Fatal(err)
	}
}

func (w *dip) rule(id string, number int, at time.Time, status, before string) {
	w.write(func(tx *db.Tx) error {
		version := 1
		if before != "" {
			version = 2
		}
		if err := w.exec(tx, `INSERT INTO knowledge_rule (id, number, agent_id, status, domain, version, created_at,
				updated_at)
			VALUES ($1, $2, '', $3, '', $4, $5, $6)`,
			id, number, status, version, db.Ms(at), db.Ms(at)); err != nil {
			return err
		}
		for v, s := range map[int]string{version: status, 1: before} {
			if s == "" {
				continue
			}
			when, text := at, "When "+id
			if v < version {
				when, text = at.AddDate(0, 0, -30), "When "+id+", once"
			}
			if err := w.exec(tx, `INSERT INTO knowledge_rule_version (rule_id, version, status, content, by_kind, by_id,
					reason, created_at)
				VALUES ($1, $2, $3, $4, 'person', 'nobody', 'it was judged', $5)`,
				id, v, s, `{"principle":"`+text+`"}`, db.Ms(when)); err != nil {
				return err
			}
		}
		return nil
	})
}

// vote is one vote on an answer to a question on a topic; the answer was made with the rules.
func (w *dip) vote(at time.Time, topic string, good bool, rules ...string) {
	w.n++
	id, norm, value := fmt.Sprintf("v%05d", w.n), 0.0, -1.0
	if good {
		norm, value = 1, 1
	}
	w.write(func(tx *db.Tx) error {
		for _, r := range rules {
			if err := w.exec(tx, `INSERT INTO knowledge_usage (interaction_id, kind, item_id, version, rank, score,
					cited, why, created_at)
				VALUES ($1, 'rule', $2, 1, 1, 1, 0, '', $3)`,
				"i"+id, r, db.Ms(at.Add(-time.Minute))); err != nil {
				return err
			}
		}
		if err := w.exec(tx, `INSERT INTO vote (id, subject_id, user_id, agent_id, agent_type, topic, kind, value, norm,
				text, channel, version, first_at, at)
			VALUES ($1, $2, 'u', 'a', 'advisor', $3, 'thumbs', $4, $5, $6, 'link', 1, $7, $8)`, id, "i"+id, topic,
			value, norm, map[bool]string{false: "It told me to take it all"}[good], db.Ms(at), db.Ms(at)); err != nil {
			return err
		}
		return w.keep.VoteTx(tx, nil, feedback.Vote{Kind: feedback.Thumbs, Value: value, Norm: norm, At: at},
			feedback.Subject{AgentType: "advisor", Topic: topic})
	})
}

func newDip(t *testing.T) (*dip, *Reader, Filter) {
	d := dbtest.New(t)
	w := &dip{T: t, d: d, keep: counter.New(d, time.UTC), now: d.Now()}
	changed := w.now.AddDate(0, 0, -9)
	w.rule("bad", 41, changed, "active", "candidate")
	w.rule("fine", 12, changed.Add(-time.Hour), "active", "active")
	w.rule("gone", 7, changed.Add(time.Hour), "retired", "active")
	w.rule("old", 3, w.now.AddDate(0, 0, -25), "active", "candidate")
	w.rule("never", 4, changed, "rejected", "candidate")
	for day := range 20 {
		at := w.now.AddDate(0, 0, -day).Add(-time.Hour)
		for i := range 6 {
			w.vote(at.Add(time.Duration(i)*time.Minute), "tax_free_cash", i > 0, "fine")
			w.vote(at.Add(time.Duration(i)*time.Minute), "scams", i > 0)
		}
		if day < 9 && day > 2 {
			for i := range 6 {
				w.vote(at.Add(time.Duration(i)*time.Minute), "tax_free_cash", i == 0, "bad", "fine")
			}
		}
	}
	r := New(d, time.UTC, quiet())
	return w, r, Filter{Range: Days(w.now, 30, time.UTC)}
}

func TestTheRuleThatWasPutInUseBeforeADipIsNamedFirst(t *testing.T) {
	w, r, f := newDip(t)
	p, err := r.Changes(t.Context(), f, Between(w.now.AddDate(0, 0, -8), w.now.AddDate(0, 0, -3), time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, c := range p.Changes {
		names = append(names, c.ID+" "+c.What)
	}
	if len(p.Changes) != 3 || names[0] != "bad in" || names[1] != "gone out" || names[2] != "fine new" {
		t.Fatalf("changes %q", names)
	}
	c := p.Changes[0]
	if !c.Suspect || c.Name != "R-41" || c.Title != "When bad" || c.With.Whole != 36 || c.With.Part != 6 ||
		c.Shown != 36 {
		t.Errorf("%+v", c)
	}
	if want := 10 * 6; c.Without.Whole != want || c.Without.Part != want*5/6 {
		// tax-free cash of ten days, without what was shown the rule
		t.Errorf("without: %+v, want %d", c.Without, want)
	}
	if p.Changes[2].Suspect || p.Changes[1].With.Whole != 0 {
		t.Errorf("others are suspected: %+v", p.Changes[1:])
	}
	if !p.Dip.Known || !p.Rest.Known || p.Dip.High >= p.Rest.Low || p.Dip.N+p.Rest.N != 20*12+36 {
		t.Errorf("dip %+v, rest %+v", p.Dip, p.Rest)
	}
	if len(p.Topics) != 2 || p.Topics[0].Key != "tax_free_cash" || p.Topics[0].Figure.Before == nil ||
		p.Topics[0].Figure.Before.N != 20*6-36 {
		t.Errorf("topics %+v", p.Topics)
	}
	if len(p.Quotes) != 5 || p.Quotes[0].Text == "" || p.Quotes[0].What != "negative" {
		t.Errorf("quotes %+v", p.Quotes)
	}
}

// A version for another case in the evidence rewords nothing, however many there are; other days are said as such. What
// comes with the program is no change of the line, and the list of issues is not the line.
func TestOnlyWhatAnybodyIsToldIsAChange(t *testing.T) {
	d := dbtest.New(t)
	w := &dip{T: t, d: d, now: d.Now()}
	day := func(n int) time.Time { return w.now.AddDate(0, 0, -n) }
	w.rule("grown", 2, day(20), "active", "candidate")
	version := func(rule string, v int, at time.Time, content string, until int64) {
		w.write(func(tx *db.Tx) error {
			return w.exec(tx, `INSERT INTO knowledge_rule_version (rule_id, version, status, content, valid_to, by_kind,
					by_id, reason, created_at)
				VALUES ($1, $2, 'active', $3, $4, 'person', 'nobody', 'why', $5)`,
				rule, v, content, until, db.Ms(at))
		})
	}
	version("grown", 3, day(9), `{"principle":"When grown, say so"}`, 0)
	for i := range 2 * counter.MaxChanges {
		version("grown", 4+i, day(8).Add(time.Duration(i)*time.Minute),
			fmt.Sprintf(`{"principle":"When grown, say so","confidence":0.%d,"supporting":["c%d"]}`, 10+i, i), 0)
	}
	version("grown", 4+2*counter.MaxChanges, day(7),
		fmt.Sprintf(`{"principle":"When grown, say so","confidence":0.5,"supporting":["c%d"]}`, 2*counter.MaxChanges),
		db.Ms(day(-30)))
	w.write(func(tx *db.Tx) error {
		for i, r := range []struct {
			kind, pack string
			version    int
		}{{"rubric", "pension", 1}, {"taxonomy", "pension", 1}, {"taxonomy", "pension", 2}, {"rubric", "general", 2},
			{"rubric", "general", 3}} {
			if err := w.exec(tx, `INSERT INTO approval (id, kind, subject, version, base, payload, reason, state,
					proposed_by, proposed_name, proposed_at, decided_at)
				VALUES ($1, $2, $3, $4, 0, '{}', 'why', 'made', '', 'Preceptor', $5, $5)`,
				r.kind+strconv.Itoa(r.version), r.kind, r.pack, r.version,
				db.Ms(day(6).Add(time.Duration(i)*time.Minute))); err != nil {
				return err
			}
		}
		return nil
	})
	p, err := New(d, time.UTC, quiet()).Changes(t.Context(), Filter{Range: Days(w.now, 30, time.UTC)},
		Between(day(10), day(1), time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range p.Changes {
		got = append(got, c.Kind+" "+c.Name+" "+c.What)
	}
	if want := []string{"line v3 new", "taxonomy v2 new", "rule R-2 days", "rule R-2 new"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A wording for a day to come is planned until then, and a change on that day, unless another came before it.
func TestAPlannedWordingIsNoChangeYet(t *testing.T) {
	d := dbtest.New(t)
	w := &dip{T: t, d: d, now: d.Now()}
	day := func(n int) time.Time { return w.now.AddDate(0, 0, -n) }
	for i, name := range []string{"later", "begun", "overtaken"} {
		w.rule(name, i+1, day(60), "active", "")
	}
	version := func(rule string, v int, at, from time.Time) {
		w.write(func(tx *db.Tx) error {
			return w.exec(tx, `INSERT INTO knowledge_rule_version (rule_id, version, status, content, valid_from,
					by_kind, by_id, reason, created_at)
				VALUES ($1, $2, 'active', $3, $4, 'person', 'nobody', 'why', $5)`,
				rule, v, fmt.Sprintf(`{"principle":"When it is %d"}`, v), db.Ms(from), db.Ms(at))
		})
	}
	version("later", 2, day(3), day(-30))
	version("begun", 2, day(40), day(2))
	version("overtaken", 2, day(40), day(2))
	version("overtaken", 3, day(30), time.Time{})
	p, err := New(d, time.UTC, quiet()).Changes(t.Context(), Filter{Range: Days(w.now, 30, time.UTC)},
		Between(day(10), day(1), time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Changes) != 2 || p.Changes[0].Name != "R-2" || !p.Changes[0].At.Equal(day(2)) ||
		!p.Changes[0].From.IsZero() || p.Changes[1].Name != "R-1" || !p.Changes[1].From.Equal(day(-30)) {
		t.Errorf("%+v", p.Changes)
	}
}

func TestARulesVotesAreListedInPages(t *testing.T) {
	_, r, f := newDip(t)
	seen, q := map[string]bool{}, RowQuery{Of: "rule:bad", Limit: 7}
	for {
		p, err := r.Rows(t.Context(), f, q)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range p.Rows {
			if seen[row.ID] || row.CaseID == "" || row.Topic != "tax_free_cash" {
				t.Fatalf("%+v", row)
			}
			seen[row.ID] = true
		}
		if q.After = p.Next; q.After == "" {
			break
		}
	}
	if len(seen) != 36 {
		t.Errorf("%d votes, want 36", len(seen))
	}
	for _, bad := range []string{"x", "12", "12.", "-3.a", strconv.Itoa(1 << 40)} {
		if _, err := r.Rows(t.Context(), f, RowQuery{Of: "rule:bad", After: bad}); err == nil {
			t.Errorf("the cursor %q is taken", bad)
		}
	}
}

func TestTopicsOverTimeAddUpToTheWhole(t *testing.T) {
	_, r, f := newDip(t)
	whole, err := r.Satisfaction(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	list, err := r.TopicSeries(t.Context(), f, []string{"tax_free_cash", "scams"})
	if err != nil || len(list) != 2 {
		t.Fatal(len(list), err)
	}
	for i, p := range whole.Series.Points {
		if n := list[0].Points[i].N + list[1].Points[i].N; n != p.N {
			t.Errorf("%s: %d votes by topic, %d in all", p.From.Format(time.DateOnly), n, p.N)
		}
		if p.Before == nil {
			t.Errorf("%s has no day before", p.From.Format(time.DateOnly))
		}
	}
	f.Topic = "scams"
	if list, err := r.TopicSeries(t.Context(), f, []string{"tax_free_cash", "scams"}); err != nil || len(list) != 1 ||
		list[0].Name != "scams" {
		t.Errorf("%d series of one topic, %v", len(list), err)
	}
}

func TestWhatChangedWalksNoLargeTable(t *testing.T) {
	dbtest.FilesOnly(t, "it looks at SQLite's plan")
	d := dbtest.New(t)
	err := d.Read(t.Context(), func(tx *db.Tx) error {
		rows, err := tx.Query(
			`EXPLAIN QUERY PLAN SELECT v.topic, count(*) FROM (SELECT interaction_id FROM knowledge_usage WHERE item_id = $1 AND created_at >= $2 ORDER BY created_at DESC LIMIT $3) u
			CROSS JOIN vote v ON v.subject_id = u.interaction_id WHERE v.at >= $4 GROUP BY v.topic`, "r", 1, 10, 1)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var a, b, c int
			var detail string
			if err := rows.Scan(&a, &b, &c, &detail); err != nil {
				return err
			}
			if detail == "SCAN v" || detail == "SCAN knowledge_usage" {
				t.Errorf("a whole table is walked: %s", detail)
			}
		}
		return rows.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAPolicysChangeNamesItsAgent(t *testing.T) {
	d := dbtest.New(t)
	agreed(t, d)
	err := d.Write(t.Context(), func(tx *db.Tx) error {
		for _, q := range []string{
			`INSERT INTO agent (id, name, name_key, created_at) VALUES ('g', 'pension-guide', 'pension-guide', 1)`,
			`INSERT INTO approval (id, subject, version, base, state, payload, reason, proposed_by, proposed_name,
				proposed_at, kind) VALUES ('q', 'g', 2, 0, 'proposed', '{}', 'a test', 'x', 'X', 3, 'policy')`,
			`UPDATE approval SET state = 'agreed', decided_by = 'y', decided_name = 'Y', decided_at = 4
				WHERE id = 'q'`} {
			if err := db.Exec(tx, "test", q); err != nil {
				return err
			}
		}
		list, err := counter.Changes(tx, 0, 10)
		if err == nil && (len(list) != 2 || list[0].Title != "pension-guide" || !strings.Contains(list[1].Title, "agents")) {
			t.Errorf("%+v", list)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A rule goes out of use as it was worded then, with the votes on answers made with it; a wording that was to begin
// later never was in use.
func TestWhatGoesOutOfUseIsTheWordingThatWasInUse(t *testing.T) {
	w := &dip{T: t, d: dbtest.New(t)}
	w.keep, w.now = counter.New(w.d, time.UTC), w.d.Now()
	out := w.now.AddDate(0, 0, -2)
	put := func(id string, number int, versions ...[3]any) {
		w.write(func(tx *db.Tx) error {
			err := w.exec(tx, `INSERT INTO knowledge_rule (id, number, agent_id, status, domain, version, created_at,
				updated_at) VALUES ($1, $2, '', 'retired', '', $3, $4, $4)`, id, number, len(versions), db.Ms(out))
			for i, v := range versions {
				if err == nil {
					err = w.exec(tx, `INSERT INTO knowledge_rule_version (rule_id, version, status, content, by_kind,
						by_id, reason, created_at, valid_from) VALUES ($1, $2, $3, $4, 'person', 'p', 'so', $5, $6)`,
						id, i+1, v[0], `{"principle":"`+id+v[1].(string)+`"}`, db.Ms(out.AddDate(0, 0, i+1-len(versions))),
						v[2])
				}
			}
			return err
		})
	}
	later := db.Ms(w.now.AddDate(0, 0, 20))
	for number, last := range []string{"retired", "quarantined"} {
		put(last, number+5, [3]any{"candidate", " as it was", 0}, [3]any{"active", " as it was", 0},
			[3]any{"active", " later", later}, [3]any{last, " later", later})
	}
	put("never", 9, [3]any{"candidate", "", later}, [3]any{"active", "", later}, [3]any{"retired", "", later})
	for i := range 3 {
		w.vote(out.Add(-time.Duration(i+1)*time.Hour), "scams", i > 0, "retired")
	}
	p, err := New(w.d, time.UTC, quiet()).Changes(t.Context(), Filter{Range: Days(w.now, 30, time.UTC)},
		Between(out.AddDate(0, 0, -1), w.now, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]Change{}
	for _, c := range p.Changes {
		if c.What == "out" {
			said[c.ID] = c
		}
	}
	for _, id := range []string{"retired", "quarantined"} {
		if c := said[id]; c.Title != id+" as it was" || !c.InUse().Equal(out.AddDate(0, 0, -2)) {
			t.Errorf("%s: %q, in use from %s", id, c.Title, c.InUse())
		}
	}
	if c := said["retired"]; len(said) != 2 || c.With.Whole != 3 || c.With.Part != 2 || c.Suspect {
		t.Errorf("went out of use: %+v", said)
	}
}
