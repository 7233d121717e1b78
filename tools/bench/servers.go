package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"sync"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/demo"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
)

// The crowd of a large desk, all at once. Each pauses so long between two approvals or two submissions.
const (
	people      = 50
	peoplePause = 5 * time.Second
	manyAgents  = 50
	agentsPause = 5 * time.Second
)

// servers measures approving beside a crowd of people and agents, and how many approvals go through when nobody pauses:
// on a file, and on a PostgreSQL database with one server and with two.
func (b *bencher) servers() error {
	if !db.IsServer(b.db) {
		return fault.New(fault.Invalid, "servers needs --db with the address of an empty PostgreSQL database.")
	}
	for _, one := range []struct {
		file string
		n    int
	}{{filepath.Join(b.dir, "servers.db"), 1}, {b.db, 1}, {b.db, 2}} {
		name := map[bool]string{false: "file", true: "PostgreSQL"}[db.IsServer(one.file)]
		if err := b.servingOn(one.file, func(first *deskBench) error {
			desks := []*deskBench{first}
			if one.n == 1 {
				return first.large(fmt.Sprintf("%s, %d", name, one.n), desks)
			}
			return b.servingOn(one.file, func(second *deskBench) error {
				return first.large(fmt.Sprintf("%s, %d", name, one.n), append(desks, second))
			})
		}); err != nil {
			return err
		}
	}
	return nil
}

// drafts are waiting cases that nobody has begun.
type drafts struct {
	mu   sync.Mutex
	list []url.Values // with the id
}

func (w *drafts) next() (url.Values, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.list) == 0 {
		return nil, false
	}
	one := w.list[0]
	w.list = w.list[1:]
	return one, true
}

// approvable makes plain cases, of few texts, which the judge reads once, and gives the forms that approve them. Their
// filter has the answer begin no other case.
func (d *deskBench) approvable(from, to int) (made []url.Values, err error) {
	err = d.a.DB.Write(d.ctx, func(tx *db.Tx) error {
		made = nil
		for i := from; i < to; i++ {
			s := d.filler.submission(i % 8 * 2)
			in, err := d.a.Interactions.SubmitTx(tx, s, nil)
			if err != nil {
				return err
			}
			made = append(made, url.Values{"id": {in.ID}, "version": {"1"}, "seconds": {"60"},
				"text_hash": {interaction.TextHash(s.Guidance)}, "filter": {"agent=nobody"}})
		}
		return nil
	})
	return made, err
}

// large is the crowd on some servers of one database.
func (d *deskBench) large(name string, desks []*deskBench) error {
	var waiting drafts
	if err := d.inBatches("Waiting cases", 0, d.many, func(_ context.Context, from, to int) error {
		for ; from < to; from += 5 { // a write may take some time only
			made, err := d.approvable(from, min(to, from+5))
			if err != nil {
				return err
			}
			waiting.list = append(waiting.list, made...)
		}
		return nil
	}); err != nil {
		return err
	}
	if err := d.quiet(); err != nil {
		return err
	}
	var webs []*benchBrowser
	for i := range people {
		_, web, err := desks[i%len(desks)].supervisor(fmt.Sprintf("%s %d %d", name[:4], len(desks), i))
		if err != nil {
			return err
		}
		webs = append(webs, web)
	}
	busy, held := &crowd{d: d}, desks[0].a.DB.Held()
	if err := busy.work(desks, webs, &waiting, peoplePause, time.Duration(d.n)*time.Second/5); err != nil {
		return err
	}
	d.keep("servers", "approve, "+name, d.many, busy.approve, 0)
	d.keep("servers", "submit, "+name, d.many, busy.submit, 0)
	now := desks[0].a.DB.Held()
	if n := now.Times - held.Times; n > 0 {
		d.t.Say("%s: %d writes of the first server, %.2f ms each", name, n, ms(now.Took-held.Took)/float64(n))
	}
	busy, began := &crowd{d: d}, time.Now()
	if err := busy.work(desks, webs, &waiting, 0, time.Duration(d.n)*time.Second/10); err != nil {
		return err
	}
	d.flow = append(d.flow, rate{Bench: "servers", Name: "approvals, " + name, Rows: len(busy.approve),
		Seconds: time.Since(began).Seconds()})
	return nil
}

// work has people approve for some time, and agents submit where they pause.
func (c *crowd) work(desks []*deskBench, webs []*benchBrowser, from *drafts, wait, whole time.Duration) error {
	ctx, stop := context.WithTimeout(c.d.ctx, whole)
	defer stop()
	var all sync.WaitGroup
	errs := make(chan error, len(webs)+manyAgents)
	again := func(pausing time.Duration, f func() error) {
		all.Go(func() {
			for pause(ctx, time.Duration(rand.Int64N(int64(2*pausing+1)))) == nil {
				if err := f(); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	for _, web := range webs {
		again(wait, func() error {
			form, ok := from.next()
			if !ok {
				return fault.New(fault.Invalid, "Nothing is left to approve; give more --rows.")
			}
			began := time.Now()
			_, err := web.send(c.d.ctx, "/reviews/"+form.Get("id")+"/approve", form)
			c.note(&c.approve, began)
			return err
		})
	}
	for i := range manyAgents {
		if wait > 0 {
			agent := *desks[i%len(desks)]
			var err error
			if agent.token, _, err = agent.a.Accounts.CreateToken(ctx, demo.Agent, pack.Pension,
				[]account.Scope{account.Submit}, time.Time{}, terminal.Operator); err != nil {
				return err
			}
			again(agentsPause, func() error {
				began := time.Now()
				err := agent.submit(i % 8)
				c.note(&c.submit, began)
				return err
			})
		}
	}
	all.Wait()
	close(errs)
	var list []error
	for err := range errs {
		list = append(list, err)
	}
	return errors.Join(list...)
}
