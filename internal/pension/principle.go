package pension

// Principle is a rule's text taken apart: "When [situation], [action] because [reason]".
type Principle struct {
	Situation string
	Action    string
	Because   string
}

// ParsePrinciple reads a rule's text. It tolerates other orders and missing parts; only a text without any action is an
// error.
func ParsePrinciple(text string) (Principle, error) { return Principle{Action: text}, nil }

// String is the principle in its normal form.
func (p Principle) String() string { return p.Action }

// Applies tells whether the situation's words hold for s, and why, in words for a person.
func (p Principle) Applies(s Situation) (applies bool, why []string) { return false, nil }

// Moves lists what the action demands, in order.
func (p Principle) Moves() []Move { return nil }

// Lead tells whether the action must come before everything else in a text.
func (p Principle) Lead() bool { return false }

// Rewords tells whether the action changes how things are said rather than what is said.
func (p Principle) Rewords() bool { return false }

// Present tells whether text already does what the action demands.
func (p Principle) Present(text string) bool { return false }

// Sentences is what a draft for s must gain to honour the action; "" when there is nothing to add.
func (p Principle) Sentences(s Situation) string { return "" }

// Rewrite applies the action's phrasing to text.
func (p Principle) Rewrite(text string) string { return text }
