package db

import "time"

// Lane is what every write of its kind reads and changes, so that two of them never go at once: the end of a chain, the
// next number, a count. On a file all writes are one after another. On a server the second one would find out at its
// end, and lose its work; in a lane it finds out where it enters.
type Lane string

// The lanes.
const (
	Audit        Lane = "audit"         // the end of the chain
	SearchChange Lane = "search_change" // the order in which vectors changed
)

var lanes = []Lane{Audit, SearchChange}

// Enter has the transaction go through a lane, until it ends.
func (tx *Tx) Enter(l Lane) error {
	if !tx.OnServer() || tx.lanes[l] {
		return nil
	}
	if tx.lanes == nil {
		tx.lanes = map[Lane]bool{}
	}
	tx.lanes[l] = true
	err := Exec(tx, "db: enter a lane", `UPDATE lane SET turn = turn + 1 WHERE name = $1`, string(l))
	if l == Audit {
		tx.entered = time.Now()
	}
	return err
}

// Held is how often transactions held the end of the audit chain, and how long in all: what bounds how many there can
// be in a second, on however many servers.
type Held struct {
	Times int64
	Took  time.Duration
}

// Held is of the commits of this process.
func (d *DB) Held() Held { return Held{d.holds.Load(), time.Duration(d.held.Load())} }

// leave notes at a commit how long its transaction held the end of the chain.
func (tx *Tx) leave() {
	if !tx.entered.IsZero() {
		tx.d.holds.Add(1)
		tx.d.held.Add(int64(time.Since(tx.entered)))
	}
}

// queue has a write that met another wait, before it reads anything, until no one is in a lane, and keeps the others
// out.
func queue(tx *Tx) error {
	return Exec(tx, "db: wait for the lanes", `LOCK TABLE lane IN EXCLUSIVE MODE`)
}
