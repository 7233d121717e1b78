package knowledge

import "strings"

// general are the headings that stand on many pages and say the same on each. Who asks for scams, or for what to ask,
// finds the pages about them.
var general = map[string]bool{"next steps": true, "more information": true, "getting more help": true,
	"get free help and advice":       true,
	"questions to ask your provider": true, "scams": true, "add extra information": true}

// settle weighs the sections of documents by where they stand: one that is on every page counts less, and one whose
// page answers the question elsewhere counts more.
func settle(list []*candidate, cases map[string]Case, question string) {
	pages := map[string]float64{}
	for _, c := range list {
		stored := cases[c.id]
		if stored.Path == "" {
			continue
		}
		heading := strings.ToLower(strings.Trim(stored.Heading, " :"))
		if general[heading] && heading != strings.ToLower(stored.Page) &&
			!strings.Contains(strings.ToLower(question), "ask") {
			c.fused *= generalFactor
			c.why = append(c.why, "a section that is on every page")
		}
		pages[stored.Path] = max(pages[stored.Path], c.fused)
	}
	for _, c := range list {
		page := c.fused // what has no page is its own
		if path := cases[c.id].Path; path != "" {
			page = pages[path]
		}
		c.fused = (c.fused + pageShare*page) / (1 + pageShare)
		c.legs.Fused = c.fused
	}
}
