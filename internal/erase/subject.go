package erase

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/interaction"
	"preceptor/internal/lists"
)

// walkBatch is how many interactions are looked at in one read.
const walkBatch = 500

// keyring hashes subjects.
type keyring []byte

// keys reads the key, and makes it the first time.
func (s *Service) keys(ctx context.Context) (keyring, error) {
	return db.Write(ctx, s.d, keysTx)
}

func keysTx(tx *db.Tx) (keyring, error) {
	fresh := make([]byte, 32)
	if _, err := rand.Read(fresh); err != nil {
		return nil, err
	}
	if _, err := tx.Exec(`INSERT INTO erasure_key (id, key) VALUES (1, $1) ON CONFLICT (id) DO NOTHING`, hex.EncodeToString(fresh)); err != nil {
		return nil, fmt.Errorf("erase: make the key: %w", err)
	}
	var kept string
	if err := db.One(tx, "erase: read the key", `SELECT key FROM erasure_key WHERE id = 1`).Scan(&kept); err != nil {
		return nil, err
	}
	return hex.DecodeString(kept)
}

func (k keyring) hash(s interaction.Subject) string {
	m := hmac.New(sha256.New, k)
	m.Write([]byte(s.How + "\x00" + s.Value))
	return hex.EncodeToString(m.Sum(nil))
}

// hashes are those of everything that names the customer of one interaction.
func (k keyring) hashes(list []interaction.Subject) []string {
	return lists.Map(list, k.hash)
}

// subject reads what somebody typed.
func subject(how, typed string) (interaction.Subject, error) {
	sub := interaction.SubjectOf(how, typed)
	switch {
	case strings.TrimSpace(typed) == "":
		return sub, fault.WithFields("Name the customer.", fault.Field{Name: "subject", Msg: "Enter a reference, a name, or the id of a piece of guidance."})
	case sub.Value == "":
		return sub, fault.WithFields("This doesn't identify a customer.", fault.Field{Name: "subject", Msg: "Enter a reference of the customer, their name as it was sent, or the id of a piece of guidance, and say which it is."})
	case how == interaction.ByReference && len(sub.Value) < 3:
		return sub, fault.WithFields("The reference is too short.", fault.Field{Name: "subject", Msg: "A reference has at least three letters or digits."})
	}
	return sub, nil
}

// Match is an interaction of a subject.
type Match struct {
	ID        string    `json:"id"`
	Agent     string    `json:"agent"`
	Task      string    `json:"task"`
	Status    string    `json:"status"`
	CreatedAt time.Time `json:"created_at"`

	subjects []interaction.Subject
}

// matches are what has the subject's texts still.
type matches struct {
	interactions []Match
	items        []item // of gold sets
	others       []found
}

// item is an item of a gold set whose customer is the subject, and all that names that customer.
type item struct {
	id       string
	subjects []interaction.Subject
	known    []string // words that give the customer away
}

// found is a row of another place.
type found struct {
	Other
	id      string
	subject interaction.Subject
}

func (m matches) none() bool {
	return len(m.interactions) == 0 && len(m.items) == 0 && len(m.others) == 0
}

// find looks through every interaction, and every item of a gold set, for the subject with this hash.
func (s *Service) find(ctx context.Context, k keyring, hash string) (m matches, err error) {
	for after, n := "", walkBatch; n == walkBatch; {
		n = 0
		if after, err = s.Interactions.WalkSubjects(ctx, after, walkBatch, func(in *interaction.Interaction) {
			n++
			if list := in.Subjects(); slices.Contains(k.hashes(list), hash) {
				m.interactions = append(m.interactions, Match{ID: in.ID, Agent: in.AgentName, Task: in.Consultation.TaskType, Status: in.Status, CreatedAt: in.CreatedAt, subjects: list})
			}
		}); err != nil {
			return m, err
		}
	}
	for after, n := "", walkBatch; n == walkBatch; {
		n = 0
		if after, err = s.Datasets.WalkCustomers(ctx, after, walkBatch, func(id string, customer []byte) {
			n++
			in := interaction.Interaction{Consultation: interaction.Consultation{Customer: interaction.CustomerLoosely(customer)}}
			if list := in.Subjects()[1:]; slices.Contains(k.hashes(list), hash) {
				m.items = append(m.items, item{id, list, in.Telltale()})
			}
		}); err != nil {
			return m, err
		}
	}
	return m, s.findOthers(ctx, k, hash, &m)
}

// findOthers looks through the other places.
func (s *Service) findOthers(ctx context.Context, k keyring, hash string, m *matches) (err error) {
	for _, o := range s.Others {
		for after, n := "", walkBatch; n == walkBatch; {
			n = 0
			if after, err = o.Walk(ctx, after, walkBatch, func(id, reference string) {
				n++
				if sub := interaction.SubjectOf(interaction.ByReference, reference); k.hash(sub) == hash {
					m.others = append(m.others, found{o, id, sub})
				}
			}); err != nil {
				return err
			}
		}
	}
	return nil
}
