package interaction_test

import (
	"errors"
	"strings"
	"testing"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// stand stores a decision about an interaction, as review would: without one that agrees the database lets nothing be
// held or released.
func stand(tx *db.Tx, id, state, text string) error {
	if state == "held" {
		if _, err := tx.Exec(`INSERT INTO review (id, agent_id, agent_name, task, state, priority, why, who, opening,
				label, passed, blocked, borderline, confidence,
				flags, source, text_hash, created_at)
			SELECT $1, '', '', '', 'waiting', 0, '', '', '', '', 1, 0, 0, 1, '[]', '', '', 1
				WHERE NOT EXISTS (SELECT 1 FROM review WHERE id = $1)`, id); err != nil {
			return err
		}
		_, err := tx.Exec(`INSERT INTO decision (id, review_id, kind, state, by_id, by_name, text, text_hash, version,
				reason, reason_code, feedback, confirmation, flags,
				seconds, decided_at, held_until)
			SELECT 'd' || (SELECT COUNT(*) FROM decision), $1, 'approve', 'held', 'ann', 'Ann', $2, '', 1, '', '', '',
				'', '[]', 1, 1, 1
			WHERE NOT EXISTS (SELECT 1 FROM decision
				WHERE review_id = $1 AND state <> 'undone' AND state <> 'recalled')`, id, text)
		return err
	}
	_, err := tx.Exec(`UPDATE decision SET state = $1
		WHERE review_id = $2 AND state = CASE $1 WHEN 'recalled' THEN 'released' ELSE 'held' END`, state, id)
	return err
}

func TestLifecycle(t *testing.T) {
	type move = func(*desk, *db.Tx, string) error
	after := func(state string, f move) move {
		return func(d *desk, tx *db.Tx, id string) error {
			if err := stand(tx, id, state, "final"); err != nil {
				return err
			}
			return f(d, tx, id)
		}
	}
	way := func(from, to interaction.Status) move {
		return func(d *desk, tx *db.Tx, id string) error { return d.MoveTx(tx, id, from, to) }
	}
	moves := map[string]move{
		"hold":     after("held", way(interaction.Waiting, interaction.Held)),
		"reopen":   after("undone", way(interaction.Held, interaction.Waiting)),
		"escalate": way(interaction.Held, interaction.Escalated),
		"return":   way(interaction.Held, interaction.Returned),
		"close":    way(interaction.Held, interaction.Closed),
		"release": after("released", func(d *desk, tx *db.Tx, id string) error {
			return d.ReleaseTx(tx, id, "final")
		}),
		"recall": after("recalled", way(interaction.Released, interaction.Waiting)),
	}
	for _, c := range []struct {
		path string
		want interaction.Status // empty: the last move is refused
	}{
		{"hold", interaction.Held},
		{"hold reopen", interaction.Waiting},
		{"hold reopen hold release", interaction.Released},
		{"hold release", interaction.Released},
		{"hold escalate", interaction.Escalated},
		{"hold return", interaction.Returned},
		{"hold close", interaction.Closed},
		{"hold release recall hold release", interaction.Released},
		{"release", ""}, {"escalate", ""}, {"reopen", ""}, {"return", ""}, {"recall", ""}, {"close", ""},
		{"hold recall", ""}, {"hold return hold", ""}, {"hold return release", ""}, {"hold close release", ""},
		{"hold escalate recall", ""},
		{"hold hold", ""}, {"hold release release", ""}, {"hold release reopen", ""}, {"hold escalate release", ""},
		{"hold release hold", ""},
	} {
		t.Run(c.path, func(t *testing.T) {
			d := open(t)
			in := d.submit(t)
			var err error
			steps := strings.Fields(c.path)
			for i, name := range steps {
				err = d.db.Write(ctx, func(tx *db.Tx) error { return moves[name](d, tx, in.ID) })
				if err != nil && (i < len(steps)-1 || c.want != "") {
					t.Fatalf("%s: %v", name, err)
				}
			}
			got := d.get(t, in.ID)
			if c.want == "" {
				if !fault.Is(err, fault.Conflict) {
					t.Errorf("err = %v, want Conflict", err)
				}
				return
			}
			if got.Status != c.want || got.Version != 1+len(steps) {
				t.Errorf("status %s, version %d", got.Status, got.Version)
			}
			if released := got.Status == interaction.Released; (got.FinalText == "final") != released ||
				got.ReleasedAt.IsZero() == released {
				t.Errorf("final text %q, released at %v while %s", got.FinalText, got.ReleasedAt, got.Status)
			}
		})
	}
}

func TestNoWayButReleaseLeadsToTheCustomer(t *testing.T) {
	d := open(t)
	in := d.submit(t)
	for _, from := range interaction.Statuses {
		if err := d.db.Write(ctx, func(tx *db.Tx) error {
			return d.MoveTx(tx, in.ID, from, interaction.Released)
		}); err == nil || fault.Is(err, fault.Conflict) {
			t.Errorf("from %s: %v", from, err)
		}
	}
}

func TestReleaseNeedsAText(t *testing.T) {
	d := open(t)
	in := d.submit(t)
	err := d.db.Write(ctx, func(tx *db.Tx) error {
		if err := errors.Join(stand(tx, in.ID, "held", "final"),
			d.MoveTx(tx, in.ID, interaction.Waiting, interaction.Held)); err != nil {
			t.Fatal(err)
		}
		return d.ReleaseTx(tx, in.ID, "")
	})
	if err == nil {
		t.Error("released without a text")
	}
}

func TestMoveOfUnknownInteraction(t *testing.T) {
	d := open(t)
	err := d.db.Write(ctx, func(tx *db.Tx) error { return d.MoveTx(tx, "nope", interaction.Waiting, interaction.Held) })
	if !fault.Is(err, fault.NotFound) {
		t.Errorf("err = %v", err)
	}
}

func TestAdvise(t *testing.T) {
	d := open(t)
	var asked, submitted []string
	d.OnAsked = func(tx *db.Tx, in *interaction.Interaction) error { asked = append(asked, in.ID); return nil }
	d.Read = then(func(tx *db.Tx, in *interaction.Interaction) error {
		submitted = append(submitted, in.Guidance)
		return nil
	})
	c := submission().Consultation
	id, err := d.Advise(ctx, c, robot.ID, robot.Name, interaction.OriginAsk, robot, key("t1", "k", "h"))
	if err != nil {
		t.Fatal(err)
	}
	if again, err := d.Advise(ctx, c, robot.ID, robot.Name, interaction.OriginAsk, robot,
		key("t1", "k", "h")); err != nil || again != id {
		t.Errorf("again = %q, %v", again, err)
	}
	in := d.get(t, id)
	if in.Status != interaction.Drafting || in.Guidance != "" || len(asked) != 1 || len(submitted) != 0 {
		t.Fatalf("status %s, guidance %q, asked %v, submitted %v", in.Status, in.Guidance, asked, submitted)
	}
	draft := interaction.Draft{Text: "Some draft.", Reasoning: "why", Drafter: "embedded advisor",
		KnowledgeUsed: []interaction.Used{{ID: "case-1", Version: 1}}}
	for range 2 { // the job may run twice
		if err := d.DraftArrived(ctx, id, draft); err != nil {
			t.Fatal(err)
		}
	}
	in = d.get(t, id)
	if in.Status != interaction.Waiting || in.Guidance != "Some draft." ||
		in.GuidanceHash != interaction.TextHash("Some draft.") || in.Drafter != "embedded advisor" {
		t.Errorf("in = %+v", in)
	}
	if len(submitted) != 1 || submitted[0] != "Some draft." {
		t.Errorf("submitted %v, want the draft once", submitted)
	}
	if err := d.DraftFailed(ctx, id, "too late"); err != nil || d.get(t, id).Status != interaction.Waiting {
		t.Errorf("a late failure changed the interaction: %v", err)
	}
}

func TestAdviseChecksTheConsultation(t *testing.T) {
	_, err := open(t).Advise(ctx, interaction.Consultation{}, robot.ID, robot.Name, interaction.OriginAsk, robot, nil)
	if !fault.Is(err, fault.Invalid) || fault.Fields(err)[0].Name != "/consultation/question" {
		t.Errorf("err = %v", err)
	}
}

func TestDraftFailedAndMended(t *testing.T) {
	d := open(t)
	id, err := d.Advise(ctx, submission().Consultation, robot.ID, robot.Name, interaction.OriginAdvise, robot, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.DraftFailed(ctx, id, "The model is down."); err != nil {
		t.Fatal(err)
	}
	if in := d.get(t, id); in.Status != interaction.Failed || in.Failure != "The model is down." {
		t.Errorf("status %s, failure %q", in.Status, in.Failure)
	}
	if err := d.DraftArrived(ctx, id, interaction.Draft{Text: "At last."}); err != nil {
		t.Fatal(err)
	}
	if in := d.get(t, id); in.Status != interaction.Waiting || in.Failure != "" {
		t.Errorf("status %s, failure %q after the job was retried", in.Status, in.Failure)
	}
}

func TestUnusableDrafts(t *testing.T) {
	d := open(t)
	id, err := d.Advise(ctx, submission().Consultation, robot.ID, robot.Name, interaction.OriginAdvise, robot, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", " \n", strings.Repeat("x", interaction.MaxGuidance+1)} {
		if err := d.DraftArrived(ctx, id, interaction.Draft{Text: text}); !fault.Is(err, fault.Invalid) {
			t.Errorf("%d bytes: %v", len(text), err)
		}
	}
	if err := d.DraftArrived(ctx, "nope", interaction.Draft{Text: "x"}); !fault.Is(err, fault.NotFound) {
		t.Errorf("unknown id: %v", err)
	}
}
