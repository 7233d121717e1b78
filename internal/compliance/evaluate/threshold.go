package evaluate

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"preceptor/internal/approval"
	"preceptor/internal/audit"
	"preceptor/internal/compliance/measure"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/text"
)

// The states of a threshold.
const (
	Proposed   = "proposed"
	Active     = "active"
	Superseded = "superseded"
	Refused    = "refused"
	Off        = "off"
)

// compliancePanel is who proposes.
var compliancePanel = audit.System("Panel")

// Threshold is one version of from where on people look, or of what a pack's labels taught the judge in the program.
type Threshold struct {
	ID          string
	Version     int       // 1, 2, 3 ...: what verdicts carry
	Kind        string    // ForPanel or ForJudge
	Pack        string    // of a judge
	RunID       string    // of a threshold
	PanelID     string    // of the panel it holds for, or the judge as it came
	Refitted    *Refitted // of a judge
	Content               // of a threshold
	State       string
	ProposedAt  time.Time
	AskedBy     audit.Actor // who had it computed; no name: the system by itself
	Switched    audit.Actor
	SwitchedAt  time.Time
	SwitchedWhy string
	Asked       *approval.Change // somebody asked to switch it on, waiting for a second person or agreed; nil: nobody
	Ended       audit.Actor
	EndedAt     time.Time
	EndedWhy    string
}

// Preview computes what a threshold at this aim would do, from the answers of a run, and keeps nothing.
func (s *Store) Preview(ctx context.Context, runID string, aim measure.Aim, method string) (*Content, error) {
	r, err := s.Get(ctx, runID)
	if err != nil {
		return nil, err
	}
	if r.State != Done || r.Split != "" {
		return nil, fault.New(fault.Invalid, "A threshold needs a finished run over a whole version.")
	}
	answered, err := s.Answers(ctx, runID)
	if err != nil {
		return nil, err
	}
	return propose(answered, aim, method)
}

// Propose keeps what Preview computes as a proposal. Invalid when nothing can be certified, with the reason.
func (s *Store) Propose(ctx context.Context, runID string, aim measure.Aim, method string,
	by audit.Actor) (t Threshold, err error) {
	c, err := s.Preview(ctx, runID, aim, method)
	if err != nil {
		return t, err
	}
	if !c.Threshold.Certified {
		return t, fault.New(fault.Invalid, "%s", c.Threshold.Reason)
	}
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		r, err := getTx(tx, runID)
		if err != nil {
			return err
		}
		t, err = s.proposeTx(tx, r, *c, by)
		return err
	})
	return t, err
}

func (s *Store) proposeTx(tx *db.Tx, r Run, c Content, by audit.Actor) (t Threshold, err error) {
	return s.insertTx(tx, Threshold{Kind: ForPanel, RunID: r.ID, PanelID: r.PanelID, Content: c, AskedBy: by})
}

// insertTx numbers and keeps a proposal; AskedBy is who has it made.
func (s *Store) insertTx(tx *db.Tx, t Threshold) (Threshold, error) {
	var content any = t.Content
	if t.Kind == ForJudge {
		content = t.Refitted
	}
	text, err := json.Marshal(content)
	if err != nil {
		return t, fmt.Errorf("evaluate: encode a threshold: %w", err)
	}
	t.ID, t.State, t.ProposedAt = id.New(), Proposed, tx.Now
	if err := db.One(tx, "evaluate: number a threshold", `SELECT coalesce(max(version), 0) + 1
		FROM judge_threshold`).Scan(&t.Version); err != nil {
		return t, err
	}
	asker := audit.Actor{}
	if t.AskedBy.Kind == audit.Person {
		asker = t.AskedBy
	}
	err = db.Exec(tx, "evaluate: propose a threshold", `INSERT INTO judge_threshold (id, version, kind, pack, run_id,
			panel, content, state, proposed_at, asked_by, asked_name)
		VALUES ($1, $2, $3, $4, $5, $6, $7, 'proposed', $8, $9, $10)`,
		t.ID, t.Version, t.Kind, t.Pack, t.RunID, t.PanelID, string(text), tx.NowMs(), asker.ID, asker.Name)
	if err != nil {
		return t, err
	}
	tx.Touch("judges")
	return t, record(tx, t.AskedBy, "judges.threshold_proposed", t, "")
}

// Line is what it does in a sentence.
func (t Threshold) Line() string {
	if t.Kind == ForJudge {
		return t.Refitted.Report.Line()
	}
	return t.Content.Line()
}

func record(tx *db.Tx, by audit.Actor, action string, t Threshold, why string) error {
	e := entry(action, t, why)
	e.Actor = by
	return audit.Record(tx, e)
}

func entry(action string, t Threshold, why string) audit.Entry {
	return audit.Entry{Action: action, ObjectKind: "judge_threshold", ObjectID: t.ID, Content: map[string]any{
		"version": t.Version, "kind": t.Kind, "pack": t.Pack, "run": t.RunID, "panel": t.PanelID,
		"alpha": t.Threshold.Alpha, "threshold": t.Threshold.Value, "says": t.Line(), "why": why}}
}

// SwitchOff goes back to the seed's bands; of a judge, to the version that counted before, or the judge as it came.
func (s *Store) SwitchOff(ctx context.Context, thresholdID, why string, by audit.Actor) error {
	return s.end(ctx, thresholdID, Active, Off, why, "judges.threshold_off", by)
}

// Refuse ends a proposal.
func (s *Store) Refuse(ctx context.Context, thresholdID, why string, by audit.Actor) error {
	return s.end(ctx, thresholdID, Proposed, Refused, why, "judges.threshold_refused", by)
}

func (s *Store) end(ctx context.Context, thresholdID, from, to, why, action string, by audit.Actor) error {
	why, err := reasoned(why)
	if err != nil {
		return err
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if err := s.hooks.MaySwitch(tx, by.ID); err != nil {
			return err
		}
		t, err := thresholdTx(tx, `WHERE t.id = $1`, thresholdID)
		switch {
		case err != nil:
			return err
		case t.State != from:
			return notNow(t)
		case t.Waits():
			return fault.New(fault.Conflict,
				"%s asked to switch this on, and is waiting for an answer. Answer that first.", t.Asked.Proposed.Name)
		}
		tx.Touch("judges")
		tx.AfterCommit(s.forget) // the next verdict reads anew what holds
		if err := endThresholdTx(tx, t.ID, to, why, by); err != nil {
			return err
		}
		if t.Kind == ForJudge && to == Off {
			if err := reinstateTx(tx, t); err != nil {
				return err
			}
		}
		if to == Off {
			t.Ended = by
			if err := s.hooks.OnOff(tx, t); err != nil {
				return err
			}
		}
		return record(tx, by, action, t, why)
	})
}

func endThresholdTx(tx *db.Tx, id, to, why string, by audit.Actor) error {
	return db.Exec(tx, "evaluate: end a threshold", `UPDATE judge_threshold SET state = $1, ended_by = $2,
		ended_name = $3, ended_at = $4, ended_why = $5
		WHERE id = $6`,
		to, by.ID, by.Name, tx.NowMs(), why, id)
}

func notNow(t Threshold) error {
	return fault.New(fault.Conflict, "Version %d is now %s. Reload to see what applies.", t.Version, t.State)
}

func reasoned(why string) (string, error) {
	return text.Reason(why, "why", "Say why. Your reason is kept on record.")
}

const thresholdColumns = `SELECT t.id, t.version, t.kind, t.pack, run_id, panel, content, t.state, t.proposed_at,
	asked_by, asked_name, switched_by, switched_name, switched_at, switched_why,
	ended_by, ended_name, ended_at, ended_why, coalesce(q.id, ''), coalesce(q.proposed_by, ''),
		coalesce(q.proposed_name, ''), coalesce(reason, ''), coalesce(q.proposed_at, 0),
	coalesce(decided_by, ''), coalesce(decided_name, ''), coalesce(decided_at, 0)
	FROM judge_threshold t LEFT JOIN approval q ON q.kind = t.kind AND q.version = t.version
		AND q.state IN ('proposed', 'agreed') `

func scanThreshold(row db.Row) (t Threshold, err error) {
	var content string
	var ask approval.Change
	err = row.Scan(&t.ID, &t.Version, &t.Kind, &t.Pack, &t.RunID, &t.PanelID, &content, &t.State, db.At(&t.ProposedAt),
		&t.AskedBy.ID, &t.AskedBy.Name, &t.Switched.ID, &t.Switched.Name, db.At(&t.SwitchedAt), &t.SwitchedWhy,
		&t.Ended.ID, &t.Ended.Name, db.At(&t.EndedAt), &t.EndedWhy, &ask.ID, &ask.Proposed.By, &ask.Proposed.Name,
		&ask.Reason, db.At(&ask.Proposed.At), &ask.Decided.By, &ask.Decided.Name, db.At(&ask.Decided.At))
	if err != nil {
		return t, err
	}
	if ask.ID != "" {
		t.Asked = &ask
	}
	var into any = &t.Content
	if t.Kind == ForJudge {
		t.Refitted = &Refitted{}
		into = t.Refitted
	}
	if err := json.Unmarshal([]byte(content), into); err != nil {
		return t, fmt.Errorf("evaluate: read a threshold: %w", err)
	}
	t.Threshold.Value = min(t.Threshold.Value, measure.MostThreshold) // one from before there was a bound
	return t, nil
}

func thresholdTx(tx *db.Tx, where string, args ...any) (Threshold, error) {
	return scanThreshold(db.One(tx, "evaluate: read a threshold", thresholdColumns+where,
		args...).Or(fault.New(fault.NotFound, "There is no such threshold.")))
}

// Threshold reads one.
func (s *Store) Threshold(ctx context.Context, thresholdID string) (Threshold, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (Threshold, error) {
		return thresholdTx(tx, `WHERE t.id = $1`, thresholdID)
	})
}

// Thresholds lists the newest versions, at most limit below before; 0 is the first page.
func (s *Store) Thresholds(ctx context.Context, before, limit int) ([]Threshold, bool, error) {
	return page(ctx, s, before, limit, "evaluate: list thresholds", scanThreshold,
		thresholdColumns+`WHERE t.version < $1
		ORDER BY t.version DESC LIMIT $2`)
}
