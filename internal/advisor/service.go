package advisor

import (
	"context"
	"fmt"
	"log/slog"
	"slices"

	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/hook"
	"preceptor/internal/platform/job"
	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/text"
)

// Work is the job that drafts for one interaction.
type Work struct {
	InteractionID string `json:"interaction_id"`
}

// Kind names the job.
func (Work) Kind() string { return "advisor.draft" }

// tries is how often a draft is tried before the interaction is marked as failed.
const tries = 4

// topCases is how many cases a draft may draw on: more than the seed's three, since only those that answer are used.
const topCases = 8

// topRules is how many rules a draft is given: more than the seed's four, since a rule that holds is carried out
// whatever else does.
const topRules = 12

// Service drafts for interactions that ask our own advisor.
type Service struct {
	d            *db.DB
	jobs         *job.Queue
	interactions *interaction.Store
	knowledge    *knowledge.Base
	drafter      Drafter
	hooks        Hooks
	log          *slog.Logger
}

// Hooks are what a draft needs of others.
type Hooks struct {
	// Withhold says what a draft goes without on purpose, as the control arm of an experiment does, and keeps record of
	// it. It is asked before each try and must answer the same.
	Withhold func(ctx context.Context, in *interaction.Interaction) (knowledge.Withhold, error)
	// Shots gives what customers liked, for the prompt; ShownTx notes that a draft was written with them in sight, in
	// the transaction of the ledger.
	Shots   func(ctx context.Context, in *interaction.Interaction) (Shots, error)
	ShownTx func(tx *db.Tx, in *interaction.Interaction, ids []string) error
}

// New makes the service and registers its job with jobs, which must not have been started.
func New(d *db.DB, jobs *job.Queue, interactions *interaction.Store, kb *knowledge.Base, drafter Drafter, h Hooks,
	log *slog.Logger) *Service {
	hook.Complete(h)
	s := &Service{d: d, jobs: jobs, interactions: interactions, knowledge: kb, drafter: drafter, hooks: h, log: log}
	job.Register(jobs, func(ctx context.Context, w Work) error { return s.Draft(ctx, w.InteractionID) })
	return s
}

// TakesNotes reports whether what was sent back with a note would be written again by it.
func (s *Service) TakesNotes() bool { return s.drafter != Embedded{} }

// EnqueueTx has the draft made once the transaction is on the disk; for interaction's OnAsked.
func (s *Service) EnqueueTx(tx *db.Tx, in *interaction.Interaction) error {
	return s.jobs.InsertTx(tx, Work{InteractionID: in.ID}, job.Unique(), job.Attempts(tries))
}

// Draft recalls, drafts and hands the draft over. Running twice has one effect. When it fails for good the interaction
// says why, in words for a person.
func (s *Service) Draft(ctx context.Context, id string) error {
	in, err := s.interactions.Get(ctx, id)
	if err != nil {
		return err
	}
	if in.Status != interaction.Drafting && in.Status != interaction.Failed {
		return nil
	}
	err = s.draft(ctx, in)
	if err == nil {
		return nil
	}
	if job.LastAttempt(ctx) || !fault.KindOf(err).Retriable() {
		if ferr := s.interactions.DraftFailed(ctx, id, "The advisor couldn't write a draft. "+
			fault.Message(err)); ferr != nil {
			return fmt.Errorf("advisor: note the failure of %s: %w", id, ferr)
		}
	}
	return err
}

func (s *Service) draft(ctx context.Context, in *interaction.Interaction) error {
	d, err := s.Compose(ctx, in)
	if err != nil {
		return err
	}
	return s.interactions.DraftArrived(ctx, in.ID, d)
}

// Compose writes a draft for in and records what it was shown, and leaves what becomes of the text to the caller: the
// job hands it in; a planted check only wants the frame, reasoning and knowledge of a real one.
func (s *Service) Compose(ctx context.Context, in *interaction.Interaction) (out interaction.Draft, err error) {
	r, err := s.request(ctx, in)
	if err != nil {
		return out, err
	}
	d, by, err := s.ask(ctx, r)
	if err != nil {
		return out, err
	}
	shown := r.Recall.Shown(d.Cited)
	if err := s.d.Write(ctx, func(tx *db.Tx) error {
		if _, err := s.knowledge.RecordUsageTx(tx, in.ID, in.AgentID, shown); err != nil {
			return err
		}
		if ids := r.Shots.IDs(); len(ids) > 0 {
			if err := s.hooks.ShownTx(tx, in, ids); err != nil {
				return err
			}
		}
		return s.knowledge.RecordPromptTx(tx, in.ID, by, r.Recall, d.Sent)
	}); err != nil {
		return out, fmt.Errorf("advisor: record what %s was shown: %w", in.ID, err)
	}
	used := lists.Map(shown, func(u knowledge.Used) interaction.Used {
		return interaction.Used{ID: u.ID, Version: u.Version}
	})
	return interaction.Draft{Text: d.Text, Reasoning: d.Reasoning, Model: d.Model, Drafter: by, KnowledgeUsed: used,
		Provenance: d.Provenance}, nil
}

// request is everything that a drafter is given for in.
func (s *Service) request(ctx context.Context, in *interaction.Interaction) (r Request, err error) {
	r = Request{Situation: in.Consultation.Situation(), Name: in.Consultation.Customer.Name,
		Known: in.Consultation.Customer.Personal()}
	without, err := s.hooks.Withhold(ctx, in)
	if err != nil {
		return r, fmt.Errorf("advisor: what %s goes without: %w", in.ID, err)
	}
	if r.Note, err = s.interactions.Note(ctx, in); err != nil {
		return r, fmt.Errorf("advisor: the note on %s: %w", in.ID, err)
	}
	if r.Shots, err = s.shots(ctx, in, without); err != nil {
		return r, fmt.Errorf("advisor: examples for %s: %w", in.ID, err)
	}
	if err = s.look(ctx, in.AgentID, &r, without); err != nil {
		return r, fmt.Errorf("advisor: what is known for %s: %w", in.ID, err)
	}
	return r, nil
}

// look fills a request with what an agent knows: what answers the question and its parts, and its rules' texts.
func (s *Service) look(ctx context.Context, agentID string, r *Request, without knowledge.Withhold) (err error) {
	if r.Situation.At.IsZero() {
		r.Situation.At = s.d.Now()
	}
	r.Compare = s.knowledge.Compare
	if r.Recall, err = s.recall(ctx, agentID, r.Situation, "", r.Known, without); err != nil {
		return err
	}
	if far, err := s.far(ctx, r); err != nil {
		return err
	} else if far != nil {
		without.Cases, without.Documents, r.Nearest = true, true, far
		if r.Recall, err = s.recall(ctx, agentID, r.Situation, "", r.Known, without); err != nil {
			return err
		}
	}
	if err = s.needs(ctx, agentID, r, without); err != nil {
		return err
	}
	if err = s.ofKind(ctx, agentID, r, without); err != nil {
		return err
	}
	if !without.Rules { // an advisor that has cases alone has no rule to leave a sentence to
		r.Ruled, err = s.ruled(ctx, *r, agentID)
	}
	return err
}

// Answers reports whether the embedded advisor finds guidance for a consultation now, with all that is in use. Nothing
// is stored.
func (s *Service) Answers(ctx context.Context, in *interaction.Interaction) (bool, error) {
	r := Request{Situation: in.Consultation.Situation(), Known: in.Consultation.Customer.Personal()}
	if err := s.look(ctx, in.AgentID, &r, knowledge.Withhold{}); err != nil {
		return false, err
	}
	d, err := Embedded{}.Draft(ctx, r)
	return !d.Unanswered, err
}

// ask has the drafter write, and says who did. A model that fails for good is stood in for by the embedded advisor, and
// the supervisor is told.
func (s *Service) ask(ctx context.Context, r Request) (Draft, string, error) {
	d, err := s.drafter.Draft(ctx, r)
	if err == nil {
		return d, s.drafter.Name(), nil
	}
	if !job.LastAttempt(ctx) && fault.KindOf(err).Retriable() || ctx.Err() != nil {
		return d, "", err
	}
	s.log.Warn("the drafter failed; the embedded advisor drafts", "drafter", s.drafter.Name(), "error", err)
	why := fmt.Sprintf("%s failed, so the embedded advisor wrote this draft. %s", s.drafter.Name(), fault.Message(err))
	if d, err = (Embedded{}).Draft(ctx, r); err != nil {
		return d, "", err
	}
	d.Notes = append([]string{why}, d.Notes...)
	return d, EmbeddedName, nil
}

// mostRules bounds how many rules a draft looks through, newest first.
const mostRules = 500

// ruled are the texts of an agent's rules, whatever became of them. Only released texts need them.
func (s *Service) ruled(ctx context.Context, r Request, agentID string) (texts []string, err error) {
	if len(r.Shots.Items) == 0 && !slices.ContainsFunc(r.Recall.Cases, released) {
		return nil, nil
	}
	rules, _, err := s.knowledge.Rules(ctx, knowledge.Filter{AgentID: agentID, Limit: mostRules})
	for _, one := range rules {
		if one.Statement.Do.Text != "" {
			texts = append(texts, one.Statement.Do.Text)
		}
	}
	return texts, err
}

// recall asks for what answers the question, of any topic where none is named: the label of its task is a guess, and
// filtering by it loses answers. The topic's phrase helps a question that is all story ("a nice man rang").
func (s *Service) recall(ctx context.Context, agentID string, situation pack.Situation, topicName string,
	known []string, without knowledge.Withhold) (*knowledge.Recall, error) {
	q := knowledge.Query{AgentID: agentID, Text: situation.Question, Situation: situation, Known: known,
		TopCases: topCases, TopRules: topRules, Withhold: without, Far: true, Task: topicName}
	topic := topicOf(pack.Of(situation.Pack), situation)
	if topic.Phrase != "" && text.Common(pack.ContentStems(situation.Question), topicStems(topic)) == 0 {
		q.Text += "\n" + topic.Phrase
	}
	return s.knowledge.Recall(ctx, q)
}
