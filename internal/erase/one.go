package erase

import (
	"fmt"
	"slices"

	"preceptor/internal/audit"
	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/dataset"
	"preceptor/internal/learning"
	"preceptor/internal/platform/db"
)

// eraseTx takes away every text of one interaction and of what was made of it. Again, it finds nothing. Conflict
// while a decision is held.
func (s *Service) eraseTx(tx *db.Tx, id, why string, by audit.Actor) (t counter, err error) {
	t = counter{}
	in, err := s.Interactions.GetTx(tx, id)
	if err != nil || !in.ErasedAt.IsZero() {
		return t, err
	}
	g := Gone{Interaction: id, Thread: in.Consultation.Thread, Known: in.Telltale(), Why: why, By: by}
	if err := s.deskTx(tx, &g, t); err != nil {
		return t, err
	}
	origins := append([]string{id}, g.Decisions...)
	origins = append(origins, g.Rulings...)
	if err := s.itemsOfTx(tx, &g, origins, t); err != nil {
		return t, err
	}
	if err := s.learnedTx(tx, &g, append(origins, g.Items...), t); err != nil {
		return t, err
	}
	n, err := s.Interactions.EraseTx(tx, id, by)
	if err != nil {
		return t, err
	}
	t.add(placeInteractions, n)
	return t, s.tracesTx(tx, g, t)
}

// deskTx empties what supervisors, experts and judges have of an interaction.
func (s *Service) deskTx(tx *db.Tx, g *Gone, t counter) error {
	desk, err := s.Reviews.EraseTx(tx, g.Interaction)
	if err != nil {
		return err
	}
	g.Decisions = desk.IDs
	t.add(placeDecisions, desk.Decisions)
	t.add(placeDrafts, desk.Drafts+desk.Skips)
	t.add(placeIndex, desk.Words)
	experts, err := s.Borderline.EraseTx(tx, g.Interaction)
	if err != nil {
		return err
	}
	g.Rulings = append(experts.Rulings, experts.Cases...)
	t.add(placeBorderline, experts.Texts)
	if err := s.Judging.EraseTx(tx, g.Interaction); err != nil {
		return err
	}
	n, err := s.Verdicts.EraseTx(tx, g.Interaction)
	if err != nil {
		return err
	}
	t.add(placeVerdicts, n)
	if n, err = s.Comments.EraseTx(tx, g.Interaction, g.Why, g.By); err != nil {
		return err
	}
	t.add(placeComments, n)
	return nil
}

// itemsOfTx erases the items of gold sets that came from any of these.
func (s *Service) itemsOfTx(tx *db.Tx, g *Gone, origins []string, t counter) error {
	for _, source := range []string{dataset.FromReview, dataset.FromRuling} {
		for _, id := range origins {
			items, err := s.Datasets.OfSource(tx, source, id)
			if err != nil {
				return err
			}
			for _, item := range items {
				if err := s.itemTx(tx, g, item, t); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// itemTx erases one item of a gold set, unless it was.
func (s *Service) itemTx(tx *db.Tx, g *Gone, item string, t counter) error {
	stands, err := s.Datasets.StandsTx(tx, item)
	if err != nil || !stands {
		return err
	}
	g.Items = append(g.Items, item)
	t.add(placeItems, 1)
	return s.Datasets.EraseTx(tx, item, g.Why, g.By)
}

// eraseItemTx erases an item of a gold set that no interaction leads to, and what was learned of it. known gives its
// customer away.
func (s *Service) eraseItemTx(tx *db.Tx, id string, known []string, why string, by audit.Actor) (counter, error) {
	t, g := counter{}, Gone{Known: known, Why: why, By: by}
	if err := s.itemTx(tx, &g, id, t); err != nil || len(g.Items) == 0 {
		return t, err
	}
	if err := s.learnedTx(tx, &g, g.Items, t); err != nil {
		return t, err
	}
	return t, s.tracesTx(tx, g, t)
}

// learnedTx empties what was learned: lessons, and knowledge that was made of any of the origins.
func (s *Service) learnedTx(tx *db.Tx, g *Gone, origins []string, t counter) error {
	became := evaluate.Became{}
	if len(g.Items) > 0 {
		var err error
		if became, err = s.Judges.BecameTx(tx, g.Items); err != nil {
			return err
		}
	}
	var learned learning.Erased
	if g.Interaction != "" {
		var err error
		if learned, err = s.Learning.EraseTx(tx, g.Interaction, g.Known); err != nil {
			return err
		}
	}
	for _, id := range became.Lessons {
		more, err := s.Learning.EraseLessonTx(tx, id, g.Known)
		if err != nil {
			return err
		}
		learned.Lessons, learned.Cases, learned.Steps = append(learned.Lessons, more.Lessons...),
			append(learned.Cases, more.Cases...), learned.Steps+more.Steps
	}
	g.Lessons = learned.Lessons
	t.add(placeLessons, len(learned.Lessons)+learned.Steps)
	cases, err := s.Knowledge.CasesOfTx(tx, origins)
	if err != nil {
		return err
	}
	cases = append(append(cases, learned.Cases...), became.Cases...)
	slices.Sort(cases)
	g.Cases = slices.Compact(cases)
	for _, id := range g.Cases {
		texts, err := s.Knowledge.CaseTextsTx(tx, id)
		if err != nil {
			return err
		}
		g.Texts = append(g.Texts, texts...)
		n, err := s.Knowledge.EraseCaseTx(tx, id, g.Why, g.By)
		if err != nil {
			return err
		}
		t.add(placeKnowledge, n)
	}
	rules, err := s.Knowledge.EraseWordsTx(tx, g.Interaction, g.Known, g.Why, g.By)
	if err != nil {
		return err
	}
	t.add(placeKnowledge, rules)
	if g.Interaction == "" {
		return nil
	}
	n, err := s.Knowledge.EraseUsageTx(tx, g.Interaction)
	t.add(placeUsage, n)
	for _, id := range learned.Examples {
		if err == nil {
			n, err = audit.EraseTx(tx, "lesson", id, g.Why, g.By)
			t.add(placeAudit, n)
		}
	}
	return err
}

// tracesTx comes last: it empties what was said about all this on the way here.
func (s *Service) tracesTx(tx *db.Tx, g Gone, t counter) error {
	if err := s.alsoTx(tx, g, t, false); err != nil {
		return err
	}
	n, err := s.Delivery.EraseTx(tx, g.Interaction)
	if err != nil {
		return err
	}
	t.add(placeDelivery, n)
	things := map[string][]string{"interaction": nil, "lesson": g.Lessons, "dataset_item": g.Items}
	if g.Interaction != "" {
		things["interaction"] = []string{g.Interaction}
	}
	for _, id := range slices.Concat(things["interaction"], g.Decisions, g.Rulings, g.Lessons) {
		if n, err = s.Jobs.EraseTx(tx, id); err != nil {
			return err
		}
		t.add(placeJobs, n)
	}
	for _, kind := range []string{"interaction", "lesson", "dataset_item"} {
		for _, id := range things[kind] {
			if n, err = audit.EraseTx(tx, kind, id, g.Why, g.By); err != nil {
				return err
			}
			t.add(placeAudit, n)
		}
	}
	return nil
}

// alsoTx empties the other places, those that are emptied once or those of each match.
func (s *Service) alsoTx(tx *db.Tx, g Gone, t counter, once bool) error {
	for _, also := range s.Also {
		if also.Once != once {
			continue
		}
		n, err := also.EraseTx(tx, g)
		if err != nil {
			return fmt.Errorf("erase: %s: %w", also.Place, err)
		}
		t.add(also.Place, n)
	}
	return nil
}
