package stats

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"preceptor/internal/stats/counter"
)

func (w *world) review(f Filter, now, before asked) {
	p, err := w.r.Review(context.Background(), f)
	w.must(err)
	kinds, n := now.kinds()
	was, wasN := before.kinds()
	now.number("decisions", p.Decisions, n)
	for _, k := range []struct {
		kind   string
		figure Figure
	}{{"approve", p.Approved}, {"revise", p.Revised}, {"reject", p.Escalated}, {"return", p.Returned}} {
		now.same(k.kind, k.figure, ratio{kinds[k.kind], n})
		before.same(k.kind+" before", *k.figure.Before, ratio{was[k.kind], wasN})
	}
	for _, pt := range p.Series[0].Points {
		span := now
		span.from, span.to = w.date(pt.From), w.date(pt.To.Add(-time.Minute))
		some, all := span.kinds()
		span.same("approved over time", pt.Figure, ratio{some["approve"], all})
	}
	var sla, hasty, recalled, rewritten, agreed, caught ratio
	var waited, taken []int64
	var edits, stars []float64
	sampled := 0
	now.decisions(func(c *wCase, d *wDecision) {
		if d.stars > 0 && now.in(d.rated) && now.by(d.by) {
			stars = append(stars, float64(d.stars))
		}
		if d.two && now.by(d.by) {
			if d.second != "" && d.state != "undone" && now.in(d.secondAt) {
				agreed.count(true)
			} else if d.state == "overruled" && now.in(d.settled) {
				agreed.count(false)
			}
		}
		if d.kind == "sampled" && d.state != "undone" && d.state != "recalled" && now.in(d.at) {
			sampled++
		}
		if d.cared() && d.second != "" && now.in(d.secondAt) && now.by(d.second) {
			hasty.count(d.secondHasty)
		}
		if d.cared() && now.in(d.at) && now.by(d.by) {
			if taken = append(taken, int64(d.seconds)); d.kind == "approve" {
				hasty.count(d.hasty)
			}
			if d.kind == "approve" || d.kind == "revise" {
				recalled.count(d.state == "recalled")
			}
		}
		if !d.stands() || !now.in(d.at) || !now.by(d.by) {
			return
		}
		target := 24 * time.Hour
		if d.policy == 1 {
			target = wTarget
		}
		complete := d.at
		if d.second != "" {
			complete = d.secondAt
		}
		sla.count(complete.Sub(c.queued) <= target)
		waited = append(waited, int64(complete.Sub(c.queued)/time.Second))
		if d.kind == "revise" {
			changed := wChanged(d.text)
			words := max(6, len(strings.Fields(d.text)))
			edits = append(edits, float64(changed)/float64(words))
			rewritten.count(2*changed > words)
		}
	})
	for _, c := range w.cases {
		if c.planted && now.in(c.closed) && now.of(c.agent, c.task) && now.by(c.signers[0]) {
			caught.count(c.caught)
		}
	}
	now.same("in time", p.SLA, sla)
	now.same("hasty", p.Hasty, hasty)
	now.same("rewritten", p.Rewritten, rewritten)
	now.same("recalled", p.Recalled, recalled)
	now.same("agreement", p.Agreement, agreed)
	now.same("caught", p.Caught, caught)
	now.number("sampled", p.Sampled, sampled)
	now.mean("edit", p.Edit, edits)
	now.mean("quality", p.Rating, stars)
	now.quantile("waited", p.Waited, waited, 0.5)
	now.quantile("waited, slow", p.WaitedP90, waited, 0.9)
	now.quantile("on case", p.OnCase, taken, 0.5)
	for key, want := range map[string]int{counter.Agreed: agreed.n, counter.Hasty: hasty.n,
		counter.Rewrote:  rewritten.n,
		counter.Recalled: recalled.n, counter.OnCase: len(taken), counter.Sampled: sampled, "decisions": n} {
		if got := w.rows(f, key, ""); got != want {
			w.Fatalf("%d rows of %s, want %d", got, key, want)
		}
	}
	w.addsUp(f, p)
	w.queue(p, now)
	talks, err := w.r.Conversations(context.Background(), f)
	w.must(err)
	if f.Team == "" {
		w.talks(talks, now, before)
	} else if talks.N.Known {
		w.Fatal("a team has conversations")
	}
	for _, row := range p.People {
		w.person(row, now)
	}
}

// talks works the figures of conversations out again, an event at a time.
func (w *world) talks(got Conversations, now, before asked) {
	now.talk(got)
	was := Conversations{}
	for i, f := range got.figures() {
		*was.figures()[i] = *f.Before
	}
	before.talk(was)
}

func (a asked) talk(got Conversations) {
	var ended, escalated, liked ratio
	var turns, waited []int64
	for _, agent := range wAgents {
		for _, thread := range []string{"t1", "t2"} {
			var drafts, decided []*wCase
			chosen, first := false, 0
			for _, c := range a.cases {
				if c.agent != agent || c.thread != thread || c.planted {
					continue
				}
				drafts = append(drafts, c)
				if first == 0 || c.turn < first {
					first = c.turn
				}
				at := c.decidedAt()
				if !at.IsZero() && a.date(at) <= a.to {
					decided = append(decided, c)
				}
				chosen = chosen || a.in(at) && a.of(c.agent, c.task)
			}
			if !chosen {
				continue
			}
			slices.SortFunc(decided, func(x, y *wCase) int {
				return cmp.Or(x.decidedAt().Compare(y.decidedAt()), x.queued.Compare(y.queued), strings.Compare(x.id, y.id))
			})
			last, gone, sent, open := "", false, false, 1
			for _, c := range decided {
				kind := c.standing.kind
				out := kind == "approve" || kind == "revise" || kind == "sampled"
				if a.in(c.decidedAt()) {
					last, gone = kind, gone || kind == "reject"
				}
				if out && !sent {
					if sent = true; a.in(c.decidedAt()) {
						turns = append(turns, int64(c.turn-first+1))
					}
				}
				if !out && kind != "reject" {
					continue
				}
				var since time.Time
				for _, d := range drafts {
					if d.turn >= open && d.turn <= c.turn && !d.queued.After(c.decidedAt()) &&
						(since.IsZero() || d.queued.Before(since)) {
						since = d.queued
					}
				}
				if open = max(open, c.turn+1); out && !since.IsZero() && a.in(c.decidedAt()) {
					waited = append(waited, int64(c.decidedAt().Sub(since)/time.Second))
				}
			}
			ended.count(last != "" && last != "reject" && last != "return")
			escalated.count(gone)
		}
	}
	a.number("conversations", got.N, ended.n)
	a.same("answered", got.Answered, ended)
	a.same("escalated", got.Escalated, escalated)
	a.same("satisfied", got.Satisfied, liked)
	a.quantile("turns", got.Turns, turns, 0.5)
	a.quantile("customers' wait", got.Waited, waited, 0.5)
}

// wChanged is how far a revised text of the test is from its draft, word by word: the draft is "one two three four five
// six".
func wChanged(text string) int {
	changed := 0
	words := strings.Fields(text)
	if slices.Contains(words, "2") {
		changed++
	}
	if slices.Contains(words, "3") {
		changed += 4 // three became "3 and more words"
	}
	return changed
}

func (w *world) queue(p ReviewPage, now asked) {
	waits := func(c *wCase, date string) bool {
		left := c.decidedAt()
		return !c.planted && now.of(c.agent, c.task) && w.date(c.queued) <= date &&
			(left.IsZero() || w.date(left) > date)
	}
	for _, pt := range p.Queue.Series.Points {
		if !pt.Known {
			continue // of days to come
		}
		n := 0
		for _, c := range w.cases {
			if waits(c, w.date(pt.To.Add(-time.Minute))) {
				n++
			}
		}
		now.number("queue on "+w.date(pt.From), pt.Figure, n)
	}
}

func (w *world) person(row PersonRow, now asked) {
	var approved, hasty, caught ratio
	var taken []int64
	seconds := 0
	now.decisions(func(_ *wCase, d *wDecision) {
		if d.cared() && d.second == row.ID && now.in(d.secondAt) {
			hasty.count(d.secondHasty)
			if d.stands() {
				seconds++
			}
		}
		if d.cared() && d.by == row.ID && now.in(d.at) {
			if taken = append(taken, int64(d.seconds)); d.kind == "approve" {
				hasty.count(d.hasty)
			}
		}
		if !d.stands() || d.by != row.ID || !now.in(d.at) {
			return
		}
		approved.count(d.kind == "approve")
	})
	for _, c := range w.cases {
		if c.planted && now.in(c.closed) && now.of(c.agent, c.task) && c.signers[0] == row.ID {
			caught.count(c.caught)
		}
	}
	now.same(row.ID+" approved", row.Approved, approved)
	now.same(row.ID+" hasty", row.Hasty, hasty)
	now.same(row.ID+" caught", row.Caught, caught)
	now.number(row.ID+" decisions", row.Decisions, approved.n)
	now.number(row.ID+" seconds", row.Seconds, seconds)
	now.quantile(row.ID+" on case", row.OnCase, taken, 0.5)
}

func (w *world) compliance(f Filter, now, before asked) {
	p, err := w.r.Compliance(context.Background(), f)
	w.must(err)
	rate := func(a asked) (r ratio) {
		for _, c := range w.cases {
			if !c.planted && a.in(c.labelled) && a.of(c.agent, c.task) {
				r.count(c.labels[len(c.labels)-1] == counter.Compliant)
			}
		}
		return r
	}
	now.same("compliance", p.Rate, rate(now))
	before.same("compliance before", *p.Rate.Before, rate(before))
	var missed, alarms, panel ratio
	otherwise := 0
	judges := map[string]*ratio{"pattern": {}, "tone": {}}
	opened, ruled := map[string]int{}, map[string]int{}
	for _, c := range w.cases {
		if c.planted || !now.of(c.agent, c.task) {
			continue
		}
		for _, o := range c.opened {
			if now.in(o.at) {
				opened[o.cause]++
			}
		}
		for _, r := range c.rulings {
			if r.undone || !now.in(r.at) {
				continue
			}
			ruled[r.label]++
			panel.count(r.of.verdict == r.label)
			for name, passed := range r.of.passed {
				judges[name].count(passed == (r.label == counter.Compliant))
			}
		}
		w.against(c, now, &missed, &alarms, &otherwise)
	}
	now.same("missed", p.Missed, missed)
	now.number("otherwise", p.Otherwise, otherwise)
	now.same("false alarms", p.FalseAlarms, alarms)
	now.same("panel", p.Panel, panel)
	n, m := 0, 0
	for _, s := range p.Causes {
		n += s.Volume
		if s.Volume != opened[s.Name] {
			w.Fatalf("%d cases of %s, want %d", s.Volume, s.Name, opened[s.Name])
		}
	}
	for _, s := range p.Labels {
		m += s.Volume
		if s.Volume != ruled[s.Name] {
			w.Fatalf("%d rulings %s, want %d", s.Volume, s.Name, ruled[s.Name])
		}
	}
	now.number("borderline", p.Borderline, n)
	now.number("rulings", p.Rulings, m)
	for _, j := range p.Judges {
		now.same("judge "+j.Name, j.Figure, *judges[j.Name])
	}
	for key, want := range map[string]int{"missed": missed.n, "false_alarm": alarms.n, "otherwise": otherwise, "borderline": n, "rulings": m,
		"drafts": p.Rate.N} {
		if got := w.rows(f, key, ""); got != want {
			w.Fatalf("%d rows of %s, want %d", got, key, want)
		}
	}
	w.addsUp(f, p)
}

// against counts a draft among those that the verdict was wrong about, or could have been.
func (w *world) against(c *wCase, now asked, missed, alarms *ratio, otherwise *int) {
	var found, fine []time.Time
	var standing *wDecision
	for _, d := range c.decisions {
		if d.state == "recalled" {
			found = append(found, d.settled)
		}
		if d.stands() {
			standing = d
			if d.kind == "approve" {
				fine = append(fine, d.at)
			}
			if d.kind == "reject" && d.code == "personal_recommendation" {
				found = append(found, d.at)
			}
		}
	}
	for _, r := range c.rulings {
		if r.undone {
			continue
		}
		if r.label == counter.Compliant {
			fine = append(fine, r.at)
		}
		if r.label == "NON_COMPLIANT" {
			found = append(found, r.at)
		}
	}
	if c.labels[len(c.labels)-1] != counter.Compliant || c.flags {
		if standing != nil && now.in(standing.at) && !c.unsure {
			alarms.count(standing.kind == "approve")
		}
		return
	}
	first := func(list []time.Time) time.Time { return slices.MinFunc(list, time.Time.Compare) }
	switch {
	case len(found) > 0:
		if now.in(first(found)) {
			missed.count(true)
		}
	case len(fine) > 0:
		if now.in(first(fine)) {
			missed.count(false)
		}
	case standing != nil && now.in(standing.at):
		*otherwise++
	}
}
