package review

import (
	"context"
	"errors"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

// expireEvery is how often what expired is closed; from its deadline on it can't be decided.
const expireEvery = time.Minute

// Withdraw takes back what agentID doesn't want decided any more, with its reason, which whoever has it open is shown.
// Again, or of what expired, it changes nothing. A decision that a person confirmed wins, and so does the correction of
// what the customer already has: Conflict.
func (q *Queue) Withdraw(ctx context.Context, id, agentID, reason string, by audit.Actor) error {
	reason = text.Typed(strings.ToValidUTF8(reason, "\uFFFD"))
	if f := checkReason("reason", reason, "Say why. Whoever is reviewing it is shown the reason."); f != nil {
		return fault.WithFields(f.Msg, *f)
	}
	return q.db.Write(ctx, func(tx *db.Tx) error {
		in, err := q.interactions.GetTx(tx, id)
		if err != nil {
			return err
		}
		if in.AgentID != agentID || in.Planted { // an agent knows nothing of the checks on the desk
			return interaction.NotFound()
		}
		switch {
		case in.Status == interaction.Withdrawn || in.Status == interaction.Expired:
			return nil
		case in.Recalled():
			return fault.New(fault.Conflict,
				"This was sent and recalled, and is being corrected: it can't be withdrawn now.")
		case in.Status == interaction.Held:
			return fault.New(fault.Conflict, "A person has decided this. It can't be withdrawn.")
		case in.Status != interaction.Waiting && in.Status != interaction.Drafting:
			return fault.New(fault.Conflict, "This guidance is %s, so there is nothing to withdraw.", in.Status)
		}
		return q.endTx(tx, in, interaction.Withdrawn, by, reason)
	})
}

// Expire closes what waited until its deadline, but for corrections of what customers already have. Each is on its own:
// one that can't be closed keeps none of the others open.
func (q *Queue) Expire(ctx context.Context) error {
	ids, err := db.Read(ctx, q.db, func(tx *db.Tx) ([]string, error) {
		return db.Column[string](tx, "review: find what expired", `SELECT id FROM review
			WHERE state = 'waiting' AND expires_at > 0 AND expires_at <= $1 AND correcting = 0
			ORDER BY expires_at, id`, tx.NowMs())
	})
	for _, id := range ids {
		err = errors.Join(err, q.db.Write(ctx, func(tx *db.Tx) error {
			r, err := getRow(tx, id)
			if err != nil || r.State != "waiting" || r.Correcting { // since it was found
				return err
			}
			in, err := q.interactions.GetTx(tx, id)
			if err != nil {
				return err
			}
			return q.endTx(tx, in, interaction.Expired, audit.System("Deadline"), "")
		}))
	}
	return err
}

// endTx closes guidance that waits, or is being drafted, without a decision.
func (q *Queue) endTx(tx *db.Tx, in *interaction.Interaction, as string, by audit.Actor, why string) error {
	r, err := getRow(tx, in.ID)
	switch {
	case fault.Is(err, fault.NotFound): // still drafting
	case err != nil:
		return err
	default:
		undone := "the agent withdrew the draft"
		if as == interaction.Expired {
			undone = "the draft expired"
		}
		if err := q.leaveTx(tx, r, as, why, undone); err != nil {
			return err
		}
		if err := findable(tx, in.ID, why); err != nil {
			return err
		}
	}
	if err := q.interactions.EndTx(tx, in, as, by, why); err != nil {
		return err
	}
	tx.Touch("reviews")
	in.Status = as
	return q.hooks.OnEnded(tx, in, by)
}

// clock is a time as it stands in a sentence, with the day where that isn't today.
func clock(at, now time.Time) string {
	if at.Local().Format(time.DateOnly) == now.Local().Format(time.DateOnly) {
		return at.Local().Format("15:04")
	}
	return at.Local().Format("15:04 on 2 January 2006")
}
