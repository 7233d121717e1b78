package duty

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/feedback"
	"preceptor/internal/pack"
	"preceptor/internal/review"
	"preceptor/internal/stats"
)

// report is all that a pack says, and its facts for programs.
type report struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"` // the midnight after the last day
	Zone string    `json:"zone"`

	Law pack.Report `json:"-"` // of the agents' domains

	Satisfaction stats.SatisfactionPage `json:"satisfaction"`
	Review       stats.ReviewPage       `json:"review"`
	Compliance   stats.CompliancePage   `json:"compliance"`
	Learning     stats.LearningPage     `json:"learning"`
	Changes      stats.ChangesPage      `json:"changes"`
	Fall         *stats.Fall            `json:"fall"` // of satisfaction; nil without one
	Missed       []found                `json:"missed"`

	Groups []group `json:"groups"` // vulnerable customers, others
	Caught []code  `json:"caught"` // before release, most often first
	// drafts that the verdict had flagged and a person didn't approve unchanged
	Stopped   int     `json:"stopped"`
	Corrected []found `json:"recalled"`   // texts that were recalled after delivery, of decisions of the period
	TwoSigned int     `json:"two_signed"` // decisions with two signatures that stand
	Overruled int     `json:"overruled"`  // first signatures that a second person did not agree with
	Undone    int     `json:"undone"`     // decisions that a person took back before anything left
	// decisions that nobody took back, and whose author could no longer decide
	Lapsed     int          `json:"lapsed"`
	Sampled    int          `json:"sampled"` // went out unread by an agreed policy
	ByPeople   int          `json:"by_people"`
	Reviewed   stats.Figure `json:"reviewed"`   // share that a person decided about
	Population int          `json:"population"` // pieces of guidance decided in the period
	Seed       string       `json:"seed"`
	Index      []found      `json:"index"` // drawn at random
	Votes      int          `json:"votes_on_guidance"`
	Issues     stats.Figure `json:"issues"` // share of outcomes that name one, in words that stay with the guidance
}

// LastDay is a moment of the last day.
func (rep *report) LastDay() time.Time { return rep.To.Add(-time.Millisecond) }

// found is a piece of guidance that a report points at.
type found struct {
	CaseID string    `json:"id"`
	At     time.Time `json:"at"`
	What   string    `json:"what"`
	Agent  string    `json:"agent"`
	Task   string    `json:"task"`
}

type code struct {
	Code string `json:"code"`
	N    int    `json:"n"`
}

// read gathers a report. The seed comes first, so that what is counted can't steer the draw.
func (r *Reporter) read(ctx context.Context, p Period, law pack.Report) (*report, error) {
	span := stats.Between(p.First, p.Last, r.Zone)
	rep := &report{From: span.From, To: span.To, Zone: r.Zone.String(), Law: law, Missed: []found{},
		Corrected: []found{}, Index: []found{}}
	head, err := audit.HeadOf(ctx, r.DB)
	if err != nil {
		return nil, err
	}
	rep.Seed = head.Hash
	if err := r.figures(ctx, stats.Filter{Range: span, Exact: true}, rep); err != nil {
		return nil, err
	}
	t := newCounter()
	if err := r.Reviews.WalkDecided(ctx, span.From, span.To, func(s review.Settled) { rep.decided(s, t) }); err != nil {
		return nil, err
	}
	if err := r.said(ctx, span, t); err != nil {
		return nil, err
	}
	if err := r.groups(ctx, rep, t); err != nil {
		return nil, err
	}
	rep.Caught = ranked(t.codes, 20)
	rep.Issues = stats.ShareOf("duty.issues", t.issues, t.said)
	rep.Population = len(t.decided)
	rep.Reviewed = stats.ShareOf("duty.reviewed", rep.ByPeople, rep.ByPeople+rep.Sampled)
	rep.Index = draw(rep.Seed, t.decided, Drawn)
	return rep, nil
}

// figures reads the pages of package stats, without anybody's name or words.
func (r *Reporter) figures(ctx context.Context, f stats.Filter, rep *report) (err error) {
	if rep.Satisfaction, err = r.Stats.Satisfaction(ctx, f); err != nil {
		return err
	}
	for i := range rep.Satisfaction.Worst {
		rep.Satisfaction.Worst[i].Quotes = nil // no customer is quoted
	}
	if rep.Review, err = r.Stats.Review(ctx, f); err != nil {
		return err
	}
	rep.Review.People = nil // nobody at the desk is named
	if rep.Compliance, err = r.Stats.Compliance(ctx, f); err != nil {
		return err
	}
	rep.Stopped = rep.Compliance.FalseAlarms.N - rep.Compliance.FalseAlarms.Part
	if rep.Learning, err = r.Stats.Learning(ctx, f); err != nil {
		return err
	}
	if rep.Changes, err = r.Stats.Changes(ctx, f, f.Range); err != nil {
		return err
	}
	// Package stats looks some days further back, for causes; a report is about its period. In order of time.
	rep.Changes.Changes = slices.DeleteFunc(rep.Changes.Changes, func(c stats.Change) bool {
		return c.At.Before(f.From)
	})
	slices.SortStableFunc(rep.Changes.Changes, func(a, b stats.Change) int { return a.At.Compare(b.At) })
	silence(&rep.Changes)
	if rep.Fall, err = r.Stats.Fall(ctx, f); err != nil {
		return err
	}
	if rep.Fall != nil {
		silence(&rep.Fall.ChangesPage)
	}
	if rep.Compliance.Missed.Part == 0 {
		return nil
	}
	// The rows are all drafts that passed and were judged since; the breaches among them are listed.
	for q := (stats.RowQuery{Of: rep.Compliance.Missed.Key, Limit: 200}); len(rep.Missed) < mostMissed; {
		rows, err := r.Stats.Rows(ctx, f, q)
		if err != nil {
			return err
		}
		for _, row := range rows.Rows {
			if row.What == rep.Compliance.Missed.Key {
				rep.Missed = append(rep.Missed, found{row.CaseID, row.At, "found by a person", row.Agent, row.Topic})
			}
		}
		if q.After = rows.Next; q.After == "" {
			break
		}
	}
	return nil
}

// silence leaves out what customers said, and who changed things and why: a reason may name anybody, and quote them.
func silence(p *stats.ChangesPage) {
	p.Quotes = nil
	for i := range p.Changes {
		p.Changes[i].By, p.Changes[i].NowBy, p.Changes[i].Why = "", "", ""
	}
}

// mostMissed bounds the list of breaches.
const mostMissed = 100

// counter is what the walks count.
type counter struct {
	decided  map[string]found // by case: the last decision that stands
	codes    map[string]int
	said     int               // outcomes
	issues   int               // of those, how many name an issue
	kinds    map[string][4]int // by case: decisions, approved, revised, rejected or sent back
	votes    map[string][2]int // by subject: positive, negative
	outcomes map[string][]feedback.Outcome
	told     map[string]bool // guidance that somebody voted on: whether its customer is vulnerable
}

func newCounter() *counter {
	return &counter{decided: map[string]found{}, codes: map[string]int{}, kinds: map[string][4]int{},
		votes:    map[string][2]int{},
		outcomes: map[string][]feedback.Outcome{}, told: map[string]bool{}}
}

// decided counts one decision.
func (rep *report) decided(s review.Settled, t *counter) {
	switch {
	case s.Lapsed():
		rep.Lapsed++
	case s.State == review.Undone:
		rep.Undone++
	case s.State == review.Overruled:
		rep.Overruled++
	case s.State == review.Recalled:
		rep.Corrected = append(rep.Corrected, found{s.CaseID, s.SettledAt, "recalled", s.Agent, s.Task})
	}
	if s.Stands() || s.State == review.Recalled { // what was delivered in error may be drawn as well
		t.decided[s.CaseID] = found{s.CaseID, s.At, s.Kind, s.Agent, s.Task}
	}
	if !s.Stands() {
		return
	}
	if s.Kind == review.Sampled {
		rep.Sampled++
		return
	}
	rep.ByPeople++
	if s.Second != "" {
		rep.TwoSigned++
	}
	k := t.kinds[s.CaseID]
	k[0]++
	switch s.Kind {
	case review.Approve:
		k[1]++
	case review.Revise:
		k[2]++
	default:
		k[3]++
	}
	t.kinds[s.CaseID] = k
	if s.Kind == review.Approve || len(s.Codes) == 0 {
		return
	}
	for _, c := range s.Codes {
		t.codes[c]++
	}
}

// said collects votes and outcomes of the period, of guidance alone: of what agents report themselves nobody says who
// asked.
func (r *Reporter) said(ctx context.Context, span stats.Range, t *counter) error {
	waiting := map[string][2]int{}
	settle := func() error {
		told, err := r.Interactions.VulnerableOf(ctx, slices.Sorted(maps.Keys(waiting)))
		for id, vulnerable := range told {
			t.told[id] = vulnerable
			t.votes[id] = [2]int{t.votes[id][0] + waiting[id][0], t.votes[id][1] + waiting[id][1]}
		}
		clear(waiting)
		return err
	}
	err := r.Feedback.WalkVotes(ctx, span.From, span.To, func(v feedback.Vote) error {
		n := waiting[v.SubjectID]
		switch {
		case v.Norm > 0.5:
			n[0]++
		case v.Norm < 0.5:
			n[1]++
		}
		if waiting[v.SubjectID] = n; len(waiting) < heap {
			return nil
		}
		return settle()
	})
	if err == nil {
		err = settle()
	}
	if err != nil {
		return err
	}
	return r.Feedback.WalkOutcomes(ctx, span.From, span.To, func(o feedback.Outcome) error {
		t.outcomes[o.SubjectID] = append(t.outcomes[o.SubjectID], o)
		if t.said++; len(o.Issues) > 0 {
			t.issues++
		}
		return nil
	})
}

// heap is how many subjects of votes wait until it is asked which of them are guidance: most of a million may be none.
const heap = 5_000

// ranked are the names with the largest counts, at most n.
func ranked(counts map[string]int, n int) []code {
	list := []code{}
	for name, k := range counts {
		list = append(list, code{name, k})
	}
	slices.SortFunc(list, func(a, b code) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Code, b.Code)) })
	return list[:min(n, len(list))]
}

// draw takes n pieces of guidance at random: the first in the order of the SHA-256 of seed and id.
func draw(seed string, all map[string]found, n int) []found {
	type ticket struct {
		key string
		found
	}
	tickets := make([]ticket, 0, len(all))
	for id, f := range all {
		h := sha256.Sum256([]byte(seed + id))
		tickets = append(tickets, ticket{hex.EncodeToString(h[:]), f})
	}
	slices.SortFunc(tickets, func(a, b ticket) int { return cmp.Compare(a.key, b.key) })
	out := []found{}
	for _, t := range tickets[:min(n, len(tickets))] {
		out = append(out, t.found)
	}
	return out
}
