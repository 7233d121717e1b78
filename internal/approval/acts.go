package approval

// Act is a sort of change and how many people it takes.
type Act struct {
	Kind   string // of the versions that it changes
	People int
	Label  string // as people read it
}

// The acts. This list alone says what takes two people; an act that isn't in it can't be put on record here.
//
// A draft that is about what the domain's law protects (pack.Domain.TakesTwo), or that the review policy says, takes
// two supervisors: that is a decision at the desk, and package review keeps both signatures with it.
var (
	ReviewPolicy = Act{"policy", 2, "Review policy"} // what people must see before it leaves
	// a shipped one, which is the floor under every other judgement
	CriticalOff = Act{"check", 2, "Switch off a critical check"}
	CheckSwitch = Act{"check", 1, "Switch a check"} // every other check, on or off, and a critical one on
	// going back to what held before takes one, and is kept with the threshold
	ThresholdOn = Act{"threshold", 2, "Threshold of the judges"}
	// what a pack's labels taught the judge in the program
	JudgeOn  = Act{"judge", 2, "Version of the judge"}
	Boundary = Act{"rubric", 2, "Guidance boundary"} // what experts and judges rule by
	Issues   = Act{"taxonomy", 2, "List of issues"}  // that experts name
	// what people accepted one by one, as a text; the program proposes it
	PromptFile = Act{"prompt", 1, "Prompt file"}
)

// waiting are the acts that can wait for a second person.
var waiting = []Act{ReviewPolicy, CriticalOff, ThresholdOn, JudgeOn, Boundary, Issues, PromptFile}

// Label is what a change is of, for people.
func (c Change) Label() string {
	for _, a := range waiting {
		if a.Kind == c.Kind {
			return a.Label
		}
	}
	return c.Kind
}
