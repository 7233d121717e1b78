package demo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/review"
)

// Days is how far back the demo begins: with what was tried out before. deskDays is how far back the desk's work does.
const (
	Days     = 30
	deskDays = 9
)

// slack is how long what follows the last consultation takes on the demo's clock: nothing is dated ahead of now.
const slack = 25 * time.Minute

// By is the demo as the audit log names it.
var By = audit.System("Demo")

// Seeded says what the demo made.
type Seeded struct {
	Accounts  []account.Account
	Token     string // of Agent, for every scope
	ChatToken string // of SiteChat, which is observed and not reviewed: for feedback
	Documents knowledge.ImportReport
	Asked     int // consultations drafted
	Decided   int
	Rules     int // accepted by the demo's experts
}

// Filling is a demo that is being made.
type Filling struct {
	Services
	Made   Seeded
	clock  *Clock
	end    time.Time
	agent  account.Agent      // drafts guidance, which people review
	chat   account.Agent      // answers on the firm's site, and is observed
	help   account.Agent      // answers colleagues about their computers, which people review
	desk   []review.Person    // who decides, in turn
	expert []knowledge.Person // who accepts, in turn

	chatToken account.Token
	voices    []voice // what users do and say, in the order of time; those that were heard are gone
}

// Begin makes the people and the tokens of a demo in the fresh database behind s, which a newcomer needs first. clock
// is the database's clock, standing Days ago.
func Begin(ctx context.Context, s Services, clock *Clock) (*Filling, error) {
	f := &Filling{Services: s, clock: clock, end: time.Now().Add(-slack)}
	return f, f.people(ctx)
}

// Fill makes the rest; the clock is live afterwards. The job queue must not run yet. progress hears how many of the
// drafts are made.
func (w *Filling) Fill(ctx context.Context, progress func(done, total int)) error {
	for _, step := range []struct {
		what string
		do   func(ctx context.Context) error
	}{
		{"what was tried before", w.past},
		{"import the guidance", w.documents},
		{"label the gold set", w.gold},
		{"the rule that customers disliked", w.dip},
		{"the IT helpdesk", w.helpdesk},
		{"consultations", func(ctx context.Context) error { return w.consultations(ctx, progress) }},
		{"furnish the desk", w.furnish},
		{"what comes back", w.back},
		{"what waits for the IT helpdesk", func(ctx context.Context) error {
			return w.tickets(ctx, ticketsWaiting, w.end.Add(-time.Hour))
		}},
		{"agents at work", w.agentsAtWork},
		{"settle some lessons", w.board},
		{"leave something to look at", w.doubts},
		{"what users said", w.heard},
	} {
		if err := step.do(ctx); err != nil {
			return fmt.Errorf("demo: %s: %w", step.what, err)
		}
	}
	w.clock.Live()
	return nil
}

func (w *Filling) documents(ctx context.Context) (err error) {
	w.Made.Documents, err = w.Knowledge.Import(ctx, Guidance(),
		knowledge.ImportOptions{AgentID: w.agent.ID, Pack: w.agent.Pack, By: By})
	return err
}

// consultations has the drafts of days made and decided, in the order of time.
func (w *Filling) consultations(ctx context.Context, progress func(done, total int)) error {
	list, err := readConsultations()
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(a asked) bool { return a.Plan == later })
	slices.SortStableFunc(list, func(a, b asked) int { return int(b.HoursAgo*60) - int(a.HoursAgo*60) })
	for done := 0; done < len(list); {
		burst := firstBurst(list[done:])
		if err := w.hear(ctx, w.end.Add(-time.Duration(burst[0].HoursAgo*float64(time.Hour)))); err != nil {
			return err
		}
		if err := w.burst(ctx, done, burst); err != nil {
			return fmt.Errorf("%d to %d: %w", done+1, done+len(burst), err)
		}
		done += len(burst)
		progress(done, len(list))
	}
	return nil
}

func (w *Filling) people(ctx context.Context) error {
	for _, p := range People {
		p.Password = id.Secret(24)
		a, err := w.Accounts.Add(ctx, p, By)
		if err != nil {
			return fmt.Errorf("demo: add %s: %w", p.Name, err)
		}
		w.Made.Accounts = append(w.Made.Accounts, a)
		if a.Has(account.Supervisor) {
			w.desk = append(w.desk, review.Person{ID: a.ID, Name: a.Name})
		}
		if a.Has(account.Expert) {
			w.expert = append(w.expert,
				knowledge.Person{ID: a.ID, Name: a.Name, Roles: []string{string(account.Expert)}})
		}
	}
	var err error
	if w.agent, err = w.Accounts.EnsureAgent(ctx, Agent, pack.Pension); err != nil {
		return fmt.Errorf("demo: add the agent: %w", err)
	}
	w.Made.Token, _, err = w.Accounts.CreateToken(ctx, Agent, pack.Pension,
		[]account.Scope{account.Submit, account.Recall, account.Feedback}, time.Time{}, By)
	if err != nil {
		return fmt.Errorf("demo: make a token: %w", err)
	}
	if w.chat, err = w.Accounts.EnsureAgent(ctx, SiteChat, pack.Pension); err != nil {
		return fmt.Errorf("demo: add the chat: %w", err)
	}
	if w.Made.ChatToken, w.chatToken, err = w.Accounts.CreateToken(ctx, SiteChat, pack.Pension,
		[]account.Scope{account.Feedback}, time.Time{}, By); err != nil {
		return fmt.Errorf("demo: make a token for the chat: %w", err)
	}
	return nil
}

// most is how many consultations a burst has: customers come in bursts, and drafting them together is quicker.
const most = 4

// firstBurst are the first consultations of list that come within minutes of each other. One that stays on the desk
// comes alone, at the time it is meant to have waited for.
func firstBurst(list []asked) []asked {
	n := 1
	for n < min(most, len(list)) && list[0].Plan != wait && list[n].Plan != wait {
		n++
	}
	return list[:n]
}

// burst asks consultations a minute apart, has them drafted, and then has them decided one after another.
func (w *Filling) burst(ctx context.Context, first int, list []asked) error {
	actor := audit.Actor{Kind: audit.Agent, ID: w.agent.ID, Name: w.agent.Name}
	at := w.end.Add(-time.Duration(list[0].HoursAgo * float64(time.Hour)))
	ids := make([]string, len(list))
	for i, a := range list {
		w.clock.Set(at.Add(time.Duration(i) * time.Minute))
		var err error
		if ids[i], err = w.Interactions.Advise(ctx, a.Consultation, w.agent.ID, w.agent.Name, interaction.OriginDemo,
			actor, nil); err != nil {
			return err
		}
	}
	if err := w.Jobs.Drain(ctx); err != nil {
		return err
	}
	w.Made.Asked += len(list)
	for i, a := range list {
		if a.Plan == wait && (first+i)%3 != 0 { // experts do not wait for supervisors
			if err := w.rule(ctx, ids[i], a.Plan); err != nil {
				return fmt.Errorf("an expert's ruling: %w", err)
			}
		}
		if a.Plan == wait {
			continue
		}
		w.clock.Set(w.clock.Now().Add(time.Duration(2+((first+i)*17)%23) * time.Minute))
		if err := w.rule(ctx, ids[i], a.Plan); err != nil {
			return fmt.Errorf("an expert's ruling: %w", err)
		}
		if err := w.settle(ctx, first+i, ids[i], a.Plan); err != nil {
			return err
		}
		if err := w.plant(ctx, first+i, ids[i]); err != nil {
			return err
		}
	}
	return nil
}

// settle decides a case as planned, lets the hold pass and the lesson be learned, and has an expert look at the board.
func (w *Filling) settle(ctx context.Context, i int, iid string, p plan) error {
	decided, err := w.decide(ctx, i, iid, p)
	if err != nil || !decided {
		return err
	}
	w.Made.Decided++
	w.clock.Set(w.clock.Now().Add(Hold + time.Second))
	if err := w.Jobs.Drain(ctx); err != nil {
		return err
	}
	return w.accept(ctx)
}

// decide decides the case as planned. A draft that can't be approved as it stands is revised when it lacks a signpost
// or is too personal, and otherwise stays on the desk: nobody in the demo teaches the DB warning.
func (w *Filling) decide(ctx context.Context, i int, iid string, p plan) (bool, error) {
	item, err := w.Reviews.Get(ctx, iid)
	if err != nil {
		return false, err
	}
	in, err := w.Interactions.Get(ctx, iid)
	if err != nil {
		return false, err
	}
	if flagged(item, "MISSING_DB_WARNING") {
		return false, nil
	}
	if p == approve && !item.Assessment.Passed {
		if p = mending(item); p == wait {
			return false, nil
		}
	}
	decision := review.Input{
		ID: iid, By: w.desk[i%len(w.desk)], Version: item.Version, TextHash: item.TextHash,
		SecondsOnCase: 35 + (i*29)%160,
	}
	if r, ok := revisions[p]; ok {
		decision.Kind, decision.Text, decision.Reason, decision.Statements = review.Revise, r.edit(in.Guidance),
			r.reason, r.statements()
		if decision.Text == in.Guidance {
			decision.Kind, decision.Text, decision.Statements = review.Approve, "", nil // there was nothing to mend
		}
	} else if r, ok := rejections[p]; ok {
		decision.Kind, decision.ReasonCode, decision.Reason = review.Reject, r.ReasonCode, r.Reason
	} else {
		decision.Kind = review.Approve
	}
	if decision.Kind == review.Approve && i%9 == 4 {
		decision.SecondsOnCase = 6 // somebody was in a hurry
	}
	dec, err := w.readAndDecide(ctx, decision)
	if fault.Is(err, fault.Invalid) {
		return false, nil // the text would not pass; it stays on the desk
	}
	if err != nil {
		return false, err
	}
	return true, w.second(ctx, i, dec)
}

// readAndDecide takes a case, reads it for as long as the decision says, and decides: what the page would measure.
func (w *Filling) readAndDecide(ctx context.Context, in review.Input) (*review.Decision, error) {
	if err := w.Reviews.Claim(ctx, in.ID, in.By); err != nil && !fault.Is(err, fault.Conflict) {
		return nil, err
	}
	w.clock.Set(w.clock.Now().Add(time.Duration(in.SecondsOnCase) * time.Second))
	return w.Reviews.Decide(ctx, in)
}

func flagged(item *review.Item, code string) bool {
	return slices.ContainsFunc(item.Assessment.Flags, func(f review.Flag) bool { return f.Code == code })
}

// mending is the revision for a draft that does not pass; wait when there is none.
func mending(item *review.Item) plan {
	switch {
	case flagged(item, "PERSONAL_RECOMMENDATION"):
		return "revise_personal"
	case flagged(item, "MISSING_SIGNPOST"):
		return "revise_signpost"
	}
	return wait
}

// leave is how many lessons the demo's experts leave to the newcomer.
const leave = 2

// accept has an expert accept what has waited, but for the last few lessons.
func (w *Filling) accept(ctx context.Context) error {
	page, err := w.Learning.List(ctx, learning.Filter{Stage: learning.StageAccept, State: learning.Waiting})
	if err != nil {
		return err
	}
	// What checks and judges teach waits for the newcomer: it takes more thought than a demo has.
	taught := slices.DeleteFunc(page.Items, func(l learning.Lesson) bool {
		return l.Origin != learning.Revise && l.Origin != learning.Reject
	})
	if len(taught) <= leave {
		return nil
	}
	oldest := taught[len(taught)-1]
	w.clock.Set(w.clock.Now().Add(3 * time.Minute))
	by := w.expert[w.Made.Rules%len(w.expert)]
	if _, err := w.Learning.Accept(ctx, oldest.ID, nil, oldest.Version, by); err != nil {
		return fmt.Errorf("accept a lesson: %w", err)
	}
	w.Made.Rules++
	return nil
}
