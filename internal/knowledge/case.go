package knowledge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/job"
	"preceptor/internal/search"
)

// outcome is what storing a case came to.
type outcome int

const (
	added outcome = iota
	updated
	unchanged
)

// overview holds the headings that say nothing of their own.
var overview = map[string]bool{"overview": true, "key facts": true, "introduction": true, "about": true,
	"summary": true, "the basics": true, "in short": true}

// askedIs stands before a released case's question in its situation, and askedEnd behind it.
const (
	askedIs  = ". Asked: “"
	askedEnd = "”"
)

// WithAsked is the situation of a case whose customer asked a question.
func WithAsked(situation, question string) string {
	return situation + askedIs + strings.TrimSpace(question) + askedEnd
}

// Asked is the question that a released case answered; "" where it says none.
func (c Case) Asked() string {
	if at := strings.LastIndex(c.Situation, askedIs); at >= 0 {
		return strings.TrimSuffix(c.Situation[at+len(askedIs):], askedEnd)
	}
	return ""
}

// entry is the case as the indexes see it. A case without guidance is a warning, not an example, and is never recalled.
func (c Case) entry() search.Entry {
	title, body := c.Title, c.Guidance
	switch {
	case (c.Source != FromDocument || c.Written()) && c.Situation != "":
		body = c.Situation + "\n" + body
	case c.Page != "" && c.Page != c.Title && overview[strings.ToLower(c.Heading)]:
		title = c.Page // the section that tells what the page is about
	case c.Page != "" && c.Page != c.Title:
		body = c.Page + "\n" + body
	}
	owner := c.AgentID
	if owner == "" {
		owner = search.SharedBy(c.Pack)
	}
	return search.Entry{Kind: search.KindCase, ID: c.ID, AgentID: owner, Task: c.Task,
		Active: c.Status == Active && c.Guidance != "" && !c.RestsOn(""),
		Title:  title, Body: body, Model: c.model, Vector: c.vector}
}

// PrepareCase computes what AddCaseTx may not ask a model for. Call it outside the transaction; a case that was not
// prepared gets its vector from the background job when the embedder is not local.
func (b *Base) PrepareCase(ctx context.Context, c *Case) error {
	v, err := b.embed(ctx, c.entry())
	if err != nil {
		return err
	}
	c.vector, c.model = v, b.embedder.Name()
	return nil
}

func (b *Base) embed(ctx context.Context, e search.Entry) ([]float32, error) {
	vectors, err := b.embedder.Embed(ctx, []string{e.Text()})
	if err != nil {
		return nil, fmt.Errorf("knowledge: embed: %w", err)
	}
	if len(vectors) != 1 {
		return nil, fmt.Errorf("knowledge: %s gave %d vectors for one text", b.embedder.Name(), len(vectors))
	}
	return vectors[0], nil
}

// AddCaseTx stores a case, or a new version of the case with the same agent, source and origin; one that says the same
// changes nothing. The stored case is returned.
func (b *Base) AddCaseTx(tx *db.Tx, c Case) (Case, error) {
	c, what, err := b.putCaseTx(tx, c)
	if err != nil || what == unchanged {
		return c, err
	}
	action := "case.added"
	if what == updated {
		action = "case.changed"
	}
	return c, record(tx, c.By, action, "case", c.ID,
		map[string]any{"number": c.Number, "version": c.Version, "source": c.Source, "reason": c.Reason})
}

func (b *Base) putCaseTx(tx *db.Tx, c Case) (Case, outcome, error) {
	if err := checkCase(&c); err != nil {
		return c, unchanged, err
	}
	c.ErasedAt = time.Time{}
	old, err := b.CaseOfOriginTx(tx, c.AgentID, c.Source, c.Origin)
	if err != nil {
		return c, unchanged, err
	}
	if old == nil {
		if c, err = b.insertCase(tx, c); err == nil {
			err = b.bornTx(tx, c)
		}
		return c, added, err
	}
	if old.hash() == c.hash() {
		return *old, unchanged, nil
	}
	c.ID, c.Number, c.Version, c.CreatedAt = old.ID, old.Number, old.Version+1, old.CreatedAt
	err = b.writeCaseVersion(tx, &c)
	if err == nil && c.Source == FromDocument &&
		(c.Status != old.Status || whole(c.CaseText) != whole(old.CaseText)) {
		err = b.rewordedTx(tx, &c, "")
	}
	return c, updated, err
}

func checkCase(c *Case) error {
	if c.Status == "" {
		c.Status = Active
	}
	if c.Source == "" {
		return errors.New("knowledge: a case without a source")
	}
	if c.Guidance == "" && c.Negative == "" {
		return fault.New(fault.Invalid, "A case needs guidance, or the mistake it warns of.")
	}
	return nil
}

// hash covers everything that a version says.
func (c Case) hash() string {
	c.CaseText.Flags = c.Flags
	b, err := json.Marshal(struct {
		Text                 CaseText
		Status, Task, Domain string
		Exemplar, Approved   bool
		From, To             int64 `json:",omitempty"`
	}{c.CaseText, c.Status, c.Task, c.Domain, c.Exemplar, c.Approved, db.Ms(c.ValidFrom), db.Ms(c.ValidTo)})
	if err != nil {
		panic(err) // plain strings and numbers
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func (b *Base) insertCase(tx *db.Tx, c Case) (Case, error) {
	c.ID, c.Version, c.CreatedAt = id.New(), 1, tx.Now
	if err := db.One(tx, "knowledge: next case number", `SELECT coalesce(max(number), 0) + 1
		FROM knowledge_case`).Scan(&c.Number); err != nil {
		return c, err
	}
	err := db.Exec(tx, "knowledge: add case",
		`INSERT INTO knowledge_case (id, number, agent_id, source, origin, status, task, domain, exemplar, approved,
				flagged, version, created_at, updated_at, interaction_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, $12, $13, $14)`,
		c.ID, c.Number, c.AgentID, c.Source, c.Origin, c.Status, c.Task, c.Domain, c.Exemplar, c.Approved,
		len(c.Flags) > 0, tx.NowMs(), tx.NowMs(), c.InteractionID)
	if err != nil {
		return c, err
	}
	return c, b.writeCaseVersion(tx, &c)
}

// writeCaseVersion stores c as version c.Version, makes it the one that holds, and indexes it.
func (b *Base) writeCaseVersion(tx *db.Tx, c *Case) error {
	c.UpdatedAt = tx.Now
	c.CaseText.Flags = c.Flags
	version := *c
	version.ErasedAt = time.Time{}
	if err := insertCaseVersion(tx, &version); err != nil {
		return err
	}
	err := db.Exec(tx, "knowledge: write case",
		`UPDATE knowledge_case SET status = $1, task = $2, domain = $3, exemplar = $4, approved = $5, flagged = $6,
			version = $7, updated_at = $8
		WHERE id = $9`, c.Status, c.Task, c.Domain, c.Exemplar, c.Approved, len(c.Flags) > 0, c.Version, tx.NowMs(),
		c.ID)
	if err != nil {
		return err
	}
	tx.Touch("knowledge")
	if err := b.indexCase(tx, c); err != nil {
		return err
	}
	return b.opts.OnCase(tx, *c)
}

func insertCaseVersion(tx *db.Tx, c *Case) error {
	content, err := json.Marshal(c.CaseText)
	if err != nil {
		return fmt.Errorf("knowledge: write case: %w", err)
	}
	by := actor(c.By)
	seq, err := nextSeq(tx)
	if err != nil {
		return err
	}
	return db.Exec(tx, "knowledge: write case version",
		`INSERT INTO knowledge_case_version (case_id, version, status, content, hash, task, domain, exemplar, approved,
				flagged, valid_from, valid_to, erased_at, by_kind, by_id, reason, created_at, seq)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`, c.ID, c.Version,
		c.Status, string(content), c.hash(), c.Task, c.Domain, c.Exemplar, c.Approved, len(c.Flags) > 0,
		db.Ms(c.ValidFrom), db.Ms(c.ValidTo), db.Ms(c.ErasedAt), by.Kind, by.ID, c.Reason, db.Ms(c.UpdatedAt), seq)
}

// indexEntry writes the entry. One that was not prepared, and has no vector of this text yet, gets it from the
// background job; where there is none, here, when that needs no network.
func (b *Base) indexEntry(tx *db.Tx, e search.Entry) error {
	have := e.Vector != nil || !b.local
	if !have {
		var err error
		if have, err = b.index.EmbeddedTx(tx, e, b.embedder.Name()); err != nil {
			return err
		}
	}
	switch {
	case have:
	case b.jobs != nil:
		if err := b.jobs.InsertTx(tx, Reembed{}, job.Unique()); err != nil {
			return err
		}
	default:
		v, err := b.embed(context.Background(), e)
		if err != nil {
			return err
		}
		e.Vector, e.Model = v, b.embedder.Name()
	}
	return b.index.UpsertTx(tx, e)
}

// RetireCaseTx takes a case out of recall, as a new version. What rests on a section that is retired is withheld.
func (b *Base) RetireCaseTx(tx *db.Tx, id string, ch Change) error {
	c, err := b.retireTx(tx, id, ch)
	if err != nil || c.Source != FromDocument || c.Version == 0 {
		return err
	}
	return b.wentTx(tx, []string{id}, c.Label()+" was retired")
}

// stale refuses a change of another version than the case has.
func (c *Case) stale(ch Change) error {
	if ch.Version == 0 || ch.Version == c.Version {
		return nil
	}
	return fault.New(fault.Conflict, "%s has changed (it is now at version %d). Check it again.", c.Label(), c.Version)
}

// retireTx retires a case; the zero Case is given where it was retired before.
func (b *Base) retireTx(tx *db.Tx, id string, ch Change) (Case, error) {
	c, err := b.CaseTx(tx, id)
	if err != nil || c.Status == Retired {
		return Case{}, err
	}
	if err := c.stale(ch); err != nil {
		return *c, err
	}
	c.Status, c.By, c.Reason, c.Version = Retired, ch.By, ch.Reason, c.Version+1
	if err := b.writeCaseVersion(tx, c); err != nil {
		return *c, err
	}
	return *c, record(tx, c.By, "case.retired", "case", c.ID,
		map[string]any{"number": c.Number, "version": c.Version, "reason": c.Reason})
}

// RetireOriginTx retires the cases made from origin; reports whether there was one.
func (b *Base) RetireOriginTx(tx *db.Tx, source, origin string, ch Change) (bool, error) {
	ids, err := db.Column[string](tx, "knowledge: find origin", `SELECT id FROM knowledge_case
		WHERE source = $1 AND origin = $2 AND origin <> '' AND status = $3`, source, origin, Active)
	if err != nil {
		return false, err
	}
	for _, caseID := range ids {
		if err := b.RetireCaseTx(tx, caseID, ch); err != nil {
			return false, err
		}
	}
	return len(ids) > 0, nil
}

// actor fills in who acts when nobody is named.
func actor(a audit.Actor) audit.Actor {
	if a.Kind == "" {
		return audit.System("knowledge")
	}
	return a
}

func record(tx *db.Tx, by audit.Actor, action, kind, objectID string, content any) error {
	return audit.Note(tx, actor(by), action, kind, objectID, content)
}
