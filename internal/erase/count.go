package erase

import "slices"

// Count is how many texts there were in one place.
type Count struct {
	Place string `json:"place"`
	N     int    `json:"texts"`
}

// places are those of Count in the order in which they are shown.
var places = []string{placeInteractions, placeDecisions, placeDrafts, placeComments, placeBorderline, placeVerdicts,
	placeLessons, placeKnowledge,
	placeUsage, placeItems, placeIndex, placeDelivery, placeJobs, placeAudit}

const (
	placeInteractions = "Questions, answers and customers"
	placeDecisions    = "Decisions: texts, reasons and feedback"
	placeDrafts       = "Unsent drafts; reasons for skipping"
	placeComments     = "Comments"
	placeBorderline   = "Borderline cases, answers, rulings and ratings"
	placeVerdicts     = "Verdicts with quotes"
	placeLessons      = "Lessons: source and steps"
	placeKnowledge    = "Knowledge cases (all versions) and rules"
	placeUsage        = "Why knowledge was shown, and prompts"
	placeItems        = "Items of gold sets"
	placeIndex        = "Search index of the desk"
	placeDelivery     = "Webhook answers and receipts"
	placeJobs         = "Jobs"
	placeAudit        = "Contents of the audit log"
)

// counter counts texts by place.
type counter map[string]int

func (t counter) add(place string, n int) {
	if n > 0 {
		t[place] += n
	}
}

func (t counter) join(o counter) {
	for place, n := range o {
		t.add(place, n)
	}
}

// list is the counter in the order of the places.
func (t counter) list() []Count {
	out := []Count{}
	for _, place := range places {
		if t[place] > 0 {
			out = append(out, Count{place, t[place]})
		}
	}
	var more []string
	for place := range t {
		if !slices.Contains(places, place) {
			more = append(more, place)
		}
	}
	slices.Sort(more)
	for _, place := range more {
		out = append(out, Count{place, t[place]})
	}
	return out
}
