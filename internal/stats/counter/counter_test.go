package counter_test

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/stats/counter"
)

func TestABucketIsNearWhatIsInIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 40*24*3600).Draw(t, "seconds")
		b := counter.Bucket(n)
		if got := counter.Middle(b); math.Abs(got-float64(n)) > 0.025*float64(n)+1e-9 {
			t.Fatalf("%d is in the bucket of %v", n, got)
		}
		if m := rapid.Int64Range(n, 40*24*3600).Draw(t, "more"); counter.Bucket(m) < b {
			t.Fatalf("%d is in a bucket before that of %d", m, n)
		}
	})
	if counter.Bucket(-5) != 0 {
		t.Error("a clock that went back has a bucket below the first")
	}
}

func TestDistanceCountsWords(t *testing.T) {
	for _, c := range []struct {
		a, b           string
		changed, words int
	}{
		{"", "", 0, 0},
		{"one two three", "one two three", 0, 3},
		{"one two three", "one  two\nthree", 0, 3},
		{"one two three", "one 2 three", 1, 3},
		{"one two three", "one three", 1, 3},
		{"one two three", "zero one two three four", 2, 5},
		{"one two", "three four", 2, 2},
		{"", "all of it", 3, 3},
		{"a b c d", "d c b a", 4, 4}, // b and c would have to pass each other
	} {
		changed, words := counter.Distance(c.a, c.b)
		if changed != c.changed || words != c.words {
			t.Errorf("%q to %q: %d of %d, want %d of %d", c.a, c.b, changed, words, c.changed, c.words)
		}
	}
}

func TestDistanceIsADistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 0, 12).Draw(t, "words"),
				" ")
		})
		a, b, c := text.Draw(t, "a"), text.Draw(t, "b"), text.Draw(t, "c")
		ab, words := counter.Distance(a, b)
		ba, _ := counter.Distance(b, a)
		bc, _ := counter.Distance(b, c)
		ac, _ := counter.Distance(a, c)
		if ab != ba || ac > ab+bc || ab > words || (ab == 0) != (a == b) {
			t.Fatalf("a to b %d, b to a %d, b to c %d, a to c %d, of %d", ab, ba, bc, ac, words)
		}
	})
}

func TestVeryLongTextsAreBounded(t *testing.T) {
	long := strings.Repeat("word ", 30_000)
	if changed, words := counter.Distance("x "+long+" y", "y "+long+"more "+long); words != 60_002 || changed > words ||
		changed < 30_000 {
		t.Errorf("%d of %d", changed, words)
	}
}

// vote stores a vote of the tutor.
func vote(t *testing.T, d *db.DB, id string, norm float64, at time.Time) {
	t.Helper()
	if err := d.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(`INSERT INTO vote (id, subject_id, user_id, agent_id, agent_type, topic, kind, value, norm,
				text, channel, version, first_at, at)
			VALUES ($1, $1, 'u', 'a', 'tutor', 'maths', 'thumbs', $2, $3, '', 'api', 1, $4, $4)`, id, 2*norm-1, norm,
			db.Ms(at))
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// day is where the one positive vote was counted.
func day(t *testing.T, d *db.DB) (day, n int) {
	t.Helper()
	if err := d.Read(t.Context(), func(tx *db.Tx) error {
		var block int
		var days []byte
		err := tx.QueryRow(`SELECT block, days FROM stat_block
			WHERE measure = 'vote.positive' AND who = '' AND agent = '' AND topic = ''`).Scan(&block, &days)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		return counter.Unpack(days, func(place int, votes, _, _ int64) {
			day, n = block*counter.BlockDays+place, n+int(votes)
		})
	}); err != nil {
		t.Fatal(err)
	}
	return day, n
}

func ready(t *testing.T, k *counter.Keeper, want bool) {
	t.Helper()
	if rebuilt, err := k.Ready(t.Context(), nil); err != nil || rebuilt != want {
		t.Fatalf("rebuilt %v (%v), want %v", rebuilt, err, want)
	}
}

func TestReadyRebuildsWhatIsOfAnotherZoneOrMissing(t *testing.T) {
	d := dbtest.New(t)
	at := time.Date(2026, time.June, 30, 23, 30, 0, 0, time.UTC) // already July in London
	utc, london := counter.New(d, time.UTC), counter.New(d, mustZone(t, "Europe/London"))
	if zone, err := counter.StoredZone(t.Context(), d); err != nil || zone != "" {
		t.Fatalf("a new file has the zone %q (%v)", zone, err)
	}
	ready(t, utc, true)
	ready(t, utc, false)
	vote(t, d, "1", 1, at)
	ready(t, utc, true) // raw rows and no sums: the file comes from a program that did not count
	june, n := day(t, d)
	if n != 1 || june != counter.Day(at, time.UTC) {
		t.Errorf("%d votes on day %d", n, june)
	}
	ready(t, london, true)
	if july, n := day(t, d); n != 1 || july != june+1 {
		t.Errorf("in London %d votes on day %d, want 1 on %d", n, july, june+1)
	}
	if zone, err := counter.StoredZone(t.Context(), d); err != nil || zone != "Europe/London" {
		t.Errorf("the file says its zone is %q (%v)", zone, err)
	}
	ready(t, london, false)
}

func TestARebuildThatWasCutShortIsDoneAgain(t *testing.T) {
	d := dbtest.New(t)
	k := counter.New(d, time.UTC)
	ready(t, k, true)
	vote(t, d, "1", 1, d.Now())
	ctx, cancel := context.WithCancel(t.Context())
	err := k.Rebuild(ctx, func(int) { cancel() })
	if err == nil {
		t.Fatal("it was not cut short")
	}
	ready(t, k, true)
	if _, n := day(t, d); n != 1 {
		t.Errorf("%d votes", n)
	}
}

func TestCountingACaseTwiceHasOneEffect(t *testing.T) {
	d := dbtest.New(t)
	k := counter.New(d, time.UTC)
	if err := d.Write(t.Context(), func(tx *db.Tx) error {
		for _, q := range []string{
			`INSERT INTO interaction (id, agent_id, agent_name, origin, status, task, task_by, question, customer,
					guidance, guidance_hash, reasoning, model, drafter, knowledge_used, steps, metadata, created_at)
				VALUES ('i', 'a', 'a', 'api', 'waiting', 't', 'agent', 'q', '{}', 'g', 'h', '', '', '', '[]', '',
					'', 1000)`,
			`INSERT INTO review (id, agent_id, agent_name, task, state, priority, why, who, opening, label, passed,
					blocked, borderline, confidence, flags, source, text_hash, created_at)
				VALUES ('i', 'a', 'a', 't', 'waiting', 4, '', '', 'q', '', 1, 0, 0, 1, '[]', '', 'h', 1000)`,
		} {
			if _, err := tx.Exec(q); err != nil {
				return err
			}
		}
		for range 3 {
			if err := k.CaseTx(tx, "i"); err != nil {
				return err
			}
		}
		if err := k.CaseTx(tx, "of no case"); err != nil {
			return err
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	arrived(t, d, 0, 0) // noted, and counted when somebody asks
	for range 2 {
		if err := k.CatchUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		arrived(t, d, 4, 1) // all, the agent's, the topic's, and both
	}
	if err := d.Write(t.Context(), func(tx *db.Tx) error { return k.CaseTx(tx, "i") }); err != nil {
		t.Fatal(err)
	}
	if err := k.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	arrived(t, d, 4, 1)
}

// arrived checks how many rows count arrived cases, and of at most how many.
func arrived(t *testing.T, d *db.DB, wantRows, wantMost int) {
	t.Helper()
	var rows, most int
	if err := d.Reader().QueryRow(`SELECT count(*), coalesce(max(n), 0) FROM stat_block
		WHERE measure = 'arrived'`).Scan(&rows, &most); err != nil {
		t.Fatal(err)
	}
	if rows != wantRows || most != wantMost {
		t.Errorf("%d rows of at most %d, want %d of %d", rows, most, wantRows, wantMost)
	}
}

func mustZone(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}
