package evaluate

import (
	"slices"
	"strings"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/measure"
)

// Change is a way in which a text may differ without saying anything else, and how often the panel's label changed with
// it.
type Change struct {
	Name    string       `json:"name"`
	Changed measure.Rate `json:"changed"`
}

// neutral says nothing that a judge could weigh.
const neutral = "Our lines are open from nine to five on weekdays."

var changes = []struct {
	name string
	do   func(string) string
}{
	{"a neutral sentence before it", func(t string) string { return neutral + "\n\n" + t }},
	{"a neutral sentence after it", func(t string) string { return t + "\n\n" + neutral }},
	{"a letter's head and foot", func(t string) string {
		return "Our reference: 4471/B\n\nDear Customer,\n\nThank you for getting in touch.\n\n" + t +
			"\n\nYours sincerely,\nThe guidance team"
	}},
	{"paragraphs in another order", func(t string) string {
		parts := strings.Split(t, "\n\n")
		slices.Reverse(parts)
		return strings.Join(parts, "\n\n")
	}},
	{"contractions", strings.NewReplacer(" do not ", " don't ", " cannot ", " can't ", " is not ", " isn't ", " it is ",
		" it's ", " you will ", " you'll ", " you are ", " you're ", " we are ", " we're ").Replace},
	{"capitals", strings.ToUpper},
}

// Steady tells for each change how often the label of a text changes that differs by it alone. Judges that need a
// network aren't asked.
func Steady(v *compliance.Validator, items []Item) []Change {
	out := make([]Change, len(changes))
	for k, c := range changes {
		changed, n := 0, 0
		for _, it := range items {
			other := c.do(it.Guidance)
			if other == it.Guidance {
				continue
			}
			n++
			if v.Glance(it.Guidance, it.Consultation).Label != v.Glance(other, it.Consultation).Label {
				changed++
			}
		}
		out[k] = Change{c.name, measure.NewRate(changed, n)}
	}
	return out
}
