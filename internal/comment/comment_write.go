package comment

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/text"
)

// New comments and changes come with these.
type (
	// Input is a comment as it was typed.
	Input struct {
		CaseID  string
		By      Person
		Text    string
		Meant   map[string]string // answers to what was Unclear, by its Key
		FormKey string            // one per form that was shown; "" when there was none
	}
	// Change is a comment as its author wants it instead.
	Change struct {
		ID      string
		By      Person
		Text    string
		Meant   map[string]string
		Version int // that was on the screen
	}
)

// Add posts a comment. Invalid with the text to mend, or with an UnclearError; NotFound without such a case. The same
// FormKey again returns what it made the first time.
func (s *Store) Add(ctx context.Context, in Input) (c *Comment, err error) {
	return db.Write(ctx, s.db, func(tx *db.Tx) (*Comment, error) { return s.AddTx(tx, in) })
}

// AddTx is Add within tx.
func (s *Store) AddTx(tx *db.Tx, in Input) (*Comment, error) {
	text, err := checkText(in.Text)
	if err != nil {
		return nil, err
	}
	if in.FormKey != "" {
		c, err := getTx(tx, ` WHERE c.by_id = $1 AND c.form_key = $2`, in.By.ID, in.FormKey)
		if !errors.Is(err, sql.ErrNoRows) {
			return c, err
		}
	}
	found, err := s.hooks.Case(tx, in.CaseID)
	if err != nil {
		return nil, err
	}
	mentions, err := s.mentionsTx(tx, text, in.Meant)
	if err != nil {
		return nil, err
	}
	c := &Comment{ID: id.New(), Case: found, By: Person{ID: in.By.ID, Name: in.By.Name}, At: tx.Now, Version: 1,
		Text: text, Mentions: mentions}
	if err := db.Exec(tx, "comment: add to "+found.ID, `INSERT INTO comment (id, review_id, agent_id, agent_name, task,
			by_id, by_name, form_key, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		c.ID, found.ID, found.AgentID, found.AgentName, found.Task, c.By.ID, c.By.Name, in.FormKey,
		tx.NowMs()); err != nil {
		return nil, err
	}
	if err := s.writeTextTx(tx, c, nil); err != nil {
		return nil, err
	}
	return c, recordTx(tx, c, "comment.added")
}

// Edit changes a comment of mine. Conflict when it was changed since, is withdrawn, or EditFor has passed.
func (s *Store) Edit(ctx context.Context, ch Change) (c *Comment, err error) {
	text, err := checkText(ch.Text)
	if err != nil {
		return nil, err
	}
	return db.Write(ctx, s.db, func(tx *db.Tx) (*Comment, error) {
		c, err := mineTx(tx, ch.ID, ch.By, ch.Version)
		if err != nil {
			return nil, err
		}
		if !c.Editable(ch.By.ID, tx.Now) {
			return nil, fault.New(fault.Conflict,
				"You can edit a comment for %d minutes, and that time has passed. Add another comment, or delete "+
					"this one.", int(EditFor.Minutes()))
		}
		if text == c.Text {
			return c, nil
		}
		before := c.Mentions
		if c.Mentions, err = s.mentionsTx(tx, text, ch.Meant); err != nil {
			return nil, err
		}
		c.Text, c.Version, c.EditedAt = text, c.Version+1, tx.Now
		if err := db.Exec(tx, "comment: change "+c.ID, `UPDATE comment SET edited_at = $1, version = $2
			WHERE id = $3`, tx.NowMs(), c.Version, c.ID); err != nil {
			return nil, err
		}
		if err := s.writeTextTx(tx, c, before); err != nil {
			return nil, err
		}
		return c, recordTx(tx, c, "comment.changed")
	})
}

// Withdraw takes a comment of mine back: it is shown as withdrawn from then on, and kept. Twice is as once.
func (s *Store) Withdraw(ctx context.Context, commentID string, by Person) (c *Comment, err error) {
	return db.Write(ctx, s.db, func(tx *db.Tx) (*Comment, error) {
		c, err := getTx(tx, ` WHERE c.id = $1`, commentID)
		if err != nil {
			return nil, err
		}
		if c.By.ID != by.ID {
			return nil, notYours(c)
		}
		if !c.WithdrawnAt.IsZero() {
			return c, nil
		}
		c.WithdrawnAt = tx.Now
		if err := db.Exec(tx, "comment: withdraw "+c.ID, `UPDATE comment SET withdrawn_at = $1
			WHERE id = $2`, tx.NowMs(), c.ID); err != nil {
			return nil, err
		}
		tx.Touch("comments")
		return c, recordTx(tx, c, "comment.withdrawn")
	})
}

// EraseTx empties the texts of every comment on a case, which the law may demand; that there were comments, by whom and
// when, stays. It returns how many were emptied.
func (s *Store) EraseTx(tx *db.Tx, caseID, why string, by audit.Actor) (n int, err error) {
	count, err := db.Change(tx, "comment: erase those of "+caseID, `UPDATE comment SET erased_at = $1
		WHERE review_id = $2 AND erased_at = 0`, tx.NowMs(), caseID)
	if err != nil || count == 0 {
		return 0, err
	}
	for _, q := range []string{
		`UPDATE comment_text SET text = '' WHERE comment_id IN (SELECT id FROM comment WHERE review_id = $1)`,
		`UPDATE comment_mention SET spans = '' WHERE comment_id IN (SELECT id FROM comment WHERE review_id = $1)`,
	} {
		if err := db.Exec(tx, "comment: erase those of "+caseID, q, caseID); err != nil {
			return 0, err
		}
	}
	tx.Touch("comments")
	return int(count), audit.Note(tx, by, "comment.erased", "interaction", caseID,
		map[string]any{"why": why, "comments": count})
}

// checkText is what was typed as it is kept, or what is wrong with it.
func checkText(typed string) (string, error) {
	typed = text.Typed(typed)
	long := text.TooLong(typed, MaxText)
	switch {
	case typed == "" || strings.IndexFunc(typed, visible) < 0:
		return "", fault.Wrong("There is nothing to post yet.", "text", "Write something first.")
	case long != "":
		return "", fault.Wrong("The comment is too long.", "text", long)
	case strings.ContainsRune(typed, 0):
		return "", fault.Wrong("The comment can't be saved.", "text",
			"It contains a character that isn't text. Type it again.")
	}
	return typed, nil
}

// mentionsTx finds who is meant, or asks.
func (s *Store) mentionsTx(tx *db.Tx, text string, meant map[string]string) ([]Mention, error) {
	if !strings.ContainsRune(text, '@') {
		return nil, nil
	}
	people, err := s.hooks.People(tx)
	if err != nil {
		return nil, err
	}
	found, unclear := Parse(text, people, meant)
	if len(unclear) > 0 {
		return nil, unclearFault(unclear)
	}
	if len(byPerson(found)) > MaxMentions {
		return nil, fault.Wrong("Too many people are mentioned.", "text",
			fmt.Sprintf("A comment can mention %d people. Mention fewer, or tell the others in person.", MaxMentions))
	}
	return found, nil
}

// byPerson gathers where each person is meant, in the order of their first places.
func byPerson(list []Mention) []personSpans {
	var out []personSpans
next:
	for _, m := range list {
		for i := range out {
			if out[i].who.ID == m.Person.ID {
				out[i].at = append(out[i].at, [2]int{m.Start, m.End})
				continue next
			}
		}
		out = append(out, personSpans{m.Person, [][2]int{{m.Start, m.End}}})
	}
	return out
}

type personSpans struct {
	who Person
	at  [][2]int
}

// writeTextTx stores the comment's text as it is now, who is meant, and the notices of those who were not meant before.
func (s *Store) writeTextTx(tx *db.Tx, c *Comment, before []Mention) error {
	if err := db.Exec(tx, "comment: store the text of "+c.ID, `INSERT INTO comment_text (comment_id, version, text, at)
		VALUES ($1, $2, $3, $4)`, c.ID, c.Version, c.Text, tx.NowMs()); err != nil {
		return err
	}
	if err := db.Exec(tx, "comment: store the mentions of "+c.ID, `DELETE FROM comment_mention
		WHERE comment_id = $1`, c.ID); err != nil {
		return err
	}
	var told []string
	for _, p := range byPerson(before) {
		told = append(told, p.who.ID)
	}
	var tell []string
	for _, p := range byPerson(c.Mentions) {
		spans, err := json.Marshal(p.at)
		if err != nil {
			return err
		}
		if err := db.Exec(tx, "comment: store the mentions of "+c.ID, `INSERT INTO comment_mention (comment_id,
				account_id, at, spans)
			VALUES ($1, $2, $3, $4)`,
			c.ID, p.who.ID, db.Ms(c.At), string(spans)); err != nil {
			return err
		}
		tell = append(tell, p.who.ID)
	}
	tx.Touch("comments")
	return s.NoticeTx(tx, without(tell, told),
		Notice{Kind: Mentioned, CaseID: c.Case.ID, ObjectID: c.ID, Task: c.Case.Task, By: c.By})
}

// recordTx keeps that something was said, by length and hash: the text itself stands in one place only.
func recordTx(tx *db.Tx, c *Comment, action string) error {
	sum := sha256.Sum256([]byte(c.Text))
	mentioned := []string{}
	for _, p := range byPerson(c.Mentions) {
		mentioned = append(mentioned, p.who.ID)
	}
	return audit.Note(tx, c.By.Actor(), action, "interaction", c.Case.ID, map[string]any{
		"comment": c.ID, "version": c.Version, "text_hash": hex.EncodeToString(sum[:]), "bytes": len(c.Text),
		"mentions": mentioned,
	})
}

// mineTx finds a comment that by may change, at the version that was on the screen.
func mineTx(tx *db.Tx, commentID string, by Person, version int) (*Comment, error) {
	c, err := getTx(tx, ` WHERE c.id = $1`, commentID)
	switch {
	case err != nil:
		return nil, err
	case c.By.ID != by.ID:
		return nil, notYours(c)
	case !c.WithdrawnAt.IsZero():
		return nil, fault.New(fault.Conflict, "This comment was deleted. Add another one.")
	case c.Version != version:
		return nil, fault.New(fault.Conflict,
			"This comment has changed since you opened it. Reload to see the latest version.")
	}
	return c, nil
}

func notYours(c *Comment) error {
	return fault.New(fault.Denied, "%s wrote this, and only they can edit or delete it. Add your own comment.",
		c.By.Name)
}

func visible(r rune) bool { return inWord(r) || r > ' ' && r < utf8.RuneSelf || r > 0x2100 }
