package main

import (
	"fmt"
	"os"

	"github.com/alecthomas/kong"

	"preceptor/internal/app"
	"preceptor/internal/audit"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
)

type auditCmd struct {
	Verify auditVerifyCmd `cmd:"" help:"Check the audit log and print its head."`
}

type auditVerifyCmd struct {
	config.File
	Anchor string `placeholder:"FILE" help:"A head that was kept elsewhere, as printed by --json under head; detects rows cut off at the end."`
	Export string `placeholder:"FILE" help:"Check a JSON Lines export instead of the database; - for standard input."`
	Pack   string `placeholder:"FILE" help:"Check an evidence report or a report on a period; with --db FILE, against that server's log too; - for standard input."`
	JSON   bool   `name:"json" help:"As JSON."`
}

// Run prints the head, or names the first bad row and ends with a failure.
func (c *auditVerifyCmd) Run(t *terminal.Terminal, k *kong.Context) error {
	if c.Pack != "" {
		return c.pack(t, k)
	}
	if c.Export != "" {
		return c.export(t)
	}
	anchor, err := readAnchor(c.Anchor)
	if err != nil {
		return err
	}
	return reading(t, c.With, "/admin/audit", func(a *app.App) error {
		report, err := audit.Verify(t.Ctx, a.DB, anchor)
		if err != nil {
			return err
		}
		if c.JSON {
			err = t.JSON(report)
		} else {
			_, err = fmt.Fprintf(t.Out, "rows %d\nerased %d\nhead %d %s\n", report.Rows, report.Erased, report.Head.Seq,
				report.Head.Hash)
		}
		if err == nil && report.Bad != nil {
			return terminal.Finding(fmt.Sprintf("The record was changed at row %d: %s", report.Bad.Seq, report.Bad.Why))
		}
		return err
	})
}

// export checks a file by itself: no database is needed, and none is opened.
func (c *auditVerifyCmd) export(t *terminal.Terminal) error {
	in, err := t.Input(c.Export)
	if err != nil {
		return err
	}
	defer in.Close()
	report, err := audit.VerifyExport(in)
	if err != nil {
		return err
	}
	if c.JSON {
		err = t.JSON(report)
	} else {
		_, err = fmt.Fprintf(t.Out, "rows %d\nerased %d\nfirst %d\ngaps %d\nhead %d %s\n", report.Rows, report.Erased,
			report.First, report.Gaps, report.Head.Seq, report.Head.Hash)
	}
	if err == nil && report.Bad != nil {
		return terminal.Finding(fmt.Sprintf("The export doesn't match what was recorded: row %d: %s", report.Bad.Seq,
			report.Bad.Why))
	}
	return err
}

// readAnchor reads a head kept as JSON, {"seq":..,"hash":".."}, or a whole report with one; nil for no file.
func readAnchor(name string) (*audit.Head, error) {
	if name == "" {
		return nil, nil
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "The anchor %s can't be read.", name)
	}
	head, err := audit.ParseHead(b)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "The anchor %s %s.", name, err)
	}
	return head, nil
}
