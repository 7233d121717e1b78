package evaluate

import (
	"context"
	"fmt"
	"slices"

	"preceptor/internal/audit"
	"preceptor/internal/compliance/measure"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/version"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// What a text of a gold set teaches.
const (
	Exemplar      = "exemplar"      // a clear pass, once a person approved it
	Reflection    = "reflection"    // a clear fail
	Clarification = "clarification" // a borderline text
)

const (
	clearFrom   = 0.7 // an expert's confidence from which a label is clear; one that was not asked for is
	passesShown = 50  // of the clear passes that a page offers at once
	taughtOnce  = 100 // fails and borderline texts that one press sends down the path
)

// Gold is a text of a gold set that may teach.
type Gold struct {
	Item
	Kind    string
	Dataset string // its name and version
	Answer  dataset.Answer
}

// Origin names the text and what was said of it, the same in every version.
func (g Gold) Origin() string { return "gold/" + g.ID + "/" + g.Truth }

// Teaching is what a version has to teach.
type Teaching struct {
	Version version.Version
	Name    string
	Passes  []Gold // clear passes that nobody decided on, at most passesShown
	More    int    // of them beyond those
	Fails   int    // clear fails that were not sent yet
	Border  int    // borderline texts that were not sent yet
	Taught  int    // texts of this version that taught already, or were passed over
}

// Agent is whose knowledge something becomes.
type Agent struct{ ID, Name string }

// Taught is what came of a press. Known are texts that began a lesson before, in another version or for another agent.
type Taught struct{ Exemplars, PassedOver, Lessons, Known, Left int }

// kindOf is what a text teaches; "" for one that is not clear.
func kindOf(a dataset.Answer) string {
	sure := a.Confidence == nil || *a.Confidence >= clearFrom
	switch {
	case a.Label == measure.Compliant && sure && len(a.Issues) == 0:
		return Exemplar
	case a.Label == measure.NonCompliant && sure:
		return Reflection
	case a.Label == measure.Borderline:
		return Clarification
	}
	return ""
}

// CanTeach gathers what a version has to teach. Only the split train teaches: what the judges and the advisor are
// measured on must not be what they learned from.
func (s *Store) CanTeach(ctx context.Context, datasetID string, number int) (t Teaching, err error) {
	_, t, err = s.gather(ctx, datasetID, number)
	return t, err
}

func (s *Store) gather(ctx context.Context, datasetID string, number int) (open []Gold, t Teaching, err error) {
	v, err := s.versions.Get(ctx, datasetID, number)
	if err != nil {
		return nil, t, err
	}
	t.Version, t.Name = *v, fmt.Sprintf("%s, version %d", v.Head.Dataset, v.Number)
	taught, err := s.taught(ctx, v.ID)
	if err != nil {
		return nil, t, err
	}
	t.Taught = len(taught)
	set, err := s.sets.Get(ctx, v.DatasetID)
	if err != nil {
		return nil, t, err
	}
	err = s.versions.Each(ctx, v.ID, version.Train, func(row *version.Row) error {
		kind := kindOf(row.Answer)
		if row.Erased || kind == "" || taught[row.ItemID] {
			return nil
		}
		it, err := itemOfRow(row, set.Pack)
		if err != nil {
			return err
		}
		g := Gold{Item: it, Kind: kind, Dataset: t.Name, Answer: row.Answer}
		open = append(open, g)
		switch {
		case kind == Reflection:
			t.Fails++
		case kind == Clarification:
			t.Border++
		case len(t.Passes) < passesShown:
			t.Passes = append(t.Passes, g)
		default:
			t.More++
		}
		return nil
	})
	return open, t, err
}

func (s *Store) taught(ctx context.Context, versionID string) (map[string]bool, error) {
	out := map[string]bool{}
	err := s.db.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "evaluate: what was taught", db.Keys(out), `SELECT item_id FROM judge_taught
			WHERE version_id = $1`, versionID)
	})
	return out, err
}

// TeachInput is what a person decided about a version.
type TeachInput struct {
	DatasetID string
	Number    int
	Agent     Agent       // whose knowledge it becomes
	Approved  []string    // clear passes that become exemplars
	Passed    []string    // clear passes that don't
	Lessons   bool        // send fails and borderline texts down the learning path, the first taughtOnce of them
	By        audit.Actor // who approves
}

// Teach does it. A text teaches once per version, however often it is asked for; one that taught in another version
// makes the same case or lesson again, which changes nothing. Denied to who may not switch thresholds either; Invalid
// where something was approved that is no clear pass of the version.
func (s *Store) Teach(ctx context.Context, in TeachInput) (out Taught, err error) {
	if err := s.may(ctx, in.By); err != nil {
		return out, err
	}
	open, t, err := s.gather(ctx, in.DatasetID, in.Number)
	if err != nil {
		return out, err
	}
	for _, id := range append(slices.Clone(in.Approved), in.Passed...) {
		if !slices.ContainsFunc(open, func(g Gold) bool { return g.ID == id && g.Kind == Exemplar }) {
			return out, fault.New(fault.Conflict,
				"One of these texts can no longer be used for learning. Reload the page and try again.")
		}
	}
	for _, g := range open {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		kept := false
		switch {
		case g.Kind == Exemplar && slices.Contains(in.Approved, g.ID):
			if kept, err = s.exemplar(ctx, t, g, in); kept {
				out.Exemplars++
			}
		case g.Kind == Exemplar && slices.Contains(in.Passed, g.ID):
			if kept, err = s.once(ctx, t, g, in, func(*db.Tx) (string, error) { return "", nil }); kept {
				out.PassedOver++
			}
		case g.Kind != Exemplar && in.Lessons && out.Lessons < taughtOnce:
			begins := false
			kept, err = s.once(ctx, t, g, in, func(tx *db.Tx) (_ string, err error) {
				begins, err = s.hooks.OnLesson(tx, g, in.Agent)
				return g.Origin(), err
			})
			switch {
			case kept && begins:
				out.Lessons++
			case kept:
				out.Known++
			}
		default:
			out.Left++
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

func (s *Store) may(ctx context.Context, by audit.Actor) error {
	return s.db.Read(ctx, func(tx *db.Tx) error { return s.hooks.MaySwitch(tx, by.ID) })
}

// exemplar prepares a case outside of any transaction, as that may ask an embedder, and keeps it in one.
func (s *Store) exemplar(ctx context.Context, t Teaching, g Gold, in TeachInput) (bool, error) {
	keep, err := s.hooks.OnExemplar(ctx, g, in.Agent, in.By)
	if err != nil {
		return false, err
	}
	return s.once(ctx, t, g, in, keep)
}

// once does something with a text, in the transaction that notes that it was done, unless it was.
func (s *Store) once(ctx context.Context, t Teaching, g Gold, in TeachInput,
	do func(tx *db.Tx) (objectID string, err error)) (kept bool, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		if err := s.hooks.MaySwitch(tx, in.By.ID); err != nil {
			return err
		}
		if n, err := db.Change(tx, "evaluate: note what was taught", `INSERT INTO judge_taught (version_id, item_id,
				kind, object_id, by_id, by_name, at) VALUES ($1, $2, $3, '', $4, $5, $6)
			ON CONFLICT (version_id, item_id) DO NOTHING`, t.Version.ID, g.ID, g.Kind, in.By.ID, in.By.Name,
			tx.NowMs()); err != nil || n == 0 {
			return err
		}
		kept = true
		object, err := do(tx)
		if err != nil {
			return err
		}
		if err := db.Exec(tx, "evaluate: note what was taught", `UPDATE judge_taught SET object_id = $1
			WHERE version_id = $2 AND item_id = $3`, object, t.Version.ID, g.ID); err != nil {
			return err
		}
		tx.Touch("judges")
		return audit.Note(tx, in.By, "dataset.taught", "dataset_version", t.Version.ID,
			map[string]any{"item": g.ID, "as": g.Kind, "became": object, "agent": in.Agent.ID})
	})
	return kept && err == nil, err
}
