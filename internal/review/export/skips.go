package export

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"strconv"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/table"
)

// skip is one row of the export of skips. A case that was planted is marked as such once it is closed; until then it is
// a case like any other.
type skip struct {
	SkipID  string    `json:"skip_id"`
	CaseID  string    `json:"case_id"`
	AgentID string    `json:"agent_id"`
	Agent   string    `json:"agent"`
	Task    string    `json:"task"`
	At      time.Time `json:"at"`
	ByID    string    `json:"by_id"`
	By      string    `json:"by"`
	Reason  string    `json:"reason"`
	Version int       `json:"version"` // of the case as it was on the screen
	State   string    `json:"case_state"`
	Planted bool      `json:"planted"`
}

var skipHead = []string{"skip_id", "case_id", "agent_id", "agent", "task", "at", "by_id", "by", "reason", "version",
	"case_state", "planted"}

const skipSQL = `SELECT x.id, x.review_id, r.agent_id, coalesce(a.name, r.agent_name), r.task, x.at, x.by_id, x.by_name,
	x.reason, x.version, r.state,
	CASE WHEN i.status = 'closed' THEN i.planted ELSE 0 END
	FROM review_skip x JOIN review r ON r.id = x.review_id JOIN interaction i ON i.id = x.review_id
		LEFT JOIN agent a ON a.id = r.agent_id`

func (f Filter) skipQuery(from place, until time.Time) (string, []any) {
	w := f.narrow(skipSQL, "x.at", []string{"x.by_id"}, from, until)
	w.Add(` ORDER BY x.at, x.id LIMIT ?`, batchRows)
	return w.SQL, w.Args
}

// skips are read up to a moment.
func (s *Service) skips(until time.Time) set[skip] {
	return set[skip]{columns: skipHead, lines: skipLines, cells: skipCells, at: func(last skip) place {
		return place{db.Ms(last.At), last.SkipID}
	},
		batch: func(ctx context.Context, f Filter, from place) ([]skip, error) {
			return s.skipBatch(ctx, f, from, until)
		}}
}

func (s *Service) skipBatch(ctx context.Context, f Filter, from place, until time.Time) (list []skip, err error) {
	query, args := f.skipQuery(from, until)
	size := 0
	err = s.db.ReadWhole(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "export: read skips", func(row db.Row) error {
			var k skip
			if err := row.Scan(&k.SkipID, &k.CaseID, &k.AgentID, &k.Agent, &k.Task, db.At(&k.At), &k.ByID, &k.By,
				&k.Reason, &k.Version, &k.State, &k.Planted); err != nil {
				return err
			}
			list = append(list, k)
			size += len(k.Reason)
			return full(size)
		}, query, args...)
	})
	return list, err
}

func skipLines(b *bytes.Buffer, list []skip) {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	for _, k := range list {
		_ = enc.Encode(k) // strings and numbers always encode
	}
}

func skipCells(b *bytes.Buffer, list []skip) {
	w := csv.NewWriter(b)
	for _, k := range list {
		_ = w.Write([]string{k.SkipID, k.CaseID, k.AgentID, table.Guard(k.Agent), table.Guard(k.Task), stamp(k.At),
			k.ByID, table.Guard(k.By), table.Guard(k.Reason),
			strconv.Itoa(k.Version), k.State, flag(k.Planted)}) // a buffer takes everything
	}
	w.Flush()
}
