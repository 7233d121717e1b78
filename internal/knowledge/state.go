package knowledge

import (
	"context"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/text"
)

// The kinds of states.
const (
	ByPerson  = "person"    // somebody named it
	Automatic = "automatic" // from just before a big change
)

// maxStateName bounds a state's name, in characters.
const maxStateName = 100

// State is a moment in the life of the whole base. It is one number: of each item the newest version up to Seq. So it
// costs nothing to keep.
type State struct {
	ID        string
	Name      string
	Kind      string
	Seq       int64
	By        audit.Actor
	CreatedAt time.Time
}

// SaveState keeps the base as it is now under a name. Only experts and administrators may.
func (b *Base) SaveState(ctx context.Context, name string, by Person) (s State, err error) {
	if err := by.May("name a state"); err != nil {
		return s, err
	}
	name = strings.Join(strings.Fields(strings.ToValidUTF8(name, "")), " ")
	bad := func(msg string) error {
		return fault.Wrong("The state needs a name of its own.", "name", msg)
	}
	if name == "" {
		return s, bad("Give it a name, such as Before the autumn import.")
	}
	if long := text.TooLong(name, maxStateName); long != "" {
		return s, bad(long)
	}
	err = b.db.Write(ctx, func(tx *db.Tx) error {
		var taken bool
		if err := db.One(tx, "knowledge: look for a state", `SELECT
			EXISTS (SELECT 1 FROM knowledge_state WHERE kind = 'person' AND lower(name) = lower($1))`,
			name).Scan(&taken); err != nil {
			return err
		}
		if taken {
			return bad("There is already a state with this name. Choose another.")
		}
		seq, err := lastSeq(tx)
		if err == nil {
			s, err = b.keepStateTx(tx, name, ByPerson, seq, by.Actor())
		}
		return err
	})
	return s, err
}

// AutomaticStateTx keeps the base as it is before a big change, whose name says which, as "Before the import of
// guidance". When nothing changed since the last automatic state, that one is given back.
func (b *Base) AutomaticStateTx(tx *db.Tx, name string, by audit.Actor) (State, error) {
	seq, err := lastSeq(tx)
	if err != nil {
		return State{}, err
	}
	return b.stateAtTx(tx, name, seq, by)
}

// stateAtTx is AutomaticStateTx for what the base was at a version's number, before the changes of this transaction.
func (b *Base) stateAtTx(tx *db.Tx, name string, seq int64, by audit.Actor) (State, error) {
	if text.TooLong(name, maxStateName) != "" {
		name = text.Opening(name, maxStateName-1)
	}
	s, err := scanState(oneState(tx, `SELECT `+stateColumns+` FROM knowledge_state
		WHERE kind = 'automatic' AND seq = $1 AND name = $2
		ORDER BY id DESC LIMIT 1`, seq, name))
	if err == nil || !fault.Is(err, fault.NotFound) {
		return s, err
	}
	return b.keepStateTx(tx, name, Automatic, seq, actor(by))
}

func (b *Base) keepStateTx(tx *db.Tx, name, kind string, seq int64, by audit.Actor) (s State, err error) {
	s = State{ID: id.New(), Name: name, Kind: kind, Seq: seq, By: by, CreatedAt: tx.Now}
	if err := db.Exec(tx, "knowledge: keep a state",
		`INSERT INTO knowledge_state (id, name, kind, seq, by_kind, by_id, by_name, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		s.ID, s.Name, s.Kind, s.Seq, by.Kind, by.ID, by.Name, tx.NowMs()); err != nil {
		return s, err
	}
	tx.Touch("knowledge")
	return s, record(tx, by, "knowledge.state", "knowledge_state", s.ID,
		map[string]any{"name": s.Name, "kind": s.Kind, "seq": s.Seq})
}

const stateColumns = `id, name, kind, seq, by_kind, by_id, by_name, created_at`

func oneState(tx *db.Tx, query string, args ...any) db.Row {
	return db.One(tx, "knowledge: read a state", query, args...).
		Or(fault.New(fault.NotFound, "There is no such state. Go back to the history and choose one from the list."))
}

func scanState(row db.Row) (s State, err error) {
	err = row.Scan(&s.ID, &s.Name, &s.Kind, &s.Seq, &s.By.Kind, &s.By.ID, &s.By.Name, db.At(&s.CreatedAt))
	return s, err
}

func stateTx(tx *db.Tx, stateID string) (State, error) {
	return scanState(oneState(tx, `SELECT `+stateColumns+` FROM knowledge_state WHERE id = $1`, stateID))
}

// States lists the states, newest first, and the cursor of the next page.
func (b *Base) States(ctx context.Context, cursor string, n int) (list []State, next string, err error) {
	if cursor == "" {
		cursor = "~" // after every id
	}
	list, err = db.Read(ctx, b.db, func(tx *db.Tx) ([]State, error) {
		return db.List(tx, "knowledge: list states", scanState, `SELECT `+stateColumns+` FROM knowledge_state
			WHERE id < $1 ORDER BY id DESC LIMIT $2`, cursor, n+1)
	})
	if len(list) > n {
		list = list[:n]
		next = list[n-1].ID
	}
	return list, next, err
}
