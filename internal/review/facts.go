package review

import (
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/platform/db"
	"preceptor/internal/policy"
)

// The priorities; see the package comment.
const (
	priorityBlocked = iota
	priorityVulnerable
	priorityDB
	priorityUnsure
	priorityRest

	// sooner is by how much what the policy lets come first has another priority than the rest of its kind.
	sooner        = priorityRest + 1
	priorityFirst = priorityBlocked - sooner
)

// OwnQuestion stands beside the policy's conditions in Row.TwoEyes: the person who would approve asked for this draft.
const OwnQuestion = "own_question"

// lowConfidence is below what judges aren't sure.
const lowConfidence = 0.7

// facts is what is known of a case. The queue's order and the policy's conditions both start from it. Whom and what the
// case is about comes with the assessment, since the text has its say in it, and reading that takes a while.
func (a Assessment) facts() policy.Facts {
	f := policy.Facts{policy.RuleFlag: len(a.Flags) > 0, policy.Borderline: a.Borderline,
		policy.LowConfidence: a.Label != NotJudged && a.Confidence < lowConfidence}
	for _, name := range a.Facts {
		f[policy.Condition(name)] = true
	}
	return f
}

// whyTwo names what asks for a second supervisor under a policy when by decides a case of these facts; "" for nothing.
// Decisions go by it, and so does what pages say before. What asked for one already still does.
func (r *Row) whyTwo(p policy.Policy, f policy.Facts, by string) string {
	why := joinWhy(r.TwoEyes, conditionNames(p.NeedsSecond(f))...)
	if r.AskedBy != "" && r.AskedBy == by {
		why = joinWhy(why, OwnQuestion)
	}
	return why
}

// needTwo has a case ask for what whyTwo names, whoever decides.
func (r *Row) needTwo(p policy.Policy, f policy.Facts) {
	r.TwoEyes = r.whyTwo(p, f, "")
	r.NeedsTwo = r.NeedsTwo || r.TwoEyes != ""
}

// TwoFor names what asks for a second supervisor when by approves the text under review, of which the check says a, or
// a revision of it.
func (i *Item) TwoFor(by string, a Assessment, revised bool) string {
	f := i.Assessment.facts().Or(a.facts())
	f[policy.Revised] = revised || i.Base != nil && i.Base.Kind == Revise
	return i.whyTwo(i.policy, f, by)
}

// NeedTwoTx has what waits of an agent ask for a second supervisor where its policy does; agentID "" is all agents that
// go by the policy for every agent.
func (q *Queue) NeedTwoTx(tx *db.Tx, agentID string) (err error) {
	agents := []string{agentID}
	if agentID == "" {
		if agents, err = db.Column[string](tx, "review: whose drafts wait", `SELECT DISTINCT agent_id FROM review
			WHERE state = 'waiting'`); err != nil {
			return err
		}
	}
	for _, id := range agents {
		p, err := q.policyTx(tx, id)
		if err == nil && (agentID != "" || p.AgentID == "") {
			err = needTwoTx(tx, p, ` AND agent_id = $1`, id)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// needTwoAgain does so for one case that waits again.
func (q *Queue) needTwoAgain(tx *db.Tx, id string) error {
	r, err := getRow(tx, id)
	if err != nil {
		return err
	}
	p, err := q.policyTx(tx, r.AgentID)
	if err != nil {
		return err
	}
	return needTwoTx(tx, p, ` AND id = $1`, id)
}

// needTwoTx does so for the cases of a policy that a condition chooses.
func needTwoTx(tx *db.Tx, p policy.Policy, and string, args ...any) error {
	ids := map[string][]string{} // by why
	if err := db.Each(tx, "review: what may need two", func(row db.Row) error {
		r := Row{}
		a := &r.Assessment
		err := row.Scan(&r.ID, &a.Label, &a.Borderline, &a.Confidence, db.JSON(&a.Flags), db.JSON(&a.Facts))
		if r.needTwo(p, a.facts()); r.NeedsTwo {
			ids[r.TwoEyes] = append(ids[r.TwoEyes], r.ID)
		}
		return err
	}, `SELECT id, label, borderline, confidence, flags, facts FROM review
		WHERE state = 'waiting' AND two_eyes = 0`+and, args...); err != nil {
		return err
	}
	for why, all := range ids {
		for _, some := range db.Batches(all) {
			if err := db.Exec(tx, "review: need two", `UPDATE review SET two_eyes = 1, two_eyes_why = $1
				WHERE id IN (`+db.In(2, len(some))+`)`, append([]any{why}, db.Anys(some)...)...); err != nil {
				return err
			}
		}
		tx.Touch("reviews")
	}
	return nil
}

// rank computes where a case stands in the queue: a correction among what is blocked at least.
func (r *Row) rank(p policy.Policy, f policy.Facts, a Assessment) int {
	at := rankOf(f, a)
	if r.Correcting {
		at = priorityBlocked
	}
	if p.ComesFirst(f) {
		at -= sooner
	}
	return at
}

func rankOf(f policy.Facts, a Assessment) int {
	switch {
	case !a.Clean():
		return priorityBlocked
	case f[policy.Vulnerable]:
		return priorityVulnerable
	case f[policy.DBPension]:
		return priorityDB
	case f[policy.Borderline] || f[policy.LowConfidence] || f[policy.RuleFlag]:
		return priorityUnsure
	}
	return priorityRest
}

// whyHere lists what stands out, in a few words: the flags by their codes, then the rest.
func whyHere(f policy.Facts, a Assessment) string {
	var parts []string
	for _, f := range a.Flags {
		if !slices.Contains(parts, f.Code) {
			parts = append(parts, f.Code)
		}
	}
	if len(parts) > 3 {
		parts = append(parts[:2], fmt.Sprintf("%d more flags", len(parts)-2))
	}
	if f[policy.Borderline] && !a.ByPanel() { // of a panel, the experts' part says in a line what divides it
		parts = append(parts, "borderline")
	}
	if f[policy.Vulnerable] {
		parts = append(parts, "vulnerable customer")
	}
	if f[policy.DBPension] {
		parts = append(parts, "DB pension")
	}
	if f[policy.LowConfidence] && !f[policy.Borderline] {
		parts = append(parts, "low confidence")
	}
	return strings.Join(parts, ", ")
}

// policyTx is the agent's policy in force.
func (q *Queue) policyTx(tx *db.Tx, agentID string) (policy.Policy, error) {
	p, err := q.hooks.PolicyFor(tx, agentID)
	if err != nil {
		return p, fmt.Errorf("review: the policy of %s: %w", agentID, err)
	}
	return p, nil
}

// joinWhy adds conditions to a list of them; none stands twice.
func joinWhy(list string, more ...string) string {
	var all []string
	for _, c := range append(strings.Split(list, ","), more...) {
		if c != "" && !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	return strings.Join(all, ",")
}

func conditionNames(list []policy.Condition) (names []string) {
	for _, c := range list {
		names = append(names, string(c))
	}
	return names
}
