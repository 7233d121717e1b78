// Package judging has the whole panel read a draft after it arrived, where judges need a network.
//
// It owns the table judging: one row per interaction whose verdict waits for such judges. A submission is answered at
// once with the verdict of checks and local judges (compliance.Validator.Glance). Where every judge is local that
// verdict is the panel's own, nothing is left to ask, and no job is made: the issue speaks of a job on every
// submission, and a job that computes what is on record already would only make the desk wait. Where the checks alone
// stop a text nobody is asked either.
//
//	asked ──> answered          the quorum voted; the verdict is recorded
//	   └────> failed            it did not, up to the last try; the verdict says so, and a person must look
//
// What it promises.
//   - The panel is asked outside any transaction; the verdict, the row and what follows (Follow) are one. The job is
//     keyed by the interaction: running twice has one effect, and a killed one runs again.
//   - A draft that is asked about is neither approved (MayApproveTx) nor let go by sampling (Pending) before the panel
//     answered or failed for good. It can be rejected, sent back or rewritten meanwhile: who rewrites it makes another
//     text.
//   - A panel of which too few answer is asked again, a few minutes long. Then the short verdict counts, which sends a
//     person.
//   - A verdict that comes when the case was decided is recorded and changes nothing else.
//
// Decided against: asking the panel about text that a supervisor rewrites (a person wrote it and signs it; the checks
// and the local judges read it while they type), and a state of the interaction (agents would see the inside of the
// desk).
package judging

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"
)

// The states.
const (
	Asked    = "asked"
	Answered = "answered"
	Failed   = "failed"
)

// tries is how often a panel is asked that too few of answer: at once, and after 1, 16 and 81 seconds.
const tries = 4

// Work is the job that asks the panel about one interaction.
type Work struct {
	InteractionID string `json:"interaction_id"`
}

// Kind names the job.
func (Work) Kind() string { return "compliance.judge" }

// Judged is a verdict of the whole panel on a draft.
type Judged struct {
	Interaction *interaction.Interaction
	Verdict     compliance.Verdict
}

// Desk asks panels and keeps what they said.
type Desk struct {
	d            *db.DB
	jobs         *job.Queue
	interactions *interaction.Store
	verdicts     *compliance.Store
	validator    *compliance.Validator
	log          *slog.Logger
	follow       Follow
}

// Follow runs in the transaction that records the verdict of the whole panel on a draft.
type Follow func(tx *db.Tx, j Judged) error

// New makes the desk and registers its job with jobs, which must not have been started.
func New(d *db.DB, jobs *job.Queue, interactions *interaction.Store, verdicts *compliance.Store,
	v *compliance.Validator, follow Follow, log *slog.Logger) *Desk {
	s := &Desk{d: d, jobs: jobs, interactions: interactions, verdicts: verdicts, validator: v, follow: follow, log: log}
	job.Register(jobs, func(ctx context.Context, w Work) error { return s.Run(ctx, w.InteractionID) })
	return s
}

// BeginTx has the whole panel asked about a draft whose verdict so far is v, if that is not the last word; pending
// reports whether it is. A second call for the same draft changes nothing.
func (s *Desk) BeginTx(tx *db.Tx, in *interaction.Interaction, v compliance.Verdict) (pending bool, err error) {
	if !s.validator.Panel().Of(in.Consultation.Pack).Remote() || v.Critical() {
		return false, nil
	}
	err = db.Exec(tx, "judging: ask about "+in.ID, `INSERT INTO judging (interaction_id, text_hash, state, asked_at)
		VALUES ($1, $2, 'asked', $3)
		ON CONFLICT (interaction_id) DO NOTHING`, in.ID, in.GuidanceHash, tx.NowMs())
	if err != nil {
		return false, err
	}
	return true, s.jobs.InsertTx(tx, Work{InteractionID: in.ID}, job.Unique(), job.Network(), job.Attempts(tries))
}

// Standing is how far the panel is with an interaction. The zero value: it was not asked.
type Standing struct {
	State    string
	Why      string
	TextHash string
	AskedAt  time.Time
}

// StandingTx reads it.
func (s *Desk) StandingTx(tx *db.Tx, interactionID string) (Standing, error) {
	var st Standing
	found, err := db.One(tx, fmt.Sprintf("judging: how far with %s", interactionID), `SELECT state, why, text_hash,
		asked_at
		FROM judging WHERE interaction_id = $1`, interactionID).Find(&st.State, &st.Why, &st.TextHash,
		db.At(&st.AskedAt))
	if err != nil || !found {
		return Standing{}, err
	}
	return st, nil
}

// Standing is StandingTx in a transaction of its own.
func (s *Desk) Standing(ctx context.Context, interactionID string) (Standing, error) {
	return db.Read(ctx, s.d, func(tx *db.Tx) (Standing, error) { return s.StandingTx(tx, interactionID) })
}

// MayApproveTx is nil unless the panel is still reading the draft: a Conflict then, which says what can be done.
func (s *Desk) MayApproveTx(tx *db.Tx, interactionID string) error {
	st, err := s.StandingTx(tx, interactionID)
	if err == nil && st.State == Asked {
		return fault.New(fault.Conflict,
			"The judges are still reading this draft. Approve it once they have answered, which takes a few minutes "+
				"at most; reject it, revise it or send it back at any time.")
	}
	return err
}

// Run asks the panel and records what it said. It is the job's work; running it twice has one effect.
func (s *Desk) Run(ctx context.Context, interactionID string) error {
	st, err := s.Standing(ctx, interactionID)
	if err != nil || st.State != Asked {
		return err
	}
	in, err := s.interactions.Get(ctx, interactionID)
	if err != nil {
		return s.giveUp(ctx, interactionID, err)
	}
	v := s.validator.Validate(ctx, in.Guidance, in.Consultation)
	if err := ctx.Err(); err != nil {
		return s.giveUp(ctx, interactionID,
			fault.Wrap(fault.Unavailable, err, "The judges were interrupted and will be asked again."))
	}
	to, why := Answered, ""
	if quorumIsShort(v) {
		why = "Too few judges answered. " + reasons(v)
		if !job.LastAttempt(ctx) {
			return fault.New(fault.Unavailable, "%s They will be asked again.", why)
		}
		to = Failed
	}
	if err := s.record(ctx, in, v, to, why); err != nil {
		return s.giveUp(ctx, interactionID, err)
	}
	return nil
}

// quorumIsShort reports whether v is a verdict that the panel did not reach: judges were asked, and the checks' word
// stands.
func quorumIsShort(v compliance.Verdict) bool {
	return len(v.Judges) > 0 && v.Split == ""
}

// reasons are why judges abstained, each once.
func reasons(v compliance.Verdict) string {
	out, seen := "", map[string]bool{}
	for _, j := range v.Judges {
		if j.Abstained && !seen[j.Why] {
			seen[j.Why] = true
			if out != "" {
				out += " "
			}
			out += j.Judge + ": " + j.Why
		}
	}
	return out
}

// record stores a verdict and ends the asking, unless another run of the job did.
func (s *Desk) record(ctx context.Context, in *interaction.Interaction, v compliance.Verdict, to, why string) error {
	return s.d.Write(ctx, func(tx *db.Tx) error {
		first, err := s.endTx(tx, in.ID, to, why)
		if err != nil || !first {
			return err
		}
		if err := s.verdicts.RecordTx(tx, in.ID, in.GuidanceHash, v); err != nil {
			return err
		}
		if in, err = s.interactions.GetTx(tx, in.ID); err != nil {
			return err
		}
		return s.follow(tx, Judged{Interaction: in, Verdict: v})
	})
}

func (s *Desk) endTx(tx *db.Tx, interactionID, to, why string) (first bool, err error) {
	n, err := db.Change(tx, "judging: end "+interactionID, `UPDATE judging SET state = $1, why = $2, ended_at = $3
		WHERE interaction_id = $4 AND state = 'asked'`,
		to, why, tx.NowMs(), interactionID)
	tx.Touch("reviews")
	return n == 1, err
}

// giveUp ends the asking when the job will not be tried again, so that no draft waits for judges for ever. The verdict
// of the submission is recorded again with the votes that are missing, so that a person looks whatever it said.
func (s *Desk) giveUp(ctx context.Context, interactionID string, cause error) error {
	if !job.LastAttempt(ctx) && fault.KindOf(cause).Retriable() {
		return cause
	}
	ctx = context.WithoutCancel(ctx) // a time that ran out ends the asking, not the record of it
	err := s.recordAbsence(ctx, interactionID, cause)
	if err != nil {
		err = errors.Join(err, s.d.Write(ctx, func(tx *db.Tx) error {
			_, err := s.endTx(tx, interactionID, Failed, fault.Message(cause))
			return err
		}))
	}
	return errors.Join(cause, err)
}

func (s *Desk) recordAbsence(ctx context.Context, interactionID string, cause error) error {
	in, err := s.interactions.Get(ctx, interactionID)
	if err != nil {
		return err
	}
	v := s.validator.WithoutRemote(in.Guidance, in.Consultation, "It could not be asked.")
	return s.record(ctx, in, v, Failed, fault.Message(cause))
}
