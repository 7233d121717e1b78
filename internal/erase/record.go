package erase

import (
	"encoding/json"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
)

// The states of an erasure.
const (
	Running = "running" // or cut short: it goes on
	Stopped = "stopped" // something refused it on the way; Problem says what
	Done    = "done"
)

// Record is what stays of an erasure.
type Record struct {
	ID           string      `json:"id"`
	How          string      `json:"how"`
	Why          string      `json:"why"`
	State        string      `json:"state"`
	Problem      string      `json:"problem,omitempty"`
	Interactions int         `json:"interactions"`
	Counts       []Count     `json:"counts"`
	Clean        bool        `json:"log_emptied"`
	By           audit.Actor `json:"by"`
	StartedAt    time.Time   `json:"started_at"`
	EndedAt      time.Time   `json:"ended_at"`

	hash string
}

// Texts is how many there were in all places.
func (r Record) Texts() (n int) {
	for _, c := range r.Counts {
		n += c.N
	}
	return n
}

// addTx counts one more interaction.
func (r *Record) addTx(tx *db.Tx, t counter) error {
	if len(t) == 0 {
		return nil // somebody else did it
	}
	all := counter{}
	for _, c := range r.Counts {
		all[c.Place] = c.N
	}
	all.join(t)
	counts, err := json.Marshal(all)
	if err != nil {
		return err
	}
	done := 0
	if t[placeInteractions] > 0 {
		done = 1
	}
	if err := db.Exec(tx, "erase: count", `UPDATE erasure SET interactions = interactions + $1, counts = $2
		WHERE id = $3`, done, string(counts), r.ID); err != nil {
		return err
	}
	r.Counts, r.Interactions = all.list(), r.Interactions+done
	tx.Touch("erasures")
	return nil
}
