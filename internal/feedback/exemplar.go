package feedback

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

// me is who the package's own acts are recorded under.
var me = audit.System("feedback")

// weighTx settles the exemplar of a group by the votes as they are, and reports whether one became active.
func (b *Book) weighTx(tx *db.Tx, groupID string) (promoted bool, err error) {
	list, err := b.ballots(tx, groupID)
	if err != nil {
		return false, err
	}
	earlier, err := exemplarsTx(tx, `WHERE group_id = $1 ORDER BY created_at, id`, groupID)
	if err != nil {
		return false, err
	}
	var current *Exemplar
	past, barred := map[string]*Exemplar{}, map[string]bool{}
	for i := range earlier {
		e := &earlier[i]
		past[e.answer] = e
		barred[e.answer] = e.State == Retired
		if e.State == Active {
			current = e
		}
	}
	c, err := b.weighGiven(tx, list, current, past, barred)
	if err != nil {
		return false, err
	}
	if err := db.Exec(tx, "feedback: weigh "+groupID, `UPDATE query_group SET counted_at = $1
		WHERE id = $2`, tx.NowMs(), groupID); err != nil {
		return false, err
	}
	if current != nil && current.answer != c.answer && current.State == Active {
		state, why := Replaced, "Another answer is liked better."
		if c.answer == "" {
			state, why = Demoted, fmt.Sprintf("Votes turned against it: %d for, %d against.", c.ups, c.downs)
		}
		if err := b.endTx(tx, current, state, why, me); err != nil {
			return false, err
		}
	}
	if c.answer == "" {
		return false, nil
	}
	e := past[c.answer]
	if e != nil && e.State == Erased {
		e = nil // its texts are gone; what stands elsewhere with the same words is its own
	}
	promoted = e == nil || e.State != Active
	return promoted, b.standTx(tx, groupID, c, e)
}

// weighGiven is weigh without the answers that are kept from agents as knowledge, whose exemplars end.
func (b *Book) weighGiven(tx *db.Tx, list []ballot, current *Exemplar, past map[string]*Exemplar,
	barred map[string]bool) (choice, error) {
	for {
		c := weigh(list, b.settings.MinPositive, answerOf(current), barred)
		var subjects []string
		for _, x := range list {
			if x.answer == c.answer {
				subjects = append(subjects, x.subject)
			}
		}
		why, err := b.hooks.Withheld(tx, subjects)
		if err != nil || why == "" {
			return c, err
		}
		barred[c.answer] = true
		if e := past[c.answer]; e != nil && e.State != Erased && (e.State != Demoted || e.Why != why) {
			if err := b.endTx(tx, e, Demoted, why, me); err != nil {
				return c, err
			}
			e.State = Demoted
		}
	}
}

func answerOf(e *Exemplar) string {
	if e == nil {
		return ""
	}
	return e.answer
}

// releasedOnly is the condition that a person released a subject: of an agent that hands in guidance, what it only
// reported under a name of its own was released by nobody. What it reports of another type isn't its drafts: a chat
// that nobody reviews may report through it.
func (b *Book) releasedOnly(tx *db.Tx, agentID, agentType, subject string) (string, error) {
	reviewed, err := interaction.HandedInTx(tx, agentID)
	if err != nil || !reviewed {
		return "", err
	}
	if own, err := b.hooks.Names(tx, agentID, agentType); err != nil || len(own) == 0 {
		return "", err
	}
	return ` AND NOT EXISTS (SELECT 1 FROM observed o WHERE o.id = ` + subject + `)`, nil
}

// ballots are the votes on what may be an example.
func (b *Book) ballots(tx *db.Tx, groupID string) (list []ballot, err error) {
	var agentID, agentType string
	if err := db.One(tx, "feedback: read the agent of a group", `SELECT agent_id, agent_type FROM query_group
		WHERE id = $1`, groupID).Scan(&agentID, &agentType); err != nil {
		return nil, err
	}
	only, err := b.releasedOnly(tx, agentID, agentType, "m.subject_id")
	if err != nil {
		return nil, err
	}
	err = db.Each(tx, "feedback: read the votes of a group", func(row db.Row) error {
		var x ballot
		var norm float64
		if err := row.Scan(&x.answer, &x.subject, &x.user, &norm); err != nil {
			return err
		}
		if x.up = norm > 0.5; norm != 0.5 {
			list = append(list, x)
		}
		return nil
	}, `SELECT m.answer, m.subject_id, v.user_id, v.norm FROM query_member m JOIN vote v ON v.subject_id = m.subject_id
		WHERE m.group_id = $1 AND m.eligible = 1`+only, groupID)
	return list, err
}

// standTx makes or keeps the exemplar that c chose; e is an earlier one of the same answer, or nil.
func (b *Book) standTx(tx *db.Tx, groupID string, c choice, e *Exemplar) error {
	bad, err := b.badTx(tx, c, e)
	if err != nil {
		return err
	}
	action := ""
	if e == nil {
		action = "exemplar.promoted"
		if e, err = b.makeTx(tx, groupID, c); err != nil {
			return err
		}
	} else if e.State != Active {
		action = "exemplar.restored"
	}
	if action == "" && e.Score == c.score() && e.Weight == c.weight() && e.BadSubject == c.bad {
		return sourcesTx(tx, e.ID, c.sources)
	}
	if err := db.Exec(tx, "feedback: keep an exemplar", `UPDATE exemplar SET state = 'active', why = '', weight = $1,
		score = $2, bad = $3, bad_subject = $4, changed_at = $5
		WHERE id = $6`,
		c.weight(), c.score(), bad, c.bad, tx.NowMs(), e.ID); err != nil {
		return err
	}
	if err := sourcesTx(tx, e.ID, c.sources); err != nil {
		return err
	}
	b.changed(tx)
	if action == "" {
		return nil // the audit row of the vote tells
	}
	return audit.Note(tx, me, action, "exemplar", e.ID,
		map[string]any{"good": e.GoodSubject, "bad": c.bad, "for": c.ups, "against": c.downs})
}

// badTx is the text of the disliked twin, without personal data.
func (b *Book) badTx(tx *db.Tx, c choice, e *Exemplar) (string, error) {
	switch {
	case c.bad == "":
		return "", nil
	case e != nil && e.BadSubject == c.bad:
		return e.Bad, nil
	}
	s, err := b.SubjectTx(tx, "", c.bad)
	if err != nil {
		return "", err
	}
	return b.hooks.Clean(s, s.Response), nil
}

func (b *Book) makeTx(tx *db.Tx, groupID string, c choice) (*Exemplar, error) {
	s, err := b.SubjectTx(tx, "", c.good)
	if err != nil {
		return nil, err
	}
	e := &Exemplar{ID: id.New(), GroupID: groupID, GoodSubject: s.ID, Source: SourceVotes, answer: c.answer}
	return e, b.insertTx(tx, e, s, c)
}

// insertTx stores a new exemplar of a subject's query and answer.
func (b *Book) insertTx(tx *db.Tx, e *Exemplar, s Subject, c choice) error {
	e.AgentID, e.AgentName, e.AgentType, e.Topic, e.State = s.AgentID, s.AgentName, s.AgentType, s.Topic, Active
	e.Query, e.Good = b.hooks.Clean(s, s.Query), b.hooks.Clean(s, s.Response)
	b.changed(tx)
	return db.Exec(tx, "feedback: make an exemplar", `INSERT INTO exemplar (id, group_id, agent_id, agent_name,
			agent_type, topic, query, good, bad, good_subject, bad_subject, answer, source, weight, score, state,
			created_at, changed_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, '', $11, $12, $13, $14, 'active', $15, $16)`,
		e.ID, e.GroupID, e.AgentID, e.AgentName, e.AgentType, e.Topic, e.Query, e.Good, e.Bad, e.GoodSubject, e.answer,
		e.Source, c.weight(), c.score(), tx.NowMs(), tx.NowMs())
}

// sourcesTx notes which subjects' votes carry an exemplar. Only what changed is written: a liked answer has many.
func sourcesTx(tx *db.Tx, exemplarID string, subjects []string) error {
	had, err := carriersTx(tx, exemplarID)
	if err != nil {
		return err
	}
	for _, s := range subjects {
		if _, ok := slices.BinarySearch(had, s); ok {
			continue
		}
		if err := db.Exec(tx, "feedback: keep what carries an exemplar", `INSERT INTO exemplar_source (exemplar_id,
				subject_id)
			VALUES ($1, $2)`, exemplarID, s); err != nil {
			return err
		}
	}
	for _, s := range had {
		if _, ok := slices.BinarySearch(subjects, s); ok {
			continue
		}
		if err := db.Exec(tx, "feedback: keep what carries an exemplar", `DELETE FROM exemplar_source
			WHERE exemplar_id = $1 AND subject_id = $2`, exemplarID, s); err != nil {
			return err
		}
	}
	return nil
}

// endTx takes an active exemplar out of use.
func (b *Book) endTx(tx *db.Tx, e *Exemplar, state, why string, by audit.Actor) error {
	if err := db.Exec(tx, "feedback: end an exemplar", `UPDATE exemplar SET state = $1, why = $2, changed_at = $3
		WHERE id = $4`, state, why, tx.NowMs(), e.ID); err != nil {
		return err
	}
	b.changed(tx)
	tx.Touch(Topic)
	return audit.Note(tx, by, "exemplar."+state, "exemplar", e.ID, map[string]any{"good": e.GoodSubject})
}

// RetireTx takes an exemplar out of use for good: votes do not bring it back. NotFound without one, Conflict when it is
// not in use. Another answer of its group may take its place.
func (b *Book) RetireTx(tx *db.Tx, exemplarID, why string, by audit.Actor) error {
	list, err := exemplarsTx(tx, `WHERE id = $1`, exemplarID)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return fault.New(fault.NotFound, "There is no such example.")
	}
	if list[0].State != Active {
		return fault.New(fault.Conflict, "This example is already %s. Reload to see the latest.", list[0].State)
	}
	if err := b.endTx(tx, &list[0], Retired, why, by); err != nil {
		return err
	}
	_, err = b.weighTx(tx, list[0].GroupID)
	return err
}

// UseTx notes that an answer was written with exemplars in sight, and raises their use counts by one each; again for
// the same answer counts nothing. Ids that are no exemplars of the agent's are left out.
func (b *Book) UseTx(tx *db.Tx, subjectID, agentID string, ids []string) error {
	for _, exemplarID := range ids {
		if n, err := db.Change(tx, "feedback: note a use", `INSERT INTO exemplar_use (exemplar_id, subject_id, at)
			SELECT id, $1, $2 FROM exemplar WHERE id = $3 AND agent_id = $4
			ON CONFLICT (exemplar_id, subject_id) DO NOTHING`, subjectID, tx.NowMs(), exemplarID, agentID); err !=
			nil || n == 0 {
			continue
		}
		if err := db.Exec(tx, "feedback: count a use", `UPDATE exemplar SET use_count = use_count + 1
			WHERE id = $1`, exemplarID); err != nil {
			return err
		}
	}
	return nil
}

// standing adds the exemplar that stands in the subject's group.
func (b *Book) standing(tx *db.Tx, st Stored) (Stored, error) {
	list, err := exemplarsTx(tx, `WHERE state = 'active' AND group_id = (SELECT group_id FROM query_member
			WHERE subject_id = $1)`, st.Vote.SubjectID)
	if err == nil && len(list) > 0 {
		st.Exemplar = &list[0]
	}
	return st, err
}

// ActiveTx are those of these exemplars that stand.
func ActiveTx(tx *db.Tx, ids []string) ([]Exemplar, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return exemplarsTx(tx, `WHERE state = 'active' AND id IN (`+db.In(1, len(ids))+`)`, db.Anys(ids)...)
}

const exemplarColumns = `id, group_id, agent_id, agent_name, agent_type, topic, query, good, bad, good_subject,
	bad_subject, answer, source, weight, score, use_count, state, why, created_at, changed_at`

func exemplarsTx(tx *db.Tx, where string, args ...any) (list []Exemplar, err error) {
	return db.List(tx, "feedback: read exemplars", scanExemplar, `SELECT `+exemplarColumns+` FROM exemplar `+where,
		args...)
}

func scanExemplar(row db.Row) (e Exemplar, err error) {
	err = row.Scan(&e.ID, &e.GroupID, &e.AgentID, &e.AgentName, &e.AgentType, &e.Topic, &e.Query, &e.Good, &e.Bad,
		&e.GoodSubject, &e.BadSubject,
		&e.answer, &e.Source, &e.Weight, &e.Score, &e.UseCount, &e.State, &e.Why, db.At(&e.CreatedAt),
		db.At(&e.ChangedAt))
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("feedback: read an exemplar: %w", err)
	}
	return e, err
}
