package main

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"preceptor/internal/app"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/transfer"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
)

type importDatasetCmd struct {
	config.Base
	File     string            `arg:"" help:"JSON Lines, CSV, a Label Studio export or a JSON list of records; - for standard input."`
	Into     string            `required:"" placeholder:"NAME" help:"The dataset; created if it does not exist."`
	Format   string            `placeholder:"jsonl|csv|label-studio|records" help:"By default detected from the file."`
	Labels   string            `default:"final" enum:"final,rater,both,known,ignore" placeholder:"final|rater|both|known|ignore" help:"How to use labels in the file: as final labels, as labels of outside raters, as both, as answers of hidden check items, or not at all."`
	Rater    string            `placeholder:"NAME" help:"Whose labels they are, if the file does not say."`
	Guidance string            `placeholder:"FIELD" help:"The field with the text to label; by default this and the following are detected."`
	Question string            `placeholder:"FIELD" help:"The field with the customer's question."`
	Messages string            `placeholder:"FIELD" help:"The field with the conversation: a list of messages with role and text."`
	Customer string            `placeholder:"FIELD" help:"The field with the customer as JSON, or a field prefix, such as customer."`
	Label    string            `placeholder:"FIELD" help:"The field with the label."`
	Codes    string            `placeholder:"FIELD" help:"The field with issue codes."`
	Group    string            `placeholder:"FIELD" help:"The field with the template, customer or family; a group never straddles splits."`
	ID       string            `name:"id" placeholder:"FIELD" help:"The field with the file's own id."`
	Map      map[string]string `placeholder:"THEIRS=OURS" help:"Map a label in the file to one in the dataset; repeat for more."`
	JSON     bool              `name:"json" help:"Print the report as JSON."`
}

// Help is what a longer help says.
func (c *importDatasetCmd) Help() string {
	return "A row that can't be imported is reported with its line; the others are imported, and the command exits " +
		"with 2 at the end. A text that is already in the dataset is not added again; it gets the label of the file " +
		"if it has none, and a different label is reported."
}

// Run imports the file and reports what became of its rows. A row that can't be read is part of the report, the others
// go in, and the exit code tells that there was one.
func (c *importDatasetCmd) Run(t *terminal.Terminal) error {
	in, err := t.Input(c.File)
	if err != nil {
		return err
	}
	defer in.Close()
	return with(t, c.With, "/datasets", func(a *app.App) error {
		set, err := c.set(t, a)
		if err != nil {
			return err
		}
		rep, err := a.Transfer.Import(t.Ctx, set.ID, in,
			transfer.ImportOptions{Format: transfer.Format(c.Format), Name: terminal.FileName(c.File),
				Mapping: c.mapping(), Labels: c.Labels,
				Rater: c.Rater, By: dataset.Operator, Progress: t.BytesRead("Importing", in)})
		if err != nil && rep.Rows == 0 {
			return err
		}
		if err == nil && rep.Broken > 0 {
			err = fault.New(fault.Invalid, "Rows that could not be imported: %d.", rep.Broken)
		}
		if c.JSON {
			return errors.Join(t.JSON(rep), err)
		}
		return errors.Join(printRows(t, rep), err)
	})
}

// set finds the dataset or makes it.
func (c *importDatasetCmd) set(t *terminal.Terminal, a *app.App) (*dataset.Dataset, error) {
	set, err := a.Datasets.ByName(t.Ctx, c.Into)
	if !fault.Is(err, fault.NotFound) {
		return set, err
	}
	s := dataset.DefaultSettings()
	s.Name = c.Into
	return a.Datasets.Create(t.Ctx, s, dataset.Operator)
}

// mapping is nil unless a field was said; then what was not said is guessed all the same.
func (c *importDatasetCmd) mapping() *transfer.Mapping {
	m := transfer.Mapping{ID: c.ID, Group: c.Group, Customer: c.Customer, Question: c.Question, Messages: c.Messages,
		Guidance: c.Guidance,
		Label:    c.Label, Codes: c.Codes, Labels: c.Map}
	m.Guess = true
	return &m
}

func printRows(t *terminal.Terminal, r transfer.Report) error {
	w := bufio.NewWriter(t.Out)
	fmt.Fprintf(w, "%d rows: %d added, %d already there, %d invalid\n", r.Rows, r.Added, r.Duplicates, r.Broken)
	if here := r.AlreadyHere(); here != "" {
		fmt.Fprintf(w, "already there: %s\n", here)
	}
	if r.Labelled > 0 {
		fmt.Fprintf(w, "%d of those already there got the final label that they lacked\n", r.Labelled)
	}
	fmt.Fprintf(w, "fields used: %s\n", strings.Join(r.Used(), ", "))
	if len(r.Unused) > 0 {
		fmt.Fprintf(w, "not used: %s\n", strings.Join(r.Unused, ", "))
	}
	for _, p := range r.Problems {
		if p.Line > 0 {
			fmt.Fprintf(w, "line %d: ", p.Line)
		}
		fmt.Fprintln(w, p.Why)
	}
	if more := r.Broken + r.Noted - len(r.Problems); more > 0 {
		fmt.Fprintf(w, "and %d more\n", more)
	}
	return w.Flush()
}
