package interaction

import (
	"slices"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Urgencies and Channels are what an agent may say; saying nothing is normal.
var (
	Urgencies = []string{"normal", UrgencyHigh}
	Channels  = []string{"chat", "phone", "email", "sms", "letter", "web", "other"}
)

// UrgencyHigh asks for an answer before those of others.
const UrgencyHigh = "high"

// longestLife bounds ExpiresAt.
const longestLife = 366 * 24 * time.Hour

// Handling is how soon an answer is wanted, where the customer waits for it, and until when it is of use.
type Handling struct {
	Urgency   string    // of Urgencies, or ""
	Channel   string    // of Channels, or ""
	ExpiresAt time.Time // zero: it is of use for good
}

// Urgent reports whether the agent asks for haste.
func (h Handling) Urgent() bool { return h.Urgency == UrgencyHigh }

// Live reports whether the customer waits in the channel meanwhile.
func (h Handling) Live() bool { return h.Channel == "chat" || h.Channel == "phone" }

func (h Handling) check() (wrong []fault.Field) {
	for _, f := range []struct {
		name, value string
		known       []string
	}{{"/urgency", h.Urgency, Urgencies}, {"/channel", h.Channel, Channels}} {
		if f.value != "" && !slices.Contains(f.known, f.value) {
			wrong = append(wrong, fault.Field{Name: f.name, Msg: "Send one of: " + strings.Join(f.known, ", ") + "."})
		}
	}
	return wrong
}

// checkTime says what is wrong with the deadline of a new submission. A retry isn't asked: it gets the first answer.
func (h Handling) checkTime(now time.Time) error {
	switch {
	case h.ExpiresAt.IsZero():
		return nil
	case !h.ExpiresAt.After(now):
		return fault.Wrong("The deadline has passed.", "/expires_at", "Send a time in the future, or leave it out.")
	case h.ExpiresAt.After(now.Add(longestLife)):
		return fault.Wrong("The deadline is too far off.", "/expires_at", "Send a time within a year, or leave it out.")
	}
	return nil
}

// EndTx closes what nobody decided: as is Withdrawn or Expired, why what the agent said. For review only, which takes
// it off the desk in the same transaction.
func (s *Store) EndTx(tx *db.Tx, in *Interaction, as Status, by audit.Actor, why string) error {
	if err := s.move(tx, in.ID, in.Status, as, `UPDATE interaction SET status = 'closed', ended = $1,
		version = version + 1 WHERE id = $2 AND status = $3`, as, in.ID, in.Status); err != nil {
		return err
	}
	if err := s.NoteTx(tx, in.ID, as, by, why); err != nil {
		return err
	}
	return audit.Note(tx, by, "guidance."+as, "interaction", in.ID, map[string]any{"reason": why,
		"expires_at": db.Ms(in.ExpiresAt)})
}

// whyEnded says what to do about guidance that isn't where it was thought to be.
func whyEnded(is, from Status) error {
	switch is {
	case Withdrawn:
		return fault.New(fault.Conflict, "The agent withdrew this guidance. There is nothing left to decide.")
	case Expired:
		return fault.New(fault.Conflict,
			"This guidance expired before anyone decided. There is nothing left to decide.")
	}
	return fault.New(fault.Conflict, "This guidance is %s, no longer %s. Reload to see what happened.", is, from)
}

// standsAs is the status as everybody reads it.
const standsAs = `CASE ended WHEN '' THEN status ELSE ended END`

// statusIs is the condition of a status.
func statusIs(status Status) string {
	if status == Withdrawn || status == Expired {
		return `status = 'closed' AND ended = ?`
	}
	return `status = ? AND ended = ''`
}
