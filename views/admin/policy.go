package admin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/approval"
	"preceptor/internal/policy"
	"preceptor/views/accounts"
	"preceptor/views/layout"
	"preceptor/views/ui"
)

// conditions are those of a list that can hold on this desk.
func conditions(f layout.Frame, list []policy.Condition) (shown []policy.Condition) {
	for _, c := range list {
		if f.Pension() || !slices.Contains(policy.OfPension, c) {
			shown = append(shown, c)
		}
	}
	return shown
}

// PoliciesView is what holds, what was proposed, and a page of all versions.
type PoliciesView struct {
	Side      Side
	InForce   []PolicyRow
	History   []PolicyRow
	Agents    []ui.Option // that have no policy of their own
	Here      string      // the address of this page
	Pages     ui.Pages
	MayChange bool   // an administrator looks
	Admins    int    // who may sign in
	Bound     string // what is promised of violations that nobody sees
}

// PolicyRow is one version, with whom it is for in words.
type PolicyRow struct {
	policy.Version
	Whom  string   // "every agent", or the agent's name
	Packs []string // that these work in
}

// PolicyView is one version.
type PolicyView struct {
	Side Side
	PolicyRow
	Differences []policy.Difference // to what held, or holds, without it
	Effect      *policy.Effect      // of a proposal
	Waiting     approval.Waiting    // of a proposal
	MayChange   bool
	Admins      int
}

// ProposeView is the form; the texts are as they were typed.
type ProposeView struct {
	Side         Side
	AgentID      string `form:"agent"`
	Whom         string
	Base         int                `form:"base"` // the version that the person saw in force
	From         int                `form:"from"` // the version that is proposed again; 0: none
	Own          bool               // the agent has a policy of its own
	Follows      bool               `form:"follows"`
	Share        string             `form:"share"`
	Planted      string             `form:"planted"`
	Soon         string             `form:"soon"`
	Late         string             `form:"late"`
	Words        string             `form:"words"`
	Why          string             `form:"why"`
	ExpertsFirst string             `form:"experts"`
	ExpertsHard  string             `form:"experts_hard"`
	ExpertsMost  string             `form:"experts_most"`
	ExpertShare  string             `form:"expert_share"`
	ExpertLate   string             `form:"expert_late"`
	Always       []policy.Condition `form:"always"`
	Second       []policy.Condition `form:"second"`
	First        []policy.Condition `form:"first"`
	Preview      bool
	Differences  []policy.Difference
	Effect       *policy.Effect
	Admins       int
	Errors       accounts.Errors
}

func policyHref(v policy.Version) string { return "/admin/policies/" + strconv.Itoa(v.Policy.Version) }

func proposeHref(agentID string, from int) string {
	return ui.Address("/admin/policies/propose", ProposeView{AgentID: agentID, From: from})
}

func numbered(version int) string {
	if version == 0 {
		return "the built-in default"
	}
	return fmt.Sprintf("version %d", version)
}

// sentence is the heart of a policy.
func sentence(p policy.Policy) string {
	switch {
	case p.Share >= 1:
		return "People review every draft before it is sent."
	case p.Share <= 0:
		return "People review drafts that meet a condition below. All others are sent without review."
	}
	return fmt.Sprintf("People review every draft that meets a condition below, and %s of the others. The rest are "+
		"sent without review.", policy.Percent(p.Share))
}

func shareWords(p policy.Policy) string {
	switch {
	case p.Follows:
		return "as for every agent"
	case p.Share >= 1:
		return "everything"
	}
	return policy.Percent(p.Share) + " of routine drafts"
}

// expertShareWords say which drafts experts are asked about.
func expertShareWords(p policy.Policy) string {
	switch {
	case p.ExpertShare <= 0:
		return "Experts get only what a supervisor sends them"
	case p.ExpertShare >= 1:
		return "Every draft that the judges can't settle goes to experts"
	}
	return fmt.Sprintf("At most %s of drafts go to experts, the most uncertain first", policy.Percent(p.ExpertShare))
}

// expertWords say how many experts answer a borderline case.
func expertWords(e policy.Experts) string {
	return fmt.Sprintf("%s at first, %d where judges disagree about a guarantee or a vulnerable customer, %d at most "+
		"before adjudication", ui.Count(e.First, "expert"), e.Hard, e.Most)
}

// frame is that of a page for those whom the policy is for.
func (p PolicyRow) frame(f layout.Frame) layout.Frame {
	f.Packs = p.Packs
	return f
}

func plantedHint(f layout.Frame) string {
	hint := "Known-bad drafts that are mixed in and never sent; managers see how many were caught. 0 to 20."
	if !f.Pension() {
		hint += " None is built in for this domain: only those that you write are mixed in."
	}
	return hint
}

func plantedWords(p policy.Policy) string {
	if p.Planted == 0 {
		return "none"
	}
	return policy.Percent(p.Planted) + " of incoming drafts"
}

// changeSentence is one difference in plain words.
func changeSentence(whom string, d policy.Difference, open bool) string {
	if strings.HasPrefix(d.What, "Share") {
		verb := "review"
		if open {
			verb = "will review"
		}
		return fmt.Sprintf("For %s, supervisors %s %s of routine drafts instead of %s.", whom, verb, d.After, d.Before)
	}
	if len(d.Added)+len(d.Gone) == 0 {
		return fmt.Sprintf("%s: %s instead of %s.", d.What, d.After, d.Before)
	}
	var parts []string
	if len(d.Gone) > 0 {
		parts = append(parts, "no longer "+policy.List(d.Gone))
	}
	if len(d.Added) > 0 {
		parts = append(parts, "now also "+policy.List(d.Added))
	}
	return d.What + ": " + strings.Join(parts, "; ") + "."
}

// settled is who ended the wait of a version.
func settled(v policy.Version) approval.Signature {
	if v.Agreed.By != "" {
		return v.Agreed
	}
	return v.Ended
}

func endedWord(s policy.State) string {
	return map[policy.State]string{policy.Refused: "refused", policy.Withdrawn: "withdrawn",
		policy.Superseded: "replaced when another version was agreed"}[s]
}

func (p PolicyRow) title() string { return fmt.Sprintf("Version %d for %s", p.Policy.Version, p.Whom) }
