package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"preceptor/internal/app"
	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/evaluate"
	figures "preceptor/internal/compliance/measure"
	"preceptor/internal/pack"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
	"preceptor/internal/privacy"
)

type judgesCmd struct {
	List     judgesListCmd     `cmd:"" help:"List the compliance judges."`
	Evaluate judgesEvaluateCmd `cmd:"" help:"Measure judges, checks and the panel against experts' labels."`
}

type judgesListCmd struct {
	config.Base
	Pack string `default:"pension" placeholder:"PACK" help:"The domain: ${packs}. By default pension."`
	JSON bool   `name:"json" help:"As JSON."`
}

// Run lists the panel; no judge is asked and no database opened.
func (c *judgesListCmd) Run(t *terminal.Terminal) error {
	if err := pack.CheckName(c.Pack); err != nil {
		return err
	}
	v, err := validatorOf(c.Base)
	if err != nil {
		return err
	}
	members := evaluate.Members(v.Panel().Of(c.Pack))
	if c.JSON {
		return t.JSON(members)
	}
	w := t.Columns(0)
	fmt.Fprintln(w, "JUDGE\tANSWERED BY\tWHERE")
	for _, m := range members {
		where := "over a network"
		if m.Local {
			where = "embedded"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", m.Name, m.Identity, where)
	}
	if len(members) == 0 {
		t.Say("There are no judges; only the checks decide. Add judges with --judge or PRECEPTOR_JUDGES.")
	}
	return w.Flush()
}

// validatorOf is the validator of the settings, without a database: the seed's bands route, and the shipped rubric is
// judged by.
func validatorOf(b config.Base) (*compliance.Validator, error) {
	cfg, err := b.With()
	if err != nil {
		return nil, err
	}
	panel, err := app.Panel(cfg, privacy.New(), nil)
	if err != nil {
		return nil, err
	}
	return compliance.New(compliance.NewChecker(time.Now), panel), nil
}

type judgesEvaluateCmd struct {
	config.Base
	Dataset string `xor:"what" required:"" placeholder:"NAME" help:"A dataset, by name or id; its newest version unless --version is given. The run is saved."`
	File    string `xor:"what" required:"" type:"existingfile" placeholder:"FILE.jsonl" help:"A file of {\"id\",\"customer\",\"question\",\"guidance\",\"label\",\"codes\"} lines; nothing is saved, and no database is needed."`
	Version int    `placeholder:"N" help:"The dataset's version."`
	Pack    string `default:"pension" placeholder:"PACK" help:"The domain of a file's texts: ${packs}. By default pension, as for datasets."`
	Split   string `placeholder:"SPLIT" help:"Only train, accept or test; by default all."`
	JSON    bool   `name:"json" help:"As JSON."`
}

// report is what the command answers with.
type report struct {
	Source string `json:"source"`
	Hash   string `json:"content_hash"` // of what was asked about
	Run    int    `json:"run,omitempty"`
	evaluate.Figures
}

// Run measures and prints. A line of a file that can't be read is reported, and the exit code tells that there was one.
func (c *judgesEvaluateCmd) Run(t *terminal.Terminal) error {
	if err := pack.CheckName(c.Pack); err != nil {
		return err
	}
	if c.File != "" {
		if c.Version != 0 {
			return fault.New(fault.Invalid, "A file has no versions; leave --version out.")
		}
		return c.file(t)
	}
	return with(t, c.With, "open /compliance/judges and measure there", func(a *app.App) error {
		d, err := a.Datasets.ByName(t.Ctx, c.Dataset)
		if fault.Is(err, fault.NotFound) {
			d, err = a.Datasets.Get(t.Ctx, c.Dataset)
		}
		if err != nil {
			return err
		}
		r, err := a.Judges.Start(t.Ctx, d.ID, c.Version, c.Split, audit.System("Command"), false)
		if err != nil {
			return err
		}
		if r, err = a.Judges.Finish(t.Ctx, r.ID, t.Progress("Items")); err != nil {
			return err
		}
		if r.Figures == nil {
			return fault.New(fault.Conflict, "Run %d was stopped.", r.Number)
		}
		return c.print(t, report{Source: r.Name, Hash: r.Hash, Run: r.Number, Figures: *r.Figures})
	})
}

func (c *judgesEvaluateCmd) file(t *terminal.Terminal) error {
	v, err := validatorOf(c.Base)
	if err != nil {
		return err
	}
	f, err := t.Input(c.File)
	if err != nil {
		return err
	}
	defer f.Close()
	items, wrong, err := evaluate.ReadLines(f)
	if err != nil {
		return err
	}
	for _, w := range wrong {
		t.Say("line %d: %s", w.Line, w.Msg)
	}
	for i := range items {
		items[i].Consultation.Pack = c.Pack
	}
	if c.Split != "" {
		items = slices.DeleteFunc(items, func(it evaluate.Item) bool { return it.Split != c.Split })
	}
	if len(items) == 0 {
		return fault.New(fault.Invalid, "%s has no items to measure.", c.File)
	}
	answered, err := evaluate.AskAll(t.Ctx, v, items, t.Progress("Items"))
	if err != nil {
		return err
	}
	measured, err := evaluate.Measure(answered, evaluate.Members(v.Panel()))
	if err != nil {
		return err
	}
	measured.Steady = evaluate.Steady(v, items)
	if err := c.print(t, report{Source: c.File, Hash: evaluate.Hash(items), Figures: measured}); err != nil {
		return err
	}
	if len(wrong) > 0 {
		return fault.New(fault.Invalid, "Lines that could not be read: %d.", len(wrong))
	}
	return nil
}

func (c *judgesEvaluateCmd) print(t *terminal.Terminal, r report) error {
	if c.JSON {
		return t.JSON(r)
	}
	return errors.Join(printFigures(t.Out, r), printConfusions(t.Out, r), printCodes(t.Out, r))
}

func printFigures(out io.Writer, r report) error {
	fmt.Fprintf(out, "%s: %d items (%d compliant, %d borderline, %d violations). Intervals are exact, 95%%.\n\n",
		r.Source, r.Items, r.Truths[figures.Compliant], r.Truths[figures.Borderline], r.Truths[figures.NonCompliant])
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "\tMISSED VIOLATIONS\tFALSE ALARMS\tCLEARED\tMACRO F1\tISSUE MICRO "+
		"F1\tECE\tBRIER\tABSTAINED\tTOKENS/ITEM\tMS p50/p95")
	for _, f := range r.Who {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%.0f\t%.0f/%.0f\n", f.Name, rateWords(f.Missed),
			rateWords(f.FalseAlarm), rateWords(f.Cleared), figureWords(f.MacroF1),
			figureWords(f.Issues.Micro.F1), figureWords(f.Reliability.ECE), figureWords(f.Reliability.Brier),
			f.Abstained, f.TokensPerItem(), f.LatencyMs, f.LatencyP95Ms)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if r.Votes.Judges > 1 {
		fmt.Fprintf(out, "\nIndependent votes: %s of %d (mean correlation of errors %s)\n",
			figureWords(r.Votes.Effective), r.Votes.Judges, figureWords(r.Votes.Correlation))
	}
	for _, a := range r.Alike {
		fmt.Fprintf(out, "Correlation of %s and %s: %s\n", a.A, a.B, figureWords(a.Value))
	}
	fmt.Fprintf(out, "Sent to a person: %s\n", rateWords(r.Escalated))
	for _, s := range r.Steady {
		fmt.Fprintf(out, "Labels that change with %s: %s\n", s.Name, rateWords(s.Changed))
	}
	for _, b := range r.Agreement {
		fmt.Fprintf(out, "Mean kappa of %s with experts: %s; among experts: %s\n", b.Judge, figureWords(b.WithExperts),
			figureWords(b.AmongExperts))
	}
	if p := r.Of(evaluate.WholePanel); p != nil && p.Missed.Whole > 0 &&
		p.Missed.Whole < figures.CleanNeeded(0.05, figures.Confidence) {
		fmt.Fprintf(out, "There are %d violations; to claim at most 5%% missed, it takes %d with none missed.\n",
			p.Missed.Whole, figures.CleanNeeded(0.05, figures.Confidence))
	}
	return nil
}

func printConfusions(out io.Writer, r report) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', tabwriter.AlignRight)
	for _, f := range r.Who {
		fmt.Fprintf(w,
			"\n%s: true label, then verdict\n\tcompliant\tborderline\tnon-compliant\tprecision\trecall\tF1\t\n", f.Name)
		for i, name := range []string{"compliant", "borderline", "non-compliant"} {
			row, s := f.Confusion.Counts[i], f.Labels[i]
			fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\t%s\t%s\t\n", name, row[0], row[1], row[2], shareWords(s.Precision),
				shareWords(s.Recall), figureWords(s.F1))
		}
	}
	return w.Flush()
}

func printCodes(out io.Writer, r report) error {
	checks := r.Of(evaluate.Checks)
	if checks == nil {
		return nil
	}
	who := []*evaluate.Figure{checks}
	if p := r.Of(evaluate.WholePanel); p != nil {
		who = append(who, p)
	}
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, f := range who {
		fmt.Fprintf(w, "\n%s, by issue\tPRECISION\tRECALL\tF1\n", f.Name)
		for _, s := range f.Issues.Codes {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", s.Label, rateWords(s.Precision), rateWords(s.Recall), figureWords(s.F1))
		}
	}
	return w.Flush()
}

// rateWords is a share with its count and interval.
func rateWords(r figures.Rate) string {
	v, ok := r.Value()
	if !ok {
		return "n/a (0)"
	}
	return fmt.Sprintf("%.1f%% (%d/%d, %.1f to %.1f)", 100*v, r.Part, r.Whole, 100*r.Low, 100*r.High)
}

func shareWords(r figures.Rate) string {
	v, ok := r.Value()
	if !ok {
		return "n/a"
	}
	return fmt.Sprintf("%.2f", v)
}

func figureWords(f figures.Figure) string {
	if !f.Defined() {
		return "n/a"
	}
	return fmt.Sprintf("%.3f", f.Value)
}
