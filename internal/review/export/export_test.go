package export_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review/export"
)

var boss = audit.Actor{Kind: audit.Person, ID: "morag", Name: "Morag"}

// run exports and reads the rows again.
func run(t testing.TB, s *export.Service, o export.Options) (string, export.Report) {
	t.Helper()
	var b bytes.Buffer
	o.By = boss
	rep, err := s.Write(t.Context(), &b, o)
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), rep
}

func cells(t testing.TB, text string) []map[string]string {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, line := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = line[i]
		}
		out = append(out, row)
	}
	return out
}

func jsonRows(t testing.TB, text string) (out []map[string]any) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	for {
		var row map[string]any
		if err := dec.Decode(&row); errors.Is(err, io.EOF) {
			return out
		} else if err != nil {
			t.Fatal(err)
		}
		out = append(out, row)
	}
}

// texts changes what a stored case and decision say, and adds a skip.
func texts(t testing.TB, d *db.DB, i int, question, draft, reason, skip string) {
	t.Helper()
	iid := fmt.Sprintf("case-%07d", i)
	err := d.Write(context.Background(), func(tx *db.Tx) error {
		if _, err := tx.Exec(`UPDATE interaction SET question = $1, guidance = $2
			WHERE id = $3`, question, draft, iid); err != nil {
			return err
		}
		if _, err := tx.Exec(`UPDATE decision SET reason = $1 WHERE review_id = $2`, reason, iid); err != nil {
			return err
		}
		_, err := tx.Exec(`INSERT INTO review_skip (id, review_id, by_id, by_name, reason, version, at)
			VALUES ($1, $2, 'bob', 'Bob', $3, 1, $4)`, "skip-"+iid, iid, skip, tx.NowMs())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Request 11 of the peers' users: time spent per item and per reviewer, in the export.
func TestPeerRequest11_TimeSpentIsInTheExport(t *testing.T) {
	d := dbtest.New(t)
	fill(t, d, 0, 3)
	text, _ := run(t, export.New(d), export.Options{Set: export.Decisions, Format: export.CSV})
	for _, row := range cells(t, text) {
		if row["seconds_on_case"] != "41" || row["characters_to_read"] != "1200" || row["hasty"] != "0" ||
			row["by"] != "Ann" || row["by_id"] != "ann" {
			t.Errorf("%v", row)
		}
		received, err1 := time.Parse(time.RFC3339, row["received_at"])
		decided, err2 := time.Parse(time.RFC3339, row["decided_at"])
		if err := errors.Join(err1, err2); err != nil || decided.Sub(received) != time.Minute {
			t.Errorf("received %s, decided %s: %v", row["received_at"], row["decided_at"], err)
		}
	}
}

// A rapid second approval is in the file as it is in the statistics.
func TestRapidSecondApprovalsAreInTheExport(t *testing.T) {
	d := dbtest.New(t)
	fill(t, d, 0, 3)
	if err := d.Write(context.Background(), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE decision SET second_hasty = 1 WHERE review_id = 'case-0000002'`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	text, _ := run(t, export.New(d), export.Options{Set: export.Decisions, Format: export.CSV})
	lines, _ := run(t, export.New(d), export.Options{Set: export.Decisions, Format: export.JSONL})
	whole := jsonRows(t, lines)
	for i, row := range cells(t, text) {
		rapid := row["case_id"] == "case-0000002"
		if (row["second_hasty"] == "1") != rapid || whole[i]["second_hasty"] != rapid || row["hasty"] != "0" {
			t.Errorf("%v\n%v", row, whole[i])
		}
	}
}

// Request 12: the decisions, comments and reasons, not only the items; skips apart.
func TestPeerRequest12_DecisionsCommentsReasonsAndSkips(t *testing.T) {
	d := dbtest.New(t)
	fill(t, d, 0, 2)
	texts(t, d, 0, "How much?", strings.Repeat(paragraph, 3), "The sum was missing.", "I know the customer")
	s := export.New(d)
	s.Comments = func(_ context.Context, ids []string) (map[string][]export.Comment, error) {
		return map[string][]export.Comment{
			ids[0]: {{ID: "c1", At: dbtest.Start, By: "Bob", ByID: "bob", Text: "@Ann see the letter"}}}, nil
	}
	text, rep := run(t, s, export.Options{Set: export.Decisions, Format: export.CSV})
	row := cells(t, text)[0]
	if rep.Rows != 2 || row["kind"] != "revise" || row["reason"] != "The sum was missing." ||
		row["feedback"] != "Give the sum." || row["confirmation"] == "" ||
		!strings.HasSuffix(row["skips"], "Bob: I know the customer") ||
		!strings.HasSuffix(row["comments"], "Bob: @Ann see the letter") ||
		!strings.Contains(row["diff"], "Usually [-a quarter-]{+25 %+} of [-a pension-] pot {+0+} can be") {
		t.Errorf("%+v\n%v", rep, row)
	}
	lines, _ := run(t, s, export.Options{Set: export.Decisions, Format: export.JSONL})
	first := jsonRows(t, lines)[0]
	comments, _ := first["comments"].([]any)
	skips, _ := first["skips"].([]any)
	if len(comments) != 1 || len(skips) != 1 || first["diff"] == nil || first["final_text"] == first["draft"] {
		t.Errorf("%v", first)
	}
	text, rep = run(t, s, export.Options{Set: export.Skips, Format: export.CSV})
	if row := cells(t, text)[0]; rep.Rows != 1 || row["by"] != "Bob" || row["reason"] != "I know the customer" ||
		row["case_id"] != "case-0000000" {
		t.Errorf("%+v %v", rep, row)
	}
}

// Request 13: an export that never times out, also of more rows than a peer on SQLite could take ("too many SQL
// variables" from 2,000 on), each row once and in order, while the desk goes on.
func TestPeerRequest13_MoreRowsThanThePeersCouldExport(t *testing.T) {
	d := dbtest.New(t)
	const rows = 2_300
	fill(t, d, 0, rows)
	s := export.New(d)
	s.Comments = func(_ context.Context, ids []string) (map[string][]export.Comment, error) {
		if len(ids) > 1000 {
			t.Errorf("%d cases are asked for at once", len(ids))
		}
		return nil, nil
	}
	written := 0
	o := export.Options{Set: export.Decisions, Format: export.JSONL, Wrote: func() error {
		if written++; written == 1 {
			fill(t, d, rows, 10) // a writer is not held up; but what comes later than the beginning is not in it
		}
		return nil
	}}
	for _, set := range []export.Filter{{}, {AgentID: "a1"}, {PersonID: "ann"}} {
		written, o.Filter = 1, set
		text, rep := run(t, s, o)
		if rep.Rows != rows || !rep.Complete {
			t.Fatalf("%+v: %+v", set, rep)
		}
		last, seen := "", map[string]bool{}
		for _, row := range jsonRows(t, text) {
			at, err := time.Parse(time.RFC3339, row["decided_at"].(string))
			if err != nil {
				t.Fatal(err)
			}
			key := at.Format("15:04:05.000") + row["decision_id"].(string)
			if key <= last || seen[key] {
				t.Fatalf("%s follows %s", key, last)
			}
			last, seen[key] = key, true
		}
	}
}

// What an export has begun with is where it ends.
func TestWhatComesLaterIsNotInIt(t *testing.T) {
	clock := dbtest.NewClock()
	d := dbtest.NewAt(t, clock)
	fill(t, d, 0, 1200)
	calls := 0
	text, rep := run(t, export.New(d), export.Options{Set: export.Decisions, Format: export.CSV, Wrote: func() error {
		if calls++; calls == 1 {
			clock.Advance(24 * time.Hour)
			fill(t, d, 5000, 5)
		}
		return nil
	}})
	if rep.Rows != 1200 || len(cells(t, text)) != 1200 {
		t.Errorf("%+v", rep)
	}
}

// JSON Lines gives back every text as it was stored, and its steps turn the draft into the final text.
func TestJSONLinesLoseNothing(t *testing.T) {
	d := dbtest.New(t)
	fill(t, d, 0, 1)
	s, n := export.New(d), 0
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.StringOf(rapid.RuneFrom([]rune("ab £é\u202e\u2028\u0001\"\\<>&\n\r\t😀=+-@")))
		question, draft, reason := words.Draw(t, "question"), words.Draw(t, "draft"), words.Draw(t, "reason")
		err := d.Write(context.Background(), func(tx *db.Tx) error {
			if _, err := tx.Exec(`UPDATE interaction SET question = $1, guidance = $2
				WHERE id = 'case-0000000'`, question, draft); err != nil {
				return err
			}
			_, err := tx.Exec(`UPDATE decision SET reason = $1 WHERE review_id = 'case-0000000'`, reason)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		n++
		var b bytes.Buffer
		if _, err := s.Write(context.Background(), &b,
			export.Options{Set: export.Decisions, Format: export.JSONL, By: boss}); err != nil {
			t.Fatal(err)
		}
		if strings.Count(b.String(), "\n") != 1 {
			t.Fatalf("one row is %d lines", strings.Count(b.String(), "\n"))
		}
		var row struct {
			Question, Draft, Reason string
			Final                   string `json:"final_text"`
			Diff                    [][2]any
		}
		if err := json.Unmarshal(b.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		if row.Question != question || row.Draft != draft || row.Reason != reason {
			t.Fatalf("%q %q %q became %+v", question, draft, reason, row)
		}
		runes, at, final := []rune(draft), 0, ""
		for _, step := range row.Diff {
			switch step[0] {
			case "=":
				keep := int(step[1].(float64))
				final += string(runes[at : at+keep])
				at += keep
			case "-":
				at += len([]rune(step[1].(string)))
			case "+":
				final += step[1].(string)
			}
		}
		if final != row.Final {
			t.Fatalf("the steps give %q, not %q", final, row.Final)
		}
	})
}

// A spreadsheet runs nothing that a customer, an agent or a colleague wrote.
func TestFormulasAreDefused(t *testing.T) {
	d := dbtest.New(t)
	fill(t, d, 0, 9)
	for i, evil := range []string{`=HYPERLINK("http://x","y")`, "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1+1",
		"\n=1", "fine = 1"} {
		texts(t, d, i, evil, evil, evil, evil)
	}
	for _, set := range []export.Set{export.Decisions, export.Skips} {
		text, _ := run(t, export.New(d), export.Options{Set: set, Format: export.CSV})
		for _, row := range cells(t, text) {
			for name, cell := range row {
				if cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r\n") || strings.HasPrefix(cell, "＝") {
					t.Errorf("%s: %q would run", name, cell)
				}
			}
		}
		if !strings.Contains(text, "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"") {
			t.Errorf("%s: the text is not kept behind the apostrophe", set)
		}
	}
}

func TestFilters(t *testing.T) {
	d := dbtest.New(t)
	fill(t, d, 0, 9) // 3 revised, 1 rejected, 5 approved
	s := export.New(d)
	count := func(f export.Filter) int {
		_, rep := run(t, s, export.Options{Set: export.Decisions, Format: export.CSV, Filter: f})
		return rep.Rows
	}
	day := dbtest.Start.Truncate(24 * time.Hour)
	for _, c := range []struct {
		f    export.Filter
		want int
	}{
		{export.Filter{}, 9}, {export.Filter{Kind: "revise"}, 3}, {export.Filter{Kind: "reject"}, 1},
		{export.Filter{AgentID: "none"}, 0},
		{export.Filter{PersonID: "ann"}, 9}, {export.Filter{PersonID: "bob"}, 0},
		{export.Filter{From: day, To: day.AddDate(0, 0, 1)}, 9},
		{export.Filter{To: day}, 0}, {export.Filter{From: day.AddDate(0, 0, 1)}, 0},
		{export.Filter{Planted: "only"}, 0}, {export.Filter{Planted: "yes", Settled: true}, 9},
	} {
		if got := count(c.f); got != c.want {
			t.Errorf("%+v: %d rows, want %d", c.f, got, c.want)
		}
	}
	for _, o := range []export.Options{
		{Set: "people", Format: export.CSV}, {Set: export.Decisions, Format: "xlsx"},
		{Set: export.Decisions, Format: export.CSV, Filter: export.Filter{Kind: "eat"}},
		{Set: export.Decisions, Format: export.CSV, Filter: export.Filter{Planted: "some"}},
		{Set: export.Decisions, Format: export.CSV, Filter: export.Filter{From: day, To: day}},
	} {
		if _, err := s.Write(t.Context(), io.Discard, o); !fault.Is(err, fault.Invalid) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// gone is a client that goes away after the first bytes.
type gone struct{ n int }

func (g *gone) Write(p []byte) (int, error) {
	if g.n++; g.n > 2 {
		return 0, errors.New("broken pipe")
	}
	return len(p), nil
}

// The record says who took what, before the first byte; and how far it went, also when the client goes.
func TestEveryExportIsOnRecord(t *testing.T) {
	d := dbtest.New(t)
	fill(t, d, 0, 3500)
	s := export.New(d)
	rep, err := s.Write(t.Context(), &gone{},
		export.Options{Set: export.Decisions, Format: export.CSV, By: boss, Filter: export.Filter{Kind: ""}})
	if err == nil || rep.Complete || rep.Rows != 1000 {
		t.Fatalf("%+v, %v", rep, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if rep, err = s.Write(ctx, io.Discard,
		export.Options{Set: export.Decisions, Format: export.JSONL, By: boss, Wrote: func() error {
			cancel()
			return nil
		}}); !errors.Is(err, context.Canceled) || rep.Rows >= 3500 {
		t.Fatalf("after the reader went: %+v, %v", rep, err)
	}
	page, err := audit.List(t.Context(), d, audit.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	var acts []string
	for _, r := range page.Rows {
		if r.ObjectKind == "export" {
			acts = append(acts, r.Action+" "+r.Actor.ID)
		}
	}
	slices.Sort(acts)
	if want := []string{"export.finished morag", "export.finished morag", "export.started morag",
		"export.started morag"}; !slices.Equal(acts, want) {
		t.Errorf("on record: %v", acts)
	}
}

// One huge row, or many large ones, do not make a batch that has no end: a batch ends at some megabytes, too.
func TestMemoryStaysFlat(t *testing.T) {
	d := dbtest.New(t)
	fill(t, d, 0, 300)
	big := strings.Repeat("long ", 30_000) // 150 kB each, 45 MB in all
	if err := d.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE interaction SET guidance = $1`, big)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	pieces := 0
	_, rep := run(t, export.New(d), export.Options{Set: export.Decisions, Format: export.CSV,
		Filter: export.Filter{Kind: "approve"}, Wrote: func() error { pieces++; return nil }})
	if rep.Rows == 0 || pieces < rep.Rows/40 {
		t.Errorf("%d rows in %d pieces", rep.Rows, pieces)
	}
}

func TestTheMark(t *testing.T) {
	d := dbtest.New(t)
	with, _ := run(t, export.New(d), export.Options{Set: export.Skips, Format: export.CSV, BOM: true})
	without, _ := run(t, export.New(d), export.Options{Set: export.Skips, Format: export.CSV})
	if with != "\ufeff"+without || !strings.HasPrefix(without, "skip_id,") {
		t.Errorf("%q, %q", with, without)
	}
}
