package db

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
	return Exec(tx, "db: enter a lane", `UPDATE lane SET turn = turn + 1 WHERE name = $1`, string(l))
}

// queue has a write that met another wait, before it reads anything, until no one is in a lane, and keeps the others
// out.
func queue(tx *Tx) error {
	return Exec(tx, "db: wait for the lanes", `LOCK TABLE lane IN EXCLUSIVE MODE`)
}
