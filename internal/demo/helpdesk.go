package demo

import (
	"context"
	"embed"
	"fmt"
	"strings"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/practice"
	"preceptor/internal/review"
	"preceptor/internal/rule"
)

// Helpdesk is the demo's agent outside pensions: what the desk is for any other work.
const Helpdesk = "it-helpdesk"

//go:embed helpdesk
var helpdesk embed.FS

// tag is what the helpdesk's supervisor adds to an answer, and has said next time.
const tag = "Please send us the number on the blue sticker at the front of the printer, so that we can see its state " +
	"from here."

// tagRule is that as a rule.
var tagRule = rule.Statement{When: []rule.Condition{{Kind: rule.Mentions, Values: []string{"printer", "printing"}},
	{Kind: rule.Field, Name: "os", Op: rule.Is, Values: []string{"Windows 11"}}},
	Do:      rule.Act{Kind: rule.Include, Text: tag, Place: rule.AtEnd},
	Because: "printers change their names and keep their numbers"}

// ticket is a question to the helpdesk and what its desk does with the answer; "" leaves it waiting.
type ticket struct {
	question, os, office string
	kind                 string
}

var (
	ticketsBefore = []ticket{
		{"I've forgotten my password. How do I get a new one?", "macOS 15", "Leeds", review.Approve},
		{"The printer isn't in the list on my laptop. How do I add it?", "Windows 11", "Leeds", review.Revise},
	}
	ticketsAfter = []ticket{
		{"My jobs stay in the queue of the printer on floor 3. What can I do?", "Windows 11", "Leeds", review.Approve},
		{"The VPN drops out every few minutes at home. What should I try?", "Windows 11", "York", review.Approve},
	}
	ticketsWaiting = []ticket{
		{"There is a paper jam in the printer by the kitchen. How do I get it out?", "Windows 11", "York", ""},
		{"My screen stays black when I press the power button", "Windows 11", "Leeds", ""},
		{"How do I move the authenticator app to my new phone?", "macOS 15", "York", ""},
	}
)

// helpdesk makes the second agent: documents, decided questions, and a rule that changes the drafts after it.
func (w *Filling) helpdesk(ctx context.Context) error {
	var err error
	if w.help, err = w.Accounts.EnsureAgent(ctx, Helpdesk, pack.GeneralName); err != nil {
		return err
	}
	if err := w.Together(ctx, func(tx *db.Tx) error { return practice.TradeTx(tx, w.help.ID) }); err != nil {
		return err
	}
	if _, _, err = w.Accounts.CreateToken(ctx, Helpdesk, "", []account.Scope{account.Submit, account.Recall},
		time.Time{}, By); err != nil {
		return err
	}
	if _, err := w.Knowledge.Import(ctx, Documents(w.help.Pack),
		knowledge.ImportOptions{AgentID: w.help.ID, Pack: w.help.Pack, By: By}); err != nil {
		return err
	}
	if err := w.tickets(ctx, ticketsBefore, w.clock.Now()); err != nil {
		return err
	}
	page, err := w.Learning.List(ctx, learning.Filter{Stage: learning.StageAccept, State: learning.Waiting})
	if err != nil {
		return err
	}
	for _, l := range page.Items {
		if l.AgentID == w.help.ID {
			w.clock.Set(w.clock.Now().Add(9 * time.Minute))
			if _, err := w.Learning.Accept(ctx, l.ID, nil, l.Version, w.expert[0]); err != nil {
				return fmt.Errorf("accept the helpdesk's lesson: %w", err)
			}
		}
	}
	return w.tickets(ctx, ticketsAfter, w.clock.Now())
}

// tickets asks questions twenty minutes apart, and decides those that are to be decided.
func (w *Filling) tickets(ctx context.Context, list []ticket, from time.Time) error {
	by := audit.Actor{Kind: audit.Agent, ID: w.help.ID, Name: w.help.Name}
	for i, t := range list {
		w.clock.Set(from.Add(time.Duration(i) * 20 * time.Minute))
		asked := interaction.Consultation{Question: t.question,
			Customer: interaction.Customer{Extra: map[string]any{"os": t.os, "office": t.office}}}
		id, err := w.Interactions.Advise(ctx, asked, w.help.ID, w.help.Name, interaction.OriginDemo, by, nil)
		if err != nil {
			return err
		}
		if err := w.Jobs.Drain(ctx); err != nil {
			return err
		}
		if t.kind == "" {
			continue
		}
		item, err := w.Reviews.Get(ctx, id)
		if err != nil {
			return err
		}
		in := review.Input{ID: id, By: w.desk[i%len(w.desk)], Kind: t.kind, Version: item.Version,
			TextHash: item.TextHash, SecondsOnCase: 45}
		if t.kind == review.Revise {
			in.Text, in.Reason, in.Statements = strings.TrimRight(item.Text, "\n ")+"\n\n"+tag,
				"Without the number we look for the printer in three buildings.", []rule.Statement{tagRule}
		}
		if _, err := w.readAndDecide(ctx, in); err != nil {
			return fmt.Errorf("%q: %w", t.question, err)
		}
		w.clock.Set(w.clock.Now().Add(Hold + time.Second))
		if err := w.Jobs.Drain(ctx); err != nil {
			return err
		}
	}
	return nil
}
