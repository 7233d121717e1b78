// Package unanswered counts the questions for which the embedded advisor found no reviewed guidance, in groups by
// meaning, so that people see which sections are missing.
//
// It owns unanswered and unanswered_group (migration 00101). A question's words stand in interaction alone; here are
// its vector and its group, and both go when the question is erased.
//
// How. A draft that says that there is no guidance queues a job in the transaction that stores it. The job asks once
// more with all that is in use, as an experiment may have withheld something, and puts the question into the group
// whose middle is nearest, or begins one. A group is of one agent and pack, and called by the words of its most central
// question.
//
// What it promises. A group's count is the number of its rows that aren't answered. A question leaves when the advisor
// answers it, by the advisor's own threshold, and comes back when it doesn't any more; its row stays, with the seq
// below 0. Whoever writes a section for a group has all of it asked again at once, and Reread asks everything again,
// the longest ago first, after any change of the base. A group that a person put aside keeps its
// questions and draws in their like, whatever the base answers by now, until somebody brings it back or its last
// question is erased.
//
// Decided against: names for groups that nobody wrote, counting what a connected agent's recall didn't find (nobody
// keeps what it asked), and questions that were answered by a rule or refused for one.
package unanswered

import (
	"context"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/llm"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/job"
)

// Answers reports whether the embedded advisor finds guidance for a consultation now.
type Answers func(ctx context.Context, in *interaction.Interaction) (bool, error)

// Store is the door to the unanswered questions.
type Store struct {
	d            *db.DB
	jobs         *job.Queue
	interactions *interaction.Store
	base         *knowledge.Base
	encoder      llm.Embedder
	answers      Answers
}

// New makes the store and registers its jobs, before jobs are started. The encoder must be local.
func New(d *db.DB, jobs *job.Queue, in *interaction.Store, base *knowledge.Base, encoder llm.Embedder,
	answers Answers) *Store {
	s := &Store{d: d, jobs: jobs, interactions: in, base: base, encoder: encoder, answers: answers}
	job.Register(jobs, func(ctx context.Context, w Work) error { return s.count(ctx, w.InteractionID) })
	job.Register(jobs, func(ctx context.Context, w Again) error { return s.again(ctx, w.GroupID) })
	return s
}

// Group is questions that mean about the same.
type Group struct {
	ID, AgentID, Pack string
	Question          string // its most central one
	Asked             int
	LastAt            time.Time
	AsideAt           time.Time // when a person put it aside; zero while it is open
	AsideBy, AsideWhy string
}

// Question is one of a group.
type Question struct {
	InteractionID, Text string
	At                  time.Time
}

// Totals counts the open groups, and the questions in them.
type Totals struct{ Groups, Questions int }
