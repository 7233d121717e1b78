package evaluate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"preceptor/internal/dataset/version"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"
)

const (
	batch     = 16              // items that are asked about and stored together
	jobsShare = 3 * time.Minute // of one job; a job has five, and the next goes on
)

// Work is the job that works a part of a run.
type Work struct {
	RunID string `json:"run_id"`
	Part  int    `json:"part"` // so that a part can queue the next while it runs itself
}

// Kind names the job.
func (Work) Kind() string { return "compliance.measure" }

// errPause ends a walk over a version before its end.
var errPause = errors.New("evaluate: enough for now")

func (s *Store) work(ctx context.Context, w Work) error {
	began := time.Now()
	more, err := s.part(ctx, w.RunID, func() bool { return time.Since(began) < jobsShare }, nil)
	if err == nil && more {
		err = s.db.Write(ctx, func(tx *db.Tx) error {
			return s.jobs.InsertTx(tx, Work{RunID: w.RunID, Part: w.Part + 1}, job.Network(), job.Unique())
		})
	}
	if err != nil && (job.LastAttempt(ctx) || !fault.KindOf(err).Retriable()) {
		ferr := s.db.Write(context.WithoutCancel(ctx), func(tx *db.Tx) error {
			return endTx(tx, w.RunID, Failed, fault.Message(err))
		})
		return errors.Join(err, ferr)
	}
	return err
}

// Finish works a run to its end, for a command; progress may be nil.
func (s *Store) Finish(ctx context.Context, runID string, progress func(done, total int)) (Run, error) {
	if _, err := s.part(ctx, runID, func() bool { return true }, progress); err != nil {
		if ctx.Err() == nil {
			err = errors.Join(err, s.db.Write(ctx, func(tx *db.Tx) error {
				return endTx(tx, runID, Failed, fault.Message(err))
			}))
		}
		return Run{}, err
	}
	return s.Get(ctx, runID)
}

// part works a run as long as goOn says; more reports whether something is left. It goes on after the last item that is
// stored, and has no effect on a run that has ended.
func (s *Store) part(ctx context.Context, runID string, goOn func() bool,
	progress func(done, total int)) (more bool, err error) {
	r, err := s.begin(ctx, runID)
	if err != nil || r.State != Running {
		return false, err
	}
	if now := PanelID(s.validator.Panel()); now != r.PanelID {
		return false, fault.New(fault.Invalid,
			"The panel has changed since this run began. Start a new one; the answers so far are kept.")
	}
	set, err := s.sets.Get(ctx, r.DatasetID)
	if err != nil {
		return false, err
	}
	learned := s.learned(pack.Of(set.Pack).Name)
	hash := newHash()
	n, list := 0, make([]Item, 0, batch)
	flush := func() error {
		if len(list) == 0 {
			return nil
		}
		answered := Ask(ctx, s.validator, list)
		if err := ctx.Err(); err != nil {
			return fault.Wrap(fault.Unavailable, err, "The run was interrupted and will continue later.")
		}
		stopped, err := s.keep(ctx, r.ID, n-len(list), answered)
		if err != nil || stopped {
			return errors.Join(err, errStoppedIf(stopped))
		}
		list = list[:0]
		if progress != nil {
			progress(n, r.Total)
		}
		if !goOn() {
			more = true
			return errPause
		}
		return nil
	}
	err = s.versions.Each(ctx, r.VersionID, r.Split, func(row *version.Row) error {
		if row.Erased {
			return nil
		}
		it, err := itemOfRow(row, set.Pack)
		if err != nil {
			return err
		}
		if learned != nil && (learned.knows(row.ItemID) || learned.knows(row.SourceID)) {
			it.Split = version.Train // a ruling that taught before the set had it: nothing is certified on it
		}
		n++
		hash.add(it)
		if n <= r.Done {
			return nil
		}
		if list = append(list, it); len(list) < batch {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	switch {
	case errors.Is(err, errPause):
		return more, nil
	case errors.Is(err, errStopped):
		return false, nil
	case err != nil:
		return false, err
	}
	return false, s.conclude(ctx, r, hash.sum())
}

var errStopped = errors.New("evaluate: somebody stopped it")

func errStoppedIf(stopped bool) error {
	if stopped {
		return errStopped
	}
	return nil
}

func itemOfRow(row *version.Row, packName string) (Item, error) {
	it := Item{ID: row.ItemID, Family: row.Cluster, Split: row.Split, Guidance: row.Guidance, Truth: row.Label,
		Codes: sorted(row.Answer.Codes()),
		Consultation: interaction.Consultation{Question: row.Question, Messages: row.Messages,
			Pack: packName}}
	if len(row.Customer) > 0 {
		if err := json.Unmarshal(row.Customer, &it.Consultation.Customer); err != nil {
			// Sets take customers of any shape; what can't be read as ours is kept as free fields, which checks and
			// judges read too.
			var free map[string]any
			if ferr := json.Unmarshal(row.Customer, &free); ferr != nil {
				return it, fmt.Errorf("evaluate: the customer of item %d: %w", row.N, err)
			}
			it.Consultation.Customer = interaction.Customer{Extra: free}
		}
	}
	return it, nil
}

// begin marks a run as running and reads it.
func (s *Store) begin(ctx context.Context, runID string) (r Run, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		if err := db.Exec(tx, "evaluate: begin a run", `UPDATE judge_run SET state = 'running'
			WHERE id = $1 AND state = 'waiting'`, runID); err != nil {
			return err
		}
		tx.Touch("judges")
		r, err = getTx(tx, runID)
		return err
	})
	return r, err
}

// keep stores answers of the items after number before, unless another run of the job did or the run has ended.
func (s *Store) keep(ctx context.Context, runID string, before int, answered []Answered) (stopped bool, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		if n, err := db.Change(tx, "evaluate: count what is done", `UPDATE judge_run SET done = $1
			WHERE id = $2 AND state = 'running' AND done = $3`, before+len(answered), runID, before); err != nil ||
			n == 0 {
			stopped = true
			return err
		}
		for i, a := range answered {
			if err := keepOne(tx, runID, before+i+1, a); err != nil {
				return err
			}
		}
		tx.Touch("judges")
		return nil
	})
	return stopped, err
}

func keepOne(tx *db.Tx, runID string, n int, a Answered) error {
	codes, err := json.Marshal(a.Codes)
	if err != nil {
		return fmt.Errorf("evaluate: encode codes: %w", err)
	}
	if err := db.Exec(tx, "evaluate: keep an item", `INSERT INTO judge_item (run_id, n, item_id, family, split, truth,
			codes)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		runID, n, a.ID, a.Family, a.Split, a.Truth, string(codes)); err != nil {
		return err
	}
	for _, said := range a.Said {
		codes, err := json.Marshal(said.Codes)
		if err != nil {
			return fmt.Errorf("evaluate: encode codes: %w", err)
		}
		if err := db.Exec(tx, "evaluate: keep an answer", `INSERT INTO judge_answer (run_id, n, who, said, review,
				violation, codes, why, tokens, duration_ms)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
			runID, n, said.Who, said.Label, said.Review, said.Violation, string(codes), said.Why, said.Tokens,
			said.DurationMs); err != nil {
			return err
		}
	}
	return nil
}

// Answers reads what was said in a run, in the order of its items.
func (s *Store) Answers(ctx context.Context, runID string) (list []Answered, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "evaluate: read answers", func(row db.Row) error {
			var a Answered
			var said Said
			var truth, codes string
			if err := row.Scan(&a.N, &a.ID, &a.Family, &a.Split, &a.Truth, &truth, &said.Who, &said.Label, &said.Review,
				&said.Violation, &codes, &said.Why, &said.Tokens, &said.DurationMs); err != nil {
				return err
			}
			if err := errors.Join(json.Unmarshal([]byte(truth), &a.Codes),
				json.Unmarshal([]byte(codes), &said.Codes)); err != nil {
				return fmt.Errorf("evaluate: read codes: %w", err)
			}
			if last := len(list) - 1; last >= 0 && list[last].N == a.N {
				list[last].Said = append(list[last].Said, said)
				return nil
			}
			a.Said = []Said{said}
			list = append(list, a)
			return nil
		}, `SELECT i.n, i.item_id, i.family, i.split, i.truth, i.codes, a.who, a.said, a.review, a.violation, a.codes,
			a.why, a.tokens, a.duration_ms
			FROM judge_item i JOIN judge_answer a ON a.run_id = i.run_id AND a.n = i.n WHERE i.run_id = $1
				ORDER BY i.n, a.who`, runID)
	})
	return list, err
}

// conclude makes the figures of a run whose items are all answered, and proposes a threshold where the set allows one.
func (s *Store) conclude(ctx context.Context, r Run, hash string) error {
	answered, err := s.Answers(ctx, r.ID)
	if err != nil {
		return err
	}
	figures, err := Measure(answered, r.Members)
	if err != nil {
		return err
	}
	if figures.Agreement, err = s.beside(ctx, r, answered); err != nil {
		return err
	}
	text, err := json.Marshal(figures)
	if err != nil {
		return fmt.Errorf("evaluate: encode figures: %w", err)
	}
	proposal, err := propose(answered, DefaultAim, "")
	if err != nil && !fault.Is(err, fault.Invalid) {
		return err
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		res, err := tx.Exec(`UPDATE judge_run SET state = 'done', figures = $1, content_hash = $2, ended_at = $3
			WHERE id = $4 AND state = 'running'`,
			string(text), hash, tx.NowMs(), r.ID)
		if err != nil {
			return fmt.Errorf("evaluate: keep figures: %w", err)
		}
		tx.Touch("judges")
		if n, err := res.RowsAffected(); err != nil || n == 0 || proposal == nil || !proposal.Threshold.Certified {
			return err
		}
		_, err = s.proposeTx(tx, r, *proposal, compliancePanel)
		return err
	})
}
