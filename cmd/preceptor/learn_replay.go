package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"preceptor/internal/app"
	"preceptor/internal/config"
	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
)

// learnCmd is about the learning path.
type learnCmd struct {
	Replay learnReplayCmd `cmd:"" help:"What the path makes of corrections in a file, in a temporary database."`
	Trial  learnTrialCmd  `cmd:"" help:"What decisions in a file teach, guessed without a person, and what that changes in drafts for other questions."`
}

type learnReplayCmd struct {
	File      string `arg:"" name:"file" help:"JSON lines with before, after and reason or commit_subject; - for standard input."`
	Documents string `placeholder:"DIR" help:"Markdown guidance to import first, so that rules are tried beside it."`
	JSON      bool   `name:"json" help:"As JSON, one outcome for each line."`
}

// replayed is one edit and what became of it.
type replayed struct {
	ID      string `json:"id"`
	Kind    string `json:"kind,omitempty"`
	Outcome string `json:"outcome"`
	Why     string `json:"why,omitempty"`
	Rule    string `json:"rule,omitempty"`
	Number  int    `json:"rule_number,omitempty"`
	Lesson  string `json:"lesson,omitempty"` // why this lesson was picked
	Helped  int    `json:"helped,omitempty"`
	Tried   int    `json:"tried,omitempty"`
}

// replayReport is all of them, counted.
type replayReport struct {
	Edits    int                       `json:"edits"`
	Outcomes map[string]int            `json:"outcomes"`
	ByKind   map[string]map[string]int `json:"by_kind"`
	Rules    []replayedRule            `json:"rules"`
	List     []replayed                `json:"list"`
}

// replayedRule is a rule with the edits that taught it.
type replayedRule struct {
	Number int      `json:"number"`
	Text   string   `json:"text"`
	From   []string `json:"from"`
}

// replayBatch is how many edits enter the queue at once.
const replayBatch = 25

// Run opens a database of its own that is gone afterwards, and asks no model: the same file gives the same outcomes.
func (c *learnReplayCmd) Run(t *terminal) (err error) {
	edits, err := c.edits(t)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "preceptor-replay-")
	if err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	cfg, err := config.Default()
	if err != nil {
		return err
	}
	cfg.LLM = config.LLM{Provider: "embedded", Timeout: cfg.LLM.Timeout}
	cfg.DB, cfg.Log.Level = filepath.Join(dir, "replay.db"), "error"
	var report replayReport
	if err := t.with(cfg, "", func(a *app.App) (err error) {
		if err := c.documents(t, a); err != nil {
			return err
		}
		report, err = replay(t, a, edits)
		return err
	}); err != nil {
		return err
	}
	if c.JSON {
		return t.printJSON(report)
	}
	return t.printReplay(report)
}

func (c *learnReplayCmd) documents(t *terminal, a *app.App) error {
	if c.Documents == "" {
		return nil
	}
	root, err := os.OpenRoot(c.Documents)
	if err != nil {
		return fault.Wrap(fault.Invalid, err, "%s is not a folder that can be read.", c.Documents)
	}
	defer root.Close()
	_, err = a.Knowledge.ImportFrom(t.ctx, c.Documents, root.FS(), knowledge.ImportOptions{By: operator})
	return err
}

// edits reads the file whole: a bad line ends the command before anything was replayed.
func (c *learnReplayCmd) edits(t *terminal) ([]learning.Edit, error) {
	in := t.in
	if c.File != "-" {
		f, err := os.Open(c.File)
		if err != nil {
			return nil, fault.Wrap(fault.Invalid, err, "%s can't be read.", c.File)
		}
		defer f.Close()
		in = f
	}
	var out []learning.Edit
	seen := map[string]bool{}
	lines := bufio.NewReaderSize(in, 64<<10)
	for n := 1; ; n++ {
		line, err := readLine(lines)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var e learning.Edit
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fault.Wrap(fault.Invalid, err, `Line %d is not a JSON object such as {"id": "1", "before": "...", "after": "...", "reason": "..."}.`, n)
		}
		if e.Before == "" && e.After == "" {
			return nil, fault.New(fault.Invalid, "Line %d has neither before nor after, so it is no correction.", n)
		}
		if e.ID == "" {
			e.ID = fmt.Sprintf("line-%d", n)
		}
		if seen[e.ID] {
			return nil, fault.New(fault.Invalid, "Line %d has the id %s, which stands in the file already.", n, e.ID)
		}
		seen[e.ID] = true
		out = append(out, e)
	}
	if len(out) == 0 {
		return nil, fault.New(fault.Invalid, "There is no correction in %s.", c.File)
	}
	return out, nil
}

// replay takes the edits down the path in their order.
func replay(t *terminal, a *app.App, edits []learning.Edit) (replayReport, error) {
	r := replayReport{Edits: len(edits), Outcomes: map[string]int{}, ByKind: map[string]map[string]int{}}
	agent, err := agentNamed(t, a, "replay", "")
	if err != nil {
		return r, err
	}
	bar := t.progress("Replaying")
	for batch := range slices.Chunk(edits, replayBatch) {
		if err := a.DB.Write(t.ctx, func(tx *db.Tx) error {
			for _, e := range batch {
				s := e.Source()
				s.AgentID, s.AgentName = agent.ID, "replay"
				if err := a.Learning.ReplayTx(tx, s); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return r, err
		}
		if err := a.Jobs.Drain(t.ctx); err != nil {
			return r, err
		}
		for _, e := range batch {
			if err := r.add(t, a, e); err != nil {
				return r, err
			}
		}
		bar(len(r.List), len(edits))
	}
	return r, nil
}

func (r *replayReport) add(t *terminal, a *app.App, e learning.Edit) error {
	list, err := a.Learning.ForInteraction(t.ctx, e.Source().InteractionID)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return fmt.Errorf("replay: edit %s has no lesson", e.ID)
	}
	l, err := a.Learning.Get(t.ctx, list[0].ID)
	if err != nil {
		return err
	}
	one := replayed{ID: e.ID, Kind: e.Kind, Outcome: learning.Ending(*l), Why: l.Outcome, Rule: l.RuleText, Number: l.RuleNumber, Helped: l.Helpful, Tried: l.Tried}
	r.List = append(r.List, one)
	r.Outcomes[one.Outcome]++
	kind := e.Kind
	if kind == "" {
		kind = "other"
	}
	if r.ByKind[kind] == nil {
		r.ByKind[kind] = map[string]int{}
	}
	r.ByKind[kind][one.Outcome]++
	switch one.Outcome {
	case learning.EndRule:
		r.Rules = append(r.Rules, replayedRule{Number: one.Number, Text: one.Rule, From: []string{e.ID}})
	case learning.EndSame:
		if i := slices.IndexFunc(r.Rules, func(x replayedRule) bool { return x.Number == one.Number }); i >= 0 {
			r.Rules[i].From = append(r.Rules[i].From, e.ID)
		}
	}
	return nil
}

func (t *terminal) printReplay(r replayReport) error {
	var kinds, outcomes []string
	for k := range r.ByKind {
		kinds = append(kinds, k)
	}
	for o := range r.Outcomes {
		outcomes = append(outcomes, o)
	}
	slices.Sort(kinds)
	slices.SortFunc(outcomes, func(a, b string) int { return r.Outcomes[b] - r.Outcomes[a] })
	w := tabwriter.NewWriter(t.out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "EDITS\tOUTCOME\t")
	if len(kinds) > 1 {
		fmt.Fprintf(w, "%s\t", strings.ToUpper(strings.Join(kinds, "\t")))
	}
	fmt.Fprintln(w)
	for _, o := range outcomes {
		fmt.Fprintf(w, "%d\t%s\t", r.Outcomes[o], o)
		for _, k := range kinds {
			if len(kinds) > 1 {
				fmt.Fprintf(w, "%d\t", r.ByKind[k][o])
			}
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	out := &errWriter{w: t.out}
	for _, rule := range r.Rules {
		out.printf("\nR-%d, taught by %s\n  %s\n", rule.Number, strings.Join(rule.From, ", "), rule.Text)
	}
	t.say("Corrections replayed: %d; rules: %d.", r.Edits, len(r.Rules))
	return out.err
}
