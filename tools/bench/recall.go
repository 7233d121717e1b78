package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"

	"preceptor/internal/app"
	"preceptor/internal/demo"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/terminal"
)

// recall measures recall over few and over many cases, embedding of the query included.
func (b *bencher) recall() error {
	asks, err := demo.Consultations()
	if err != nil {
		return err
	}
	cfg, err := benchConfig(filepath.Join(b.dir, "recall.db"))
	if err != nil {
		return err
	}
	if err := b.use(cfg, func(a *app.App) error {
		agent, err := a.Accounts.EnsureAgent(b.t.Ctx, demo.Agent, pack.Pension)
		if err != nil {
			return err
		}
		filled := 0
		for _, rows := range []int{b.few, b.many} {
			if err := b.cases(a, agent.ID, asks, filled, rows); err != nil {
				return err
			}
			filled = rows
			if err := b.time("recall", "recall", rows, b.n, func(i int) error {
				c := asks[i%len(asks)]
				_, err := a.Knowledge.Recall(b.t.Ctx,
					knowledge.Query{AgentID: agent.ID, Text: c.Question, Situation: c.Situation()})
				return err
			}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	return b.time("recall", "start", b.many, max(3, b.n/20), func(int) error { return b.start(cfg) })
}

// use has f work with a desk on a file of its own.
func (b *bencher) use(cfg config.Config, f func(a *app.App) error) error {
	a, err := app.Open(b.t.Ctx, cfg, app.WithTerminal(io.Discard), app.WithLog(app.NewLog(cfg.Log, b.t.Err)))
	if err != nil {
		return err
	}
	return errors.Join(f(a), a.Close())
}

// start opens the desk on a file with all the cases, until it answers requests and every vector is read.
func (b *bencher) start(cfg config.Config) error {
	return b.use(cfg, func(a *app.App) error {
		h, err := a.Handler()
		if err != nil {
			return err
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(b.t.Ctx, http.MethodGet, "/healthz", http.NoBody))
		if w.Code != http.StatusOK {
			return fmt.Errorf("the desk answered %d at its start", w.Code)
		}
		return a.Search.Warm(b.t.Ctx)
	})
}

// cases brings the case base to rows.
func (b *bencher) cases(a *app.App, agent string, asks []interaction.Consultation, from, rows int) error {
	return b.inBatches("Cases", from, rows, func(ctx context.Context, from, to int) error {
		list := make([]knowledge.Case, 0, to-from)
		for i := from; i < to; i++ {
			c := benchCase(agent, asks, i)
			if err := a.Knowledge.PrepareCase(ctx, &c); err != nil {
				return err
			}
			list = append(list, c)
		}
		return a.DB.Write(ctx, func(tx *db.Tx) error {
			for _, c := range list {
				if _, err := a.Knowledge.AddCaseTx(tx, c); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// benchCase is the i-th of many cases that differ.
func benchCase(agent string, asks []interaction.Consultation, i int) knowledge.Case {
	ask := asks[i%len(asks)]
	return knowledge.Case{
		Source: knowledge.FromReview, AgentID: agent, Approved: true, By: terminal.Operator,
		Origin: fmt.Sprintf("bench-%d", i),
		CaseText: knowledge.CaseText{
			Title:     ask.Question,
			Situation: fmt.Sprintf("%s (variation %d: age %d, pot £%d)", ask.Question, i, 50+i%30, 1000*(i%300)),
			Guidance: fmt.Sprintf("General points on this question, number %d: %s", i,
				asks[(i*7+3)%len(asks)].Question),
		},
	}
}

// benchConfig is a demo's configuration on a file of its own.
func benchConfig(file string) (config.Config, error) {
	cfg, err := config.Default()
	if err != nil {
		return config.Config{}, err
	}
	cfg.DB, cfg.Addr, cfg.Demo, cfg.Log.Level = file, "127.0.0.1:0", true, "error"
	return cfg, cfg.Check()
}
