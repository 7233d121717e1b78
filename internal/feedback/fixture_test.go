package feedback_test

import (
	"context"
	"log/slog"
	"testing"

	"preceptor/internal/feedback"
	"preceptor/internal/feedback/link"
	"preceptor/internal/interaction"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/hook/hooktest"
	"preceptor/internal/platform/job"
)

var ctx = context.Background()

// desk is a book over a real database, with the embedder that needs no network.
type desk struct {
	*feedback.Book
	feedback.Hooks
	t     testing.TB
	db    *db.DB
	clock *dbtest.Clock
	links *link.Links
}

func open(t testing.TB, s feedback.Settings) *desk {
	t.Helper()
	clock := dbtest.NewClock()
	return openOn(t, dbtest.NewAt(t, clock), clock, s)
}

func openOn(t testing.TB, d *db.DB, clock *dbtest.Clock, s feedback.Settings) *desk {
	t.Helper()
	k := &desk{t: t, clock: clock, db: d}
	log := slog.New(slog.DiscardHandler)
	k.Book = feedback.New(k.db, interaction.New(k.db, job.New(k.db, log), hooktest.Late(&interaction.Hooks{}), log),
		embedded.New(), s, hooktest.Late(&k.Hooks), log)
	k.links = link.Of(k.db, k.Book)
	k.Clean = func(_ feedback.Subject, text string) string { return text }
	return k
}

const tutor = "agent-tutor"

func (k *desk) log(query, response string) string {
	k.t.Helper()
	id, err := k.Log(ctx, feedback.Observation{AgentID: tutor, AgentName: "Tutor", AgentType: "tutor", UserID: "u",
		SessionID: "s", Query: query, Response: response, Topic: "Photosynthesis"})
	if err != nil {
		k.t.Fatal(err)
	}
	return id
}

func (k *desk) thumb(subject, user string, value float64) feedback.Stored {
	k.t.Helper()
	st, err := k.Vote(ctx, feedback.Vote{SubjectID: subject, UserID: user, Kind: feedback.Thumbs, Value: value,
		Channel: feedback.ChannelAPI, AgentID: tutor})
	if err != nil {
		k.t.Fatal(err)
	}
	return st
}

func (k *desk) examples() []feedback.Exemplar {
	k.t.Helper()
	list, err := k.Examples(ctx, feedback.Ask{AgentID: tutor, AgentType: "tutor", Topic: "Photosynthesis", Limit: 20})
	if err != nil {
		k.t.Fatal(err)
	}
	return list
}

func wantKind(t testing.TB, err error, kind fault.Kind) {
	t.Helper()
	if !fault.Is(err, kind) {
		t.Errorf("got %v, want %v", err, kind)
	}
}

func (k *desk) count(query string, args ...any) (n int) {
	k.t.Helper()
	if err := k.db.Read(ctx, func(tx *db.Tx) error { return tx.QueryRow(query, args...).Scan(&n) }); err != nil {
		k.t.Fatal(err)
	}
	return n
}
