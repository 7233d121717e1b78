package practice

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"preceptor/internal/audit"
	"preceptor/internal/phrase"
	"preceptor/internal/platform/db"
	"preceptor/internal/privacy"
)

// quoteLeast is how long a sentence is that says where it comes from, in characters.
const quoteLeast = 30

// EraseTx empties the dialogues that have one of the words, or a sentence of the texts, whose case is gone. What came
// of them stays. It returns how many there were.
func (s *Runs) EraseTx(tx *db.Tx, words, texts []string) (n int, err error) {
	var quotes []string
	for _, text := range texts {
		for _, at := range phrase.Sentences(text) {
			if q := strings.ToLower(at.In(text)); utf8.RuneCountInString(q) >= quoteLeast {
				quotes = append(quotes, q)
			}
		}
	}
	if len(quotes)+len(words) == 0 {
		return 0, nil
	}
	type row struct {
		runID, phase string
		session      Session
	}
	var hit []row
	if err := db.Each(tx, "practice: find quotes", func(r db.Row) error {
		var one row
		err := r.Scan(&one.runID, &one.phase, db.JSON(&one.session))
		if err == nil && one.session.quotes(quotes, words) {
			hit = append(hit, one)
		}
		return err
	}, `SELECT run_id, phase, session FROM practice_session`); err != nil {
		return 0, err
	}
	for _, h := range hit {
		h.session.Dialogue = []Turn{{ByAdvisor, audit.ErasedText(tx.Now)}}
		text, err := json.Marshal(h.session)
		if err != nil {
			return 0, err
		}
		if err := db.Exec(tx, "practice: erase a consultation",
			`UPDATE practice_session SET session = $1
				WHERE run_id = $2 AND phase = $3 AND n = $4`, string(text), h.runID, h.phase, h.session.N); err != nil {
			return 0, err
		}
		tx.Touch("practice")
	}
	return len(hit), nil
}

func (s Session) quotes(quotes, words []string) bool {
	return slices.ContainsFunc(s.Dialogue, func(t Turn) bool {
		said := strings.ToLower(t.Text)
		return privacy.Without(t.Text, words...) != t.Text ||
			slices.ContainsFunc(quotes, func(q string) bool { return strings.Contains(said, q) })
	})
}
