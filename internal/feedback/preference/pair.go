package preference

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/text"
)

// Input is a pair as a person or an agent gives it. The names of wrong fields are those of the form: prompt, first,
// second, first_maker, second_maker, source.
type Input struct {
	Origin        string // Given or API
	SourceID      string // of API: the caller's own id; the same again is the same pair
	AgentID       string // of API
	InteractionID string // of API, where the pair is about one: an erasure reaches it then
	Task          string
	Prompt        string
	First, Second Response
	By            Person
}

// Add puts a pair in. Invalid with the fields to mend. The same SourceID of the same agent again returns what it made
// the first time, and is a Conflict when the texts differ.
func (s *Store) Add(ctx context.Context, in Input) (p *Pair, err error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return db.Write(ctx, s.db, func(tx *db.Tx) (*Pair, error) {
		if in.SourceID != "" {
			earlier, found, err := maybeTx(tx, ` WHERE origin = $1 AND agent_id = $2 AND source_id = $3`, in.Origin,
				in.AgentID, in.SourceID)
			if err != nil {
				return nil, err
			}
			if found {
				if earlier.State == Open &&
					(earlier.Prompt != in.Prompt || earlier.Left != in.First || earlier.Right != in.Second) {
					return nil, fault.New(fault.Conflict,
						"A pair with this source has different texts. Give each pair its own id.")
				}
				return &earlier, nil
			}
		}
		if err := s.aboutTx(tx, in); err != nil {
			return nil, err
		}
		p := &Pair{ID: id.New(), Origin: in.Origin, SourceID: in.SourceID, AgentID: in.AgentID,
			InteractionID: in.InteractionID, Task: in.Task, Prompt: in.Prompt, Left: in.First, Right: in.Second,
			State: Open, At: tx.Now, By: in.By}
		return p, insertTx(tx, p)
	})
}

// aboutTx refuses an interaction that the pair can't be about. An erasure finds the pair by it, so a wrong one would
// leave texts behind.
func (s *Store) aboutTx(tx *db.Tx, in Input) error {
	if in.InteractionID == "" {
		return nil
	}
	err := s.hooks.About(tx, in.AgentID, in.InteractionID)
	switch {
	case fault.Is(err, fault.NotFound):
		return fault.Wrong("This pair can't be kept yet.", "interaction",
			"You have no interaction with this id. Send the id you were given, or leave it out.")
	case fault.Is(err, fault.Conflict):
		return fault.Wrong("This pair can't be kept.", "interaction",
			"The texts of this interaction were erased, so pairs about it are not accepted.")
	}
	return err
}

func (in *Input) check() error {
	var wrong []fault.Field
	take := func(name string, v *string, most int, need bool) {
		*v = text.Typed(*v)
		switch {
		case need && *v == "":
			wrong = append(wrong, fault.Field{Name: name, Msg: "Write something."})
		case len(*v) > most:
			wrong = append(wrong, fault.Field{Name: name, Msg: text.TooBig(*v, most)})
		case !utf8.ValidString(*v) || strings.ContainsRune(*v, 0):
			wrong = append(wrong, fault.Field{Name: name, Msg: "This contains a character that isn't text."})
		}
	}
	take("prompt", &in.Prompt, MaxPrompt, true)
	take("first", &in.First.Text, MaxResponse, true)
	take("second", &in.Second.Text, MaxResponse, true)
	take("first_maker", &in.First.Maker, maxMaker, true)
	take("second_maker", &in.Second.Maker, maxMaker, true)
	take("task", &in.Task, maxMaker, false)
	take("source", &in.SourceID, maxSource, false)
	take("interaction", &in.InteractionID, maxSource, false)
	if in.First.Text != "" && in.First.Text == in.Second.Text {
		wrong = append(wrong, fault.Field{Name: "second", Msg: "The two answers are the same."})
	}
	if len(wrong) > 0 {
		return fault.WithFields("This pair can't be saved yet.", wrong...)
	}
	return nil
}

// Revised is what a supervisor's revision says: their text is better than the draft.
type Revised struct {
	DecisionID    string
	InteractionID string
	AgentID       string
	AgentName     string
	Task          string
	Question      string
	Draft, Human  string
	Known         []string // values of the customer's that are personal
	By            Person
}

// FromRevisionTx makes the pair of a settled revision, in the transaction of its cause; once, however often it is
// called. A revision that changed nothing makes none.
func (s *Store) FromRevisionTx(tx *db.Tx, r Revised) error {
	hide := func(text string) string { return s.hooks.Hide(text, r.Known...) }
	if strings.TrimSpace(r.Draft) == "" || strings.TrimSpace(r.Human) == "" ||
		strings.TrimSpace(r.Draft) == strings.TrimSpace(r.Human) {
		return nil
	}
	_, found, err := maybeTx(tx, ` WHERE origin = 'revision' AND agent_id = $1 AND source_id = $2`, r.AgentID,
		r.DecisionID)
	if err != nil || found {
		return err
	}
	return insertTx(tx, &Pair{ID: id.New(), Origin: Revision, SourceID: r.DecisionID, AgentID: r.AgentID,
		InteractionID: r.InteractionID, Task: r.Task,
		Prompt: hide(r.Question), Left: Response{hide(r.Draft), r.AgentName}, Right: Response{hide(r.Human), People},
		Chosen: "right", State: Open, At: tx.Now, By: r.By})
}

// insertTx stores a pair; the audit row has the texts by hash and length alone.
func insertTx(tx *db.Tx, p *Pair) error {
	err := db.Exec(tx, "preference: add a pair", `INSERT INTO preference_pair (id, origin, source_id, agent_id,
			interaction_id, task, prompt, left_text, left_maker, right_text, right_maker,
			chosen, state, at, by_id, by_name)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
		p.ID, p.Origin, p.SourceID, p.AgentID, p.InteractionID, p.Task, p.Prompt, p.Left.Text, p.Left.Maker,
		p.Right.Text, p.Right.Maker,
		p.Chosen, p.State, tx.NowMs(), p.By.ID, p.By.Name)
	if err != nil {
		return err
	}
	tx.Touch("preferences")
	return audit.Note(tx, actor(p.By, p.Origin), "preference.added", "preference_pair", p.ID, map[string]any{
		"origin": p.Origin, "source": p.SourceID, "interaction": p.InteractionID, "prompt_hash": hash(p.Prompt),
		"left_hash": hash(p.Left.Text), "right_hash": hash(p.Right.Text),
	})
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// WithdrawTx takes away the pair of a decision that was undone or recalled, with its texts; nothing when there is none.
func (s *Store) WithdrawTx(tx *db.Tx, decisionID string) error {
	_, err := s.emptyTx(tx, Withdrawn, `origin = 'revision' AND source_id = $2 AND state = 'open'`, decisionID)
	return err
}

// Remove takes a pair out for good, with its texts; what judges said of it stays counted. Twice is as once.
func (s *Store) Remove(ctx context.Context, pairID string, by Person) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		p, err := getTx(tx, pairID)
		if err != nil || p.State != Open {
			return err
		}
		if _, err := s.emptyTx(tx, Withdrawn, `id = $2`, pairID); err != nil {
			return err
		}
		return audit.Note(tx, actor(by, Given), "preference.removed", "preference_pair", pairID,
			map[string]any{"origin": p.Origin})
	})
}

// EraseTx empties the texts of the pairs of an interaction, whatever state they are in, and of every pair of a person
// or an agent that holds one of the words which give its customer away; those of revisions hold none, and go with their
// interactions. It tells how many texts there were.
func (s *Store) EraseTx(tx *db.Tx, interactionID string, known []string) (texts int, err error) {
	if interactionID != "" {
		n, err := s.emptyTx(tx, Erased, `interaction_id = $2 AND state <> 'erased'`, interactionID)
		if err != nil {
			return 0, err
		}
		texts += 3 * n
	}
	for _, word := range known {
		if strings.TrimSpace(word) == "" {
			continue
		}
		n, err := s.emptyTx(tx, Erased,
			`state = 'open' AND origin <> 'revision' AND
				lower(prompt || ' ' || left_text || ' ' || right_text) LIKE lower($2) ESCAPE '\'`, db.Containing(word))
		if err != nil {
			return texts, err
		}
		texts += 3 * n
	}
	return texts, nil
}

func (s *Store) emptyTx(tx *db.Tx, state, where, arg string) (int, error) {
	list, err := db.Column[string](tx, "preference: empty pairs", `UPDATE preference_pair SET state = $1, prompt = '',
		left_text = '', right_text = ''
		WHERE `+where+` RETURNING id`, state, arg)
	for _, id := range list {
		tx.Touch("preferences")
		if err == nil {
			err = s.chosenTx(tx, id)
		}
	}
	return len(list), err
}
