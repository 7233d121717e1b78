package learned

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"preceptor/internal/platform/estimate"
)

// Reactions to reminders with the seed's weights.
var Reactions = map[string]float64{"completed": 1, "acted": 0.8, "snoozed": 0.3, "dismissed": 0.1, "ignored": 0}

// Reaction is what a person did with a reminder.
type Reaction struct {
	Kind    string    `json:"reaction" enum:"completed,acted,snoozed,dismissed,ignored"`
	Trigger string    `json:"trigger,omitempty" doc:"What set the reminder off, as you name it."`
	At      time.Time `json:"at,omitempty" doc:"When the reminder came, with the user's zone, as 2026-01-22T09:00:00+01:00; if left out, the current time."`
}

// Fits reports whether a reaction is known, with a trigger of at most so many bytes, and isn't of more than a day
// ahead.
func (r Reaction) Fits(longest int, now time.Time) bool {
	_, known := Reactions[r.Kind]
	return known && len(r.Trigger) <= longest && !r.At.After(now.Add(24*time.Hour))
}

// OfReminders are questions for which what reminders teach is given.
var OfReminders = []string{"Set a reminder", "When should the reminder come?", "Remind me to ring the bank"}

// Slice is how reminders of one hour, part of the day or trigger fare.
type Slice struct {
	By     string  `json:"by" doc:"hour, part of day or trigger."`
	Name   string  `json:"name" doc:"As 09, morning, or the trigger's name."`
	N      int     `json:"reminders"`
	Worked int     `json:"worked" doc:"Those completed or acted on."`
	Effect float64 `json:"effect" doc:"The mean weight: completed 1, acted .8, snoozed .3, dismissed .1, ignored 0."`
	Low    float64 `json:"low" doc:"The lower end of the 95% interval for the share that worked."`
	High   float64 `json:"high"`
}

// Proposal is what a slice that works teaches; "" for an hour, which is part of a part of the day.
func (s Slice) Proposal() string {
	switch s.By {
	case "part of day":
		return map[string]string{"night": "Send reminders at night", "morning": "Send reminders in the morning",
			"afternoon": "Send reminders in the afternoon", "evening": "Send reminders in the evening"}[s.Name]
	case "trigger":
		return shortened("Send reminders on: " + s.Name)
	}
	return ""
}

// Effect is what works when, the surest to work first within each kind of slice. Times are read in the zone that they
// carry.
func Effect(list []Reaction) (out []Slice) {
	add := func(by, name string, weight float64, worked bool) {
		i := slices.IndexFunc(out, func(s Slice) bool { return s.By == by && s.Name == name })
		if i < 0 {
			i, out = len(out), append(out, Slice{By: by, Name: name})
		}
		out[i].N++
		out[i].Effect += weight
		if worked {
			out[i].Worked++
		}
	}
	for _, r := range list {
		weight := Reactions[r.Kind]
		worked := r.Kind == "completed" || r.Kind == "acted"
		add("hour", fmt.Sprintf("%02d", r.At.Hour()), weight, worked)
		add("part of day", partOfDay(r.At.Hour()), weight, worked)
		if r.Trigger != "" {
			add("trigger", r.Trigger, weight, worked)
		}
	}
	for i := range out {
		s := &out[i]
		s.Effect /= float64(s.N)
		s.Low, s.High = estimate.Wilson(s.Worked, s.N, estimate.Z95)
	}
	slices.SortFunc(out, func(a, b Slice) int {
		return cmp.Or(cmp.Compare(a.By, b.By), cmp.Compare(b.Low, a.Low), cmp.Compare(b.Effect, a.Effect),
			cmp.Compare(a.Name, b.Name))
	})
	return out
}

func partOfDay(hour int) string {
	switch {
	case hour < 6:
		return "night"
	case hour < 12:
		return "morning"
	case hour < 18:
		return "afternoon"
	}
	return "evening"
}
