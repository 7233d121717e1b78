package review

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/internal/rule"
)

const decisionColumns = `d.id, d.review_id, d.kind, d.state, d.by_id, d.by_name, d.text, d.text_hash, d.version,
	d.reason, d.reason_code, d.feedback,
	d.confirmation, d.flags, d.seconds, d.decided_at, d.held_until, d.settled_at, d.settled_by, d.settled_name,
		d.settled_why, d.final_hash, d.base_id,
	d.needs_second, d.second_by, d.second_name, d.second_at, d.second_seconds, d.second_hasty, d.second_confirmation,
		d.policy_version, d.characters, d.hasty,
	d.misled, d.taught, r.opening, d.actions, d.again, d.words_by, d.words_name
	FROM decision d JOIN review r ON r.id = d.review_id`

func scanDecision(row db.Row) (d Decision, err error) {
	var taught, actions string
	if err := row.Scan(&d.ID, &d.InteractionID, &d.Kind, &d.State, &d.By.ID, &d.By.Name, &d.Text, &d.TextHash,
		&d.Version, &d.Reason, &d.ReasonCode,
		&d.Feedback, &d.Confirmation, db.JSON(&d.Flags), &d.SecondsOnCase, db.At(&d.DecidedAt), db.At(&d.HeldUntil),
		db.At(&d.SettledAt), &d.SettledBy.ID, &d.SettledBy.Name, &d.SettledWhy,
		&d.FinalHash, &d.BaseID, &d.NeedsSecond, &d.Second.ID, &d.Second.Name, db.At(&d.SecondAt), &d.SecondSeconds,
		&d.SecondHasty, &d.SecondConfirmation, &d.PolicyVersion,
		&d.Characters, &d.Hasty, &d.Misled, &taught, &d.Opening, &actions, &d.Again, &d.Words.ID,
		&d.Words.Name); err != nil {
		return d, err
	}
	if d.Actions, err = interaction.ReadActions(actions); err != nil {
		return d, fmt.Errorf("read the actions of decision %s: %w", d.ID, err)
	}
	err = d.readTaught(taught)
	return d, err
}

func getDecision(tx *db.Tx, id string) (*Decision, error) {
	d, err := scanDecision(db.One(tx, fmt.Sprintf("review: get decision %s", id),
		`SELECT `+decisionColumns+` WHERE d.id = $1`, id).
		Or(fault.New(fault.NotFound, "There is no such decision.")))
	if err != nil {
		return nil, err
	}
	one := []Decision{d}
	return &one[0], readOverrulings(tx, one)
}

// Decision reads one decision; NotFound when there is none.
func (q *Queue) Decision(ctx context.Context, id string) (*Decision, error) {
	return db.Read(ctx, q.db, func(tx *db.Tx) (*Decision, error) { return getDecision(tx, id) })
}

// Recent lists the last n decisions that a person signed, first or second, newest signature first, undone ones
// included.
func (q *Queue) Recent(ctx context.Context, by Person, n int) ([]Decision, error) {
	list, err := q.decisions(ctx, `SELECT `+decisionColumns+`
		WHERE d.by_id = $1 ORDER BY d.decided_at DESC, d.id DESC LIMIT $2`, by.ID, n)
	if err != nil {
		return nil, err
	}
	second, err := q.decisions(ctx, `SELECT `+decisionColumns+`
		WHERE d.second_by <> '' AND d.second_by = $1
		ORDER BY d.second_at DESC, d.id DESC LIMIT $2`, by.ID, n)
	list = append(list, second...)
	list = slices.DeleteFunc(list, func(d Decision) bool { return d.replaced() && d.Second.ID != by.ID })
	slices.SortStableFunc(list, func(a, b Decision) int { return b.SignedAt(by.ID).Compare(a.SignedAt(by.ID)) })
	return list[:min(len(list), n)], err
}

// replaced reports whether its second signature was taken back by who gave it: the first one counts on, as a decision
// of its own (signedAgain).
func (d Decision) replaced() bool {
	return d.State == Undone && d.Second.ID != "" && d.SettledBy.ID == d.Second.ID
}

// SignedAt is when a person signed it, first or second.
func (d Decision) SignedAt(by string) time.Time {
	if d.Second.ID == by && by != "" {
		return d.SecondAt
	}
	return d.DecidedAt
}

// DecisionsFor lists what was decided about a case, oldest first, undone ones included.
func (q *Queue) DecisionsFor(ctx context.Context, id string) ([]Decision, error) {
	return q.decisions(ctx, `SELECT `+decisionColumns+` WHERE d.review_id = $1 ORDER BY d.decided_at, d.id`, id)
}

func (q *Queue) decisions(ctx context.Context, sql string, args ...any) (list []Decision, err error) {
	return db.Read(ctx, q.db, func(tx *db.Tx) ([]Decision, error) {
		list, err := db.List(tx, "review: list decisions", scanDecision, sql, args...)
		if err != nil {
			return nil, err
		}
		return list, readOverrulings(tx, list)
	})
}

func getRow(tx *db.Tx, id string) (Row, error) {
	return scanRow(db.One(tx, fmt.Sprintf("review: get %s", id), `SELECT `+rowColumns+` FROM review WHERE id = $1`,
		id).Or(noSuchCase()))
}

// underReview is the text that a case's forms are about, and the decision it stands on; nil: the agent's draft. Of a
// decided case it is what was on the screen of its author.
func underReview(tx *db.Tx, r Row, it *interaction.Interaction) (*Decision, string, error) {
	if r.BaseID == "" {
		return nil, it.Guidance, nil
	}
	base, err := getDecision(tx, r.BaseID)
	if err != nil {
		return nil, "", err
	}
	return base, base.Text, nil
}

func (q *Queue) getTx(tx *db.Tx, id string) (*Item, error) {
	r, err := getRow(tx, id)
	if err != nil {
		return nil, err
	}
	item := &Item{Row: r}
	if item.Interaction, err = q.interactions.GetTx(tx, id); err != nil {
		return nil, err
	}
	if item.Base, item.Text, err = underReview(tx, r, item.Interaction); err != nil {
		return nil, err
	}
	if r.DecisionID != "" {
		if item.Decision, err = getDecision(tx, r.DecisionID); err != nil {
			return nil, err
		}
	}
	if r.State == "waiting" && r.First.ID == "" {
		if item.policy, err = q.policyTx(tx, r.AgentID); err != nil {
			return nil, err
		}
		item.needTwo(item.policy, r.Assessment.facts())
	}
	item.Skips, err = skips(tx, id)
	return item, err
}

func insertDecision(tx *db.Tx, d *Decision) error {
	if err := interaction.RefuseErasedTx(tx, d.taught()); err != nil {
		return err
	}
	err := db.Exec(tx, "review: store the decision on "+d.InteractionID, `INSERT INTO decision (id, review_id, kind,
			state, by_id, by_name, text, final_hash, text_hash, version, base_id, reason, reason_code,
			feedback, confirmation, flags, seconds, characters, hasty, decided_at, held_until, needs_second,
				policy_version, misled, taught, actions, again, words_by, words_name)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
			$23, $24, $25, $26, $27, $28, $29)`,
		d.ID, d.InteractionID, d.Kind, d.State, d.By.ID, d.By.Name, d.Text, d.FinalHash, d.TextHash, d.Version,
		d.BaseID, d.Reason, d.ReasonCode,
		d.Feedback, d.Confirmation, marshalList(d.Flags), d.SecondsOnCase, d.Characters, d.Hasty, db.Ms(d.DecidedAt),
		db.Ms(d.HeldUntil), d.NeedsSecond, d.PolicyVersion, d.Misled, d.taught(),
		d.Actions.Column(), d.Again, d.Words.ID, d.Words.Name)
	if err != nil {
		return err
	}
	written := d.Text
	if d.Kind == Approve || d.Kind == Sampled { // the draft, whose words are there
		written = ""
	}
	return findable(tx, d.InteractionID, written, d.Reason, d.Feedback)
}

// tell writes a line of history and an audit row about a decision.
func (q *Queue) tell(tx *db.Tx, d *Decision, event string, by audit.Actor, note, action string) error {
	return q.tellMore(tx, d, event, by, note, action, nil)
}

// tellMore is tell with more to say in the audit row.
func (q *Queue) tellMore(tx *db.Tx, d *Decision, event string, by audit.Actor, note, action string,
	more map[string]any) error {
	if err := q.interactions.NoteTx(tx, d.InteractionID, event, by, note); err != nil {
		return err
	}
	tx.Touch("reviews")
	content := d.content(action)
	maps.Copy(content, more)
	return audit.Note(tx, by, action, "interaction", d.InteractionID, content)
}

// content is what an audit row says of a decision: everything when it is made, and later what is new.
func (d *Decision) content(action string) map[string]any {
	c := map[string]any{"decision": d.ID, "kind": d.Kind}
	switch {
	case action == d.action():
		c["version"], c["text_hash"], c["base"], c["text"], c["final_hash"] = d.Version, d.TextHash, d.BaseID, d.Text,
			interaction.TextHash(d.Text)
		c["reason"], c["reason_code"], c["feedback"], c["confirmation"] = d.Reason, d.ReasonCode, d.Feedback,
			d.Confirmation
		c["seconds"], c["needs_second"], c["policy"] = d.SecondsOnCase, d.NeedsSecond, d.PolicyVersion
		if len(d.Statements) > 0 || d.OnlyCustomer {
			// others' questions, which an erasure finds with the decision, stay out of the log
			c["statements"] = lists.Map(d.Statements, func(st rule.Statement) rule.Statement { return st.Without("") })
			c["only_customer"] = d.OnlyCustomer
		}
		if len(d.Actions) > 0 {
			c["actions"] = d.Actions
		}
		if d.Again {
			c["again"] = true
		}
		if d.Words.ID != "" {
			c["words_by"] = d.Words.ID
		}
		if len(d.Overrulings) > 0 {
			c["overruled"] = d.Overrulings
		}
		if d.State == Held {
			c["held_until"] = d.HeldUntil
		}
	case action == "review.seconded":
		c["first"], c["final_hash"], c["confirmation"] = d.By.ID, d.FinalHash, d.SecondConfirmation
		if len(d.Actions) > 0 {
			c["actions"] = d.Actions
		}
	case d.SettledWhy != "":
		c["why"] = d.SettledWhy
	}
	return c
}

// note is the reason of a decision as the history shows it.
func (d *Decision) note() string {
	if d.Words.ID != "" {
		return "the text and its reason are " + d.Words.Name + "'s"
	}
	label := pack.ReasonOf(d.ReasonCode).Label
	if label != "" && d.Reason != "" {
		label += ": "
	}
	return label + d.Reason
}

// event is how the history names the making of a decision, and action how the audit log does.
func (d *Decision) event() string {
	switch did := d.Did(); did {
	case Return, Again:
		return verbs[did]
	default:
		return actions[did]
	}
}

func (d *Decision) action() string { return "review." + actions[d.Kind] }

var actions = map[string]string{Approve: "approved", Revise: "revised", Reject: "rejected", Return: "returned",
	Sampled: "sampled"}

// actor is the author of a decision.
func (d *Decision) actor() audit.Actor {
	if d.Kind == Sampled {
		return audit.System(d.By.Name)
	}
	return d.By.Actor()
}

// changeOne runs a statement that has to change exactly one row.
func changeOne(tx *db.Tx, doing, query string, args ...any) error {
	n, err := db.Change(tx, doing, query, args...)
	if err == nil && n != 1 {
		err = fmt.Errorf("%s: %d rows instead of one: the case and its decision disagree", doing, n)
	}
	return err
}
