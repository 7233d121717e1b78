package feedback

import (
	"context"
	"fmt"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

// Replay chooses experiences, newest first.
type Replay struct {
	AgentID   string
	AgentType string
	MinReward float64 // -1 to 1
	Cursor    string  // Next of the page before
	Limit     int     // 1 to 100; 25 when 0
}

// AddExperience stores one for the replay, with texts of its own or those of a subject, and gives its id (seed 001,
// add_experience).
func (b *Book) AddExperience(ctx context.Context, e Experience) (string, error) {
	var w wrong
	w.text("interaction_id", &e.SubjectID, MaxName, false)
	w.text("agent_type", &e.AgentType, MaxName, e.SubjectID == "")
	w.text("topic", &e.Topic, MaxName, false)
	w.text("query", &e.Query, MaxAnswer, e.SubjectID == "")
	w.text("response", &e.Response, MaxAnswer, e.SubjectID == "")
	w.object("metadata", &e.Metadata)
	w.seen("agent_type", e.AgentType)
	if !(e.Reward >= -1 && e.Reward <= 1) {
		w.add("reward", "Send a number from -1 to 1.")
	}
	if e.SubjectID != "" && (e.Query != "" || e.Response != "") {
		w.add("interaction_id", "Send the id of an interaction, or a query and a response of your own, and not both.")
	}
	if err := w.err(); err != nil {
		return "", err
	}
	err := b.db.Write(ctx, func(tx *db.Tx) error {
		if e.SubjectID != "" {
			s, err := b.SubjectTx(tx, e.AgentID, e.SubjectID)
			if err == nil {
				err = s.judgeable()
			}
			if err != nil {
				return err
			}
			e.AgentType, e.Topic = s.AgentType, s.Topic
		} else if err := b.ownTypeTx(tx, e.AgentID, e.AgentType); err != nil {
			return err
		}
		e.ID = id.New()
		if err := db.Exec(tx, "feedback: add an experience", `INSERT INTO experience (id, agent_id, agent_type, topic,
				subject_id, query, response, metadata, reward, source, at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'api', $10)`,
			e.ID, e.AgentID, e.AgentType, e.Topic, e.SubjectID, e.Query, e.Response, e.Metadata, e.Reward,
			tx.NowMs()); err != nil {
			return err
		}
		tx.Touch(Topic)
		return audit.Note(tx, audit.Actor{Kind: audit.Agent, ID: e.AgentID}, "feedback.experience", "experience", e.ID,
			map[string]any{"reward": e.Reward, "subject": e.SubjectID})
	})
	return e.ID, err
}

// rewardTx keeps the experience that a subject's votes make: its reward is their mean, -1 to 1.
func rewardTx(tx *db.Tx, s Subject) error {
	var mean float64
	if err := db.One(tx, "feedback: reckon a reward", `SELECT coalesce(avg(norm), 0.5) FROM vote
		WHERE subject_id = $1 AND `+CastSQL, s.ID).Scan(&mean); err != nil {
		return err
	}
	return db.Exec(tx, "feedback: keep a reward", `INSERT INTO experience (id, agent_id, agent_type, topic, subject_id,
			query, response, metadata, reward, source, at)
		VALUES ($1, $2, $3, $4, $5, '', '', '', $6, 'vote', $7)
		ON CONFLICT (subject_id) WHERE source = 'vote' DO UPDATE SET reward = excluded.reward`,
		id.New(), s.AgentID, s.AgentType, s.Topic, s.ID, min(max(2*mean-1, -1), 1), tx.NowMs())
}

// PositiveExamples lists experiences whose reward is at least r.MinReward, newest first, with their texts (seed 001,
// get_positive_examples). next is "" on the last page; a page before it may be short, as what was recalled or corrected
// is left out.
func (b *Book) PositiveExamples(ctx context.Context, r Replay) (list []Experience, next string, err error) {
	if r.Limit, err = keyset.Limit(r.Limit); err != nil {
		return nil, "", err
	}
	if !(r.MinReward >= -1 && r.MinReward <= 1) {
		return nil, "", fault.Wrong("The reward can't be used.", "min_reward", "Send a number from -1 to 1.")
	}
	from, err := keyset.Parse(r.Cursor)
	if err != nil {
		return nil, "", err
	}
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		w := keyset.Where{SQL: `SELECT id, agent_id, agent_type, topic, subject_id, query, response, metadata, reward,
			source, at
			FROM experience WHERE agent_id = $1 AND erased_at = 0 AND reward >= $2`,
			Args: []any{r.AgentID, r.MinReward}}
		w.Is(`agent_type`, r.AgentType)
		query, args := keyset.Order{At: `at`, ID: `id`}.Page(w.SQL, w.Args, from, r.Limit+1)
		if list, err = experiences(tx, query, args...); err != nil {
			return err
		}
		list, next = keyset.Cut(list, r.Limit, func(e *Experience) string { return keyset.At(e.At, e.ID).Cursor() })
		list, err = b.fill(tx, list)
		return err
	})
	return list, next, err
}

func experiences(tx *db.Tx, query string, args ...any) (list []Experience, err error) {
	return db.Rows(tx, "feedback: read experiences", func(e *Experience) []any {
		return []any{&e.ID, &e.AgentID, &e.AgentType, &e.Topic, &e.SubjectID, &e.Query, &e.Response, &e.Metadata,
			&e.Reward, &e.Source, db.At(&e.At)}
	}, query, args...)
}

// fill adds the texts of those that have their subject's, and drops those whose subject must not be given out: it was
// recalled, or its text was corrected since and the reward is for the one before.
func (b *Book) fill(tx *db.Tx, list []Experience) ([]Experience, error) {
	kept := list[:0]
	for _, e := range list {
		if e.SubjectID == "" {
			kept = append(kept, e)
			continue
		}
		s, err := b.SubjectTx(tx, e.AgentID, e.SubjectID)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		stands, err := standsTx(tx, s)
		if err != nil {
			return nil, err
		}
		if stands {
			e.Query, e.Response = s.Query, s.Response
			kept = append(kept, e)
		}
	}
	return kept, nil
}

// standsTx reports whether a subject is with its reader, in the text that votes were for.
func standsTx(tx *db.Tx, s Subject) (yes bool, err error) {
	if !s.Released {
		return false, nil
	}
	return db.Value[bool](tx, fmt.Sprintf("feedback: look whether %s stands", s.ID),
		`SELECT NOT EXISTS (SELECT 1 FROM query_member WHERE subject_id = $1 AND eligible = 0)`, s.ID)
}
