package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"preceptor/internal/app"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
	"preceptor/internal/review/export"
)

type exportCmd struct {
	Decisions exportSetCmd `cmd:"" help:"Decisions: texts, differences, reasons, comments, skips, times and approvals."`
	Skips     exportSetCmd `cmd:"" help:"Who skipped which review, and why."`

	Dataset   exportDatasetCmd   `cmd:"" help:"A gold set, or a frozen version of it, with all labels."`
	Labels    exportLabelsCmd    `cmd:"" help:"Which questions people said a rule is for or isn't, as JSON Lines, to train an encoder on."`
	Knowledge exportKnowledgeCmd `cmd:"" help:"All cases and rules with their versions and status, as JSON Lines. Credit, lessons, usage and saved states are not exported."`
}

// BeforeApply tells each command what it exports.
func (c *exportCmd) BeforeApply() error {
	c.Decisions.set, c.Skips.set = export.Decisions, export.Skips
	return nil
}

type exportSetCmd struct {
	config.File
	Format  string `default:"csv" enum:"csv,jsonl" placeholder:"csv|jsonl" help:"csv for spreadsheets, jsonl for programs; jsonl leaves every byte unchanged."`
	Out     string `placeholder:"FILE" help:"The file to write; by default standard output. An existing file is never overwritten."`
	From    string `placeholder:"DAY" help:"The first day, in the desk's time zone, such as 2026-11-01."`
	To      string `placeholder:"DAY" help:"The last day."`
	Agent   string `placeholder:"NAME" help:"Only this agent."`
	Person  string `placeholder:"E-MAIL" help:"Only this person, as first or second supervisor."`
	Kind    string `placeholder:"KIND" help:"Only one kind: approve, revise, reject, return or sampled."`
	Planted string `default:"no" enum:"no,yes,only" placeholder:"no|yes|only" help:"Whether to include seeded checks; they are marked."`
	BOM     bool   `name:"bom" help:"Start CSV with a byte order mark, for Excel."`

	set export.Set
}

// Run writes the rows, and to standard error how many they were.
func (c *exportSetCmd) Run(t *terminal.Terminal) error {
	return reading(t, c.With, "/exports", func(a *app.App) (err error) {
		o, err := c.options(t, a)
		if err != nil {
			return err
		}
		if err := o.Check(); err != nil {
			return err
		}
		return writeFile(t, c.Out, func(w io.Writer) (string, error) {
			rep, err := a.Exports.Write(t.Ctx, w, o)
			return fmt.Sprintf("%d rows.", rep.Rows), err
		})
	})
}

func (c *exportSetCmd) options(t *terminal.Terminal, a *app.App) (o export.Options, err error) {
	o = export.Options{Set: c.set, Format: export.Format(c.Format), By: terminal.Operator, BOM: c.BOM,
		Filter: export.Filter{Settled: true, Kind: c.Kind, Planted: c.Planted}}
	for _, day := range []struct {
		text string
		into *time.Time
		plus int
	}{{c.From, &o.Filter.From, 0}, {c.To, &o.Filter.To, 1}} {
		if day.text == "" {
			continue
		}
		at, err := time.ParseInLocation(time.DateOnly, day.text, a.Zone)
		if err != nil {
			return o, fault.New(fault.Invalid, "%q isn't a date; write it as 2026-11-21.", day.text)
		}
		*day.into = at.AddDate(0, 0, day.plus)
	}
	if c.Agent != "" {
		agent, err := a.Accounts.AgentByName(t.Ctx, c.Agent)
		if err != nil {
			return o, err
		}
		o.Filter.AgentID = agent.ID
	}
	if c.Person != "" {
		who, err := a.Accounts.ByEmail(t.Ctx, c.Person)
		if err != nil {
			return o, err
		}
		o.Filter.PersonID = who.ID
	}
	return o, nil
}

// writeFile has write fill a file that was not there, and says what it did; for "" and "-" it is standard output.
func writeFile(t *terminal.Terminal, name string, write func(io.Writer) (done string, err error)) error {
	w, end := t.Out, func() error { return nil }
	if name != "" && name != "-" {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // it holds customers' words
		if err != nil {
			return fault.Wrap(fault.Invalid, err, "%s can't be created; does it already exist?", name)
		}
		w, end = f, f.Close
	}
	buffered := bufio.NewWriterSize(w, 1<<20)
	done, err := write(buffered)
	if err = errors.Join(err, buffered.Flush(), end()); err == nil {
		t.Say("%s", done)
	}
	return err
}
