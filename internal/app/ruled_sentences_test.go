package app_test

import (
	"testing"

	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/compliance/ruled"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
)

// What experts rule on sentences is followed at once, and never that of a seeded check; it ends when the ruling is
// undone.
func TestRuledSentencesAreAdopted(t *testing.T) {
	for _, seeded := range []bool{false, true} {
		s := openSpine(t)
		id := s.steered(t)
		in, err := s.Interactions.Get(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		v := s.Validator.Glance(in.Guidance, in.Consultation)
		if seeded {
			if err := s.DB.Write(t.Context(), func(tx *db.Tx) (err error) {
				id, err = s.Interactions.PlantTx(tx,
					interaction.Submission{AgentID: in.AgentID, AgentName: in.AgentName, By: audit.System("test"),
						Consultation: in.Consultation, Guidance: in.Guidance}, false)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			if in, err = s.Interactions.Get(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
		if cases, _, err := s.Borderline.ForInteraction(t.Context(), id); err != nil || len(cases) == 0 {
			if _, err := s.Borderline.Send(t.Context(),
				borderline.SendInput{Subject: borderline.Subject{Interaction: in, Text: in.Guidance, Verdict: v},
					By: personOf(s.supervisor), Note: "Is it?"}); err != nil {
				t.Fatal(err)
			}
		}
		c, by := s.caseOf(t, id), personOf(s.expert)
		if _, err := s.Borderline.AnswerBlind(t.Context(),
			borderline.Input{CaseID: c.ID, By: by, TextHash: c.TextHash, Label: compliance.Compliant,
				Boundary: compliance.Guidance, Confidence: 0.9, Rationale: "It is fine."}); err != nil {
			t.Fatal(err)
		}
		f := ruled.Findings(v)[0]
		if _, err := s.Borderline.Keep(t.Context(), c.ID, by,
			ruled.Click{Code: f.Code, Start: f.Span[0], End: f.Span[1]}); err != nil {
			t.Fatal(err)
		}
		list, err := s.Borderline.Sentences(t.Context(), by, true)
		if err != nil || len(list) != 1 {
			t.Fatalf("it is %+v, %v", list, err)
		}
		if n, ok := s.Validator.Agreed(t.Context(), list[0].ID); ok == seeded || n == 1 == seeded {
			t.Errorf("seeded %v: %d experts count, %v", seeded, n, ok)
		}
		if err := s.Borderline.Undo(t.Context(), c.ID, by); err != nil {
			t.Fatal(err)
		}
		if _, ok := s.Validator.Agreed(t.Context(), list[0].ID); ok {
			t.Error("it counts though the ruling was undone")
		}
	}
}
