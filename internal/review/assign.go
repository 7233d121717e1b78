package review

import (
	"context"
	"fmt"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

// teamPrefix begins the key of a team; any other key is an account.
const teamPrefix = "team:"

// TeamKey is the key under which cases are assigned to a team.
func TeamKey(teamID string) string { return teamPrefix + teamID }

// IsTeam reports whether a key of Row.AssignedTo is a team's.
func IsTeam(key string) bool { return strings.HasPrefix(key, teamPrefix) }

// Assigned is an assignment, for hooks.
type Assigned struct {
	Cases []string
	To    Person // an account or a team's key; no ID: nobody any more
	By    Person
	Note  string // to whom they went
}

// Assignment says to whom cases go.
type Assignment struct {
	IDs []string
	To  string // account, TeamKey, or "" for nobody
	By  Person
	// Note is for whoever gets them.
	Note string
	// Lead: a manager or an administrator, who assigns anything to anybody. Everybody else takes for themselves what is
	// free or their team's, and hands over or gives back what is theirs or what they work on.
	Lead bool
}

// LeftOut is a case that an act on several did not touch, and why.
type LeftOut struct {
	ID  string
	Why string // "already decided", "Ben is reviewing it": groups equal ones
}

// BulkResult says what an act on several cases did.
type BulkResult struct {
	Changed []string
	LeftOut []LeftOut
}

// Sentence is the result for a notice: done is the verb, as "assigned to Ben".
func (r BulkResult) Sentence(done string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s.", plural(len(r.Changed)), done)
	if len(r.LeftOut) == 0 {
		return b.String()
	}
	var whys []string
	n := map[string]int{}
	for _, l := range r.LeftOut {
		if n[l.Why]++; n[l.Why] == 1 {
			whys = append(whys, l.Why)
		}
	}
	fmt.Fprintf(&b, " %d left out:", len(r.LeftOut))
	for i, why := range whys {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " %d %s", n[why], why)
	}
	b.WriteByte('.')
	return b.String()
}

func plural(n int) string {
	if n == 0 {
		return "Nothing"
	}
	return text.Count(n, "review")
}

// maxBulk is how many cases one act may be about.
const maxBulk = 100

// Assign assigns cases, all in one transaction. What can't be assigned any more is left out and named. It is Invalid
// when the assignee can't be given cases, and Denied when by may not give these to them.
//
// An assignment keeps a case from being handed to others (ClaimNext) until the target of the agent's policy has passed;
// then it is anybody's again. It keeps nobody from opening the case and deciding it. Who hands over what they work on
// ends their claim.
func (q *Queue) Assign(ctx context.Context, a Assignment) (res BulkResult, err error) {
	if err := checkBulk(a.IDs); err != nil {
		return res, err
	}
	err = q.db.Write(ctx, func(tx *db.Tx) error {
		to, err := q.assignee(tx, a)
		if err != nil {
			return err
		}
		teams, err := q.teamsOf(tx, a.By.ID)
		if err != nil {
			return err
		}
		res, err = eachOf(a.IDs, func(id string) (string, error) { return q.assignTx(tx, id, to, a, teams) })
		if err != nil {
			return err
		}
		if len(res.Changed) == 0 {
			return nil
		}
		tx.Touch("reviews")
		if err := q.hooks.OnAssigned(tx, Assigned{Cases: res.Changed, To: to, By: a.By, Note: a.Note}); err != nil {
			return fmt.Errorf("review: after an assignment: %w", err)
		}
		return nil
	})
	return res, err
}

func checkBulk(ids []string) error {
	switch {
	case len(ids) == 0:
		return fault.Wrong("Nothing is selected. Select the reviews first.", "id", "Select at least one review.")
	case len(ids) > maxBulk:
		return fault.Wrong("That is too many at once.", "id", fmt.Sprintf("Select at most %d reviews.", maxBulk))
	}
	return nil
}

// eachOf does something with each of some cases, once, and gathers which changed and why the others didn't.
func eachOf(ids []string, act func(id string) (why string, err error)) (res BulkResult, err error) {
	seen := map[string]bool{}
	for _, id := range ids {
		if seen[id] {
			continue
		}
		seen[id] = true
		switch why, err := act(id); {
		case err != nil:
			return res, err
		case why != "":
			res.LeftOut = append(res.LeftOut, LeftOut{id, why})
		default:
			res.Changed = append(res.Changed, id)
		}
	}
	return res, nil
}

// assignee checks to whom it goes.
func (q *Queue) assignee(tx *db.Tx, a Assignment) (Person, error) {
	if a.To == "" {
		return Person{}, nil
	}
	name, err := q.hooks.Assignee(tx, a.To)
	return Person{ID: a.To, Name: name}, err
}

// assignTx assigns one case, or says why not.
func (q *Queue) assignTx(tx *db.Tx, id string, to Person, a Assignment, teams []string) (why string, err error) {
	r, err := getRow(tx, id)
	if fault.Is(err, fault.NotFound) {
		return "no longer there", nil
	}
	if err != nil {
		return "", err
	}
	if why := r.whyNotAssigned(to, a, teams, tx); why != "" {
		return why, nil
	}
	p, err := q.policyTx(tx, r.AgentID)
	if err != nil {
		return "", err
	}
	if err := q.assignedTx(tx, &r, to, tx.Now.Add(p.TargetLate), a.By.Actor(), ""); err != nil || to.ID == a.By.ID {
		return "", err
	}
	return "", unclaimTx(tx, id, "", a.By)
}

// assignedTx stores to whom a case is assigned from now on, nobody where to has no id, and says so in the history and
// the audit log.
func (q *Queue) assignedTx(tx *db.Tx, r *Row, to Person, reserved time.Time, by audit.Actor, why string) error {
	at, until := tx.NowMs(), db.Ms(reserved)
	event, note, action := "assigned", "to "+to.Name, "review.assigned"
	if to.ID == "" {
		at, until = 0, 0
		event, note, action = "unassigned", "from "+r.AssignedTo.Name+why, unassigned
	}
	if err := db.Exec(tx, "review: assign "+r.ID, `UPDATE review SET assigned_to = $1, assigned_name = $2,
		assigned_at = $3, reserved_until = $4
		WHERE id = $5 AND state = 'waiting'`, to.ID, to.Name, at, until, r.ID); err != nil {
		return err
	}
	if err := q.interactions.NoteTx(tx, r.ID, event, by, note); err != nil {
		return err
	}
	return audit.Note(tx, by, action, "interaction", r.ID,
		map[string]any{"to": to.ID, "from": r.AssignedTo.ID})
}

// LeaveTx puts back into the queue what somebody holds who can no longer decide, because of why: what they work on,
// what is assigned to them, their approvals that wait for a second one, and what they signed that isn't sent yet.
func (q *Queue) LeaveTx(tx *db.Tx, who Person, by audit.Actor, why string) error {
	held, err := db.Column[string](tx, "review: what "+who.ID+" signed that is held",
		`SELECT id FROM decision WHERE state = 'held' AND (by_id = $1 OR second_by <> '' AND second_by = $1)
			ORDER BY id`, who.ID)
	if err != nil {
		return err
	}
	for _, id := range held {
		d, err := getDecision(tx, id)
		if err != nil {
			return err
		}
		if err := q.undoTx(tx, d, system, why+decideAnew); err != nil {
			return err
		}
	}
	ids, err := db.Column[string](tx, "review: what "+who.ID+" holds",
		`SELECT id FROM review
			WHERE state = 'waiting' AND (claimed_by = $1 OR assigned_to = $1 OR first_by = $1)
			ORDER BY id`, who.ID)
	tx.Touch("reviews")
	for _, id := range ids {
		if err := q.letTx(tx, id, who, by); err != nil {
			return err
		}
	}
	return err
}

// decideAnew says what becomes of a draft whose decision ends before it is sent.
const decideAnew = "; the draft needs a new decision"

// Loss is what goes back into the queue when a person can no longer decide.
type Loss struct {
	Approvals int // their first approvals that wait for a second
	Reviews   int // assigned to them, or claimed by them
	Held      int // decisions that they signed and that aren't sent yet
}

// LossOf counts what LeaveTx would put back.
func (q *Queue) LossOf(ctx context.Context, personID string) (l Loss, err error) {
	err = q.db.Read(ctx, func(tx *db.Tx) error {
		return db.One(tx, "review: count what "+personID+" holds", `SELECT
				(SELECT count(*) FROM review WHERE state = 'waiting' AND first_by = $1),
				(SELECT count(*) FROM review WHERE state = 'waiting' AND first_by <> $1
					AND (assigned_to = $1 OR claimed_by = $1 AND claimed_until > $2)),
				(SELECT count(*) FROM decision WHERE state = 'held'
					AND (by_id = $1 OR second_by <> '' AND second_by = $1))`,
			personID, tx.NowMs()).Scan(&l.Approvals, &l.Reviews, &l.Held)
	})
	return l, err
}

func (q *Queue) letTx(tx *db.Tx, id string, who Person, by audit.Actor) error {
	r, err := getRow(tx, id)
	if err != nil {
		return err
	}
	const why = ", who can no longer decide"
	if r.AssignedTo.ID == who.ID {
		if err := q.assignedTx(tx, &r, Person{}, tx.Now, by, why); err != nil {
			return err
		}
	}
	if r.First.ID == who.ID {
		d, err := getDecision(tx, r.BaseID)
		if err != nil {
			return err
		}
		if err := q.undoTx(tx, d, system,
			who.Name+" can no longer decide, so their approval doesn't count"); err != nil {
			return err
		}
	}
	return unclaimTx(tx, id, "", who)
}

// RenameTx gives a person or an agent its new name in the queue and with the filters that they saved, and gives the
// agent's cases.
func RenameTx(tx *db.Tx, id, name string) ([]string, error) {
	if err := db.Exec(tx, "review: rename "+id, `UPDATE review SET agent_name = CASE agent_id
		WHEN $1 THEN $2 ELSE agent_name END,
			claimed_name = CASE claimed_by WHEN $1 THEN $2 ELSE claimed_name END,
			assigned_name = CASE assigned_to WHEN $1 THEN $2 ELSE assigned_name END,
			first_name = CASE first_by WHEN $1 THEN $2 ELSE first_name END
		WHERE state = 'waiting' AND (agent_id = $1 OR claimed_by = $1 OR assigned_to = $1 OR first_by = $1)`, id,
		name); err != nil {
		return nil, err
	}
	tx.Touch("reviews")
	if err := db.Exec(tx, "review: rename the owner of filters", `UPDATE review_filter SET owner_name = $1
		WHERE owner_id = $2`, name, id); err != nil {
		return nil, err
	}
	return db.Column[string](tx, "review: cases of an agent", `SELECT id FROM review
		WHERE state = 'waiting' AND agent_id = $1`, id)
}

func (r *Row) whyNotAssigned(to Person, a Assignment, teams []string, tx *db.Tx) string {
	switch {
	case r.State == "decided":
		return "already decided"
	case r.AssignedTo.ID == to.ID && to.ID == "":
		return "already unassigned"
	case r.AssignedTo.ID == to.ID:
		return "already assigned to them"
	case to.ID != "" && r.First.ID == to.ID:
		return "already approved by them and waiting for someone else"
	case to.ID != "" && r.Claim.HeldByOther(to.ID, tx.Now) && r.Claim.By.ID != a.By.ID && !IsTeam(to.ID):
		return "being reviewed by " + r.Claim.By.Name
	case a.Lead || r.AssignedTo.ID == "" && r.Claim.Active(tx.Now) && r.Claim.By.ID == a.By.ID ||
		a.mayMove(r.AssignedTo.ID, to.ID, teams):
		return ""
	case r.AssignedTo.ID == "":
		return "unassigned: only managers and administrators can assign these to others"
	}
	return "assigned to " + r.AssignedTo.Name
}

// mayMove reports whether a supervisor may move a case from one assignee to another: what is theirs or their team's to
// anybody, what is free to themselves.
func (a Assignment) mayMove(from, to string, teams []string) bool {
	own := from == a.By.ID
	for _, key := range teams {
		own = own || from == key
	}
	return own || from == "" && to == a.By.ID
}
