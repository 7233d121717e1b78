package feedback

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/text"
)

// wrong collects what is wrong with an input, by JSON pointer.
type wrong []fault.Field

func (w *wrong) add(field, format string, args ...any) {
	*w = append(*w, fault.Field{Name: "/" + field, Msg: fmt.Sprintf(format, args...)})
}

// text trims a field and notes what is wrong with it; most is in bytes.
func (w *wrong) text(field string, s *string, most int, required bool) {
	*s = strings.TrimSpace(*s)
	switch {
	case required && *s == "":
		w.add(field, "This is required: send a text.")
	case len(*s) > most:
		w.add(field, "%s", text.TooBig(*s, most))
	case !utf8.ValidString(*s) || strings.ContainsRune(*s, 0):
		w.add(field, "This contains a character that isn't text.")
	}
}

func (w wrong) err() error {
	switch len(w) {
	case 0:
		return nil
	case 1:
		return fault.WithFields("One field needs your attention.", w...)
	}
	return fault.WithFields(fmt.Sprintf("%d fields need your attention.", len(w)), w...)
}

// object notes metadata that is no JSON object, or too long.
func (w *wrong) object(field string, s *string) {
	*s = strings.TrimSpace(*s)
	if *s == "" || *s == "null" {
		*s = ""
		return
	}
	var any map[string]json.RawMessage
	switch {
	case len(*s) > MaxMetadata:
		w.add(field, "%s", text.TooBig(*s, MaxMetadata))
	case json.Unmarshal([]byte(*s), &any) != nil:
		w.add(field, "Send an object.")
	}
}

func (o *Observation) check() error {
	var w wrong
	w.text("agent_type", &o.AgentType, MaxName, true)
	w.text("session_id", &o.SessionID, MaxName, false)
	w.text("user_id", &o.UserID, MaxName, false)
	w.text("query", &o.Query, MaxAnswer, true)
	w.text("response", &o.Response, MaxAnswer, true)
	w.text("topic", &o.Topic, MaxName, false)
	w.text("variant", &o.Variant, MaxName, false)
	w.object("response_metadata", &o.Metadata)
	if o.ResponseMs < 0 || o.ResponseMs > int64(24*time.Hour/time.Millisecond) {
		w.add("response_time_ms", "Send milliseconds, from 0 to a day of them.")
	}
	if len(o.Examples) > MaxExamples {
		w.add("examples_used", "Name at most %d.", MaxExamples)
	}
	if len(o.Knowledge) > MaxKnowledge {
		w.add("knowledge_used", "Name at most %d.", MaxKnowledge)
	}
	w.seen("agent_type", o.AgentType)
	if o.AgentID == "" {
		return fmt.Errorf("feedback: a report without an agent")
	}
	return w.err()
}

// seen notes a name with signs that nobody sees, by which it would pass for another one.
func (w *wrong) seen(field, name string) {
	if strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(unicode.C, r) }) {
		w.add(field, "Use only visible characters.")
	}
}

// ownTypeTx refuses an agent type that is the name of another agent.
func (b *Book) ownTypeTx(tx *db.Tx, agentID, agentType string) error {
	owner, err := b.hooks.Registered(tx, agentType)
	if err != nil {
		return fmt.Errorf("feedback: look whose name an agent type is: %w", err)
	}
	if owner != "" && owner != agentID {
		return fault.New(fault.Denied, "%q is the name of another agent here, so it can't be your agent_type. Send "+
			"your own agent's name, or one that no agent here uses.", agentType)
	}
	return nil
}

// callsTx are the agent types that mean the agent of this name, the one that it has now last; only this one where it is
// no agent's.
func (b *Book) callsTx(tx *db.Tx, agentType string) ([]string, error) {
	owner, err := b.hooks.Registered(tx, agentType)
	if err == nil && owner != "" {
		if names, err := b.hooks.Names(tx, owner, agentType); err != nil || len(names) > 0 {
			return names, err
		}
	}
	return []string{agentType}, err
}

// Names are the agent types that mean the same as this one when the agent says it, which comes last.
func (b *Book) Names(ctx context.Context, agentID, agentType string) ([]string, error) {
	names, err := db.Read(ctx, b.db, func(tx *db.Tx) ([]string, error) { return b.hooks.Names(tx, agentID, agentType) })
	return append(names, agentType), err
}

// Log stores an interaction that an agent reports, and gives its id. Invalid names the fields; Denied when its agent
// type is another agent's name.
func (b *Book) Log(ctx context.Context, o Observation) (string, error) {
	subjectID, _, err := b.LogOnce(ctx, o, nil)
	return subjectID, err
}

// LogOnce is Log with an Idempotency-Key: the same key and body give the first answer again, and replayed says so.
func (b *Book) LogOnce(ctx context.Context, o Observation,
	key *interaction.Idempotency) (subjectID string, replayed bool, err error) {
	if err := o.check(); err != nil {
		return "", false, err
	}
	if err := key.Check("report"); err != nil {
		return "", false, err
	}
	err = b.db.Write(ctx, func(tx *db.Tx) error {
		if subjectID, err = earlier(tx, key); err != nil || subjectID != "" {
			replayed = subjectID != ""
			return err
		}
		o.ID = id.New()
		subjectID = o.ID
		return b.logTx(tx, o, key)
	})
	return subjectID, replayed, err
}

// LogTx is Log in the caller's transaction.
func (b *Book) LogTx(tx *db.Tx, o Observation) (string, error) {
	if err := o.check(); err != nil {
		return "", err
	}
	o.ID = id.New()
	return o.ID, b.logTx(tx, o, nil)
}

func (b *Book) logTx(tx *db.Tx, o Observation, key *interaction.Idempotency) error {
	if err := b.ownTypeTx(tx, o.AgentID, o.AgentType); err != nil {
		return err
	}
	if o.At.IsZero() {
		o.At = tx.Now
	}
	if o.Topic != "" {
		known, err := db.Column[string](tx, "feedback: list topics", `SELECT DISTINCT topic FROM (SELECT topic
			FROM observed WHERE agent_id = $1 ORDER BY created_at DESC LIMIT $2) AS newest`, o.AgentID, Recent)
		if err != nil {
			return err
		}
		if known = alike(known, o.Topic); len(known) > 0 { // one topic, however it is written
			o.Topic = slices.Min(known)
		}
	}
	if err := db.Exec(tx, "feedback: log", `INSERT INTO observed (id, agent_id, agent_name, agent_type, session_id,
			user_id, query, response, metadata, topic, response_ms, variant, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
		o.ID, o.AgentID, o.AgentName, o.AgentType, o.SessionID, o.UserID, o.Query, o.Response, o.Metadata, o.Topic,
		o.ResponseMs, o.Variant, db.Ms(o.At)); err != nil {
		return err
	}
	if key != nil {
		if err := db.Exec(tx, "feedback: store the idempotency key", `INSERT INTO observed_key (owner, key, body_hash,
				subject_id, created_at)
			VALUES ($1, $2, $3, $4, $5)`,
			key.Owner, key.Key, key.BodyHash, o.ID, tx.NowMs()); err != nil {
			return err
		}
	}
	if err := b.UseTx(tx, o.ID, o.AgentID, o.Examples); err != nil {
		return err
	}
	if err := audit.Note(tx, audit.Actor{Kind: audit.Agent, ID: o.AgentID, Name: o.AgentName}, "feedback.logged",
		"observed", o.ID,
		map[string]any{"agent_type": o.AgentType, "query_bytes": len(o.Query),
			"response_bytes": len(o.Response)}); err != nil {
		return err
	}
	if err := b.hooks.OnLog(tx, o); err != nil {
		return fmt.Errorf("feedback: after %s was logged: %w", o.ID, err)
	}
	tx.Touch(Topic)
	return nil
}

// earlier finds the answer that was given for key before; "" when there is none.
func earlier(tx *db.Tx, key *interaction.Idempotency) (subjectID string, err error) {
	if key == nil {
		return "", nil
	}
	var hash string
	found, err := db.One(tx, "feedback: look up the idempotency key", `SELECT body_hash, subject_id
		FROM observed_key WHERE owner = $1 AND key = $2`, key.Owner, key.Key).Find(&hash, &subjectID)
	if err == nil && found {
		err = key.Same(hash, "report")
	}
	return subjectID, err
}

// Prune forgets idempotency keys that are older than two days; a periodic job.
func (b *Book) Prune(ctx context.Context) error {
	return b.db.Write(ctx, func(tx *db.Tx) error {
		return db.Exec(tx, "feedback: prune keys", `DELETE FROM observed_key
			WHERE created_at < $1`, db.Ms(tx.Now.Add(-interaction.KeepKeys)))
	})
}
