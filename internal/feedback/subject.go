package feedback

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Topic of db.Changes under which feedback says that it changed.
const Topic = "feedback"

// Subject finds what is judged, for the desk and for signed links; NotFound when there is none.
func (b *Book) Subject(ctx context.Context, id string) (Subject, error) {
	return b.SubjectFor(ctx, "", id)
}

// SubjectFor is Subject for the token of an agent: NotFound, too, when it is another agent's.
func (b *Book) SubjectFor(ctx context.Context, agentID, id string) (Subject, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) (Subject, error) { return b.SubjectTx(tx, agentID, id) })
}

// SubjectTx is SubjectFor in the caller's transaction.
func (b *Book) SubjectTx(tx *db.Tx, agentID, id string) (Subject, error) {
	s, err := b.observedTx(tx, id)
	if errors.Is(err, sql.ErrNoRows) {
		s, err = b.guidanceTx(tx, id)
	}
	if err == nil && agentID != "" && s.AgentID != agentID {
		err = notFound()
	}
	if err != nil {
		return Subject{}, err
	}
	return s, nil
}

func (b *Book) observedTx(tx *db.Tx, id string) (Subject, error) {
	s := Subject{ID: id, Kind: Observed}
	var erased int64
	err := db.One(tx, "feedback: read "+id, `SELECT agent_id, agent_name, agent_type, topic, session_id, user_id, query,
		response, variant, created_at, erased_at
		FROM observed WHERE id = $1`, id).
		Scan(&s.AgentID, &s.AgentName, &s.AgentType, &s.Topic, &s.SessionID, &s.UserID, &s.Query, &s.Response,
			&s.Variant, db.At(&s.At), &erased)
	s.Erased = erased > 0
	s.Released = !s.Erased
	return s, err
}

func (b *Book) guidanceTx(tx *db.Tx, id string) (Subject, error) {
	in, err := b.interactions.GetTx(tx, id)
	if fault.Is(err, fault.NotFound) || err == nil && in.Planted {
		return Subject{}, notFound()
	}
	if err != nil {
		return Subject{}, err
	}
	return subjectOf(in), nil
}

func subjectOf(in *interaction.Interaction) Subject {
	return Subject{ID: in.ID, Kind: Guidance, AgentID: in.AgentID, AgentName: in.AgentName, AgentType: in.AgentName,
		Topic: in.Consultation.TaskType,
		Query: in.Consultation.Question, Response: in.FinalText, At: in.CreatedAt,
		Released: in.Status == interaction.Released && in.ErasedAt.IsZero() && !in.NoText,
		Erased:   !in.ErasedAt.IsZero(),
		Known:    in.Consultation.Customer.Personal()}
}

func notFound() error {
	return fault.New(fault.NotFound, "There is no such interaction, or you can't give feedback on it.")
}

// judgeable refuses what nobody can have an opinion of yet, or any more.
func (s Subject) judgeable() error {
	switch {
	case s.Erased:
		return fault.New(fault.Conflict, "The texts of this interaction were erased, so it no longer takes feedback.")
	case s.Response == "":
		return fault.New(fault.Conflict,
			"This guidance hasn't been sent, so there is nothing to vote on. Send the vote once it has reached the "+
				"customer.")
	case !s.Released:
		return fault.New(fault.Conflict,
			"This guidance was recalled, so it takes no feedback. Ask about the corrected text once it has reached "+
				"the customer.")
	}
	return nil
}

// hashes of a query and an answer, in their plain forms: the same words to the same agent about the same topic are one.
func (s Subject) queryHash() string {
	return sum(s.AgentID, s.AgentType, s.Topic, plain(s.Query))
}

func (s Subject) answerHash() string { return sum(strings.TrimSpace(s.Response)) }

func sum(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d\n%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// plain is a query without case, marks and doubled blanks.
func plain(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
}
