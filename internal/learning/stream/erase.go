package stream

import (
	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/privacy"
)

// EraseTx empties the memories of an interaction and what a model wrote on the strength of them; of counted insights
// the given words go. It returns how many texts there were.
func (s *Store) EraseTx(tx *db.Tx, interactionID string, known []string) (int, error) {
	if interactionID == "" {
		return 0, nil
	}
	gone := audit.ErasedText(tx.Now)
	found, err := memoriesTx(tx, `WHERE interaction_id = $1 AND interaction_id <> ''`, interactionID)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, m := range found {
		if err := db.Exec(tx, "stream: erase memory "+m.ID, `UPDATE memory SET text = $1, codes = '[]', shown = '[]',
			situation = '{}', withdrawn_at = $2
			WHERE id = $3`, gone, tx.NowMs(), m.ID); err != nil {
			return n, err
		}
		n++
		more, err := s.eraseCitingTx(tx, m.ID, gone, known)
		if n += more; err != nil {
			return n, err
		}
	}
	if n > 0 {
		tx.Touch("reflections")
	}
	return n, nil
}

// eraseCitingTx sees to the insights that cite a memory, to their own memories, and to the lessons that a model's
// insight began.
func (s *Store) eraseCitingTx(tx *db.Tx, memoryID, gone string, known []string) (int, error) {
	type citing struct {
		id, text, principle, lesson string
		model                       bool
	}
	list, err := db.Rows(tx, "stream: find what cites "+memoryID, func(c *citing) []any {
		return []any{&c.id, &c.text, &c.principle, &c.model, &c.lesson}
	},
		`SELECT insight.id, text, principle, by_model, CASE again WHEN 1 THEN '' ELSE lesson_id END
			FROM insight_memory JOIN insight ON insight.id = insight_id
			WHERE memory_id = $1`, memoryID)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, c := range list {
		text, principle := privacy.Without(c.text, known...), privacy.Without(c.principle, known...)
		if c.model {
			text, principle = gone, ""
			if c.lesson != "" {
				if _, err := s.lessons.EraseLessonTx(tx, c.lesson, known); err != nil {
					return n, err
				}
			}
		}
		if text == c.text && principle == c.principle {
			continue
		}
		n++
		if err := db.Exec(tx, "stream: erase insight "+c.id, `UPDATE insight SET text = $1, principle = $2
			WHERE id = $3`, text, principle, c.id); err != nil {
			return n, err
		}
		if err := db.Exec(tx, "stream: erase the memory of insight "+c.id, `UPDATE memory SET text = $1
			WHERE kind = 'insight' AND cause_id = $2`, text, c.id); err != nil {
			return n, err
		}
	}
	return n, nil
}
