package history

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"preceptor/internal/audit"
	"preceptor/internal/evidence"
	"preceptor/internal/interaction"
	"preceptor/internal/review"
)

// approvedActions is what the final text of a draft without a text is called: nothing of it was sent.
const approvedActions = "Approved actions"

// texts are those that a row of the log recorded, each with the row and the field.
func (s *told) texts() []evidence.Text {
	erased := !s.in.ErasedAt.IsZero()
	text := func(name, text, hash string, row int64, field string) evidence.Text {
		t := evidence.Text{Name: name, Text: text, SHA256: hash, Row: row, Field: field, Erased: erased}
		switch {
		case erased:
			t.Text, t.SHA256 = "", ""
		case !utf8.ValidString(text): // JSON can't carry it as it is, so there is nothing to compare
			t.Text, t.Row = strings.ToValidUTF8(text, "\uFFFD"), 0
			t.SHA256 = interaction.TextHash(t.Text)
		}
		return t
	}
	in := s.in
	list := []evidence.Text{text("Question", in.Consultation.Question, interaction.TextHash(in.Consultation.Question),
		s.rowOf("question"), "question")}
	if talk := in.Consultation.Talk(); talk != "" {
		list = append(list, text("Conversation", talk, interaction.TextHash(talk), s.rowOf("messages_hash"),
			"messages_hash"))
	}
	if in.Guidance != "" {
		list = append(list, text("Draft", in.Guidance, interaction.TextHash(in.Guidance), s.rowOf("guidance_hash"),
			"guidance_hash"))
	}
	for i, d := range s.decisions {
		if d.Text != "" {
			list = append(list, text(fmt.Sprintf("Decision %d", i+1), d.Text, interaction.TextHash(d.Text),
				s.rowOfDecision(d), "final_hash"))
		}
	}
	if in.FinalText != "" {
		name := "Sent to the customer"
		if in.NoText {
			name = approvedActions
		}
		list = append(list, text(name, in.FinalText, interaction.TextHash(in.FinalText),
			s.rowOfFinal(), "final_hash"))
	}
	return list
}

// contentOf is what a row says; nil once erased.
func contentOf(r audit.Exported) (c map[string]any) {
	if json.Unmarshal(r.Content, &c) != nil {
		return nil
	}
	return c
}

// rowOf is the last row about the coming of the guidance that says something under a field; 0 when there is none.
func (s *told) rowOf(field string) (seq int64) {
	for _, r := range s.rows {
		if !strings.HasPrefix(r.Action, "guidance.") {
			continue
		}
		if said, _ := contentOf(r)[field].(string); said != "" {
			seq = r.Seq
		}
	}
	return seq
}

// rowOfDecision is the row of the making of a decision.
func (s *told) rowOfDecision(d review.Decision) int64 {
	for _, r := range s.rows {
		c := contentOf(r)
		if _, made := c["text_hash"]; made && c["decision"] == d.ID {
			return r.Seq
		}
	}
	return 0
}

// rowOfFinal is the row of the decision whose text went out last.
func (s *told) rowOfFinal() int64 {
	for _, d := range slices.Backward(s.decisions) {
		if d.State == review.Released || d.State == review.Recalled {
			return s.rowOfDecision(d)
		}
	}
	return 0
}
