package db

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"sync"
)

// mostPrepared bounds the statements that are kept prepared; texts beyond that are prepared each time they run.
const mostPrepared = 256

// mostMet bounds the texts that are counted.
const mostMet = 8 * mostPrepared

// prepared keeps the statements of one pool prepared, by their text. Reading SQL, asking the authorizer about each
// column and planning took a third of a page's time before.
//
// A statement can't be prepared on the pool inside a transaction, which holds a connection of it (the writer's only
// one). So a text that was met twice is noted, and prepared when the next transaction is about to begin.
type prepared struct {
	pool *sql.DB

	mu   sync.Mutex
	kept map[string]*sql.Stmt
	met  map[string]int
	next []string // met twice; to be prepared
}

func newPrepared(pool *sql.DB) *prepared {
	return &prepared{pool: pool, kept: map[string]*sql.Stmt{}, met: map[string]int{}}
}

// get is the statement of a text, or nil while there is none.
func (p *prepared) get(text string) *sql.Stmt {
	p.mu.Lock()
	defer p.mu.Unlock()
	if st := p.kept[text]; st != nil {
		return st
	}
	if _, ok := p.met[text]; !ok && len(p.met) >= mostMet {
		p.forget()
	}
	if p.met[text]++; p.met[text] == 2 && len(p.kept)+len(p.next) < mostPrepared && !slices.Contains(p.next, text) {
		p.next = append(p.next, text)
	}
	return nil
}

// forget makes room for texts that were not met yet: texts that are put together from parts have no end, and must not
// keep those that come again and again from being counted.
func (p *prepared) forget() {
	maps.DeleteFunc(p.met, func(_ string, n int) bool { return n < 2 })
	if len(p.met) > mostMet/2 {
		clear(p.met)
	}
}

// prepare prepares what was met twice. A text that can't be prepared stays as it is: it fails where it is used. What a
// request that ended could not prepare is left for the next.
func (p *prepared) prepare(ctx context.Context) {
	if p == nil { // a server's
		return
	}
	p.mu.Lock()
	next := p.next
	p.next = nil
	p.mu.Unlock()
	for i, text := range next {
		st, err := p.pool.PrepareContext(ctx, text)
		if err != nil && ctx.Err() != nil {
			p.mu.Lock()
			p.next = append(p.next, next[i:]...)
			p.mu.Unlock()
			return
		}
		if err != nil {
			continue
		}
		p.mu.Lock()
		old := p.kept[text]
		if old == nil {
			p.kept[text] = st
		}
		p.mu.Unlock()
		if old != nil { // it was counted anew meanwhile
			st.Close()
		}
	}
}

// stmt is the prepared statement of a text within the transaction, or nil. While the rows of a query are open, its
// statement can't run again on the same connection; so a text whose rows Each has not closed yet is prepared anew each
// further time.
func (tx *Tx) stmt(text string, rows bool) *sql.Stmt {
	if tx.prepared == nil || tx.open[text] {
		return nil
	}
	if rows {
		if tx.open == nil {
			tx.open = map[string]bool{}
		}
		tx.open[text] = true
	}
	st := tx.prepared.get(text)
	if st == nil {
		return nil
	}
	return tx.Tx.Stmt(st)
}
