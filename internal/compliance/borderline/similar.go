package borderline

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"preceptor/internal/compliance"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/text"
)

// Precedent is an earlier ruling on a text like this one.
type Precedent struct {
	Case   Case
	Ruling Ruling
	Shared []string // issue codes that both have
	Like   float64  // 0 to 1: how much of their words the texts share
}

const (
	searched   = 400 // newest rulings that are looked through
	codeWeight = 0.25
	taskWeight = 0.15
	leastLike  = 0.2
)

// Similar lists earlier rulings on texts of its pack like that of a case, likest first: by the words they share, the
// issues that were named and the task. It is nothing before the viewer's own answer, which earlier rulings would lead.
func (s *Store) Similar(ctx context.Context, caseID string, v Viewer, n int) (out []Precedent, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		c, err := notHeld(tx, caseID)
		if err != nil {
			return err
		}
		view, err := viewTx(tx, c, v, false)
		if err != nil || view.Panel == nil {
			return err
		}
		earlier, err := casesTx(tx, fmt.Sprintf(` WHERE state = 'ruled' AND id <> $1 AND closed_at <= $2
			AND pack = $3
			ORDER BY closed_at DESC, id DESC LIMIT %d`, searched),
			caseID, db.Ms(tx.Now.Add(-UndoFor)), c.Pack)
		if err != nil {
			return err
		}
		for _, p := range likest(*c, earlier, n) {
			r, err := rulingTx(tx, p.Case.ID)
			if err != nil {
				return err
			}
			if r != nil {
				p.Ruling = *r
				out = append(out, p)
			}
		}
		return nil
	})
	return out, err
}

func likest(c Case, earlier []Case, n int) []Precedent {
	words, codes := pack.ContentStems(c.Text), named(c.verdict)
	type scored struct {
		Precedent
		score float64
	}
	var all []scored
	for _, e := range earlier {
		p := scored{Precedent: Precedent{Case: e, Like: text.Jaccard(words, pack.ContentStems(e.Text))}}
		for _, code := range named(e.verdict) {
			if slices.Contains(codes, code) {
				p.Shared = append(p.Shared, code)
			}
		}
		p.score = p.Like
		if len(p.Shared) > 0 {
			p.score += codeWeight
		}
		if e.Task == c.Task {
			p.score += taskWeight
		}
		if p.score >= leastLike {
			all = append(all, p)
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].score > all[j].score })
	return lists.Map(all[:min(n, len(all))], func(p scored) Precedent { return p.Precedent })
}

// named are the issue codes of a verdict and its votes.
func named(v compliance.Verdict) []string {
	return strings.FieldsFunc(codesOf(v), func(r rune) bool { return r == ',' })
}
