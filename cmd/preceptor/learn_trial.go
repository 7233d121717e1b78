package main

import (
	"fmt"

	"preceptor/internal/platform/terminal"
	"preceptor/internal/trial"
)

// learnCmd is about the learning path.
type learnCmd struct {
	Trial   learnTrialCmd   `cmd:"" help:"What decisions in a file teach, detected automatically, and how that changes drafts for other questions."`
	Extract learnExtractCmd `cmd:"" help:"What users' messages teach an agent, in JSON Lines."`
}

type learnTrialCmd struct {
	File string `arg:"" name:"file" optional:"" default:"-" help:"JSON Lines, one trial per line; - for standard input."`
}

// Run reads all lines first: a bad one ends the command before anything was tried.
func (c *learnTrialCmd) Run(t *terminal.Terminal) error {
	in, err := t.Input(c.File)
	if err != nil {
		return err
	}
	defer in.Close()
	list, err := trial.Read(in)
	if err != nil {
		return err
	}
	bar := t.Progress("Trying")
	for i, one := range list {
		r, err := one.Run(t.Ctx)
		if err != nil {
			return fmt.Errorf("trial %s: %w", one.ID, err)
		}
		if err := t.Line(r); err != nil {
			return err
		}
		bar(i+1, len(list))
	}
	return nil
}
