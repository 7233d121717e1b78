// Package trial takes one decision down the whole learning path in a desk of its own that is gone afterwards, and tells
// what that changes in drafts for other questions. It asks no model: the same trial gives the same result. Outside
// authors write trials, and the command learn trial reads them.
package trial

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/strict"
	"preceptor/internal/platform/table"
	"preceptor/internal/review"
	"preceptor/internal/rule"
)

// Trial is one decision and the questions on which its effect is tried.
type Trial struct {
	ID        string     `json:"id"`
	Agent     string     `json:"agent"`
	Domain    string     `json:"domain"` // the pack
	Documents []Document `json:"documents"`
	Query     string     `json:"query"`
	Profile   Profile    `json:"profile"`
	Response  string     `json:"response"`
	Decision  string     `json:"decision"`
	Revised   string     `json:"revised"`
	Reason    string     `json:"reason"`
	NextTime  string     `json:"next_time"`
	Say       string     `json:"say"` // the sentence typed with a rejection
	Probes    []Probe    `json:"probes"`
}

type Document struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

// Profile is a customer as outside authors write them.
type Profile struct{ interaction.Customer }

// UnmarshalJSON takes an object in whatever shape its fields are.
func (p *Profile) UnmarshalJSON(b []byte) error {
	if b = bytes.TrimSpace(b); len(b) == 0 || b[0] != '{' {
		return errors.New("a profile is an object")
	}
	p.Customer = interaction.CustomerLoosely(b)
	return nil
}

type Probe struct {
	ID      string  `json:"id"`
	Query   string  `json:"query"`
	Profile Profile `json:"profile"`
}

// Result is what came of a trial.
type Result struct {
	ID     string        `json:"id"`
	Lesson Lesson        `json:"lesson"`
	Probes []ProbeResult `json:"probes"`
}

// Lesson is the first rule, and all of them.
type Lesson struct {
	Outcome string `json:"outcome"` // rule, case or nothing
	Rule
	Rules []Rule `json:"rules"`
}

type Rule struct {
	Label     string           `json:"label,omitempty"`
	Statement string           `json:"statement"`
	When      []rule.Condition `json:"when"`
	Do        *rule.Act        `json:"do"`
	Why       string           `json:"why"`
}

type ProbeResult struct {
	ID      string   `json:"id"`
	Without string   `json:"without"`
	With    string   `json:"with"`
	Rules   []string `json:"rules"` // those that the draft with them carried out
}

// maxLine bounds a line, in bytes.
const maxLine = 1 << 20

// Read reads JSON lines. Empty lines are passed over.
func Read(in io.Reader) (list []Trial, err error) {
	lines, seen := table.NewLines(in, maxLine), map[string]bool{}
	for line, err := range lines.All() {
		var one Trial
		if err == nil {
			one, err = read(line)
		}
		if err != nil {
			return nil, fault.Wrap(fault.KindOf(err), err, "Line %d: %s", lines.N, fault.Message(err))
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

func read(line []byte) (one Trial, err error) {
	if err := strict.Into(line, &one); err != nil {
		return one, fault.New(fault.Invalid, "This is not a trial: it %s.", err)
	}
	if wrong := one.check(); len(wrong) > 0 {
		return one, fault.WithFields(wrong[0].Name+": "+wrong[0].Msg, wrong...)
	}
	return one, nil
}

// check lists what is wrong with a trial.
func (one *Trial) check() (wrong []fault.Field) {
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
