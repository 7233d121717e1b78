package learning

import (
	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
)

// GoldCase is the exemplar that a compliant text of a gold set makes once by, a person, approved it. It is
// pseudonymised as every source is. origin names the text, so that the same one makes one case.
func (p *Pipeline) GoldCase(s Source, origin string, by audit.Actor) knowledge.Case {
	s = p.safe(s)
	s.Kind, s.HumanText = Approve, s.AgentText
	c := caseOf(Lesson{}, s)
	c.Origin, c.By = origin, by
	c.Outcome, c.Reason = "Labelled compliant by experts", "Approved as an exemplar from the gold set "+s.By+"."
	return c
}
