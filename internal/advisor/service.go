package advisor

import (
	"context"
	"fmt"
	"log/slog"

	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/interaction"
	"preceptor/internal/job"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
)

// Work is the job that drafts for one interaction.
type Work struct {
	InteractionID string `json:"interaction_id"`
}

// Kind names the job.
func (Work) Kind() string { return "advisor.draft" }

// tries is how often a draft is tried before the interaction is marked as failed.
const tries = 4

// topCases is how many cases a draft may draw on: more than the seed's three, since only the sentences that answer are used.
const topCases = 6

// Service drafts for interactions that ask our own advisor.
type Service struct {
	d            *db.DB
	jobs         *job.Queue
	interactions *interaction.Store
	knowledge    *knowledge.Base
	drafter      Drafter
	log          *slog.Logger

	// Withhold says what a draft goes without on purpose, as the control arm of an experiment does, and keeps record of it. It is
	// asked before each try and must answer the same. Nil withholds nothing. Set before use.
	Withhold func(ctx context.Context, in *interaction.Interaction) (knowledge.Withhold, error)
	// Examples gives what customers liked, for the prompt. Set before use.
	Examples Examples
}

// New makes the service and registers its job with jobs, which must not have been started.
func New(d *db.DB, jobs *job.Queue, interactions *interaction.Store, kb *knowledge.Base, drafter Drafter, log *slog.Logger) *Service {
	s := &Service{d: d, jobs: jobs, interactions: interactions, knowledge: kb, drafter: drafter, log: log}
	job.Register(jobs, func(ctx context.Context, w Work) error { return s.Draft(ctx, w.InteractionID) })
	return s
}

// Drafter is who drafts.
func (s *Service) Drafter() Drafter { return s.drafter }

// EnqueueTx has the draft made once the transaction is on the disk; for interaction's OnAdvise.
func (s *Service) EnqueueTx(tx *db.Tx, in *interaction.Interaction) error {
	return s.jobs.InsertTx(tx, Work{InteractionID: in.ID}, job.Unique(), job.Attempts(tries))
}

// Draft recalls, drafts and hands the draft over. Running twice has one effect. When it fails for good the interaction says
// why, in words for a person.
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
		if ferr := s.interactions.DraftFailed(ctx, id, "No draft could be made. "+fault.Message(err)); ferr != nil {
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

// Compose writes a draft for in and records what it was shown, and leaves what becomes of the text to the caller: the job
// hands it in; a planted check only wants the frame, reasoning and knowledge of a real one.
func (s *Service) Compose(ctx context.Context, in *interaction.Interaction) (out interaction.Draft, err error) {
	situation := in.Consultation.Situation()
	situation.At = s.d.Now()
	var without knowledge.Withhold
	if s.Withhold != nil {
		if without, err = s.Withhold(ctx, in); err != nil {
			return out, fmt.Errorf("advisor: what %s goes without: %w", in.ID, err)
		}
	}
	recall, err := s.recall(ctx, in.AgentID, situation, in.Consultation.Customer.Personal(), without)
	if err != nil {
		return out, fmt.Errorf("advisor: recall for %s: %w", in.ID, err)
	}
	note, err := s.interactions.Note(ctx, in)
	if err != nil {
		return out, fmt.Errorf("advisor: the note on %s: %w", in.ID, err)
	}
	shots, err := s.shots(ctx, in, without)
	if err != nil {
		return out, fmt.Errorf("advisor: examples for %s: %w", in.ID, err)
	}
	d, err := s.drafter.Draft(ctx, Request{Situation: situation, Recall: recall, Name: in.Consultation.Customer.Name, Known: in.Consultation.Customer.Personal(), Note: note, Shots: shots})
	if err != nil {
		return out, err
	}
	shown := recall.Shown(d.Cited)
	if err := s.d.Write(ctx, func(tx *db.Tx) error {
		if _, err := s.knowledge.RecordUsageTx(tx, in.ID, in.AgentID, shown); err != nil {
			return err
		}
		if ids := shots.IDs(); len(ids) > 0 && s.Examples.UsedTx != nil {
			if err := s.Examples.UsedTx(tx, in, ids); err != nil {
				return err
			}
		}
		return s.knowledge.RecordPromptTx(tx, in.ID, s.drafter.Name(), recall, d.Sent)
	}); err != nil {
		return out, fmt.Errorf("advisor: record what %s was shown: %w", in.ID, err)
	}
	used := make([]interaction.Used, 0, len(shown))
	for _, u := range shown {
		used = append(used, interaction.Used{ID: u.ID, Version: u.Version})
	}
	return interaction.Draft{Text: d.Text, Reasoning: d.Reasoning, Model: d.Model, Drafter: s.drafter.Name(), KnowledgeUsed: used}, nil
}

// recall asks for what answers the question, whatever its task is called: the label is a guess, and filtering by it loses
// answers. The topic's own words help a question that is all story ("a nice man rang").
func (s *Service) recall(ctx context.Context, agentID string, situation pack.Situation, known []string, without knowledge.Withhold) (*knowledge.Recall, error) {
	q := knowledge.Query{AgentID: agentID, Text: situation.Question, Situation: situation, Known: known, TopCases: topCases, Withhold: without}
	topic := topicOf(pack.Of(situation.Pack), situation)
	if topic.Phrase != "" && shared(pack.ContentStems(situation.Question), topicStems(topic)) == 0 {
		q.Text += "\n" + topic.Phrase
	}
	return s.knowledge.Recall(ctx, q)
}
