// Package history is the evidence pack of one interaction: what was asked, drafted, known, checked, changed, signed and
// delivered, in order, with the audit rows that say so. It owns no table and asks those that do.
//
// What it promises. Every text is shown as it is kept, whole; what was erased says so in its place. The draft, each
// text that somebody signed and the question stand in the pack's manifest beside the row that recorded them (package
// evidence). The prompt is made again of what is kept and compared with its hash; the pack says how that came out. The
// order of the parts is the order of events. Nothing in a pack is a judgement of this package: labels and words are
// those of the records.
//
// Blindness. While experts are still at a borderline case, its verdicts and votes are not for anybody who may answer;
// who asks for a pack then has to be told from those by the caller (Open tells).
//
// What it decided against: leaving out what speaks against the firm (a pack that chooses is no evidence); the words of
// lessons and of the rules that came of them (they are about other matters; their ids and states stand here);
// screenshots.
package history

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/comment"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/delivery"
	"preceptor/internal/evidence"
	"preceptor/internal/feedback"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
)

// Teller makes evidence packs of interactions. All fields but Feedback must be set.
type Teller struct {
	DB           *db.DB
	Maker        *evidence.Maker
	Interactions *interaction.Store
	Compliance   *compliance.Store
	Borderline   *borderline.Store
	Reviews      *review.Queue
	Knowledge    *knowledge.Base
	Learning     *learning.Pipeline
	Comments     *comment.Store
	Delivery     *delivery.Service
	Feedback     *feedback.Book // nil: there is none
}

// told is all that is on record of an interaction.
type told struct {
	in        *interaction.Interaction
	history   []interaction.Event
	given     *knowledge.Prompt // nil: nothing is on record of what the draft was shown
	verdicts  []compliance.Recorded
	cases     []borderline.Case
	rulings   map[string]*borderline.Ruling
	item      *review.Item // nil: it never came to the desk
	decisions []review.Decision
	comments  []comment.Comment
	receipts  []delivery.Receipt
	standing  delivery.Standing
	lessons   []learning.Lesson
	said      feedback.Said
	newer     string
	rows      []audit.Exported
}

// read gathers it. The parts are read one after the other: whoever decides meanwhile is seen in the later ones, and the
// rows come last, so that nothing is shown of which no row tells.
func (t *Teller) read(ctx context.Context, id string) (s told, err error) {
	if s.in, err = t.Interactions.Get(ctx, id); err != nil {
		return s, err
	}
	for _, step := range []func() error{
		func() (err error) { s.history, err = t.Interactions.History(ctx, id); return err },
		func() (err error) { s.newer, err = t.Interactions.RevisedBy(ctx, id); return err },
		func() (err error) { s.given, err = t.Knowledge.Prompt(ctx, id); return optional(err) },
		func() (err error) { s.verdicts, err = t.Compliance.Of(ctx, id); return err },
		func() (err error) { s.cases, s.rulings, err = t.Borderline.ForInteraction(ctx, id); return err },
		func() (err error) { s.item, err = t.Reviews.Get(ctx, id); return optional(err) },
		func() (err error) { s.decisions, err = t.Reviews.DecisionsFor(ctx, id); return err },
		func() (err error) { s.comments, err = t.commentsOf(ctx, id); return err },
		func() (err error) { s.receipts, err = t.Delivery.Receipts(ctx, s.in.AgentID, id); return err },
		func() (err error) { s.standing, err = t.Delivery.Of(ctx, s.in.AgentID, id); return err },
		func() (err error) { s.lessons, err = t.Learning.ForInteraction(ctx, id); return err },
		func() (err error) { s.said, err = t.saidOf(ctx, id); return err },
		func() (err error) { s.rows, err = audit.RowsAbout(ctx, t.DB, "interaction", id); return err },
	} {
		if err := step(); err != nil {
			return s, err
		}
	}
	return s, nil
}

// optional takes what is not there for nothing.
func optional(err error) error {
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

func (t *Teller) commentsOf(ctx context.Context, id string) ([]comment.Comment, error) {
	found, err := t.Comments.ForCases(ctx, []string{id})
	return found[id], err
}

func (t *Teller) saidOf(ctx context.Context, id string) (feedback.Said, error) {
	if t.Feedback == nil {
		return feedback.Said{}, nil
	}
	return t.Feedback.SaidOf(ctx, id)
}

// Standing is what somebody who asks for a pack is told first.
type Standing struct {
	ID, Agent, Task string
	Status          interaction.Status
	At              time.Time
	Erased          time.Time
	Planted         bool
	Recalled        bool     // its text had been sent
	Deciding        bool     // a decision on it isn't final
	Open            bool     // experts are still at a borderline case of it
	Signed          []string // accounts that decided, first or second, where the decision is settled
	Packs           []Made   // newest first
}

// Made is a pack on record.
type Made struct {
	At   time.Time
	By   audit.Actor
	Seal audit.Head
	// Hash is the SHA-256 of its body, the first Bytes of the file; "" once erased.
	Hash  string
	Bytes int
}

// Standing tells about an interaction before its pack is made; NotFound when there is none.
func (t *Teller) Standing(ctx context.Context, id string) (st Standing, err error) {
	in, err := t.Interactions.Get(ctx, id)
	if err != nil {
		return st, err
	}
	st = Standing{ID: in.ID, Agent: in.AgentName, Task: in.Consultation.TaskType, Status: in.Status, At: in.CreatedAt,
		Erased: in.ErasedAt, Planted: in.Planted}
	cases, _, err := t.Borderline.ForInteraction(ctx, id)
	if err != nil {
		return st, err
	}
	st.Open = slices.ContainsFunc(cases, borderline.Case.Open)
	decisions, err := t.Reviews.DecisionsFor(ctx, id)
	if err != nil {
		return st, err
	}
	for _, d := range decisions {
		st.Recalled = st.Recalled || d.State == review.Recalled
		st.Deciding = st.Deciding || d.State == review.Pending || d.State == review.Held
		if d.State != review.Pending && d.State != review.Held {
			st.Signed = append(st.Signed, d.By.ID, d.Second.ID)
		}
	}
	st.Signed = slices.DeleteFunc(st.Signed, func(id string) bool { return id == "" })
	page, err := audit.List(ctx, t.DB,
		audit.Filter{Action: evidence.ActionPacked, ObjectKind: evidence.Interaction, ObjectID: id})
	for _, r := range page.Rows {
		m := Made{At: r.At, By: r.Actor, Seal: audit.Head{Seq: r.Seq, Hash: r.Hash}}
		var content struct {
			SHA256 string `json:"sha256"`
			Bytes  int    `json:"bytes"`
		}
		if json.Unmarshal(r.Content, &content) == nil {
			m.Hash, m.Bytes = content.SHA256, content.Bytes
		}
		st.Packs = append(st.Packs, m)
	}
	return st, err
}

// Make makes the pack of an interaction; NotFound when there is none. That it was made, and by whom, is on record.
func (t *Teller) Make(ctx context.Context, id string, by audit.Actor) (*evidence.Pack, error) {
	s, err := t.read(ctx, id)
	if err != nil {
		return nil, err
	}
	v := s.view()
	parts, err := v.parts()
	if err != nil {
		return nil, err
	}
	return t.Maker.Make(ctx, evidence.Content{Kind: evidence.Interaction, Name: "evidence report", Subject: id,
		Title: "Guidance " + id, Lead: v.Lead, File: "evidence-" + id, Parts: parts,
		Facts: v, Texts: s.texts(), Rows: s.rows}, by)
}
