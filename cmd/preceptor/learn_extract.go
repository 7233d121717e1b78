package main

import (
	"encoding/json"

	"preceptor/internal/app"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/strict"
	"preceptor/internal/platform/table"
	"preceptor/internal/platform/terminal"
	"preceptor/internal/privacy"
	"preceptor/internal/signal/learned"
)

type learnExtractCmd struct {
	config.Base
	File string `arg:"" name:"file" optional:"" default:"-" help:"JSON Lines, one message per line; - for standard input."`
}

// Help is what a longer help says.
func (c *learnExtractCmd) Help() string {
	return "Reads one JSON object per line, such as {\"id\": \"1\", \"message\": \"...\"}, and writes what each " +
		"message teaches, in the same order: {\"id\", \"learnings\": [{\"category\", \"content\", \"confidence\", " +
		"\"span\"}]}. A span is the first byte and the byte after the last; once is there for a correction that is " +
		"meant for this time only. It needs no database. It stops at the " +
		"first line it can't read."
}

// extracted is the answer to a line.
type extracted struct {
	ID        json.RawMessage    `json:"id"`
	Learnings []learned.Learning `json:"learnings"`
}

// Run answers line by line.
func (c *learnExtractCmd) Run(t *terminal.Terminal) error {
	extractor, err := c.extractor()
	if err != nil {
		return err
	}
	in, err := t.Input(c.File)
	if err != nil {
		return err
	}
	defer in.Close()
	lines := table.NewLines(in, 1<<20)
	for line, err := range lines.All() {
		var one struct {
			ID      json.RawMessage
			Message *string
		}
		if err == nil {
			err = strict.Tree(line, &one)
		}
		if err == nil && (one.ID == nil || one.Message == nil) {
			err = fault.New(fault.Invalid, "An id and a message are required.")
		}
		if err != nil {
			return fault.Wrap(fault.Invalid, err, "Line %d: %s", lines.N, said(err))
		}
		list, err := extractor.Extract(t.Ctx, *one.Message, learned.Limits{})
		if err != nil {
			return err
		}
		if err := t.Line(extracted{one.ID, append([]learned.Learning{}, list...)}); err != nil {
			return err
		}
	}
	return nil
}

// extractor asks the model that the settings name, if they name one.
func (c *learnExtractCmd) extractor() (learned.Extractor, error) {
	cfg, err := c.With()
	if err != nil {
		return nil, err
	}
	gen, err := app.Generator(cfg)
	if err != nil || gen == nil {
		return learned.NewEmbedded(), err
	}
	return learned.NewPrompted(gen, privacy.New()), nil
}

// said is what was wrong with a line: faults say it to a person, and the reader of JSON in its own words.
func said(err error) string {
	if fault.Is(err, fault.Internal) {
		return "This is not a message: " + err.Error()
	}
	return fault.Message(err)
}
