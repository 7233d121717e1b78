package review

import (
	"cmp"
	"context"
	"strings"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Expert is what compliance experts say about a text that may go to a customer, where they have to do with it. At most
// one of Open, Releases and Blocks is set.
type Expert struct {
	Open     bool   // they have it: it can't be approved before they ruled
	Releases bool   // they ruled that it may go out, whatever the check says
	Blocks   bool   // they ruled that it may not, as it stands
	By       string // who ruled
}

func (q *Queue) expertTx(tx *db.Tx, id, text string) (Expert, error) {
	return q.hooks.Experts(tx, id, interaction.TextHash(text))
}

// expert is what experts say about the text that in would send.
func (q *Queue) expert(ctx context.Context, in Input, text string) (x Expert, err error) {
	return db.Read(ctx, q.db, func(tx *db.Tx) (Expert, error) { return q.expertTx(tx, in.ID, text) })
}

// refuse says why a text can't go out because of the experts; nil when they don't mind.
func (x Expert) refuse() error {
	switch {
	case x.Open:
		return fault.Wrong("The compliance experts have this text, so it can't be sent until they rule. Meanwhile, "+
			"you can revise it, reject it or send it back.",
			"text", "With experts; see the case under Borderline.")
	case x.Blocks:
		return fault.Wrong(x.By+" ruled that this text can't be sent as it is. Revise it, reject it or send it back.",
			"text", "Ruled against by "+x.By+".")
	}
	return nil
}

// stillAllowed makes sure, in the deciding transaction, that what the experts said of the text at the check is what
// they say now.
func (q *Queue) stillAllowed(tx *db.Tx, c *deciding) error {
	text := c.text
	switch c.Kind {
	case Approve:
	case Revise:
		text = c.Text
	default:
		return nil
	}
	x, err := q.expertTx(tx, c.ID, text)
	if err == nil && x != c.found.expert {
		err = changedSince()
	}
	return err
}

// notJudged is Decision.NotJudged and Unread.
func (r *Row) notJudged() (why string, unread bool) {
	if r.Assessment.Label != NotJudged {
		return "", false
	}
	return cmp.Or(strings.Join(r.Assessment.Because, " "), "No judge reads such texts."), r.Assessment.Borderline
}

// Undecided is nil while a case waits for a supervisor and the text with this hash is the one under review; "" is any
// text.
func (q *Queue) Undecided(tx *db.Tx, id, textHash string) error {
	r, err := getRow(tx, id)
	if err != nil {
		return err
	}
	if err := r.whyEnded(tx.Now); err != nil {
		return err
	}
	if r.State == "decided" {
		return decidedAlready(tx, r.DecisionID, Person{})
	}
	if textHash != "" && r.TextHash != textHash {
		return changedSince()
	}
	return nil
}
