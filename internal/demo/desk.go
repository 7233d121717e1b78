package demo

import (
	"context"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/comment"
	"preceptor/internal/platform/fault"
	"preceptor/internal/policy"
	"preceptor/internal/review"
)

// unsigned is which of the decisions that need a second supervisor are left to the newcomer.
const unsigned = 4

// second has the other supervisor sign what takes two.
func (w *Filling) second(ctx context.Context, i int, dec *review.Decision) error {
	if dec.State != review.Pending || i%unsigned == 0 {
		return nil
	}
	item, err := w.Reviews.Get(ctx, dec.InteractionID)
	if err != nil {
		return err
	}
	other := w.desk[0]
	if other.ID == dec.By.ID {
		other = w.desk[1]
	}
	w.clock.Set(w.clock.Now().Add(4 * time.Minute))
	_, err = w.readAndDecide(ctx, review.Input{ID: item.ID, By: other, Kind: review.Approve, Version: item.Version,
		TextHash:      item.TextHash,
		SecondsOnCase: 20 + (i*13)%50})
	return err
}

// often is after how many decided consultations a seeded check comes.
const often = 3

// plant mixes in a known-bad draft now and then, and has it decided: mostly well, sometimes not.
func (w *Filling) plant(ctx context.Context, i int, like string) error {
	if w.Planted == nil || i%often != 0 {
		return nil
	}
	caseID, err := w.Planted.Plant(ctx, like)
	if err != nil || caseID == "" {
		return err
	}
	item, err := w.Reviews.Get(ctx, caseID)
	if err != nil {
		return err
	}
	w.clock.Set(w.clock.Now().Add(6 * time.Minute))
	in := review.Input{ID: caseID, By: w.desk[i%len(w.desk)], Kind: review.Reject, Version: item.Version,
		TextHash: item.TextHash, SecondsOnCase: 50 + i,
		ReasonCode: "wrong_facts", Reason: "What it says is not right for this customer."}
	n := i / often
	switch {
	case n%5 == 1:
		in.Kind, in.Text = review.Revise,
			item.Text+"\n\nPension Wise offers free and impartial guidance on 0800 138 3944."
		in.Reason, in.OnlyCustomer = "It names no free guidance.", true
	case n%5 == 3:
		in.Kind, in.ReasonCode, in.Reason, in.SecondsOnCase = review.Approve, "", "", 9
	}
	dec, err := w.readAndDecide(ctx, in)
	if fault.Is(err, fault.Invalid) { // the check stops it
		in.Kind, in.Text, in.ReasonCode, in.OnlyCustomer = review.Reject, "", "wrong_facts", false
		dec, err = w.Reviews.Decide(ctx, in)
	}
	if err != nil {
		return err
	}
	if err := w.second(ctx, 1, dec); err != nil {
		return err
	}
	w.clock.Set(w.clock.Now().Add(Hold + time.Second))
	return w.Jobs.Drain(ctx)
}

// furnish gives the desk what a working one has: a policy that two administrators agreed on, a case that is somebody's,
// and a question among colleagues.
func (w *Filling) furnish(ctx context.Context) error {
	if err := w.agree(ctx); err != nil {
		return err
	}
	page, err := w.Reviews.List(ctx, review.Filter{State: review.Needs, Limit: 10})
	if err != nil || len(page.Items) < 4 {
		return err
	}
	if _, err := w.Reviews.Assign(ctx,
		review.Assignment{IDs: []string{page.Items[1].ID, page.Items[3].ID}, To: w.desk[0].ID,
			By: w.person(account.Manager), Lead: true}); err != nil {
		return err
	}
	if w.Comments == nil {
		return nil
	}
	asks, is := w.desk[len(w.desk)-1], w.desk[0]
	_, err = w.Comments.Add(ctx, comment.Input{CaseID: page.Items[1].ID,
		By: comment.Person{ID: asks.ID, Name: asks.Name},
		Text: "@" + is.Name +
			" you had somebody with the same scheme last week. Did we ever hear what the transfer value included?"})
	return err
}

// agree sets the rate of seeded checks as it is done: one administrator proposes, another agrees.
func (w *Filling) agree(ctx context.Context) error {
	if w.Policies == nil {
		return nil
	}
	var admins []account.Account
	for _, a := range w.Made.Accounts {
		if a.Has(account.Admin) {
			admins = append(admins, a)
		}
	}
	p := policy.Default()
	p.Planted = 0.05
	v, err := w.Policies.Propose(ctx, p, 0, "To see how much of what should not leave the desk finds.",
		admins[0].Actor())
	if err != nil {
		return err
	}
	_, err = w.Approvals.Agree(ctx, v.ID, admins[1].Actor())
	return err
}

// person is the first who has a role.
func (w *Filling) person(r account.Role) review.Person {
	for _, a := range w.Made.Accounts {
		if a.Has(r) {
			return review.Person{ID: a.ID, Name: a.Name}
		}
	}
	return review.Person{ID: audit.SystemActor, Name: By.Name}
}
