package borderline

import (
	"context"
	"slices"
	"time"

	"preceptor/internal/platform/db"
)

// RuledCase is a case with the ruling that stands on it.
type RuledCase struct {
	Case
	Ruling  Ruling
	Answers []Answer // of the experts, the last of each
}

// RuledSince are the cases of a pack that were ruled since a moment, newest first, at most n, and how many of other
// packs were. Rulings that can still be taken back, and cases that were erased, are left out.
func (s *Store) RuledSince(ctx context.Context, packName string, since time.Time,
	n int) (list []RuledCase, others int, err error) {
	const ruled = ` WHERE state IN ('ruled', 'overtaken') AND closed_at >= $1 AND closed_at <= $2
		AND text_hash <> '' AND `
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		from, to := db.Ms(since), db.Ms(tx.Now.Add(-UndoFor))
		if others, err = db.Value[int](tx, "borderline: count rulings of other packs",
			`SELECT count(*) FROM borderline_case`+ruled+`pack <> $3 AND EXISTS (SELECT 1 FROM borderline_ruling r
				WHERE r.case_id = borderline_case.id AND r.undone_at = 0)`, from, to, packName); err != nil {
			return err
		}
		cases, err := casesTx(tx, ruled+`pack = $3 ORDER BY closed_at DESC, id DESC LIMIT $4`, from, to, packName, n)
		if err != nil {
			return err
		}
		for _, c := range cases {
			r, err := rulingTx(tx, c.ID)
			if err != nil {
				return err
			}
			if r == nil {
				continue // overtaken before
			}
			answers, err := answersTx(tx, c.ID)
			if err != nil {
				return err
			}
			list = append(list, RuledCase{Case: c, Ruling: *r, Answers: finals(answers)})
		}
		return nil
	})
	return list, others, err
}

// Codes are the issues that every expert behind the ruling named, with the words of the first who did; none of an
// adjudication, which names none.
func (c RuledCase) Codes() (marks []Mark) {
	if c.Ruling.How != Agreed || len(c.Answers) == 0 {
		return nil
	}
	for _, m := range c.Answers[0].Marks {
		all := !slices.ContainsFunc(c.Answers, func(a Answer) bool {
			return !slices.ContainsFunc(a.Marks, func(o Mark) bool { return o.Code == m.Code })
		})
		if all {
			marks = append(marks, m)
		}
	}
	return marks
}

// Boundary is the boundary class that all experts behind the ruling gave; "" when they gave several, or it was
// adjudicated.
func (c RuledCase) Boundary() string {
	if c.Ruling.How != Agreed || len(c.Answers) == 0 {
		return ""
	}
	first := c.Answers[0].Boundary
	if slices.ContainsFunc(c.Answers, func(a Answer) bool { return a.Boundary != first }) {
		return ""
	}
	return first
}
