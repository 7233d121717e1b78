package main

import (
	"context"
	"fmt"
	"slices"

	"preceptor/internal/account"
	"preceptor/internal/demo"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/terminal"
)

// plainTask is the task of the cases that one supervisor may approve as they stand: nothing in them asks for a second
// one.
const plainTask = "tax_free_cash"

// rareWord stands in the question of one case in a thousand, for a search that finds little.
const rareWord = "lighthouse"

// benchGuidance is a text that the check lets pass, so that it can be approved; and that one supervisor may let go: it
// names no defined benefit pension.
const benchGuidance = "Usually a quarter of a pension pot can be taken free of tax, and the rest is taxed as income " +
	"when it is paid. " +
	"Taking money out leaves less for later, and what stays invested can fall as well as rise. " +
	"This is general guidance and not a recommendation. " +
	"Pension Wise offers free and impartial guidance to people over 50, and an authorised financial adviser can " +
	"recommend what suits one person."

// blockedGuidance is one that the check stops.
const blockedGuidance = "You should transfer your pension soon and take the cash. It is the best thing that you can do."

// filler makes waiting cases as agents would send them, many in one transaction.
type filler struct {
	agents []account.Agent
	asks   []interaction.Consultation // all but those of plainTask
}

func newFiller(agents []account.Agent) (*filler, error) {
	asks, err := demo.Consultations()
	if err != nil {
		return nil, err
	}
	asks = slices.DeleteFunc(asks, func(c interaction.Consultation) bool {
		return c.TaskType == plainTask || pack.Classify(c.Question) == plainTask
	})
	return &filler{agents: agents, asks: asks}, nil
}

// fill brings the number of cases made from one number to another.
func (f *filler) fill(b *bencher, store *interaction.Store, d *db.DB, from, rows int) error {
	return b.inBatches("Waiting cases", from, rows, func(ctx context.Context, from, to int) error {
		return d.Write(ctx, func(tx *db.Tx) error {
			for i := from; i < to; i++ {
				if _, err := store.SubmitTx(tx, f.submission(i), nil); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// variants is how many different texts there are: the judge in the program reads each of them once, and not each case.
const variants = 500

// submission is the i-th. Every other one is plain; of the others one in five is stopped by the check.
func (f *filler) submission(i int) interaction.Submission {
	agent, v := f.agents[i%len(f.agents)], i%variants
	s := interaction.Submission{AgentID: agent.ID, AgentName: agent.Name, Origin: interaction.OriginAPI,
		By:       terminal.Operator,
		Guidance: fmt.Sprintf("%s (Copy %d.)", benchGuidance, v)}
	if v%2 == 0 {
		age, value := 58+v%10, float64(40_000+v*100)
		s.Consultation = interaction.Consultation{Question: "How much can I take free of tax?", TaskType: plainTask,
			Customer: interaction.Customer{Age: &age, Literacy: "high",
				Pensions: []interaction.Pension{{Kind: "dc", ValueGBP: &value}}}}
	} else {
		s.Consultation = f.asks[v/2%len(f.asks)]
		if v%10 == 1 {
			s.Guidance = fmt.Sprintf("%s (Copy %d.)", blockedGuidance, v)
		}
	}
	s.Consultation.Question += fmt.Sprintf(" (%d)", v)
	if i%1000 == 500 {
		s.Consultation.Question += " I live by the " + rareWord + "."
	}
	return s
}
