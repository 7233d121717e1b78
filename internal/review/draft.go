package review

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

// DraftModes are the forms in which one types, and that are kept before they are sent.
var DraftModes = []string{Revise, Reject, Return, OverruleMode, "skip", "stop", "recall"}

// OverruleMode is the form in which a text is approved against the checks that stop it.
const OverruleMode = "overrule"

const (
	// keepDrafts is how long something typed and never sent is kept.
	keepDrafts = 30 * 24 * time.Hour
	// maxDraft bounds each field of a draft, in bytes: more than a decision may have, so that too long a text is kept,
	// too, until it is shortened.
	maxDraft = 2 * interaction.MaxGuidance
)

// Draft is what somebody typed about a case and has not sent.
type Draft struct {
	CaseID     string
	Version    int    // of the review that was on the screen
	Mode       string // of DraftModes
	Text       string // revise only
	Reason     string
	ReasonCode string
	Feedback   string
	Stated     string // what should change next time, as the pages keep it
	Overrule   []Overruling
	Arguments  map[string][]string // of actions, the fields that were changed
	SavedAt    time.Time
	// the window that it is typed in, and when what that one began with was saved; without a window nothing is compared
	Tab  string
	Seen time.Time
}

// blank reports whether nothing was typed. A text as it stands under review is nothing typed.
func (d Draft) blank(r Row) bool {
	text := d.Text == "" || (d.Version == r.Version && interaction.TextHash(d.Text) == r.TextHash)
	return text && strings.TrimSpace(d.Reason+d.ReasonCode+d.Feedback+d.Stated) == "" &&
		len(d.Overrule)+len(d.Arguments) == 0
}

// SaveDraft keeps what by typed, in place of what they typed before in the same form of the same version; what is blank
// is forgotten. It changes nothing about the case and needs no claim: what was typed is kept even when somebody else
// was faster. A draft that arrives after its own author's decision of that kind is a Conflict and is not kept: the
// decision has it. ErrElsewhere when another window of theirs saved something since this one was opened.
func (q *Queue) SaveDraft(ctx context.Context, by Person, d Draft) (saved time.Time, err error) {
	if by.ID == "" {
		return saved, fault.New(fault.Unsigned, "Sign in to save what you type.")
	}
	d.normalise()
	if err := d.check(); err != nil {
		return saved, err
	}
	err = q.db.Write(ctx, func(tx *db.Tx) error {
		saved = tx.Now
		return saveDraftTx(tx, by, d)
	})
	return saved, err
}

func (d *Draft) normalise() {
	d.Overrule = tidyOverrulings(d.Overrule)
	for _, s := range []*string{&d.Text, &d.Reason, &d.ReasonCode, &d.Feedback, &d.Stated} {
		*s = strings.ToValidUTF8(lines(*s), "\uFFFD")
	}
}

func (d *Draft) check() error {
	if !slices.Contains(DraftModes, d.Mode) {
		return fault.Wrong("There is no such form.", "mode", "One of "+strings.Join(DraftModes, ", ")+".")
	}
	for name, typed := range map[string]string{"overrule": kept(d.Overrule), "arguments": kept(d.Arguments),
		"text":   d.Text,
		"reason": d.Reason, "reason_code": d.ReasonCode, "feedback": d.Feedback, "stated": d.Stated} {
		if len(typed) > maxDraft {
			return fault.Wrong("What you typed is too long to save. Shorten it.",
				name, text.TooBig(typed, maxDraft))
		}
	}
	return nil
}

func saveDraftTx(tx *db.Tx, by Person, d Draft) error {
	r, err := getRow(tx, d.CaseID)
	if err == nil {
		err = interaction.RefuseErasedTx(tx, d.Stated)
	}
	if err != nil {
		return err
	}
	kind := d.Mode
	if d.Mode == OverruleMode {
		kind = Approve
	}
	decided, err := db.Value[bool](tx, "review: save what was typed about "+d.CaseID, `SELECT EXISTS (SELECT 1
		FROM decision WHERE review_id = $1 AND +by_id = $2 AND version >= $3 AND kind = $4)`,
		d.CaseID, by.ID, d.Version, kind)
	if err != nil {
		return err
	}
	if err := d.elsewhere(tx, by); err != nil {
		return err
	}
	if decided {
		return fault.New(fault.Conflict, "You already decided this. What you typed is saved with your decision.")
	}
	if d.blank(r) {
		return dropDraftTx(tx, d.CaseID, by.ID, d.Version, d.Mode)
	}
	return db.Exec(tx, fmt.Sprintf("review: save what was typed about %s", d.CaseID), `INSERT INTO review_draft (by_id,
			review_id, version, mode, text, reason, reason_code, feedback, stated, overrule, arguments, saved_at,
				tab)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
		ON CONFLICT (by_id, review_id, version, mode) DO UPDATE SET text = excluded.text, reason = excluded.reason,
			reason_code = excluded.reason_code, feedback = excluded.feedback, stated = excluded.stated,
				overrule = excluded.overrule, arguments = excluded.arguments, saved_at = excluded.saved_at,
				tab = excluded.tab`,
		by.ID, d.CaseID, d.Version, d.Mode, d.Text, d.Reason, d.ReasonCode, d.Feedback, d.Stated,
		kept(d.Overrule), kept(d.Arguments), tx.NowMs(), d.Tab)
}

// ErrElsewhere is of what is typed in a window while another one of the same person saved what this one doesn't show.
var ErrElsewhere = fault.New(fault.Conflict, "Not saved: you changed this in another window since you opened this "+
	"one. Copy what you need from here, then reload.")

func (d Draft) elsewhere(tx *db.Tx, by Person) error {
	if d.Tab == "" {
		return nil
	}
	other, err := db.Value[bool](tx, "review: look for another window", `SELECT EXISTS (SELECT 1 FROM review_draft
		WHERE by_id = $1 AND review_id = $2 AND version = $3 AND mode = $4 AND tab <> $5 AND saved_at > $6)`,
		by.ID, d.CaseID, d.Version, d.Mode, d.Tab, db.Ms(d.Seen))
	if err == nil && other {
		err = ErrElsewhere
	}
	return err
}

// Drafts lists what by typed about a case, the last first: of this version of its text and of those before.
func (q *Queue) Drafts(ctx context.Context, caseID string, by Person) (list []Draft, err error) {
	return db.Read(ctx, q.db, func(tx *db.Tx) ([]Draft, error) {
		return db.List(tx, fmt.Sprintf("review: what was typed about %s", caseID),
			func(row db.Row) (d Draft, err error) {
				err = row.Scan(&d.CaseID, &d.Version, &d.Mode, &d.Text, &d.Reason, &d.ReasonCode, &d.Feedback,
					&d.Stated, db.JSON(&d.Overrule), db.JSON(&d.Arguments), db.At(&d.SavedAt))
				return d, err
			}, `SELECT review_id, version, mode, text, reason, reason_code, feedback, stated, overrule, arguments,
				saved_at
			FROM review_draft
			WHERE by_id = $1 AND review_id = $2 ORDER BY saved_at DESC, version DESC, mode LIMIT 12`, by.ID, caseID)
	})
}

// DropDraft forgets what by typed in one form of one version of a case.
func (q *Queue) DropDraft(ctx context.Context, caseID string, by Person, version int, mode string) error {
	return q.db.Write(ctx, func(tx *db.Tx) error { return dropDraftTx(tx, caseID, by.ID, version, mode) })
}

func dropDraftTx(tx *db.Tx, caseID, by string, version int, mode string) error {
	return db.Exec(tx, fmt.Sprintf("review: forget what was typed about %s", caseID), `DELETE FROM review_draft
		WHERE by_id = $1 AND review_id = $2 AND version = $3 AND mode = $4`, by, caseID, version, mode)
}

// dropDraftsTx forgets all that by typed about a case: it is part of their decision, and of nobody else's.
func dropDraftsTx(tx *db.Tx, caseID, by string) error {
	return db.Exec(tx, fmt.Sprintf("review: forget what was typed about %s", caseID), `DELETE FROM review_draft
		WHERE by_id = $1 AND review_id = $2`, by, caseID)
}

// pruneDrafts forgets what nobody came back to.
func (q *Queue) pruneDrafts(ctx context.Context) error {
	return q.db.Write(ctx, func(tx *db.Tx) error {
		return db.Exec(tx, "review: forget old drafts", `DELETE FROM review_draft
			WHERE saved_at < $1`, db.Ms(tx.Now.Add(-keepDrafts)))
	})
}

// kept is JSON of what was typed into lists of fields; "" of nothing.
func kept[T ~[]Overruling | ~map[string][]string](list T) string {
	if len(list) == 0 {
		return ""
	}
	b, _ := json.Marshal(list) // strings always marshal
	return string(b)
}
