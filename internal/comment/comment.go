// Package comment is what people tell each other about a case, and what each of them should know: comments with
// mentions, and notices.
//
// It owns the tables comment, comment_text, comment_mention and notice. A comment belongs to a case, whatever became of
// the case: a decided one is talked about, too. Agents never see comments.
//
// What it promises.
//   - A comment is plain text of up to MaxText characters. Who is meant by an @ is settled when it is written: each
//     mention is one person who may see cases, or the comment is refused with its text kept and the people who could be
//     meant.
//   - Its author may change it for EditFor; every version is kept. Afterwards it stands, or is withdrawn: then it is
//     shown as withdrawn and still kept for the record. Nobody else changes it.
//   - A form counts once, however often it is sent (FormKey).
//   - A comment, its mentions, their notices and the audit row are one transaction.
//   - A mention makes one notice per person and comment, not again when the comment is changed.
//   - Notices roll: what is unread and of one kind about many cases is one row with a number, so that nobody gets 500.
//   - Texts stand in comment_text alone; EraseTx empties them. The audit row and the notice carry no text, so an
//     erasure has one place to reach. Nothing of a comment is ever logged.
//
// Who may be meant, what a case is and who is in a team are hooks: this package knows neither accounts nor reviews.
//
// What it decided against: Markdown (a comment is a remark, not a document), replies to replies (a case has one talk),
// storing who is meant by name (names change and are not unique), notices as text (their words can change and be
// translated), and deleting.
package comment

import (
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/hook"
)

const (
	// MaxText bounds a comment, in characters.
	MaxText = 4_000
	// MaxMentions bounds how many people one comment means.
	MaxMentions = 20
	// EditFor is how long its author may change a comment.
	EditFor = 15 * time.Minute
)

// Person is somebody who may see cases.
type Person struct {
	ID    string // account
	Name  string
	Email string
}

// Actor is the person as the audit log names them.
func (p Person) Actor() audit.Actor { return audit.Actor{Kind: audit.Person, ID: p.ID, Name: p.Name} }

// Case is what a comment keeps of its case.
type Case struct {
	ID        string
	AgentID   string
	AgentName string
	Task      string
}

// Comment is one remark.
type Comment struct {
	ID          string
	Case        Case
	By          Person // without the e-mail address
	At          time.Time
	EditedAt    time.Time // zero: never
	WithdrawnAt time.Time // zero: it stands
	Erased      bool
	Version     int
	Text        string // of the present version
	Mentions    []Mention
	Earlier     []Version // the versions before, oldest first; filled by Of and Get
}

// Version is what a comment said before it was changed.
type Version struct {
	Number int
	Text   string
	At     time.Time
}

// Editable reports whether viewer may change the comment at now.
func (c *Comment) Editable(viewer string, now time.Time) bool {
	return c.Withdrawable(viewer) && now.Before(c.At.Add(EditFor))
}

// Withdrawable reports whether viewer may withdraw the comment.
func (c *Comment) Withdrawable(viewer string) bool {
	return c.By.ID == viewer && viewer != "" && c.WithdrawnAt.IsZero() && !c.Erased
}

// Store is the door to comments and notices.
type Store struct {
	db    *db.DB
	hooks Hooks
}

// Hooks are what the comments ask others.
type Hooks struct {
	// People lists who may see cases, and so may be meant.
	People func(tx *db.Tx) ([]Person, error)
	// Case finds a case; a NotFound when there is none.
	Case func(tx *db.Tx, id string) (Case, error)
	// Team lists the accounts of a team.
	Team func(tx *db.Tx, id string) ([]string, error)
}

// New makes the store.
func New(d *db.DB, h Hooks) *Store {
	hook.Complete(h)
	return &Store{db: d, hooks: h}
}
