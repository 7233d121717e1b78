package db

import "time"

// alone has a write on a server wait until no other one is under way, before it reads anything. On a file all writes
// are one after another, and code relies on it: what is read holds until the commit, and each decision counts, numbers
// and appends to the audit chain. Side by side two servers' writes would find out at their ends that they met, and
// lose their work, or wait for each other in a circle. The lock goes with a server that hangs, after writeTimeout.
const alone = `SET LOCAL idle_in_transaction_session_timeout = 30000; LOCK TABLE lane IN EXCLUSIVE MODE`

// Held is how many writes there were, and how long they kept others out in all: what bounds how many there can be in a
// second, on however many servers.
type Held struct {
	Times int64
	Took  time.Duration
}

// Held is of the commits of this process.
func (d *DB) Held() Held { return Held{d.holds.Load(), time.Duration(d.held.Load())} }
