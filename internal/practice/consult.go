package practice

import (
	"context"

	"preceptor/internal/compliance"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
)

// Customer answers as a virtual customer does, and says what the dialogue gave them.
type Customer interface {
	// Reply is what they say to the last text; done when they have nothing more to ask.
	Reply(ctx context.Context, who *Person, dialogue []Turn) (said string, done bool, err error)
	// Judge is which of their needs the dialogue met, by id. It sees needs and dialogue alone.
	Judge(ctx context.Context, who *Person, dialogue []Turn) (map[string]bool, error)
	// Name says who answered, as it is shown.
	Name() string
	// Turns is how many texts of the advisor a consultation has at most.
	Turns() int
}

// Room is where a consultation is held: an advisor with a base, and the checks.
type Room struct {
	AgentID  string
	Advise   func(ctx context.Context, agentID string, s pack.Situation, without knowledge.Withhold) (string, error)
	Check    func(text string, s pack.Situation) compliance.Verdict
	Customer Customer
	Covered  func(ctx context.Context) (map[string]bool, error) // needs that the sections in use say; nil: unknown
}

// Session is one consultation.
type Session struct {
	N        int
	Person   string // Person.Key
	Dialogue []Turn
	Outcome
}

// consult holds one consultation (seed 000, run_consultation). Nothing is stored.
func (r *Room) consult(ctx context.Context, n int, who *Person, without knowledge.Withhold) (s Session, err error) {
	s = Session{N: n, Person: who.Key(), Dialogue: []Turn{{ByCustomer, who.Question}}}
	asked := who.Situation
	for turn := range max(1, r.Customer.Turns()) {
		if turn > 0 {
			asked.Question = s.Dialogue[len(s.Dialogue)-1].Text
		}
		text, err := r.Advise(ctx, r.AgentID, asked, without)
		if err != nil {
			return s, err
		}
		s.Dialogue = append(s.Dialogue, Turn{ByAdvisor, text})
		said, done, err := r.Customer.Reply(ctx, who, s.Dialogue)
		if err != nil {
			return s, err
		}
		if said != "" {
			s.Dialogue = append(s.Dialogue, Turn{ByCustomer, said})
		}
		if done {
			break
		}
	}
	met, err := r.Customer.Judge(ctx, who, s.Dialogue)
	if err != nil {
		return s, err
	}
	said := advised(s.Dialogue)
	s.Outcome = judged(who, said, met, r.Check(said, who.Situation))
	if r.Covered != nil {
		held, err := r.Covered(ctx)
		if err != nil {
			return s, err
		}
		s.explain(who, held)
	}
	return s, nil
}

// Embedded is the customer without a model: one text, to which they say back what they understood where they are asked,
// and ask for what they miss most.
type Embedded struct{ people *People }

// NewEmbedded is the customer of a pack's people.
func NewEmbedded(p *People) Embedded { return Embedded{p} }

// Name is how it is shown.
func (Embedded) Name() string { return "embedded customer" }

// Turns is 1: a reply is kept for reflection and for people, and not answered.
func (Embedded) Turns() int { return 1 }

// Judge recognises needs by the judge's phrases.
func (e Embedded) Judge(_ context.Context, who *Person, dialogue []Turn) (map[string]bool, error) {
	return e.people.recognise().met(advised(dialogue)), nil
}

// Reply says back what was understood and asks for what was missed.
func (e Embedded) Reply(ctx context.Context, who *Person, dialogue []Turn) (said string, done bool, err error) {
	met, err := e.Judge(ctx, who, dialogue)
	if err != nil {
		return "", false, err
	}
	checked := asks(dialogue[len(dialogue)-1].Text)
	for _, n := range who.Needs {
		if checked && met[n.ID] && n.Recap != "" {
			said, checked = n.Recap, false
		}
	}
	for _, n := range who.Needs {
		if !met[n.ID] && n.Ask != "" {
			return joined(said, n.Ask), true, nil
		}
	}
	return joined(said, "Thank you, that is what I wanted to know."), true, nil
}

func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + " " + b
}
