package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"preceptor/internal/account"
	"preceptor/internal/app"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/table/imports"
	"preceptor/internal/platform/terminal"
)

type importCmd struct {
	Documents importDocumentsCmd `cmd:"" help:"Turn guidance documents (PDF, Word, HTML, Markdown, text) into cases, one per section."`
	Dataset   importDatasetCmd   `cmd:"" help:"Add rows from a file to a gold set."`
	Knowledge importKnowledgeCmd `cmd:"" help:"Import cases and rules written by export knowledge. The previous base is saved as a state; rules that were waiting wait here too."`
}

type importDocumentsCmd struct {
	config.Base
	Dir   string `arg:"" name:"dir" help:"The folder; subfolders are read too. Or the address of a web page."`
	Agent string `placeholder:"NAME" help:"Only for this agent; by default for all agents of the pack."`
	Pack  string `placeholder:"PACK" help:"The domain of the documents, and of a new agent: ${packs}. By default the agent's, or the one in which all agents work."`
	JSON  bool   `name:"json" help:"Print the report as JSON."`
}

// Help is what a longer help says.
func (c *importDocumentsCmd) Help() string {
	return "A file that can't be read is reported; the others are imported, and the command exits with 2 at the end. " +
		"Files that are no guidance documents, such as a README, are left out and are no failure."
}

// Run imports the folder and reports what became of each file. A file that can't be read is part of the report, the
// others are imported, and the exit code tells that there was one.
func (c *importDocumentsCmd) Run(t *terminal.Terminal) error {
	var root *os.Root
	if !c.address() {
		var err error
		if root, err = os.OpenRoot(c.Dir); err != nil { // no link leads out of it
			return fault.Wrap(fault.Invalid, err, "%s is not a folder that can be read.", c.Dir)
		}
		defer root.Close()
	}
	return with(t, c.With, "/admin/import", func(a *app.App) error {
		agent, err := agentNamed(t, a, c.Agent, c.Pack)
		if err != nil {
			return err
		}
		bar := t.Progress("Importing")
		var report knowledge.ImportReport
		err = a.Imports.Do(t.Ctx, imports.Run{Kind: imports.Documents, Subject: agent.ID, Source: c.Dir,
			ByID: terminal.Operator.ID, By: terminal.Operator.Name},
			func(ctx context.Context, _ func(done, total int)) (any, error) {
				o := knowledge.ImportOptions{Source: c.Dir, AgentID: agent.ID, Pack: agent.Pack, By: terminal.Operator,
					Progress: bar}
				if root == nil {
					report, err = a.Knowledge.ImportAddresses(ctx, []string{c.Dir}, o)
				} else {
					o.Folder, _ = filepath.Abs(c.Dir)
					report, err = a.Knowledge.Import(ctx, root.FS(), o)
				}
				return report.Kept(), err
			})
		if err != nil {
			return err
		}
		broken := 0
		for _, s := range report.Skipped {
			if s.Bad {
				broken++
			}
		}
		if broken > 0 {
			err = fault.New(fault.Invalid, "Files that could not be imported: %d.", broken)
		}
		if c.JSON {
			return errors.Join(t.JSON(report), err)
		}
		return errors.Join(printImport(t, report), err)
	})
}

func (c *importDocumentsCmd) address() bool {
	return strings.HasPrefix(c.Dir, "https://") || strings.HasPrefix(c.Dir, "http://")
}

// agentNamed is the agent of this name, which is made if it is missing; for no name, nobody with the pack alone.
func agentNamed(t *terminal.Terminal, a *app.App, name, packName string) (account.Agent, error) {
	made, err := a.Accounts.PackFor(t.Ctx, name, packName)
	if err != nil || name == "" {
		return account.Agent{Pack: made}, err
	}
	agent, err := a.Accounts.EnsureAgentBy(t.Ctx, name, made, terminal.Operator)
	if err == nil {
		err = agent.CheckPack(packName)
	}
	return agent, err
}

func printImport(t *terminal.Terminal, r knowledge.ImportReport) error {
	w := bufio.NewWriter(t.Out)
	fmt.Fprintf(w, "%d files: %d sections imported, %d updated, %d unchanged, %d retired, %d back in use, "+
		"%d stay retired\n", r.Files, r.Imported, r.Updated, r.Unchanged, r.Retired, r.Restored, r.StayRetired)
	for _, s := range r.Skipped {
		at := s.File
		if s.Line > 0 {
			at = fmt.Sprintf("%s:%d", s.File, s.Line)
		}
		word := "left out"
		if s.Bad {
			word = "broken"
		} else if s.Note {
			word = "note on"
		}
		fmt.Fprintf(w, "%s %s: %s\n", word, at, s.Why)
	}
	for _, f := range r.Flagged {
		for _, flag := range f.Flags {
			fmt.Fprintf(w, "flagged %s: %s: %s\n", f.Source, flag.Code, flag.Why)
		}
	}
	for _, p := range r.Duplicates {
		fmt.Fprintf(w, "near-duplicates %s and %s (%.2f)\n", p.A, p.B, p.Similarity)
	}
	return w.Flush()
}
