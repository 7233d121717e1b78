package learned

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"preceptor/internal/estimate"
	"preceptor/internal/fault"
)

// Reactions to reminders with the seed's weights.
var Reactions = map[string]float64{"completed": 1, "acted": 0.8, "snoozed": 0.3, "dismissed": 0.1, "ignored": 0}

// Reaction is what a person did with a reminder.
type Reaction struct {
	Kind    string // of Reactions
	Trigger string // what set it off, as the agent names it
	At      time.Time
}

// Slice is how reminders of one hour, part of the day or trigger fare.
type Slice struct {
	By, Name  string // "hour" "09", "part of day" "morning", "trigger" as it was named
	N, Worked int    // all, and those completed or acted on
	Effect    float64
	Low, High float64 // of the share that worked, 95 %
}

// Effect is what works when, the surest to work first within each kind of slice. Times are read in the zone that they carry.
func Effect(list []Reaction) ([]Slice, error) {
	var out []Slice
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
	for i, r := range list {
		weight, ok := Reactions[r.Kind]
		if !ok {
			return nil, fault.New(fault.Invalid, "Reaction %d: %q is not one of completed, acted, snoozed, dismissed and ignored.", i+1, r.Kind)
		}
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
		return cmp.Or(cmp.Compare(a.By, b.By), cmp.Compare(b.Low, a.Low), cmp.Compare(b.Effect, a.Effect), cmp.Compare(a.Name, b.Name))
	})
	return out, nil
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
