package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"preceptor/internal/fault"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/review"
	"preceptor/internal/rule"
	"preceptor/internal/strict"
	"preceptor/internal/table"
	"preceptor/internal/terminal"
)

// learnCmd is about the learning path.
type learnCmd struct {
	Trial   learnTrialCmd   `cmd:"" help:"What decisions in a file teach, guessed without a person, and what that changes in drafts for other questions."`
	Extract learnExtractCmd `cmd:"" help:"What users' messages teach an agent, JSON lines in and out."`
}

type learnTrialCmd struct {
	File string `arg:"" name:"file" optional:"" default:"-" help:"JSON lines, one trial each; - for standard input."`
}

// trial is one decision and the questions on which its effect is tried.
type trial struct {
	ID        string          `json:"id"`
	Agent     string          `json:"agent"`
	Domain    string          `json:"domain"` // the pack
	Documents []trialDocument `json:"documents"`
	Query     string          `json:"query"`
	Profile   trialProfile    `json:"profile"`
	Response  string          `json:"response"`
	Decision  string          `json:"decision"`
	Revised   string          `json:"revised"`
	Reason    string          `json:"reason"`
	NextTime  string          `json:"next_time"`
	Say       string          `json:"say"` // the sentence typed with a rejection
	Probes    []trialProbe    `json:"probes"`
}

type trialDocument struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

// trialProfile is a customer as outside authors write them.
type trialProfile struct{ interaction.Customer }

// UnmarshalJSON takes an object in whatever shape its fields are.
func (p *trialProfile) UnmarshalJSON(b []byte) error {
	if b = bytes.TrimSpace(b); len(b) == 0 || b[0] != '{' {
		return errors.New("a profile is an object")
	}
	p.Customer = interaction.CustomerLoosely(b)
	return nil
}

type trialProbe struct {
	ID      string       `json:"id"`
	Query   string       `json:"query"`
	Profile trialProfile `json:"profile"`
}

// trialResult is what came of a trial.
type trialResult struct {
	ID     string        `json:"id"`
	Lesson trialLesson   `json:"lesson"`
	Probes []probeResult `json:"probes"`
}

// trialLesson is the first rule, and all of them.
type trialLesson struct {
	Outcome string `json:"outcome"` // rule, case or nothing
	trialRule
	Rules []trialRule `json:"rules"`
}

type trialRule struct {
	Label     string           `json:"label,omitempty"`
	Statement string           `json:"statement"`
	When      []rule.Condition `json:"when"`
	Do        *rule.Act        `json:"do"`
	Why       string           `json:"why"`
}

type probeResult struct {
	ID      string   `json:"id"`
	Without string   `json:"without"`
	With    string   `json:"with"`
	Rules   []string `json:"rules"` // those that the draft with them carried out
}

// maxTrialLine bounds a line, in bytes.
const maxTrialLine = 1 << 20

// Run reads all lines first: a bad one ends the command before anything was tried.
func (c *learnTrialCmd) Run(t *terminal.Terminal) error {
	in, err := t.Input(c.File)
	if err != nil {
		return err
	}
	defer in.Close()
	list, err := readTrials(in)
	if err != nil {
		return err
	}
	out := json.NewEncoder(t.Out)
	out.SetEscapeHTML(false)
	bar := t.Progress("Trying")
	for i, one := range list {
		r, err := try(t, one)
		if err != nil {
			return fmt.Errorf("trial %s: %w", one.ID, err)
		}
		if err := out.Encode(r); err != nil {
			return err
		}
		bar(i+1, len(list))
	}
	return nil
}

// readTrials reads JSON lines. Empty lines are passed over.
func readTrials(in io.Reader) (list []trial, err error) {
	lines, seen := table.NewLines(in, maxTrialLine), map[string]bool{}
	for {
		line, err := terminal.NextLine(lines, maxTrialLine)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fault.Wrap(fault.KindOf(err), err, "Line %d: %s", lines.N, fault.Message(err))
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		one, err := readTrial(line)
		if err != nil {
			return nil, fault.Wrap(fault.Invalid, err, "Line %d: %s", lines.N, fault.Message(err))
		}
		if seen[one.ID] {
			return nil, fault.New(fault.Invalid, "Line %d: another line has the id %q.", lines.N, one.ID)
		}
		seen[one.ID] = true
		list = append(list, one)
	}
	if len(list) == 0 {
		return nil, fault.New(fault.Invalid, "There is no trial in the file.")
	}
	return list, nil
}

func readTrial(line []byte) (one trial, err error) {
	if err := strict.Into(line, &one); err != nil {
		return one, fault.New(fault.Invalid, "This is not a trial: it %s.", err)
	}
	if wrong := one.check(); len(wrong) > 0 {
		return one, fault.WithFields(wrong[0].Name+": "+wrong[0].Msg, wrong...)
	}
	return one, nil
}

// check lists what is wrong with a trial.
func (one *trial) check() (wrong []fault.Field) {
	add := func(name, msg string) { wrong = append(wrong, fault.Field{Name: name, Msg: msg}) }
	need := func(name, value string) {
		if strings.TrimSpace(value) == "" {
			add(name, "This is required.")
		}
	}
	need("id", one.ID)
	need("agent", one.Agent)
	if _, ok := pack.Named(one.Domain); !ok || one.Domain == "" {
		add("domain", fmt.Sprintf("There is no pack %q.", one.Domain))
	}
	for i, doc := range one.Documents {
		need(fmt.Sprintf("documents[%d].title", i), doc.Title)
		need(fmt.Sprintf("documents[%d].text", i), doc.Text)
	}
	need("query", one.Query)
	need("response", one.Response)
	switch one.Decision {
	case review.Revise:
		need("revised", one.Revised)
		if one.Say != "" {
			add("say", "Only a rejection has a sentence to say.")
		}
	case review.Reject:
		if one.Revised != "" {
			add("revised", "Only a revision has a revised text.")
		}
	default:
		add("decision", "Write revise or reject.")
	}
	seen := map[string]bool{}
	for i, p := range one.Probes {
		name := fmt.Sprintf("probes[%d]", i)
		need(name+".id", p.ID)
		need(name+".query", p.Query)
		if seen[p.ID] {
			add(name+".id", "Another probe has this id.")
		}
		seen[p.ID] = true
	}
	return wrong
}
