// Package reply keeps saved replies: texts that people put into a revision, with places to fill in (text.Blanks).
//
// It owns the table saved_reply. A reply is its owner's alone or shared with everybody who reviews; only its owner
// changes it, and an administrator may delete a shared one whose owner is gone. It is no record of the desk and leaves
// no audit row: what goes to a customer is the revision, which a person reads and sends.
package reply

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"preceptor/internal/phrase"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/text"
)

const (
	maxName = 60
	maxText = 8_000 // bytes
	maxOwn  = 100   // of one person
)

// Reply is a saved text.
type Reply struct {
	ID        string
	OwnerID   string
	OwnerName string
	Shared    bool
	Name      string
	Text      string
}

// Book is all of them.
type Book struct{ db *db.DB }

// New opens the book.
func New(d *db.DB) *Book { return &Book{db: d} }

// List is what viewer may use: their own and what is shared, by name.
func (b *Book) List(ctx context.Context, viewer string) (list []Reply, err error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) ([]Reply, error) { return ListTx(tx, viewer) })
}

// ListTx is List in the caller's transaction.
func ListTx(tx *db.Tx, viewer string) ([]Reply, error) {
	return db.Rows(tx, "reply: list", func(r *Reply) []any {
		return []any{&r.ID, &r.OwnerID, &r.OwnerName, &r.Shared, &r.Name, &r.Text}
	}, `SELECT id, owner_id, owner_name, shared, name, text FROM saved_reply
		WHERE owner_id = $1 OR shared = 1 ORDER BY name_key, id`, viewer)
}

// Without is a text without the sentences that are a reply's, whatever its places were filled in with, and what of that
// may tell the customer. What the draft says too stays.
func Without(list []Reply, body, draft string) (own string, private []string) {
	body = text.Typed(body)
	var among []func(string) []string
	for _, r := range list {
		for line := range strings.Lines(text.Typed(r.Text)) {
			for _, at := range phrase.Sentences(line) {
				if find := text.Filled(at.In(line), body); find != nil {
					among = append(among, find)
				}
			}
		}
	}
	for line := range strings.Lines(body) {
		end := 0
		for _, at := range phrase.Sentences(line) {
			for _, find := range among {
				if m := find(at.In(line)); m != nil && !strings.Contains(draft, m[0]) {
					own, end = own+line[end:at.Start], at.End
					private = append(private, m[1:]...)
					break
				}
			}
		}
		own += line[end:]
	}
	return own, slices.DeleteFunc(private, func(v string) bool {
		return utf8.RuneCountInString(v) < 3 || strings.Contains(draft, v) ||
			!strings.ContainsFunc(v, func(r rune) bool { return unicode.IsDigit(r) || unicode.IsUpper(r) })
	})
}

// Save keeps a reply of its owner's: a new one, or in place of the one of its ID.
func (b *Book) Save(ctx context.Context, r Reply) error {
	r.Name = strings.Join(strings.Fields(strings.ToValidUTF8(r.Name, "")), " ")
	r.Text = text.Typed(r.Text)
	if err := r.check(); err != nil {
		return err
	}
	return b.db.Write(ctx, func(tx *db.Tx) error {
		var n int
		err := db.One(tx, "reply: count", `SELECT COUNT(*) FROM saved_reply WHERE owner_id = $1`, r.OwnerID).Scan(&n)
		switch {
		case err != nil:
			return err
		case r.ID != "":
			err = change(tx, r)
		case n >= maxOwn:
			return wrong("name", fmt.Sprintf("You have %d saved replies. Delete one first.", n))
		default:
			_, err = tx.Exec(`INSERT INTO saved_reply (id, owner_id, owner_name, shared, name, name_key, text,
					changed_at)
				VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
				id.New(), r.OwnerID, r.OwnerName, r.Shared, r.Name, strings.ToLower(r.Name), r.Text, tx.NowMs())
		}
		if db.IsUnique(err) {
			return wrong("name", "You already have a reply with this name. Choose another name.")
		}
		return err
	})
}

func change(tx *db.Tx, r Reply) error {
	res, err := tx.Exec(`UPDATE saved_reply SET shared = $1, name = $2, name_key = $3, text = $4, changed_at = $5
		WHERE id = $6 AND owner_id = $7`,
		r.Shared, r.Name, strings.ToLower(r.Name), r.Text, tx.NowMs(), r.ID, r.OwnerID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 1 {
		return err
	}
	return fault.New(fault.NotFound, "You have no such reply. Only the person who saved it can change it.")
}

func (r Reply) check() error {
	switch {
	case r.Name == "":
		return wrong("name", "Give it a name.")
	case utf8.RuneCountInString(r.Name) > maxName:
		return wrong("name", fmt.Sprintf("Use at most %d characters.", maxName))
	case r.Text == "":
		return wrong("text", "Enter the text.")
	case text.Unfinished(r.Text) != "":
		return wrong("text", "Finish “"+text.Unfinished(r.Text)+"” as {{name}}, or remove it.")
	case text.SingleBraces(r.Text) != "":
		place := text.SingleBraces(r.Text)
		return wrong("text", "Write {"+place+"} instead of "+place+", or it is sent as it is.")
	case len(r.Text) > maxText:
		return wrong("text", text.TooBig(r.Text, maxText))
	}
	return nil
}

func wrong(field, msg string) error {
	return fault.Wrong("The reply isn't saved.", field, msg)
}

// Delete forgets a reply of by's; an administrator's any shared one. One that is gone or not theirs is left alone.
func (b *Book) Delete(ctx context.Context, by, replyID string, admin bool) error {
	return b.db.Write(ctx, func(tx *db.Tx) error {
		return db.Exec(tx, "reply: delete", `DELETE FROM saved_reply
			WHERE id = $1 AND (owner_id = $2 OR shared = 1 AND $3 = 1)`, replyID, by, admin)
	})
}

// RenameTx gives the owner of replies a new name.
func RenameTx(tx *db.Tx, ownerID, name string) error {
	return db.Exec(tx, "reply: rename the owner", `UPDATE saved_reply SET owner_name = $1
		WHERE owner_id = $2`, name, ownerID)
}
