package nightly

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"preceptor/internal/approval"
	"preceptor/internal/feedback"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
)

// This file is the agents' prompt files (seed 001, "Update prompt templates"): what people accepted, rules and
// examples, as a text with versions. Every run proposes one where it would change, in place of what waits, so that
// "Run now" does it and people approve what is accepted by then (package approval; one person does). A version holds
// the ids alone, of rules with their versions, so that what is erased goes from every version. A line of it is a rule
// and its words: a rule whose figures alone changed, as when it is tried again, stays as it was approved. One whose
// words changed since, or that left use, is left out of the version in force.

// Rule is a rule as a prompt file has it.
type Rule struct {
	ID      string `json:"id"`
	Version int    `json:"version"`
	Yields  []Rule `json:"yields,omitempty"` // those that are exceptions of it
	Text    string `json:"-"`
	Gone    bool   `json:"-"` // reworded or out of use since: it is given to nobody
}

// PromptFile is what an agent's prompt file says.
type PromptFile struct {
	Version    int        `json:"version" doc:"0 before the first is approved."`
	Text       string     `json:"text" doc:"Examples, then the rules under Instructions. A rule that was reworded or left use since is left out."`
	Diff       string     `json:"diff" doc:"What the version changed: a line each, with - or + before it."`
	ApprovedAt *time.Time `json:"approved_at,omitempty"`
	ApprovedBy string     `json:"approved_by,omitempty" doc:"Who approved it."`
}

// PromptChange is a version of a prompt file, or one that somebody refused or has yet to decide on.
type PromptChange struct {
	approval.Change
	Agent string
	Lines []string // what it changed, as in Diff
}

// promptContent is the payload of a version.
type promptContent struct {
	Rules    []Rule   `json:"rules"`
	Examples []string `json:"examples"`
}

// examples are those of its examples that stand.
func (c promptContent) examples(tx *db.Tx) ([]feedback.Exemplar, error) {
	list, err := feedback.ActiveTx(tx, c.Examples)
	slices.SortFunc(list, func(x, y feedback.Exemplar) int {
		return slices.Index(c.Examples, x.ID) - slices.Index(c.Examples, y.ID)
	})
	return list, err
}

func (c promptContent) text(tx *db.Tx) (string, error) {
	list, err := c.examples(tx)
	text := feedback.FewShot(list)
	rules := slices.DeleteFunc(slices.Clone(c.Rules), func(r Rule) bool { return r.Gone })
	for i, r := range rules {
		if i == 0 {
			text += "\n\nInstructions:"
		}
		text += "\n- " + strings.Join(strings.Fields(r.Text), " ")
	}
	return strings.TrimLeft(text, "\n"), err
}

// diff is what c has and before has not, and the other way about. What is gone since is in no file that c adds.
func (c promptContent) diff(tx *db.Tx, before promptContent) (lines []string, err error) {
	for _, side := range []struct {
		mark      string
		has, hasn promptContent
	}{{"- ", before, c}, {"+ ", c, before}} {
		list, cause := side.has.examples(tx)
		for _, e := range list {
			if !slices.Contains(side.hasn.Examples, e.ID) {
				lines = append(lines, side.mark+"Example: "+strings.Join(strings.Fields(e.Query+" → "+e.Good), " "))
			}
		}
		for _, r := range side.has.Rules {
			same := func(o Rule) bool { return o.ID == r.ID && o.Text == r.Text }
			if !slices.ContainsFunc(side.hasn.Rules, same) && (side.mark == "- " || !r.Gone) {
				lines = append(lines, side.mark+r.Text)
			}
		}
		if err == nil {
			err = cause
		}
	}
	return lines, err
}

func contentOf(c approval.Change) (out promptContent, err error) {
	if err = json.Unmarshal([]byte(c.Payload), &out); err != nil {
		err = approval.Unreadable(err)
	}
	return out, err
}

// wordedTx is a version with its rules' words as they are kept now.
func (b *Batch) wordedTx(tx *db.Tx, c approval.Change) (promptContent, error) {
	out, err := contentOf(c)
	for i, r := range out.Rules {
		if err == nil {
			out.Rules[i].Text, out.Rules[i].Gone, err = b.hooks.Words(tx, r)
		}
	}
	return out, err
}

// sameTx reports whether a version's lines are those of another.
func (b *Batch) sameTx(tx *db.Tx, x, y approval.Change) (bool, error) {
	if x.Payload == y.Payload {
		return true, nil
	}
	one, err := b.wordedTx(tx, x)
	if err != nil {
		return false, err
	}
	other, err := b.wordedTx(tx, y)
	if err != nil {
		return false, err
	}
	lines, err := one.diff(tx, other)
	return len(lines) == 0, err
}

// promptHandler is what approvals ask of prompt files.
func (b *Batch) promptHandler() approval.Handler {
	return approval.Handler{MayAgree: b.hooks.MayApprove, Topic: feedback.Topic,
		MayPropose: func(_ *db.Tx, id string) error {
			if id != me.ID {
				return fault.New(fault.Denied, "Prompt files are proposed by the nightly update.")
			}
			return nil
		},
		Base: func(tx *db.Tx, c approval.Change) (int, error) {
			now, err := approval.InForceOf(tx, c.Kind, c.Subject, c.Subject)
			if len(now) == 0 {
				return 0, err
			}
			return now[0].Version, err
		},
		Check: func(_ *db.Tx, c approval.Change) error { _, err := contentOf(c); return err },
		Says: func(tx *db.Tx, c approval.Change) (says approval.Says, err error) {
			content, lines, err := b.linesTx(tx, c)
			says.Title, says.Lines = "Prompt file of "+strings.TrimPrefix(c.Reason, promptReason), lines
			for _, r := range content.Rules {
				if !r.Gone {
					says.Rules = append(says.Rules, r.ID)
				}
			}
			return says, err
		}, Late: true}
}

const promptReason = "What people accepted for "

func (b *Batch) versionTx(tx *db.Tx, version int) (promptContent, error) {
	if version == 0 {
		return promptContent{}, nil
	}
	c, err := approval.ByVersion(tx, approval.PromptFile.Kind, version)
	if err != nil {
		return promptContent{}, err
	}
	return b.wordedTx(tx, c)
}

// PromptOf is an agent's prompt file in force; the zero value before the first.
func (b *Batch) PromptOf(ctx context.Context, agentID string) (out PromptFile, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		now, err := approval.InForceOf(tx, approval.PromptFile.Kind, agentID, agentID)
		if err != nil || len(now) == 0 {
			return err
		}
		c := now[0]
		content, err := b.wordedTx(tx, c)
		if err != nil {
			return err
		}
		_, lines, err := b.linesTx(tx, c)
		if err != nil {
			return err
		}
		out.Version, out.Diff = c.Version, strings.Join(lines, "\n")
		out.ApprovedAt, out.ApprovedBy = &c.Decided.At, c.Decided.Name
		out.Text, err = content.text(tx)
		return err
	})
	return out, err
}

// mostPrompts is how many of the newest changes of prompt files are listed.
const mostPrompts = 50

// Prompts are what became of prompt files, the newest first; not those that the program took back for newer ones.
func (b *Batch) Prompts(ctx context.Context) (list []PromptChange, err error) {
	names, err := b.hooks.Agents(ctx)
	if err != nil {
		return nil, err
	}
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		found, err := approval.Decided(tx, approval.PromptFile.Kind, mostPrompts)
		for _, c := range found {
			p := PromptChange{Change: c, Agent: cmp.Or(names[c.Subject], strings.TrimPrefix(c.Reason, promptReason))}
			if err == nil {
				_, p.Lines, err = b.linesTx(tx, c)
			}
			list = append(list, p)
		}
		return err
	})
	return list, err
}

// linesTx is a version with its words, and the lines that it changes.
func (b *Batch) linesTx(tx *db.Tx, c approval.Change) (content promptContent, lines []string, err error) {
	if content, err = b.wordedTx(tx, c); err != nil {
		return content, nil, err
	}
	before, err := b.versionTx(tx, c.Base)
	if err != nil {
		return content, nil, err
	}
	lines, err = content.diff(tx, before)
	return content, lines, err
}

// proposePrompts proposes prompt files where they would change, in place of what it proposed before; what a person
// refused it doesn't propose again as it was.
func (b *Batch) proposePrompts(ctx context.Context) error {
	agents, err := b.hooks.Agents(ctx)
	for agentID, name := range agents {
		err = errors.Join(err, b.proposePrompt(ctx, agentID, name)) // the fault of one holds up no other
	}
	return err
}

func (b *Batch) proposePrompt(ctx context.Context, agentID, name string) error {
	rules, err := b.hooks.Rules(ctx, agentID)
	if err != nil {
		return err
	}
	liked, err := b.book.Examples(ctx, feedback.Ask{AgentID: agentID, AgentType: name, AllTypes: true,
		Limit: feedback.MaxExamples})
	if err != nil {
		return err
	}
	payload, err := json.Marshal(promptContent{Rules: rules,
		Examples: lists.Map(liked, func(e feedback.Exemplar) string { return e.ID })})
	if err != nil {
		return err
	}
	next := approval.Change{Subject: agentID, Payload: string(payload), Reason: fmt.Sprint(promptReason, name)}
	var earlier []approval.Change // what waits, and says something else
	same := false                 // nothing would change, or a person refused it
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		all, err := approval.Of(tx, approval.PromptFile.Kind, agentID)
		same = len(all) == 0 && len(rules)+len(liked) == 0
		refused := true
		for _, c := range all { // the newest first
			alike := false
			if err == nil && (c.InForce() || c.State == approval.Proposed || c.State == approval.Refused && refused) {
				alike, err = b.sameTx(tx, next, c)
			}
			if c.State == approval.Proposed && !alike {
				earlier = append(earlier, c)
			}
			if c.InForce() {
				next.Base = c.Version
			}
			same, refused = same || alike, refused && c.State != approval.Agreed
		}
		return err
	})
	for _, c := range earlier {
		if err == nil {
			_, err = b.approvals.Withdraw(ctx, c.ID, me)
		}
	}
	if err != nil || same {
		return err
	}
	_, err = b.approvals.Propose(ctx, approval.PromptFile, next, me)
	return err
}
