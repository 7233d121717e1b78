package main

import (
	"fmt"

	"preceptor/internal/app"
	"preceptor/internal/erase"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
)

type eraseCmd struct {
	config.File
	Subject     string `placeholder:"ID" help:"A reference of the customer as it was submitted: a customer id, an e-mail address, a number of the metadata such as an order."`
	Name        string `placeholder:"NAME" help:"The customer's name as it was submitted, instead of a reference. Others may have the same name: try --dry-run first."`
	Interaction string `placeholder:"ID" help:"One piece of guidance, instead of all of a customer's."`
	Why         string `placeholder:"TEXT" help:"The reason, such as the request number. It is kept permanently; personal data is removed from it."`
	DryRun      bool   `help:"Show what would be erased, and erase nothing."`
	JSON        bool   `name:"json" help:"As JSON."`
}

// Run erases one customer's texts for good, or says what that would be, and names what lies outside of the file.
func (c *eraseCmd) Run(t *terminal.Terminal) error {
	how, subject, err := c.whom()
	if err != nil {
		return err
	}
	open := existing
	if c.DryRun {
		open = reading
	}
	return open(t, c.With, "/admin/erasure", func(a *app.App) error {
		if c.DryRun {
			return c.preview(t, a, how, subject)
		}
		rec, err := a.Erase.Erase(t.Ctx, erase.Request{How: how, Subject: subject, Why: c.Why, By: terminal.Operator})
		if err != nil {
			return err
		}
		if c.JSON {
			err = t.JSON(map[string]any{"erasure": rec, "texts": rec.Texts(), "outside": erase.Outside})
		} else {
			err = printCounts(t, rec.Interactions, rec.Counts)
		}
		if err != nil {
			return err
		}
		outside(t)
		switch {
		case rec.State == erase.Running:
			return fault.New(fault.Unavailable,
				"A decision on some of this customer's guidance is held. Run the command again in a minute to finish.")
		case !rec.Clean:
			t.Say("The texts are gone from the pages. The write-ahead log could not be emptied yet; that happens " +
				"when the program next closes the file.")
		}
		return nil
	})
}

func (c *eraseCmd) whom() (how, subject string, err error) {
	for _, given := range [][2]string{{interaction.ByReference, c.Subject}, {interaction.ByName, c.Name},
		{interaction.ByID, c.Interaction}} {
		if given[1] == "" {
			continue
		}
		if subject != "" {
			return "", "", fault.New(fault.Invalid, "Give only one of --subject, --name and --interaction.")
		}
		how, subject = given[0], given[1]
	}
	if subject == "" {
		return "", "", fault.New(fault.Invalid,
			"Identify the customer with --subject ID, --name NAME or --interaction ID.")
	}
	return how, subject, nil
}

func (c *eraseCmd) preview(t *terminal.Terminal, a *app.App, how, subject string) error {
	p, err := a.Erase.Preview(t.Ctx, how, subject)
	if err != nil {
		return err
	}
	if c.JSON {
		return t.JSON(map[string]any{"preview": p, "outside": erase.Outside})
	}
	for _, in := range p.Interactions {
		held := ""
		if len(in.Holds) > 0 {
			held = "  under a legal hold"
		}
		if _, err := fmt.Fprintf(t.Out, "%s  %s  %s  %s%s\n", in.ID, in.CreatedAt.Format("2006-01-02"), in.Task,
			in.Status, held); err != nil {
			return err
		}
	}
	if err := printCounts(t, len(p.Interactions), p.Counts); err != nil {
		return err
	}
	for _, h := range p.Holds {
		t.Say("Blocked by a legal hold set by %s on %s: %s", h.By.Name, h.At.Format("2 January 2006"), h.Reason)
	}
	if p.Held > 0 {
		t.Say("It holds %d of the %d texts found. To erase an interaction that isn't held, use --interaction ID.",
			p.Held, len(p.Interactions)+p.Items+p.Others)
	}
	if p.People > 1 {
		t.Say("The interactions have %d different sets of references: they may be %d people with the same name.",
			p.People, p.People)
	}
	outside(t)
	return nil
}

func printCounts(t *terminal.Terminal, interactions int, counts []erase.Count) error {
	_, err := fmt.Fprintf(t.Out, "interactions %d\n", interactions)
	for _, c := range counts {
		if err == nil {
			_, err = fmt.Fprintf(t.Out, "%6d  %s\n", c.N, c.Place)
		}
	}
	return err
}

// outside says what no program can erase for the firm.
func outside(t *terminal.Terminal) {
	t.Say("What you still need to delete:")
	for _, line := range erase.Outside {
		t.Say("  %s", line)
	}
}
