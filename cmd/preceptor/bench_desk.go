package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app"
	"preceptor/internal/demo"
	"preceptor/internal/fault"
	"preceptor/internal/id"
	"preceptor/internal/interaction"
	"preceptor/internal/review"
)

// desk measures what a supervisor and an agent wait for, over HTTP, with few and with many cases waiting.
func (b *bencher) desk() (err error) {
	cfg, err := benchConfig(filepath.Join(b.dir, "desk.db"))
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(b.t.ctx)
	defer stop()
	a, err := app.Open(ctx, cfg, app.WithTerminal(io.Discard), app.WithLog(app.NewLog(cfg.Log, b.t.err)))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	if err := a.Listen(ctx); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	defer func() {
		stop()
		err = errors.Join(err, <-ended)
	}()
	d := deskBench{bencher: b, a: a, url: a.URL()}
	if err := d.signIn(); err != nil {
		return err
	}
	filled := 0
	for _, rows := range []int{b.few, b.many} {
		if err := d.fill(filled, rows); err != nil {
			return err
		}
		filled = rows
		if err := d.measure(rows); err != nil {
			return err
		}
	}
	return nil
}

// deskBench is a running server, a supervisor's browser and an agent.
type deskBench struct {
	*bencher
	a     *app.App
	url   string
	me    account.Account
	http  *http.Client
	agent account.Agent
	token string
}

func (d *deskBench) signIn() (err error) {
	ctx := d.t.ctx
	d.me, err = d.a.Accounts.Add(ctx, account.NewAccount{Email: "bench@demo.example", Name: "Bench", Password: id.Secret(24), Roles: []account.Role{account.Supervisor}}, operator)
	if err != nil {
		return err
	}
	if d.agent, err = d.a.Accounts.EnsureAgent(ctx, demo.Agent); err != nil {
		return err
	}
	if d.token, _, err = d.a.Accounts.CreateToken(ctx, demo.Agent, []account.Scope{account.Submit}, time.Time{}, operator); err != nil {
		return err
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return err
	}
	d.http = &http.Client{Jar: jar, Timeout: 30 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return d.post("/demo/sign-in", url.Values{"account": {d.me.ID}})
}

// fill brings the number of waiting cases to rows.
func (d *deskBench) fill(from, rows int) error {
	asks, err := demo.Consultations()
	if err != nil {
		return err
	}
	return d.inBatches("Waiting cases", from, rows, func(ctx context.Context, from, to int) error {
		for i := from; i < to; i++ {
			if _, err := d.a.Interactions.Submit(ctx, interaction.Submission{
				AgentID: d.agent.ID, AgentName: d.agent.Name, Origin: interaction.OriginAPI, By: operator,
				Consultation: interaction.Consultation{Question: asks[i%len(asks)].Question},
				Guidance:     fmt.Sprintf("%s (Copy %d.)", benchGuidance, i),
			}, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// benchGuidance is a text that the check lets pass, so that it can be approved.
const benchGuidance = "Usually a quarter of a pension pot can be taken free of tax and the rest is taxed as income when it is paid. " +
	"Pension Wise offers free and impartial guidance, and an authorised financial adviser can recommend what suits one person. " +
	"A defined benefit pension has valuable guarantees, such as an income for life, that are lost when it is transferred; " +
	"most people are better off keeping it, and above £30,000 regulated advice is required by law."

func (d *deskBench) measure(rows int) error {
	if err := d.time("desk", "queue page", rows, d.n, func(int) error { return d.get("/reviews") }); err != nil {
		return err
	}
	cases, err := d.waiting()
	if err != nil {
		return err
	}
	if err := d.time("desk", "case page", rows, len(cases), func(i int) error { return d.get("/reviews/" + cases[i].ID) }); err != nil {
		return err
	}
	if err := d.time("desk", "approve", rows, len(cases), func(i int) error {
		return d.post("/reviews/"+cases[i].ID+"/approve", url.Values{"version": {strconv.Itoa(cases[i].Version)}, "text_hash": {cases[i].TextHash}})
	}); err != nil {
		return err
	}
	return d.time("desk", "submit", rows, d.n, d.submit)
}

// waiting reads as many waiting cases as are to be timed, page by page.
func (d *deskBench) waiting() ([]review.Row, error) {
	var rows []review.Row
	f := review.Filter{State: review.Needs, Viewer: d.me.ID}
	for {
		page, err := d.a.Reviews.List(d.t.ctx, f)
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

func (d *deskBench) get(path string) error {
	req, err := http.NewRequestWithContext(d.t.ctx, http.MethodGet, d.url+path, nil)
	if err != nil {
		return err
	}
	return d.do(req, http.StatusOK)
}

func (d *deskBench) post(path string, form url.Values) error {
	req, err := http.NewRequestWithContext(d.t.ctx, http.MethodPost, d.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	return d.do(req, http.StatusSeeOther)
}

func (d *deskBench) submit(i int) error {
	body, err := json.Marshal(map[string]any{
		"agent": d.agent.Name, "consultation": map[string]any{"question": "How much can I take free of tax?"},
		"guidance": fmt.Sprintf("%s (Submission %d.)", benchGuidance, i),
	})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(d.t.ctx, http.MethodPost, d.url+"/api/guidance", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+d.token)
	req.Header.Set("Idempotency-Key", id.New())
	return d.do(req, http.StatusAccepted)
}

// do sends a request and reads the whole answer.
func (d *deskBench) do(req *http.Request, want int) error {
	resp, err := d.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	if resp.StatusCode != want {
		return fault.New(fault.Unavailable, "%s %s answered %s, not %d.", req.Method, req.URL.Path, resp.Status, want)
	}
	return nil
}
