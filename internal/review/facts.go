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

// facts is what is known of a case. The queue's order and the policy's conditions both start from it. Whom and what the
// case is about comes with the assessment, since the text has its say in it, and reading that takes a while.
func (q *Queue) facts(a Assessment) policy.Facts {
	f := policy.Facts{policy.RuleFlag: len(a.Flags) > 0, policy.Borderline: a.Borderline,
		policy.LowConfidence: a.Label != NotJudged && a.Confidence < q.policy.LowConfidence}
	for _, name := range a.Facts {
		f[policy.Condition(name)] = true
	}
	return f
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
