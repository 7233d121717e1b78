package policy

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"preceptor/internal/platform/fault"
)

// content is a policy as it is stored and as the audit log shows it: shares in percent, times in minutes.
type content struct {
	Share       float64     `json:"share_percent"`
	Always      []Condition `json:"always"`
	SecondEyes  []Condition `json:"second_eyes"`
	First       []Condition `json:"first"` // null in policies from before there was a choice: none
	Planted     float64     `json:"planted_percent"`
	TargetSoon  int         `json:"target_soon_minutes"`
	TargetLate  int         `json:"target_late_minutes"`
	WordsPerMin int         `json:"words_per_minute"`
	// 0, as in policies from before there was a choice: DefaultExperts
	Experts     int `json:"experts,omitempty"`
	ExpertsHard int `json:"experts_hard,omitempty"`
	ExpertsMost int `json:"experts_most,omitempty"`
	// none, as in policies from before there was one: DefaultExpertShare
	ExpertShare *float64 `json:"expert_share_percent,omitempty"`
	ExpertLate  int      `json:"expert_late_minutes,omitempty"` // likewise
	Follows     bool     `json:"follows,omitempty"`
}

// follows is the content of a policy that an agent gives up; a guard in the database knows it by this text.
const follows = `{"follows":true}`

// percent rounds to a tenth of a percent, the finest that a form takes.
func percent(share float64) float64 { return math.Round(share*1000) / 10 }

func (p Policy) content() content {
	experts := percent(p.ExpertShare)
	return content{percent(p.Share), p.Always, p.SecondEyes, p.First, percent(p.Planted),
		int(p.TargetSoon / time.Minute), int(p.TargetLate / time.Minute), p.WordsPerMin,
		p.Experts.First, p.Experts.Hard, p.Experts.Most, &experts, int(p.ExpertLate / time.Minute), false}
}

// decode reads a stored policy. What was never agreed to in the form of this program is read on the side of more
// review.
func decode(text string) (Policy, error) {
	var c content
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return Policy{}, fmt.Errorf("policy: read a stored one: %w", err)
	}
	if c.Follows {
		p := Default()
		p.Follows = true
		return p, nil
	}
	p := Policy{Share: c.Share / 100, Always: c.Always, SecondEyes: c.SecondEyes, First: c.First,
		Planted:    c.Planted / 100,
		TargetSoon: time.Duration(c.TargetSoon) * time.Minute, TargetLate: time.Duration(c.TargetLate) * time.Minute,
		WordsPerMin: c.WordsPerMin,
		Experts:     Experts{c.Experts, c.ExpertsHard, c.ExpertsMost}.or(), ExpertShare: DefaultExpertShare,
		ExpertLate: cmp.Or(time.Duration(c.ExpertLate)*time.Minute, DefaultExpertLate)}
	if c.ExpertShare != nil {
		p.ExpertShare = *c.ExpertShare / 100
	}
	for _, fixed := range Fixed {
		if !slices.Contains(p.Always, fixed) {
			p.Always = append(p.Always, fixed)
		}
	}
	p.Always = ordered(p.Always, Arriving)
	if p.First == nil { // agreed to before there was a choice: nobody said that anything comes first
		p.First = []Condition{}
	}
	return p, nil
}

// The limits of a policy.
const (
	MaxPlanted    = 0.2
	maxTarget     = 14 * 24 * time.Hour
	minWords      = 150 // nobody reads slower on average
	maxWords      = 2000
	targetAtLeast = 5 * time.Minute

	// LeastTarget is said of a shorter target. The form asks for hours.
	LeastTarget = "Enter at least 5 minutes, which is 0.08 hours."
	mostTarget  = "Enter at most 14 days, which is 336 hours."
)

// check brings p into its stored form, or says what is wrong, field by field.
func (p *Policy) check() error {
	if p.Follows {
		if p.AgentID == "" {
			return fault.Wrong("The policy for every agent can't follow another.", "follows",
				"Choose an agent to follow the policy for every agent.")
		}
		d := Default()
		d.AgentID, d.Follows = p.AgentID, true
		*p = d
		return nil
	}
	var wrong []fault.Field
	bad := func(is bool, field, msg string) {
		if is {
			wrong = append(wrong, fault.Field{Name: field, Msg: msg})
		}
	}
	bad(!(p.Share >= 0 && p.Share <= 1), "share", "Enter a number from 0 to 100.")
	bad(!(p.Planted >= 0 && p.Planted <= MaxPlanted), "planted", "Enter a number from 0 to 20.")
	for _, c := range Fixed {
		if !slices.Contains(p.Always, c) {
			bad(true, "always", fmt.Sprintf("%q can't be switched off: such guidance is always read by people.",
				c.Label()))
			break
		}
	}
	bad(!among(p.Always, Arriving), "always", "Choose conditions from the list.")
	bad(!among(p.SecondEyes, Deciding), "second_eyes", "Choose conditions from the list.")
	bad(!among(p.First, Hurrying), "first", "Choose conditions from the list.")
	bad(p.TargetSoon < targetAtLeast, "target_soon", LeastTarget)
	bad(p.TargetSoon > maxTarget, "target_soon", mostTarget)
	if p.TargetLate > maxTarget {
		bad(true, "target_late", mostTarget)
	} else {
		bad(p.TargetLate <= p.TargetSoon && p.TargetSoon < maxTarget, "target_late",
			"Enter a longer time than until it turns amber.")
	}
	p.Experts = p.Experts.or()
	p.ExpertLate = cmp.Or(p.ExpertLate, DefaultExpertLate)
	bad(p.ExpertLate < targetAtLeast, "expert_late", LeastTarget)
	bad(p.ExpertLate > maxTarget, "expert_late", mostTarget)
	bad(!(p.ExpertShare >= 0 && p.ExpertShare <= 1), "expert_share", "Enter a number from 0 to 100.")
	bad(p.Experts.First < 1 || p.Experts.First > MaxExperts, "experts",
		fmt.Sprintf("Enter a number from 1 to %d.", MaxExperts))
	bad(p.Experts.Hard < p.Experts.First || p.Experts.Hard > MaxExperts, "experts_hard",
		fmt.Sprintf("Enter at least as many as for other cases, and at most %d.", MaxExperts))
	bad(p.Experts.Most < p.Experts.Hard || p.Experts.Most > MaxExperts, "experts_most",
		fmt.Sprintf("Enter at least as many as are asked at first, and at most %d.", MaxExperts))
	bad(p.WordsPerMin < minWords || p.WordsPerMin > maxWords, "words_per_min", "Enter a number from 150 to 2,000.")
	if len(wrong) > 0 {
		return fault.WithFields(wrong[0].Msg, wrong...)
	}
	p.Share, p.Planted, p.ExpertShare = percent(p.Share)/100, percent(p.Planted)/100, percent(p.ExpertShare)/100
	p.TargetSoon, p.TargetLate, p.ExpertLate = p.TargetSoon.Truncate(time.Minute), p.TargetLate.Truncate(time.Minute),
		p.ExpertLate.Truncate(time.Minute)
	p.Always, p.SecondEyes = ordered(p.Always, Arriving), ordered(p.SecondEyes, Deciding)
	p.First = ordered(p.First, Hurrying)
	return nil
}

func among(list, all []Condition) bool {
	return !slices.ContainsFunc(list, func(c Condition) bool { return !slices.Contains(all, c) })
}

// ordered is list once each in the order of all; what all does not know comes last.
func ordered(list, all []Condition) []Condition {
	out := []Condition{}
	for _, c := range slices.Concat(all, list) {
		if slices.Contains(list, c) && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// Same reports whether two policies say the same, whoever they are for and whatever their numbers.
func (p Policy) Same(q Policy) bool {
	return p.Follows == q.Follows && p.Share == q.Share && p.Planted == q.Planted && p.TargetSoon == q.TargetSoon &&
		p.TargetLate == q.TargetLate &&
		p.WordsPerMin == q.WordsPerMin && p.Experts.or() == q.Experts.or() && p.ExpertShare == q.ExpertShare &&
		p.ExpertLate == q.ExpertLate &&
		slices.Equal(p.Always, q.Always) && slices.Equal(p.SecondEyes, q.SecondEyes) &&
		slices.Equal(p.First, q.First)
}
