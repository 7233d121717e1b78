package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"preceptor/internal/app"
	"preceptor/internal/demo"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/terminal"
)

type demoCmd struct {
	DB           string        `name:"db" env:"PRECEPTOR_DEMO_DB" default:"preceptor-demo.db" placeholder:"FILE" help:"The demo's file, recreated at each start; a file that the demo did not create is refused."`
	Addr         string        `name:"addr" env:"PRECEPTOR_ADDR" default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Where to listen, on this machine only."`
	WebhookAllow []string      `name:"webhook-allow" env:"PRECEPTOR_WEBHOOK_ALLOW" placeholder:"CIDR|HOST" help:"Non-public networks and hosts that webhooks may call."`
	Every        time.Duration `default:"0" placeholder:"DURATION" help:"How often a new draft arrives, up to 12 in all; 0 for never."`
}

// Run makes the people in a fresh file, prints what one needs to know, and serves it: first how far the rest is, then
// the rest.
func (c *demoCmd) Run(t *terminal.Terminal) (err error) {
	cfg, err := c.config()
	if err != nil {
		return err
	}
	if err := db.RemoveMarked(t.Ctx, cfg.DB, demo.Mark); err != nil {
		return err
	}
	clock := demo.NewClock(time.Now().Add(-demo.Days * 24 * time.Hour))
	// a file that an interrupt left without the mark would be refused by the next start
	marked := context.WithoutCancel(t.Ctx)
	a, err := app.Open(marked, cfg, app.WithClock(clock.Now), app.WithTerminal(t.Err),
		app.WithLog(app.NewLog(cfg.Log, t.Err)),
		app.WithHolder("demo on "+cfg.Addr))
	if err != nil {
		return err
	}
	keepZone(a.Zone)
	defer func() { err = errors.Join(err, a.Close()) }()
	if err := a.DB.SetMark(marked, demo.Mark); err != nil {
		return err
	}
	if err := a.Listen(t.Ctx); err != nil {
		return err
	}
	filling, err := demo.Begin(t.Ctx, services(a), clock)
	if err != nil {
		return err
	}
	if err := welcome(t, a.URL(), filling.Made); err != nil {
		return err
	}
	var drafts progress
	a.FillFirst(drafts.String, func(ctx context.Context) error { return c.fill(ctx, t, a, filling, &drafts) })
	return a.Run(t.Ctx)
}

// config is the demo's: the environment for what it does not care about, and the embedded advisor, which makes hundreds
// of steps in seconds and asks nobody.
func (c *demoCmd) config() (config.Config, error) {
	cfg, err := config.Default()
	if err != nil {
		return config.Config{}, err
	}
	cfg.LLM = config.LLM{Provider: "embedded", Timeout: cfg.LLM.Timeout}
	cfg.DB, cfg.Addr, cfg.Hold, cfg.Demo = c.DB, c.Addr, demo.Hold, true
	cfg.WebhookAllow = c.WebhookAllow
	return cfg, cfg.Check()
}

// progress is how many drafts of the demo are made.
type progress struct{ done, total atomic.Int64 }

func (p *progress) String() string {
	if p.total.Load() == 0 {
		return "Filling the desk: guidance and datasets"
	}
	return fmt.Sprintf("Filling the desk: %d of %d drafts", p.done.Load(), p.total.Load())
}

// fill makes the demo's past, and then a new draft every so often.
func (c *demoCmd) fill(ctx context.Context, t *terminal.Terminal, a *app.App, f *demo.Filling, drafts *progress) error {
	bar, began := t.Progress("Filling"), time.Now()
	err := f.Fill(ctx, func(done, total int) {
		drafts.done.Store(int64(done))
		drafts.total.Store(int64(total))
		bar(done, total)
	})
	if err != nil {
		return err
	}
	t.Say("%d sections of guidance, %d consultations drafted, %d decided, %d rules accepted, in %.1f s.",
		f.Made.Documents.Imported, f.Made.Asked, f.Made.Decided, f.Made.Rules, time.Since(began).Seconds())
	arrivals, err := demo.NewArrivals(ctx, services(a))
	if err == nil && c.Every > 0 {
		go arrivals.Run(ctx, c.Every, a.Log)
	}
	return err
}

func services(a *app.App) demo.Services {
	return demo.Services{Accounts: a.Accounts, Interactions: a.Interactions, Reviews: a.Reviews, Knowledge: a.Knowledge,
		Learning: a.Learning, Jobs: a.Jobs, Credit: a.Credit, Signals: a.Signals,
		Planted: a.Planted, Policies: a.Policies, Approvals: a.Approvals, Comments: a.Comments,
		Borderline: a.Borderline, Datasets: a.Datasets, Versions: a.Versions,
		Feedback: a.Feedback, Preferences: a.Preferences, Experiments: a.Experiments, Together: a.DB.Write,
		Night: a.Nightly.Run,
		Measure: func(ctx context.Context, datasetID string) error {
			run, err := a.Judges.Start(ctx, datasetID, 0, "", demo.By, false)
			if err == nil {
				_, err = a.Judges.Finish(ctx, run.ID, nil)
			}
			return err
		}}
}

// welcome prints the address, the people, and a request to try: data, so on standard output.
func welcome(t *terminal.Terminal, url string, made demo.Seeded) error {
	w := bufio.NewWriter(t.Out)
	fmt.Fprintf(w, "\nOpen %s and sign in with one click as\n\n", url)
	for _, a := range made.Accounts {
		roles := make([]string, len(a.Roles))
		for i, r := range a.Roles {
			roles[i] = string(r)
		}
		fmt.Fprintf(w, "  %-16s %s\n", a.Name, strings.Join(roles, " and "))
	}
	fmt.Fprintf(w, "\nTokens, shown only here:\n\n  %-16s %s  (submit, recall and feedback; its drafts are "+
		"reviewed)\n  %-16s %s  (feedback; its answers are observed, and you can chat with it at %s/chat)\n\n",
		demo.Agent, made.Token, demo.SiteChat, made.ChatToken, url)
	fmt.Fprintf(w, "Set these to run the requests on the help pages unchanged:\n\n  export PRECEPTOR=%s "+
		"PRECEPTOR_TOKEN=%s\n\nAsk for a draft that a person reviews:\n\n", url, made.Token)
	fmt.Fprintf(w,
		"curl -s -X POST %s/api/advise -H 'Authorization: Bearer %s' -H 'Content-Type: application/json' \\\n"+
			"  -d '{\"agent\":\"%s\",\"consultation\":{\"question\":\"Could I join my two pensions "+
			"together?\",\"customer\":{\"age\":57,\"pensions\":[{\"kind\":\"db\",\"value_gbp\":120000},"+
			"{\"kind\":\"dc\",\"value_gbp\":30000}]}}}'\n\n",
		url, made.Token, demo.Agent)
	fmt.Fprintf(w, "Report an answer that nobody reviews, add a user's vote, and see how the agent does:\n\n%s\n",
		feedbackTry(url, made.ChatToken))
	fmt.Fprintf(w, "It is being filled with a few days of work; its pages show the progress. Control-C stops it. The "+
		"next start begins afresh.\n\n")
	return w.Flush()
}

// feedbackTry is seed 001's walk for a shell: an interaction is reported, a user likes it, and the agent's figures are
// read.
func feedbackTry(url, token string) string {
	const head = " -H 'Authorization: Bearer %s' -H 'Content-Type: application/json'"
	return fmt.Sprintf("ID=$(curl -s -X POST %s/api/feedback/interactions"+head+" \\\n"+
		"  -d '{\"agent_type\":\"tutor\",\"user_id\":\"u-1\",\"query\":\"What is "+
		"photosynthesis?\",\"response\":\"Plants make sugar from light.\",\"topic\":\"Photosynthesis\"}' | sed "+
		"'s/.*\"id\":\"\\([^\"]*\\)\".*/\\1/')\n"+
		"curl -s -X POST %s/api/feedback/submit"+head+" \\\n"+
		"  -d '{\"interaction_id\":\"'$ID'\",\"user_id\":\"u-1\",\"feedback_type\":\"thumbs\",\"feedback_value\":1}'\n"+
		"curl -s '%s/api/feedback/stats/tutor?days=7' -H 'Authorization: Bearer %s'\n", url, token, url, token, url,
		token)
}
