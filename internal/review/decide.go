package review

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/job"
	"preceptor/internal/platform/text"
	"preceptor/internal/policy"
	"preceptor/internal/rule"
)

// Input is a decision as it comes from the desk. The names of wrong fields are those of the form: version, text_hash,
// text, reason, reason_code, feedback, statements, overrule, overrule_reason.
type Input struct {
	ID       string // of the case
	By       Person
	Kind     string // Approve, Revise, Reject or Return
	Version  int    // of the review that was on the screen
	TextHash string // of the text that was on the screen: Row.TextHash
	Turn     int    // of the customer's last message that the screen told of; 0: any
	Moved    string // what changed under the draft as the screen told of it: Hooks.Moved
	Text     string // the revised text; Revise only
	// the arguments of the actions, one for each, where they differ from those under review; Revise only
	Arguments []json.RawMessage
	// why an action is refused, one for each, "" where it isn't; nil: as under review. Revise only
	Refused []string
	// required for Revise, for Reject with pack.ReasonOther, and for Return: the note to the agent
	Reason        string
	ReasonCode    string // of a pack's reasons; required for Reject
	Feedback      string // to the advisor
	SecondsOnCase int    // as the page measured it, at most since the claim began; 0: that
	// what should change next time, as the person stated it; each becomes a rule of its own
	Statements   []rule.Statement
	OnlyCustomer bool // the change is for this customer alone and teaches nothing
	// the checks that stop the text that would go out, each with why it is wrong; Approve and Revise
	Overrule []Overruling
	// what of the knowledge that it was shown misled the draft, for the hooks; kept with the decision and not read here
	Misled string
}

// Decide decides a case. Its faults: Invalid with the fields to mend, or with what the check found in the text that
// would go out; NotFound; Denied, when this person may not decide; Conflict, which names who decided what, or who works
// on it, or that the text is not the one that was read. The decision is held for Policy.Hold and can be undone until
// then; or it is Pending, when the case needs a second supervisor, whose Decide with Approve completes it.
func (q *Queue) Decide(ctx context.Context, in Input) (*Decision, error) {
	in.normalise()
	if err := in.check(); err != nil {
		return nil, err
	}
	found, err := q.checkText(ctx, in)
	if err != nil {
		return nil, err
	}
	return db.Write(ctx, q.db, func(tx *db.Tx) (*Decision, error) { return q.decideTx(tx, in, found) })
}

// deciding is a case while it is decided: the input, and what it is held against.
type deciding struct {
	Input
	found   checked
	row     Row
	it      *interaction.Interaction
	base    *Decision // whose text was on the screen; nil: the draft
	text    string    // on the screen
	policy  policy.Policy
	seconds int
}

func (q *Queue) decideTx(tx *db.Tx, in Input, found checked) (*Decision, error) {
	c, err := q.openTx(tx, in, found)
	if err != nil {
		return nil, err
	}
	sign := q.signTx
	if c.row.First.ID != "" {
		sign = q.secondTx
	}
	dec, err := sign(tx, c)
	if err != nil {
		return nil, err
	}
	return dec, dropDraftsTx(tx, in.ID, in.By.ID)
}

// openTx reads the case and refuses whoever can't decide it as it stands now. Writing is exclusive, so what is read
// here holds until the commit.
func (q *Queue) openTx(tx *db.Tx, in Input, found checked) (*deciding, error) {
	if err := q.hooks.MayDecide.May(tx, in.By.ID); err != nil {
		return nil, err
	}
	c := &deciding{Input: in, found: found}
	var err error
	if c.row, err = getRow(tx, in.ID); err != nil {
		return nil, err
	}
	if err := c.row.conflict(tx, in); err != nil {
		return nil, err
	}
	if c.it, err = q.interactions.GetTx(tx, in.ID); err != nil {
		return nil, err
	}
	if c.base, c.text, err = underReview(tx, c.row, c.it); err != nil {
		return nil, err
	}
	if err := q.stillAllowed(tx, c); err != nil {
		return nil, err
	}
	if in.Kind == Approve || in.Kind == Revise {
		moved, err := q.hooks.Moved(tx, in.ID)
		if err == nil && moved != "" && moved != in.Moved {
			err = fault.New(fault.Conflict,
				"A source of this draft changed since you opened it. Nothing was decided.")
		}
		if err != nil {
			return nil, err
		}
	}
	if c.policy, err = q.policyTx(tx, c.row.AgentID); err != nil {
		return nil, err
	}
	if in.Kind == Approve && c.base == nil {
		if err := q.hooks.MayApprove(tx, in.ID); err != nil {
			return nil, err
		}
	}
	c.seconds = in.seconds(c.row.Claim, tx)
	return c, nil
}

// signTx makes a decision: held, or pending when it needs a second supervisor.
func (q *Queue) signTx(tx *db.Tx, c *deciding) (*Decision, error) {
	dec := &Decision{
		ID: id.New(), InteractionID: c.ID, Kind: c.Kind, State: Held, By: c.By, TextHash: c.TextHash,
		Version: c.Version, BaseID: c.row.BaseID,
		Reason: c.Reason, ReasonCode: c.ReasonCode, Feedback: c.Feedback, Flags: c.found.flags,
		SecondsOnCase: c.seconds,
		DecidedAt:     tx.Now, HeldUntil: tx.Now.Add(q.policy.Hold), PolicyVersion: c.policy.Version,
		Characters: c.characters(),
		Misled:     c.Misled, Statements: c.Statements, OnlyCustomer: c.OnlyCustomer, Overrulings: c.found.overruled,
		Interaction: c.it, Opening: text.Opening(c.it.Consultation.Question, openingLength),
	}
	dec.NotJudged, dec.Unread = c.row.notJudged()
	if !dec.sends() {
		return dec, q.holdTx(tx, dec)
	}
	c.word(dec)
	dec.Confirmation, dec.Hasty = c.signs(), c.Kind == Approve && c.hasty()
	why := c.whyTwo(dec)
	if dec.NeedsSecond = c.row.NeedsTwo || why != ""; dec.NeedsSecond {
		err := q.pendTx(tx, dec, why, c.row.AssignedTo.ID)
		if err == nil {
			err = insertOverrulings(tx, dec, c.found.sent)
		}
		return dec, err
	}
	return dec, q.holdTx(tx, dec)
}

// signs is the sentence stored with a signature under the text: the case's pack says which; "" for none.
func (c *deciding) signs() string { return pack.Of(c.it.Consultation.Pack).Signs.Sentence() }

// sends reports whether the decision has a text that goes to the customer.
func (d *Decision) sends() bool { return d.Kind == Approve || d.Kind == Revise || d.Kind == Sampled }

// word sets the text, and the kind that it makes of the decision: whoever approves somebody else's text sends out a
// revision of the draft, which stays that person's with its reasons, and whoever goes back to the draft approves it.
func (c *deciding) word(dec *Decision) {
	dec.Text, dec.Actions = c.text, c.found.actions
	if c.Kind == Revise {
		dec.Text = c.Text
	}
	if c.it.NoText {
		dec.Text = dec.Actions.Text()
	}
	if lines(dec.Text) == lines(c.it.Guidance) && dec.Actions.Same(c.it.Actions) {
		dec.Kind, dec.Text = Approve, c.it.Guidance
	} else if dec.Kind = Revise; c.Kind == Approve && c.base != nil {
		dec.Words = c.base.Author()
		if dec.Reason == "" {
			dec.Reason = c.base.Reason
		}
		if dec.Feedback == "" {
			dec.Feedback = c.base.Feedback
		}
		if len(dec.Statements) == 0 && !dec.OnlyCustomer {
			dec.Statements, dec.OnlyCustomer = c.base.Statements, c.base.OnlyCustomer
		}
	}
	dec.Again = c.Kind == Approve && c.base != nil && (c.base.State == Recalled || c.base.Again)
	dec.FinalHash = interaction.TextHash(dec.Text)
}

// lines is text with the line ends that a form sends.
func lines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// whyTwo names what asks for a second supervisor under this text; "" when nothing does.
func (c *deciding) whyTwo(dec *Decision) string {
	c.found.facts[policy.Revised] = dec.Kind == Revise
	why := c.row.whyTwo(c.policy, c.found.facts, c.By.ID)
	if len(dec.Overrulings) > 0 {
		why = joinWhy(why, OverrulesCheck)
	}
	return why
}

// holdTx stores a decision that needs no further signature and starts its hold.
func (q *Queue) holdTx(tx *db.Tx, dec *Decision) error {
	if err := closeReview(tx, dec); err != nil {
		return err
	}
	if err := insertDecision(tx, dec); err != nil {
		return err
	}
	note := dec.note()
	if err := q.tell(tx, dec, dec.event(), dec.actor(), note, dec.action()); err != nil {
		return err
	}
	return q.holdInteraction(tx, dec)
}

// closeReview marks the case as decided. What was on the screen of the decision's author stays beside it.
func closeReview(tx *db.Tx, dec *Decision) error {
	if err := changeOne(tx, "review: decide "+dec.InteractionID,
		`UPDATE review SET state = 'decided', version = version + 1, decision_id = $1, decided_at = $2, decided_by = $3,
			claimed_until = 0,
			base_id = $4, text_hash = $5, first_by = '', first_name = ''
		WHERE id = $6 AND state = 'waiting'`, dec.ID, tx.NowMs(), dec.By.ID, dec.BaseID, dec.TextHash,
		dec.InteractionID); err != nil {
		return err
	}
	return count(tx, -1, 1)
}

// holdInteraction has the interaction follow a decision that became held: its status, the job at the end of the hold,
// and the hooks.
func (q *Queue) holdInteraction(tx *db.Tx, d *Decision) error {
	if err := q.interactions.MoveTx(tx, d.InteractionID, interaction.Waiting, interaction.Held); err != nil {
		return err
	}
	in := *d.Interaction
	in.Status, in.Version = interaction.Held, in.Version+1
	d.Interaction = &in
	if err := q.jobs.InsertTx(tx, releaseArgs{DecisionID: d.ID}, job.At(d.HeldUntil), job.Urgent()); err != nil {
		return err
	}
	if d.Kind == Sampled {
		return nil
	}
	return q.run(tx, q.hooks.OnDecided, d)
}

// run has done what follows, which is nothing for a planted check: that is no guidance.
func (q *Queue) run(tx *db.Tx, follow Hook, d *Decision) error {
	if d.Interaction.Planted {
		return nil
	}
	return after(tx, follow, d)
}

func after(tx *db.Tx, follow Hook, d *Decision) error {
	if err := follow(tx, d); err != nil {
		return fmt.Errorf("review: after decision %s: %w", d.ID, err)
	}
	return nil
}

// conflict says why a decision would not go through; nil when it would.
func (r *Row) conflict(tx *db.Tx, in Input) error {
	if err := r.whyNot(tx, in.By); err != nil {
		return err
	}
	if r.Version != in.Version || r.TextHash != in.TextHash {
		return r.changedBy(tx, in.By)
	}
	if in.Turn == 0 {
		return nil
	}
	last, err := db.Value[int](tx, "review: what the customer wrote last in the conversation of "+r.ID,
		`SELECT COALESCE(max(turn), 0) FROM review WHERE agent_id = $1 AND thread = $2 AND thread <> ''`, r.AgentID,
		r.Thread)
	if err == nil && last > in.Turn {
		err = fault.New(fault.Conflict, "The customer wrote again since you opened this. Nothing was decided.")
	}
	return err
}

// changedBy says who changed a case that still waits, and how.
func (r *Row) changedBy(tx *db.Tx, by Person) error {
	id, err := db.Maybe[string](tx, "review: who changed "+r.ID, `SELECT id FROM decision WHERE review_id = $1
		ORDER BY CASE WHEN settled_at > decided_at THEN settled_at ELSE decided_at END DESC, id DESC LIMIT 1`, r.ID)
	if err != nil || id == "" {
		return cmp.Or(err, changedSince())
	}
	d, err := getDecision(tx, id)
	if err != nil {
		return err
	}
	who, what, at := d.SettledBy, "", d.SettledAt
	switch {
	case d.State == Pending:
		who, what, at = d.By, d.Verb()+" it first", d.DecidedAt
	case d.State == Undone && d.HeldUntil.IsZero():
		what = "withdrew the approval"
	case d.State == Undone:
		what = "took the decision back"
	case d.State == Recalled:
		what = "recalled it"
	default:
		return changedSince()
	}
	return fault.New(fault.Conflict, "%s %s at %s. Your decision wasn't sent.", who.As(by.ID), what, clock(at, tx.Now))
}

func changedSince() error {
	return fault.New(fault.Conflict,
		"This review has changed since you opened it. Nothing was decided.")
}

// whyEnded says what became of a case that nobody decided; nil where it still waits and its deadline hasn't passed.
func (r *Row) whyEnded(now time.Time) error {
	switch {
	case r.Ended == interaction.Withdrawn:
		return fault.New(fault.Conflict, "%s withdrew this at %s: %s. There is nothing left to decide.", r.AgentName,
			clock(r.DecidedAt, now), strings.TrimSuffix(r.EndedWhy, "."))
	case r.Ended == interaction.Expired,
		r.State == "waiting" && !r.Correcting && !r.ExpiresAt.IsZero() && !now.Before(r.ExpiresAt):
		return fault.New(fault.Conflict, "This expired at %s. There is nothing left to decide.",
			clock(r.ExpiresAt, now))
	case r.State == "decided" && r.DecisionID == "":
		return fault.New(fault.Conflict,
			"This review was erased before anyone decided. There is nothing left to decide.")
	}
	return nil
}

// whyNot says why by can't work on a case: it ended, is decided, signed by them already, or somebody else's. Nil when
// they could.
func (r *Row) whyNot(tx *db.Tx, by Person) error {
	if err := r.whyEnded(tx.Now); err != nil {
		return err
	}
	if r.State == "decided" {
		return decidedAlready(tx, r.DecisionID, by)
	}
	if r.First.ID != "" && r.First.ID == by.ID {
		return ownSignature()
	}
	if r.Claim.HeldByOther(by.ID, tx.Now) {
		return fault.New(fault.Conflict,
			"%s is reviewing this. You can read it. Take another review, or wait until this one is free.",
			r.Claim.By.Name)
	}
	return nil
}

func decidedAlready(tx *db.Tx, decisionID string, by Person) error {
	d, err := getDecision(tx, decisionID)
	if err != nil {
		return err
	}
	last, what := d.By, d.Verb()
	if d.Second.ID != "" { // who completed it
		last, what = d.Second, "approved second"
	}
	return fault.New(fault.Conflict, "%s already decided this: %s, at %s. Your decision wasn't sent.", last.As(by.ID),
		what, clock(d.SignedAt(last.ID), tx.Now))
}

// count moves the kept counts.
func count(tx *db.Tx, waiting, decided int) error {
	return db.Exec(tx, "review: keep count", `UPDATE review_count SET n = n + CASE state
		WHEN 'waiting' THEN $1 ELSE $2 END`, waiting, decided)
}
