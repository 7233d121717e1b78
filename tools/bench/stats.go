package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/pack"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/terminal"
	"preceptor/internal/stats"
	"preceptor/tools/bench/past"
)

// How the pages of statistics are looked at while votes come in.
const (
	statsReaders = 4
	statsPause   = 250 * time.Millisecond
	votePause    = 10 * time.Millisecond
)

// stats fills a file with a year of interactions, votes and decisions, and measures what the pages of statistics read,
// the pages themselves, and submitting votes while four people look at them.
func (b *bencher) stats() error {
	return b.serving("stats.db", func(d *deskBench) error {
		agent, err := d.a.Accounts.EnsureAgent(d.ctx, "guide", pack.Pension)
		if err != nil {
			return err
		}
		began := time.Now()
		bar := b.t.Progress("A year")
		size := past.Size{Interactions: b.many, Votes: b.votes, Decisions: b.decisions}
		if err := past.Fill(d.ctx, d.a.DB, past.Agent{ID: agent.ID, Name: agent.Name}, size, bar); err != nil {
			return err
		}
		all := size.Interactions + min(size.Votes, size.Interactions) + size.Decisions
		b.flow = append(b.flow, rate{Bench: "stats", Name: "fill", Rows: all, Seconds: time.Since(began).Seconds()})
		began, bar = time.Now(), b.t.Progress("Sums")
		if err := d.a.Counter.Rebuild(d.ctx, func(done int) { bar(min(done, all), all) }); err != nil {
			return err
		}
		b.flow = append(b.flow, rate{Bench: "stats", Name: "rebuild", Rows: all, Seconds: time.Since(began).Seconds(),
			RSS: memory("VmHWM:")})
		if err := d.statsFigures(); err != nil {
			return err
		}
		if err := d.statsPages(); err != nil {
			return err
		}
		return d.statsVotes()
	})
}

// statsFigures times what each page reads, for a month and for a year, and narrowed down.
func (d *deskBench) statsFigures() error {
	r, now := d.a.Stats, d.a.DB.Now()
	days := func(n int) stats.Filter { return stats.Filter{Range: stats.Days(now, n, d.a.Zone)} }
	month, year, narrow, team := days(30), days(365), days(90), days(365)
	narrow.Agent, narrow.Topic = "tutor", "topic 07"
	desk := days(90)
	desk.Agent, desk.Task = "guide", "task_3"
	team.Team = past.Team
	for _, m := range []struct {
		name string
		read func() error
	}{
		{"satisfaction, 30 days", func() error { _, err := r.Satisfaction(d.ctx, month); return err }},
		{"satisfaction, a year", func() error { _, err := r.Satisfaction(d.ctx, year); return err }},
		{"satisfaction, agent and topic", func() error { _, err := r.Satisfaction(d.ctx, narrow); return err }},
		{"review, 30 days", func() error { _, err := r.Review(d.ctx, month); return err }},
		{"review, a year", func() error { _, err := r.Review(d.ctx, year); return err }},
		{"review, agent and task", func() error { _, err := r.Review(d.ctx, desk); return err }},
		{"review, a team's year", func() error { _, err := r.Review(d.ctx, team); return err }},
		{"compliance, 30 days", func() error { _, err := r.Compliance(d.ctx, month); return err }},
		{"compliance, a year", func() error { _, err := r.Compliance(d.ctx, year); return err }},
		{"learning, 30 days", func() error { _, err := r.Learning(d.ctx, month); return err }},
		{"learning, a year", func() error { _, err := r.Learning(d.ctx, year); return err }},
		{"rows: negative votes", func() error {
			_, err := r.Rows(d.ctx, year, stats.RowQuery{Of: "vote.negative"})
			return err
		}},
		{"rows: sent back", func() error {
			_, err := r.Rows(d.ctx, year, stats.RowQuery{Of: "decision.return"})
			return err
		}},
		{"rows: found later", func() error { _, err := r.Rows(d.ctx, year, stats.RowQuery{Of: "missed"}); return err }},
		{"comments, searched in vain", func() error {
			_, err := r.Comments(d.ctx, year, stats.RowQuery{Search: "nobody says this"})
			return err
		}},
		{"choices", func() error { _, err := r.Choices(d.ctx); return err }},
	} {
		if err := d.time("stats", m.name, d.many, d.n, func(int) error { return m.read() }); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return nil
}

// statsAddresses are the pages, for a month and for a year, and what changed around a week.
func (d *deskBench) statsAddresses() (out []string) {
	day := func(ago int) string { return d.a.DB.Now().In(d.a.Zone).AddDate(0, 0, -ago).Format(time.DateOnly) }
	year := "?from=" + day(364) + "&to=" + day(0)
	for _, page := range []string{"satisfaction", "review", "compliance", "learning"} {
		out = append(out, "/stats/"+page, "/stats/"+page+year)
	}
	return append(out, "/stats", "/stats"+year, "/stats/review"+year+"&team="+past.Team,
		"/stats/rows"+year+"&of=vote.negative",
		"/stats/changes?around="+day(10)+"&until="+day(4), "/stats/changes"+year+"&around="+day(100)+"&until="+day(71))
}

// statsPages times the pages as a browser gets them.
func (d *deskBench) statsPages() error {
	for _, address := range d.statsAddresses() {
		if err := d.time("stats", "page "+address, d.many, d.n,
			d.get(func(int) string { return address })); err != nil {
			return err
		}
	}
	return nil
}

// statsVotes times votes over HTTP, alone and while people look at the pages.
func (d *deskBench) statsVotes() error {
	token, _, err := d.a.Accounts.CreateToken(d.ctx, "guide", pack.Pension, []account.Scope{account.Feedback},
		time.Time{}, terminal.Operator)
	if err != nil {
		return err
	}
	n := 0
	took := func(name string) error {
		var list []time.Duration
		for i := range max(5*d.n, 20) {
			if err := pause(d.ctx, votePause); err != nil {
				return err
			}
			began := time.Now()
			if err := d.vote(token, n+i); err != nil {
				return err
			}
			list = append(list, time.Since(began))
		}
		n += len(list)
		d.keep("stats", name, d.many, list, 0)
		return nil
	}
	if err := took("vote, alone"); err != nil {
		return err
	}
	addresses := d.statsAddresses()
	ctx, stop := context.WithCancel(d.ctx)
	var looking sync.WaitGroup
	errs := make(chan error, statsReaders)
	for i := range statsReaders {
		looking.Go(func() {
			for k := i; ctx.Err() == nil; k++ {
				if _, err := d.web.page(ctx, addresses[k%len(addresses)]); err != nil && ctx.Err() == nil {
					errs <- err
					return
				}
				_ = pause(ctx, statsPause)
			}
		})
	}
	err = took("vote, pages loading")
	stop()
	looking.Wait()
	close(errs)
	return errors.Join(err, <-errs)
}

// vote submits the i-th vote: of a user who has not voted on this answer, every third with words.
func (d *deskBench) vote(token string, i int) error {
	said := map[string]any{"interaction_id": past.Subject(1 + i*7919%d.many), "user_id": id.New(),
		"feedback_type": "thumbs", "feedback_value": 1 - 2*(i%2)}
	if i%3 == 0 {
		said["feedback_text"] = "It answered what I had asked."
	}
	body, err := json.Marshal(said)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(d.ctx, http.MethodPost, d.web.url+"/api/feedback/submit",
		bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	_, _, err = d.web.do(req, http.StatusOK)
	return err
}
