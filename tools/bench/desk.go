package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app"
	"preceptor/internal/demo"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/job"
	"preceptor/internal/platform/terminal"
	"preceptor/internal/review"
)

// desk measures what a supervisor and an agent wait for, over HTTP, with few and with many cases waiting.
func (b *bencher) desk() error {
	return b.serving("desk.db", func(d *deskBench) error {
		filled := 0
		for _, rows := range []int{b.few, b.many} {
			if err := d.filler.fill(b, d.a.Interactions, d.a.DB, filled, rows); err != nil {
				return err
			}
			filled = rows
			if err := d.quiet(); err != nil {
				return err
			}
			if err := d.measure(rows); err != nil {
				return err
			}
		}
		return nil
	})
}

// quiet waits, three minutes at most, until no job is left: while many cases are written the jobs that follow from
// decisions before them get no turn, and would be done while something else is timed.
func (d *deskBench) quiet() error {
	for range 180 {
		n, err := d.a.Jobs.Counts(d.ctx)
		if err != nil || n[job.Waiting]+n[job.Running] == 0 {
			return err
		}
		if err := pause(d.ctx, time.Second); err != nil {
			return err
		}
	}
	return nil
}

// deskBench is a running server, a supervisor's browser and an agent.
type deskBench struct {
	*bencher
	a      *app.App
	ctx    context.Context // ends when the server does
	me     account.Account
	web    *benchBrowser
	agents []account.Agent
	filler *filler
	token  string
}

// serving runs f beside a server on a fresh file.
func (b *bencher) serving(file string, f func(d *deskBench) error) error {
	return b.servingOn(cmp.Or(b.db, filepath.Join(b.dir, file)), f)
}

func (b *bencher) servingOn(name string, f func(d *deskBench) error) error {
	cfg, err := benchConfig(name)
	if err != nil {
		return err
	}
	return b.use(cfg, func(a *app.App) (err error) {
		ctx, stop := context.WithCancel(b.t.Ctx)
		defer stop()
		if err := a.Listen(ctx); err != nil {
			return err
		}
		ended := make(chan error, 1)
		go func() { ended <- a.Run(ctx) }()
		defer func() {
			stop()
			err = errors.Join(err, <-ended)
		}()
		d := &deskBench{bencher: b, a: a, ctx: ctx}
		if err := d.prepare(); err != nil {
			return err
		}
		return f(d)
	})
}

// prepare makes the people and agents.
func (d *deskBench) prepare() (err error) {
	if d.me, d.web, err = d.supervisor("Bench " + strings.TrimPrefix(d.a.Addr(), "127.0.0.1:")); err != nil {
		return err
	}
	for _, name := range []string{demo.Agent, "bench-advisor", "bench-helper"} {
		agent, err := d.a.Accounts.EnsureAgent(d.ctx, name, pack.Pension)
		if err != nil {
			return err
		}
		d.agents = append(d.agents, agent)
	}
	if d.token, _, err = d.a.Accounts.CreateToken(d.ctx, demo.Agent, pack.Pension, []account.Scope{account.Submit},
		time.Time{}, terminal.Operator); err != nil {
		return err
	}
	d.filler, err = newFiller(d.agents)
	return err
}

// supervisor is a new person, who may export and back up too, and their browser.
func (d *deskBench) supervisor(name string) (account.Account, *benchBrowser, error) {
	who, err := d.a.Accounts.Add(d.ctx,
		account.NewAccount{Email: strings.ToLower(strings.ReplaceAll(name, " ", "-")) + "@demo.example", Name: name,
			Password: id.Secret(24),
			Roles:    []account.Role{account.Supervisor, account.Manager, account.Admin}}, terminal.Operator)
	if err != nil {
		return who, nil, err
	}
	web, err := newBenchBrowser(d.a.URL())
	if err != nil {
		return who, nil, err
	}
	_, err = web.send(d.ctx, "/demo/sign-in", url.Values{"account": {who.ID}})
	return who, web, err
}

// queuePages are the looks of the queue that are timed.
var queuePages = []struct{ name, query string }{
	{"queue page", ""},
	{"queue by task", "?task=" + plainTask},
	{"queue, done", "?state=done"},
}

// measure begins with the decisions: a list of what is done, of which there is nothing, would flatter the fewer rows.
func (d *deskBench) measure(rows int) error {
	if err := d.approvals(rows); err != nil {
		return err
	}
	for _, p := range queuePages {
		if err := d.time("desk", p.name, rows, d.n, d.get(func(int) string {
			return "/reviews" + p.query
		})); err != nil {
			return err
		}
	}
	cases, err := d.waiting()
	if err != nil {
		return err
	}
	if err := d.time("desk", "case page", rows, len(cases),
		d.get(func(i int) string { return "/reviews/" + cases[i].ID })); err != nil {
		return err
	}
	return d.time("desk", "submit", rows, d.n, d.submit)
}

func (d *deskBench) get(path func(i int) string) func(i int) error {
	return func(i int) error {
		_, err := d.web.page(d.ctx, path(i))
		return err
	}
}

// waiting reads as many waiting cases as are to be timed, page by page.
func (d *deskBench) waiting() ([]review.Row, error) {
	var rows []review.Row
	f := review.Filter{State: review.Needs, Viewer: d.me.ID}
	for {
		page, err := d.a.Reviews.List(d.ctx, f)
		if err != nil {
			return nil, err
		}
		rows = append(rows, page.Items...)
		if len(rows) >= d.n || page.Next == "" {
			return rows[:min(d.n, len(rows))], nil
		}
		f.Cursor = page.Next
	}
}

// approvals walks the queue as a supervisor does: read, approve, and the next case comes.
func (d *deskBench) approvals(rows int) error {
	to, err := d.web.send(d.ctx, "/reviews/next", url.Values{"filter": {"task=" + plainTask}})
	if err != nil {
		return err
	}
	var approve, next, both []time.Duration
	var deciding, reading time.Duration // the processors'
	for len(both) < min(d.n, rows/4) {
		page, err := d.web.page(d.ctx, to)
		if err != nil {
			return err
		}
		action := caseOf(to) + "/approve"
		fields, ok := form(page, action)
		if !ok {
			return fault.New(fault.Unavailable, "The page %s has no form to approve with.", to)
		}
		fields.Set("seconds", "60")
		began, worked := time.Now(), cpu()
		if to, err = d.web.send(d.ctx, action, fields); err != nil {
			return err
		}
		decided, half := time.Now(), cpu()
		if _, err = d.web.page(d.ctx, to); err != nil {
			return err
		}
		deciding, reading = deciding+half-worked, reading+cpu()-half
		approve, next, both = append(approve, decided.Sub(began)), append(next, time.Since(decided)),
			append(both, time.Since(began))
	}
	d.keep("desk", "approve", rows, approve, deciding)
	d.keep("desk", "next case", rows, next, reading)
	d.keep("desk", "approve and next", rows, both, deciding+reading)
	return nil
}

// caseOf is an address without its query.
func caseOf(to string) string {
	path, _, _ := strings.Cut(to, "?")
	return path
}

func (d *deskBench) submit(i int) error {
	body, err := json.Marshal(map[string]any{
		"agent": demo.Agent, "consultation": map[string]any{"question": "How much can I take free of tax?"},
		"guidance": fmt.Sprintf("%s (Submission %d.)", benchGuidance, i),
	})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(d.ctx, http.MethodPost, d.web.url+"/api/guidance", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+d.token)
	req.Header.Set("Idempotency-Key", id.New())
	_, _, err = d.web.do(req, http.StatusAccepted)
	return err
}
