package erase

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
)

// walkBatch is how many rows are looked at in one read.
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
	if err := db.Exec(tx, "erase: make the key", `INSERT INTO erasure_key (id, key) VALUES (1, $1)
		ON CONFLICT (id) DO NOTHING`, hex.EncodeToString(fresh)); err != nil {
		return nil, err
	}
	return keptKey(tx)
}

func keptKey(tx *db.Tx) (keyring, error) {
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
		return sub, fault.Wrong("Name the customer.", "subject",
			"Enter a reference, a name, or the id of a piece of guidance.")
	case sub.Value == "":
		return sub, fault.Wrong("This doesn't identify a customer.", "subject",
			"Enter a reference of the customer, their name as it was sent, or the id of a piece of guidance, and say "+
				"which it is.")
	case how == interaction.ByReference && len(sub.Value) < 3:
		return sub, fault.Wrong("The reference is too short.", "subject",
			"A reference has at least three letters or digits.")
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
	Holds     []string  `json:"holds,omitempty"` // ids of those that stand on it

	subjects []interaction.Subject
	loosely  bool // by a value of the metadata that doesn't say whose it is
}

// matches are what has the subject's texts still, in the order in which it is erased.
type matches struct {
	all           []thing
	interactions  []Match // those among them
	items, others int     // how many of the others are items of gold sets, and rows of other places
}

// thing is an interaction, an item of a gold set or a row of another place.
type thing struct {
	subjects []interaction.Subject // all that names its customer
	sent     []interaction.Subject // what else it may be found and held by
	held     bool                  // its decision is: it has to wait
	eraseTx  func(tx *db.Tx, why string, by audit.Actor) (counter, error)
}

// subjects are all that names the customer of any of them.
func (m matches) subjects() (list []interaction.Subject) {
	for _, one := range m.all {
		list = append(list, one.subjects...)
	}
	return list
}

// holdable are all by which any of them, or sub, may be held.
func (m matches) holdable(sub interaction.Subject) []interaction.Subject {
	list := append(m.subjects(), sub)
	for _, one := range m.all {
		list = append(list, one.sent...)
	}
	return list
}

// find looks through every interaction, every item of a gold set and every other place for the subject with this hash.
// The later drafts of a conversation repeat what was said in it, so one that is named by its id takes them along; it
// comes last, or a run that was cut short wouldn't find them again.
func (s *Service) find(ctx context.Context, k keyring, hash string) (m matches, err error) {
	type one struct {
		Match
		thing
		later bool // of the thread of the one that is named, which may be another customer's
	}
	var list []one
	thread, of := "", ""
	if err = walk(func(after string) (string, error) {
		return s.Interactions.WalkSubjects(ctx, after, walkBatch, func(in *interaction.Interaction) {
			subjects, id := in.Subjects(), in.ID
			talk := in.AgentID + " " + in.Consultation.Thread
			sent := in.Sent()
			named := slices.Contains(k.hashes(subjects), hash)
			is := named || slices.Contains(k.hashes(sent), hash)
			if !is && (thread == "" || talk != thread) {
				return
			}
			list = append(list,
				one{Match{ID: id, Agent: in.AgentName, Task: in.Consultation.TaskType, Status: in.Status,
					CreatedAt: in.CreatedAt, subjects: subjects, loosely: is && !named},
					thing{subjects, sent, in.Status == interaction.Held,
						func(tx *db.Tx, why string, by audit.Actor) (counter, error) {
							return s.eraseTx(tx, id, why, by)
						}}, !is})
			if k.hash(subjects[0]) == hash && in.Consultation.Thread != "" { // by its id
				thread, of = talk, id
			}
		})
	}); err != nil {
		return m, err
	}
	var named []thing
	for _, o := range list {
		if o.later {
			if said, err := s.repeats(ctx, o.ID, of); err != nil {
				return m, err
			} else if !said {
				continue
			}
		}
		m.interactions = append(m.interactions, o.Match)
		if o.ID == of {
			named = append(named, o.thing)
		} else {
			m.all = append(m.all, o.thing)
		}
	}
	m.all = append(m.all, named...)
	if err = walk(func(after string) (string, error) {
		return s.Datasets.WalkCustomers(ctx, after, walkBatch, func(id string, customer []byte) {
			in := interaction.Interaction{
				Consultation: interaction.Consultation{Customer: interaction.CustomerLoosely(customer)}}
			list, known := in.Subjects()[1:], in.Telltale()
			if slices.Contains(k.hashes(list), hash) {
				m.items++
				m.all = append(m.all, thing{list, nil, false,
					func(tx *db.Tx, why string, by audit.Actor) (counter, error) {
						return s.eraseItemTx(tx, id, known, why, by)
					}})
			}
		})
	}); err != nil {
		return m, err
	}
	for _, o := range s.Others {
		if err = walk(func(after string) (string, error) {
			return o.Walk(ctx, after, walkBatch, func(id, reference string) {
				sub := interaction.SubjectOf(interaction.ByReference, reference)
				if k.hash(sub) != hash {
					return
				}
				m.others++
				m.all = append(m.all,
					thing{[]interaction.Subject{sub}, nil, false,
						func(tx *db.Tx, _ string, _ audit.Actor) (counter, error) {
							n, err := o.EraseTx(tx, id)
							t := counter{}
							t.add(o.Place, n)
							return t, err
						}})
			})
		}); err != nil {
			return m, err
		}
	}
	return m, nil
}

// repeats reports whether the conversation of a draft has what was asked or answered in an earlier one.
func (s *Service) repeats(ctx context.Context, id, of string) (bool, error) {
	in, err := s.Interactions.Get(ctx, id)
	if err != nil {
		return false, err
	}
	was, err := s.Interactions.Get(ctx, of)
	if err != nil {
		return false, err
	}
	texts := []string{was.Consultation.Question, was.Guidance, was.FinalText}
	return slices.ContainsFunc(in.Consultation.Messages, func(m interaction.Message) bool {
		return slices.ContainsFunc(texts, func(t string) bool {
			return strings.TrimSpace(t) != "" && strings.Contains(m.Text, strings.TrimSpace(t))
		})
	}), nil
}

// walk has page look at one batch after another, each after the last row of the one before, until there is none.
func walk(page func(after string) (last string, err error)) error {
	for after := ""; ; {
		last, err := page(after)
		if err != nil || last == "" {
			return err
		}
		after = last
	}
}
