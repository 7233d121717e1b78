package feedback

import (
	"context"
	"encoding/json"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Export kinds.
const (
	ExportInteractions = "interactions" // observed ones, each with its votes and outcomes
	ExportExamples     = "examples"
	ExportExperiences  = "experiences"
)

// batch is how many rows Export reads at a time.
const batch = 200

// Export gives what of an agent there is of a kind, oldest first, each as a value for one line of JSON. Nothing is held
// in memory but a batch, and no transaction while give writes.
func (b *Book) Export(ctx context.Context, agentID, kind string, give func(line any) error) error {
	after := ""
	for {
		var lines []any
		last := ""
		err := b.db.Read(ctx, func(tx *db.Tx) (err error) {
			lines, last, err = b.exportTx(tx, agentID, kind, after)
			return err
		})
		if err != nil {
			return err
		}
		for _, l := range lines {
			if err := give(l); err != nil {
				return err
			}
		}
		if last == "" {
			return nil
		}
		after = last
	}
}

// exportTx reads the next lines; last is the id of the last row that was read, "" when there is none any more. What is
// left out makes fewer lines than rows.
func (b *Book) exportTx(tx *db.Tx, agentID, kind, after string) (lines []any, last string, err error) {
	switch kind {
	case ExportExamples:
		list, err := exemplarsTx(tx, `WHERE agent_id = $1 AND id > $2 ORDER BY id LIMIT $3`, agentID, after, batch)
		for _, e := range list {
			lines, last = append(lines, ExampleLine(e)), e.ID
		}
		return lines, last, err
	case ExportExperiences:
		list, err := experiences(tx, `SELECT id, agent_id, agent_type, topic, subject_id, query, response, metadata,
			reward, source, at FROM experience
			WHERE agent_id = $1 AND erased_at = 0 AND id > $2 ORDER BY id LIMIT $3`, agentID, after, batch)
		if err != nil || len(list) == 0 {
			return nil, "", err
		}
		last = list[len(list)-1].ID
		list, err = b.fill(tx, list)
		for _, e := range list {
			lines = append(lines, ExperienceLine(e))
		}
		return lines, last, err
	case ExportInteractions:
		return b.exportObserved(tx, agentID, after)
	}
	return nil, "", fault.Wrong("There is no such export.", "kind", "Send interactions, examples or experiences.")
}

// The lines of exports, and of the API's answers.
type (
	// InteractionLine is one observed interaction with what was said of it.
	InteractionLine struct {
		ID         string          `json:"id"`
		AgentType  string          `json:"agent_type"`
		SessionID  string          `json:"session_id,omitempty"`
		UserID     string          `json:"user_id,omitempty"`
		Query      string          `json:"query"`
		Response   string          `json:"response"`
		Metadata   json.RawMessage `json:"response_metadata,omitempty"`
		Topic      string          `json:"topic"`
		ResponseMs int64           `json:"response_time_ms"`
		Variant    string          `json:"variant,omitempty"`
		CreatedAt  time.Time       `json:"created_at"`
		ErasedAt   *time.Time      `json:"erased_at,omitempty"`
		Feedback   []VoteLine      `json:"feedback"`
		Outcomes   []OutcomeLine   `json:"outcomes"`
	}
	// VoteLine is one present vote.
	VoteLine struct {
		UserID string    `json:"user_id"`
		Kind   string    `json:"feedback_type"`
		Value  float64   `json:"feedback_value"`
		Text   string    `json:"feedback_text,omitempty"`
		At     time.Time `json:"created_at"`
	}
	// OutcomeLine is one outcome; what nobody said is left out.
	OutcomeLine struct {
		ID                   string    `json:"id"`
		Satisfaction         float64   `json:"satisfaction"`
		Comprehension        float64   `json:"comprehension"`
		GoalAlignment        float64   `json:"goal_alignment"`
		Issues               []string  `json:"issues"`
		GoalsMet             *bool     `json:"goals_met,omitempty"`
		UnderstandingChecked *bool     `json:"understanding_checked,omitempty"`
		Signposted           *bool     `json:"signposted,omitempty"`
		DBWarningGiven       *bool     `json:"db_warning_given,omitempty"`
		Successful           bool      `json:"successful"`
		At                   time.Time `json:"created_at"`
	}
	// LearningExample is seed 001's.
	LearningExample struct {
		ID        string    `json:"id"`
		AgentType string    `json:"agent_type"`
		Topic     string    `json:"topic"`
		Query     string    `json:"query"`
		Good      string    `json:"good_response"`
		Bad       *string   `json:"bad_response" doc:"A disliked answer to a similar query; null when there is none."`
		Source    string    `json:"source" doc:"user_feedback: votes made it."`
		Weight    float64   `json:"weight" doc:"0 to 1: how likely the next user is to like it."`
		Score     float64   `json:"feedback_score" doc:"Distinct users for it minus those against it."`
		UseCount  int       `json:"use_count" doc:"Answers that were written with it in the prompt."`
		CreatedAt time.Time `json:"created_at"`
		State     string    `json:"state" enum:"active,demoted,replaced,retired,erased"`
	}
	// ReplayLine is one experience.
	ReplayLine struct {
		ID        string          `json:"id"`
		AgentType string          `json:"agent_type"`
		Topic     string          `json:"topic"`
		SubjectID string          `json:"interaction_id,omitempty" doc:"The interaction the texts belong to; left out when the experience has its own."`
		Query     string          `json:"query"`
		Response  string          `json:"response"`
		Metadata  json.RawMessage `json:"metadata,omitempty"`
		Reward    float64         `json:"reward" doc:"-1 to 1; of votes: their mean."`
		Source    string          `json:"source" enum:"api,vote"`
		CreatedAt time.Time       `json:"created_at"`
	}
)

// ExampleLine is an exemplar as it is given out.
func ExampleLine(e Exemplar) LearningExample {
	l := LearningExample{ID: e.ID, AgentType: e.AgentType, Topic: e.Topic, Query: e.Query, Good: e.Good,
		Source: e.Source, Weight: e.Weight, Score: e.Score,
		UseCount: e.UseCount, CreatedAt: e.CreatedAt, State: e.State}
	if e.Bad != "" {
		l.Bad = &e.Bad
	}
	return l
}

// ExperienceLine is an experience as it is given out.
func ExperienceLine(e Experience) ReplayLine {
	return ReplayLine{ID: e.ID, AgentType: e.AgentType, Topic: e.Topic, SubjectID: e.SubjectID, Query: e.Query,
		Response: e.Response, Metadata: raw(e.Metadata),
		Reward: e.Reward, Source: e.Source, CreatedAt: e.At}
}

func raw(s string) json.RawMessage {
	if s == "" {
		return nil
	}
	return json.RawMessage(s)
}

func (b *Book) exportObserved(tx *db.Tx, agentID, after string) (lines []any, last string, err error) {
	var list []*InteractionLine
	err = db.Each(tx, "feedback: export", func(row db.Row) error {
		var l InteractionLine
		var metadata string
		var erased int64
		if err := row.Scan(&l.ID, &l.AgentType, &l.SessionID, &l.UserID, &l.Query, &l.Response, &metadata, &l.Topic,
			&l.ResponseMs, &l.Variant, db.At(&l.CreatedAt), &erased); err != nil {
			return err
		}
		l.Metadata, last = raw(metadata), l.ID
		if when := db.Time(erased); erased > 0 {
			l.ErasedAt = &when
		}
		list = append(list, &l)
		return nil
	}, `SELECT id, agent_type, session_id, user_id, query, response, metadata, topic, response_ms, variant, created_at,
		erased_at
		FROM observed WHERE agent_id = $1 AND id > $2 ORDER BY id LIMIT $3`, agentID, after, batch)
	if err != nil {
		return nil, "", err
	}
	for _, l := range list {
		if err := said(tx, l); err != nil {
			return nil, "", err
		}
		lines = append(lines, l)
	}
	return lines, last, nil
}

// said adds the votes and outcomes of one interaction.
func said(tx *db.Tx, l *InteractionLine) error {
	given, err := votesTx(tx, selectVotes+` WHERE subject_id = $1 AND `+CastSQL+` ORDER BY first_at, id`, l.ID)
	if err != nil {
		return err
	}
	l.Feedback, l.Outcomes = []VoteLine{}, []OutcomeLine{}
	for _, v := range given {
		l.Feedback = append(l.Feedback, VoteLine{v.UserID, v.Kind, v.Value, v.Text, v.At})
	}
	came, err := outcomesTx(tx, ` WHERE subject_id = $1 ORDER BY at, id`, l.ID)
	for _, o := range came {
		l.Outcomes = append(l.Outcomes,
			OutcomeLine{o.ID, o.Satisfaction, o.Comprehension, o.GoalAlignment, o.Issues, o.GoalsMet,
				o.UnderstandingChecked,
				o.Signposted, o.DBWarningGiven, o.Successful(), o.At})
	}
	return err
}
