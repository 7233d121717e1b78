package main

import (
	"bufio"
	"fmt"
	"io"

	"github.com/alecthomas/kong"

	"preceptor/internal/app"
	"preceptor/internal/audit"
	"preceptor/internal/evidence"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
)

// pack checks a pack by itself; only with --db on the command line against a database, too. A default would be another
// desk's as likely as the right one.
func (c *auditVerifyCmd) pack(t *terminal.Terminal, k *kong.Context) error {
	anchor, err := readAnchor(c.Anchor)
	if err != nil {
		return err
	}
	file, err := c.readPack(t)
	if err != nil {
		return err
	}
	if !given(k, "db") {
		rep, err := evidence.Verify(file, anchor)
		if err != nil {
			return err
		}
		return c.packReport(t, rep)
	}
	rep, err := evidence.Verify(file, nil) // the anchor may be later than the pack; the log goes through it or not
	if err != nil {
		return err
	}
	if err := reading(t, c.With, "/stats/packs", func(a *app.App) error {
		return rep.Against(t.Ctx, a.DB, anchor)
	}); err != nil {
		return err
	}
	return c.packReport(t, rep)
}

func (c *auditVerifyCmd) readPack(t *terminal.Terminal) ([]byte, error) {
	in, err := t.Input(c.Pack)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	b, err := io.ReadAll(io.LimitReader(in, evidence.MaxBytes+1))
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "The file %s can't be read.", c.Pack)
	}
	return b, nil
}

// packReport prints what was found, and fails when something is not as it was sealed.
func (c *auditVerifyCmd) packReport(t *terminal.Terminal, rep evidence.Report) (err error) {
	if c.JSON {
		err = t.JSON(rep)
	} else {
		w := bufio.NewWriter(t.Out)
		fmt.Fprintf(w, "kind %s\nsubject %s\ntitle %s\n", rep.Kind, rep.Subject, rep.Title)
		fmt.Fprintf(w, "made %s by %s\n", evidence.When(rep.MadeAt), rep.MadeBy)
		fmt.Fprintf(w, "parts %d\ntexts %d\nrows %d\nerased %d\nlinks %d\ngaps %d\n", rep.Parts, rep.Texts, rep.Rows,
			rep.Erased, rep.Links, rep.Gaps)
		fmt.Fprintf(w, "head %s\nseal %s\n", headText(rep.Head), headText(rep.Seal))
		if rep.Log != nil {
			fmt.Fprintf(w, "log %s\nerased_since %d\n", headText(rep.Log.Head), rep.Log.ErasedSince)
		}
		err = w.Flush()
	}
	if err != nil {
		return err
	}
	if rep.Bad != nil {
		return terminal.Finding(fmt.Sprintf("The file doesn't match its seal: %s: %s", rep.Bad.What, rep.Bad.Why))
	}
	if rep.Log == nil {
		t.Say("The file is consistent. To check its seal against the server's log, use --db FILE or a head kept " +
			"elsewhere (--anchor).")
	}
	if rep.Log != nil && rep.Log.ErasedSince > 0 {
		t.Say("The content of %d rows that this file still shows has been erased on the server: destroy the file, "+
			"unless the law says otherwise.", rep.Log.ErasedSince)
	}
	return nil
}

func headText(h audit.Head) string { return fmt.Sprintf("%d %s", h.Seq, h.Hash) }

// given reports whether a flag stands on the command line itself.
func given(k *kong.Context, name string) bool {
	for _, p := range k.Path {
		if p.Flag != nil && p.Flag.Name == name {
			return true
		}
	}
	return false
}
