package main

import (
	"fmt"
	"strings"

	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/terminal"
	"preceptor/internal/signal/scan"
)

type scanCmd struct {
	Dir     string `arg:"" name:"dir" help:"The folder of a code base."`
	Project string `placeholder:"NAME" help:"The project's name. By default the folder's name."`
	JSON    bool   `name:"json" help:"Print JSON, for the project's patterns in observations."`
}

// Help is what a longer help says.
func (c *scanCmd) Help() string {
	return fmt.Sprintf("Shows how the code handles errors, how it is tested and how imports are grouped, for Go, "+
		"Python and TypeScript, from %d files and %d test files of each language. It reads nothing outside the "+
		"folder, follows no links and needs no database.", scan.Sample, scan.Sample)
}

// filesShown is how many files of a pattern the table names.
const filesShown = 3

// Run scans the folder and prints what it shows.
func (c *scanCmd) Run(t *terminal.Terminal) error {
	r, err := scan.Dir(t.Ctx, c.Dir, c.Project)
	if err != nil {
		return err
	}
	t.Say("%s: read %d of %d files, at most %d of each language and as many of its tests; skipped %d.",
		plainCell(r.Project), r.Read, r.Files, r.Sample, r.Skipped)
	if c.JSON {
		return t.JSON(r)
	}
	if len(r.Patterns) == 0 {
		t.Say("No patterns found.")
		return nil
	}
	w := t.Columns(0)
	fmt.Fprintf(w, "pattern\tlanguage\tshare\tcounted\thow\tfiles\n")
	for _, p := range r.Patterns {
		files := strings.Join(lists.Map(p.Files[:min(filesShown, len(p.Files))], plainCell), ", ")
		if more := len(p.Files) - filesShown; more > 0 {
			files += fmt.Sprintf(" and %d more", more)
		}
		fmt.Fprintf(w, "%s\t%s\t%.0f%%\t%d of %d %s\t%s\t%s\n", p.Name, p.Language, 100*p.Share, p.Holds, p.Of, p.Unit,
			p.Description, files)
	}
	return w.Flush()
}
