// Package atlas draws the case base on a plane: each case a point, cases that mean nearly the same near each other, so that a person
// sees what the base knows much about, and what it does not know.
//
// It owns no table. The vectors are package search's, projected on the two directions in which they differ most (principal
// components, pca.go). That is deterministic, and what is near on the map need not be near in full: the map says how much of the
// differences it shows. t-SNE and UMAP were decided against: they draw clusters where there are none, and another picture each time.
//
// A map is made of at most MostPoints cases, sampled evenly by number, and kept: it is made anew when the base has changed and
// the map is older than Keep. Nobody waits for it twice, and no page view computes it while a fresh one is there.
package atlas

import (
	"context"
	"fmt"
	"sync"
	"time"

	"preceptor/internal/db"
	"preceptor/internal/knowledge"
	"preceptor/internal/lists"
	"preceptor/internal/search"
)

const (
	// MostPoints bounds how many cases a map shows.
	MostPoints = 1_500
	// Keep is how long a map stands although the base has changed.
	Keep = 5 * time.Minute
)

// Point is one case on the map.
type Point struct {
	ID, Label, Title, Task string
	X, Y                   float64 // 0 to 1
}

// Map is the case base on a plane.
type Map struct {
	Points []Point // by number
	Cases  int     // in use, with guidance; more than Points when they were sampled
	// Shown is the share of the differences between cases that the map shows, 0 to 1.
	Shown float64
	At    time.Time
}

// Vectors reads the vectors in use of some items; package search has it.
type Vectors func(ctx context.Context, kind string, ids []string) (map[string][]float32, error)

// Atlas keeps the map. It is safe for concurrent use.
type Atlas struct {
	d       *db.DB
	kb      *knowledge.Base
	vectors Vectors

	mu   sync.Mutex // held while a map is made, so that it is made once
	kept *Map
	of   time.Time // when the base was last touched, as the map was begun
}

// New makes an atlas of the cases of kb.
func New(d *db.DB, kb *knowledge.Base, vectors Vectors) *Atlas {
	return &Atlas{d: d, kb: kb, vectors: vectors}
}

// Map is the map, not older than Keep where the base has changed since.
func (a *Atlas) Map(ctx context.Context) (*Map, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	touched := a.d.Touched("knowledge")
	if a.kept != nil && (touched.Equal(a.of) || a.d.Now().Sub(a.kept.At) < Keep) {
		return a.kept, nil
	}
	m, err := a.draw(ctx)
	if err != nil {
		return nil, err
	}
	a.kept, a.of = m, touched
	return m, nil
}

func (a *Atlas) draw(ctx context.Context) (*Map, error) {
	cases, n, err := a.kb.SampleCases(ctx, MostPoints)
	if err != nil {
		return nil, err
	}
	m := &Map{Cases: n, At: a.d.Now()}
	ids := lists.Map(cases, func(c knowledge.Case) string { return c.ID })
	vectors, err := a.vectors(ctx, search.KindCase, ids)
	if err != nil {
		return nil, err
	}
	var rows [][]float32
	for _, c := range cases {
		v := vectors[c.ID]
		if v == nil || len(rows) > 0 && len(v) != len(rows[0]) {
			continue // it waits for its vector
		}
		rows = append(rows, v)
		m.Points = append(m.Points, Point{ID: c.ID, Label: c.Label(), Title: c.Title, Task: c.Task})
	}
	xs, ys, shown := project(rows)
	if len(xs) != len(m.Points) {
		return nil, fmt.Errorf("atlas: %d places for %d cases", len(xs), len(m.Points))
	}
	m.Shown = shown
	for i := range m.Points {
		m.Points[i].X, m.Points[i].Y = xs[i], ys[i]
	}
	return m, nil
}
