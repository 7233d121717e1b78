package feedback_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/audit"
	"preceptor/internal/feedback"
	"preceptor/internal/feedback/link"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
)

var boss = audit.Actor{Kind: audit.Person, ID: "p-boss", Name: "Boss"}

func TestALinkOpensUntilItsTimeIsOver(t *testing.T) {
	k := open(t, feedback.Settings{})
	s := k.log("What is osmosis?", "Water moves.")
	token, made, err := k.links.New(ctx, link.Request{SubjectID: s, UserID: "u1", Life: time.Hour}, boss)
	if err != nil {
		t.Fatal(err)
	}
	got, err := k.links.Open(ctx, token)
	if err != nil || got != made || got.SubjectID != s || got.UserID != "u1" {
		t.Fatalf("%+v, %v", got, err)
	}
	k.clock.Advance(time.Hour - time.Second)
	if _, err := k.links.Open(ctx, token); err != nil {
		t.Errorf("a second before: %v", err)
	}
	k.clock.Advance(time.Second)
	if _, err := k.links.Open(ctx, token); !errors.Is(err, link.ErrExpired) {
		t.Errorf("when its time is over: %v", err)
	}
	if _, err := k.links.Open(ctx, token[1:]); !errors.Is(err, link.ErrForged) {
		t.Errorf("cut off: %v", err)
	}
}

// The key is made once, by whoever needs it first, and stands in the database; another one ends every link.
func TestOneKeyForAllLinks(t *testing.T) {
	k := open(t, feedback.Settings{})
	s := k.log("What is osmosis?", "Water moves.")
	token, _, err := k.links.New(ctx, link.Request{SubjectID: s, UserID: "u1"}, boss)
	if err != nil {
		t.Fatal(err)
	}
	again := link.Of(k.db, k.Book) // as after a restart
	if _, err := again.Open(ctx, token); err != nil {
		t.Errorf("after a restart: %v", err)
	}
	if err := k.links.End(ctx, audit.System("test")); !fault.Is(err, fault.Denied) {
		t.Errorf("the program ends links by itself: %v", err)
	}
	if err := k.links.End(ctx, boss); err != nil {
		t.Fatal(err)
	}
	for n := range 9 {
		want := link.ErrEnded
		if n == 8 {
			want = link.ErrForged // its key is not kept for ever
		}
		for _, b := range []*link.Links{k.links, link.Of(k.db, k.Book)} {
			if _, err := b.Open(ctx, token); !errors.Is(err, want) {
				t.Errorf("a link that was ended, %d ends later: %v", n, err)
			}
			if _, err := b.Open(ctx, token[:len(token)-3]); !errors.Is(err, link.ErrForged) {
				t.Errorf("one that was cut short: %v", err)
			}
		}
		if err := k.links.End(ctx, boss); err != nil {
			t.Fatal(err)
		}
	}
	token, _, err = k.links.New(ctx, link.Request{SubjectID: s, UserID: "u1"}, boss)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.links.Open(ctx, token); err != nil {
		t.Errorf("a new one: %v", err)
	}
	if n := k.count(`SELECT count(*) FROM audit
		WHERE action IN ('feedback.link_made', 'feedback.links_ended')`); n != 12 {
		t.Errorf("%d are on record", n)
	}
}

func TestWhoGetsNoLink(t *testing.T) {
	k := open(t, feedback.Settings{})
	s := k.log("What is osmosis?", "Water moves.")
	for name, tc := range map[string]struct {
		r    link.Request
		kind fault.Kind
	}{
		"nobody's": {link.Request{SubjectID: s, UserID: " "}, fault.Invalid},
		"a user without end": {link.Request{SubjectID: s, UserID: strings.Repeat("u", feedback.MaxName+1)},
			fault.Invalid},
		"a user of no text":   {link.Request{SubjectID: s, UserID: "u\n1"}, fault.Invalid},
		"a user of bad bytes": {link.Request{SubjectID: s, UserID: "u\xff"}, fault.Invalid},
		"about nothing":       {link.Request{UserID: "u"}, fault.Invalid},
		"for a moment":        {link.Request{SubjectID: s, UserID: "u", Life: time.Second}, fault.Invalid},
		"for ever":            {link.Request{SubjectID: s, UserID: "u", Life: link.MaxLife + 1}, fault.Invalid},
		"about what is not":   {link.Request{SubjectID: "no-such", UserID: "u"}, fault.NotFound},
		"another agent's":     {link.Request{SubjectID: s, UserID: "u", AgentID: "a-foreign"}, fault.NotFound},
	} {
		if token, _, err := k.links.New(ctx, tc.r, boss); !fault.Is(err, tc.kind) || token != "" {
			t.Errorf("%s: %q, %v", name, token, err)
		}
	}
	if err := k.db.Write(ctx, func(tx *db.Tx) error { _, _, err := k.EraseTx(tx, s); return err }); err != nil {
		t.Fatal(err)
	}
	if _, _, err := k.links.New(ctx, link.Request{SubjectID: s, UserID: "u"}, boss); !fault.Is(err, fault.Conflict) {
		t.Errorf("about what was erased: %v", err)
	}
}

// Walking from page to page gives every comment that the filter takes, once and newest first, as a plain look through
// all of them does.
func TestCommentsPageByPage(t *testing.T) {
	k := open(t, feedback.Settings{})
	var all []feedback.Vote
	texts := []string{"", "Good.", "BAD and dull", "dull", "Ünbad"}
	for i := range 60 {
		s := k.log(fmt.Sprintf("Question %d?", i), "Answer.")
		if i%7 != 0 { // some in the same millisecond
			k.clock.Advance(time.Minute)
		}
		st, err := k.Vote(ctx, feedback.Vote{SubjectID: s, UserID: "u", Kind: feedback.Thumbs, Value: float64(i%3 - 1),
			Text: texts[i%len(texts)], Channel: feedback.ChannelAPI})
		if err != nil {
			t.Fatal(err)
		}
		if st.Vote.Text != "" {
			all = append(all, st.Vote)
		}
	}
	begin, end := all[0].At, all[len(all)-1].At
	rapid.Check(t, func(r *rapid.T) {
		f := feedback.CommentFilter{Limit: rapid.IntRange(1, 30).Draw(r, "limit"),
			Sign: rapid.SampledFrom([]string{"", feedback.Positive, feedback.Negative, feedback.Neutral}).Draw(r,
				"sign"),
			Words: rapid.SampledFrom([]string{"", "bad", "DULL", "bad dull", "ünbad", "nothing"}).Draw(r, "words")}
		if rapid.Bool().Draw(r, "period") {
			f.From = begin.Add(time.Duration(rapid.IntRange(-5, 30).Draw(r, "from")) * time.Minute)
			f.To = end.Add(time.Duration(rapid.IntRange(-30, 5).Draw(r, "to")) * time.Minute)
		}
		want := map[string]bool{}
		for _, c := range all {
			words := true
			for _, w := range strings.Fields(strings.ToLower(f.Words)) {
				words = words && strings.Contains(strings.ToLower(c.Text), w)
			}
			in := f.From.IsZero() || !c.At.Before(f.From) && c.At.Before(f.To)
			if words && in && (f.Sign == "" || feedback.Sign(c.Norm) == f.Sign) {
				want[c.ID] = true
			}
		}
		var last feedback.Vote
		seen := 0
		for pages := 0; ; pages++ {
			p, err := k.Comments(ctx, f)
			if err != nil || pages > 100 {
				r.Fatalf("page %d: %v", pages, err)
			}
			for _, c := range p.Items {
				if !want[c.ID] || seen > 0 && (c.At.After(last.At) || c.At.Equal(last.At) && c.ID >= last.ID) {
					r.Fatalf("%q of %s is out of place", c.Text, c.At)
				}
				last, seen = c, seen+1
			}
			if f.Cursor = p.Next; f.Cursor == "" {
				break
			}
		}
		if seen != len(want) {
			r.Fatalf("%d of %d", seen, len(want))
		}
	})
	if _, err := k.Comments(ctx, feedback.CommentFilter{Cursor: "?"}); !fault.Is(err, fault.Invalid) {
		t.Errorf("a cursor of nobody's: %v", err)
	}
	types, err := k.AgentTypes(ctx)
	if err != nil || len(types) != 1 {
		t.Errorf("%v, %v", types, err)
	}
}

// Comments are read by an index of comments, newest first, however many votes there are.
func TestCommentsAreReadByTheirIndex(t *testing.T) {
	dbtest.FilesOnly(t, "it looks at SQLite's plan")
	k := open(t, feedback.Settings{})
	for sql, args := range map[string][]any{
		`SELECT id FROM vote WHERE text <> '' AND (at, id) < ($1, $2)
			ORDER BY at DESC, id DESC LIMIT $3`: {int64(math.MaxInt64), "", 1000},
		`SELECT id FROM vote WHERE text <> '' AND agent_type = $1 AND at >= $2 AND (at, id) < ($3, $4)
			ORDER BY at DESC, id DESC LIMIT $5`: {"tutor", 5, int64(math.MaxInt64), "", 1000},
		`SELECT min(agent_type) FROM vote WHERE agent_type > $1`: {"a"},
	} {
		rows, err := k.db.Reader().Query(`EXPLAIN QUERY PLAN `+sql, args...)
		if err != nil {
			t.Fatal(err)
		}
		var steps []string
		for rows.Next() {
			var id, parent, unused int
			var detail string
			if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
				t.Fatal(err)
			}
			steps = append(steps, detail)
		}
		rows.Close()
		plan := strings.Join(steps, "; ")
		if !strings.Contains(plan, "INDEX vote_") || strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("%s: %s", sql, plan)
		}
	}
}

// A rare word does not keep anybody waiting: the page says how far back it looked, and the next one goes on from there.
func TestASearchSaysHowFarBackItLooked(t *testing.T) {
	dbtest.FilesOnly(t, "it asks in SQLite's words")
	k := open(t, feedback.Settings{})
	if _, err := k.db.Writer().Exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
		INSERT INTO vote (id, subject_id, user_id, agent_id, agent_type, topic, kind, value, norm, text, channel,
			version, first_at, at)
		SELECT printf('%06d', i), 's' || i, 'u', 'a', 'tutor', 'T', 'thumbs', 1, 1, CASE i
			WHEN 1 THEN 'mackerel' ELSE 'plain' END, 'api', 1, i * 1000, i * 1000 FROM n`, 10_500); err != nil {
		t.Fatal(err)
	}
	f := feedback.CommentFilter{AgentType: "tutor", Words: "mackerel"}
	p, err := k.Comments(ctx, f)
	if err != nil || len(p.Items) != 0 || p.Next == "" || !p.Back.Equal(time.UnixMilli(501_000)) {
		t.Fatalf("%d found, back to %s, next %q, %v", len(p.Items), p.Back, p.Next, err)
	}
	f.Cursor = p.Next
	if p, err = k.Comments(ctx, f); err != nil || len(p.Items) != 1 || p.Next != "" || !p.Back.IsZero() {
		t.Errorf("%d found, next %q, %v", len(p.Items), p.Next, err)
	}
	topics, err := k.CommentTopics(ctx, "")
	if err != nil || len(topics) != 1 || topics[0] != "T" {
		t.Errorf("%v, %v", topics, err)
	}
}
