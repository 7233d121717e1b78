package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/feedback"
	"preceptor/internal/interaction"
	"preceptor/internal/learning"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/review"
	"preceptor/internal/rule"
)

// The demo's users talk to a chat on the firm's site. Nobody reviews it; the agent reports what it answered, and what
// users made of it.
const (
	// ChatType is what the chat calls itself.
	ChatType = "pension-chat"
	// SiteChat is an agent that is observed and not reviewed: whoever signs in may talk to it.
	SiteChat = "site-chat"
	// VoiceDays is over how many days its users are heard.
	VoiceDays = 30
	// dipDays is how many days ago a rule was accepted after which answers about one topic are liked less.
	dipDays = 8
	// DipTopic is that topic.
	DipTopic = "tax_free_cash"
	// perDay is how many questions come on a working day; fewer on others.
	perDay = 40
)

// voice is one thing that happens: a question is answered, somebody votes, an outcome comes in.
type voice struct {
	at time.Time
	do func(tx *db.Tx) error
}

// chat is one question with its answer, and the answer once the rule is in use; "" for none.
type chat struct{ topic, query, answer, since string }

// allowances are the words that the rule puts into answers.
const allowances = " The lump sum allowance is £268,275, and the lump sum and death benefit allowance is £1,073,100; " +
	"some people have protection from the earlier lifetime allowance."

var chats = []chat{
	{DipTopic, "How much of my pension can I take tax free?",
		"Usually a quarter of each pot. The rest is taxed as income when you take it.",
		"Usually a quarter of each pot, up to an allowance." + allowances +
			" The rest is taxed as income when you take it."},
	{DipTopic, "Can I take my tax-free cash and leave the rest?",
		"Yes. Many people take a quarter and leave the rest invested until they need it.",
		"Yes, within the allowances." + allowances + " What is left stays invested until you need it."},
	{DipTopic, "Do I have to take all of my tax-free cash at once?",
		"No. You can take it in parts; each part then has its own tax-free quarter.",
		"No, but each part counts towards the allowances." + allowances},
	{DipTopic, "Will my tax-free lump sum affect my benefits?",
		"It can. Savings count for means-tested benefits, so ask Citizens Advice before you take it.",
		"It can, and it counts towards the allowances." + allowances + " Ask Citizens Advice before you take it."},
	{"state_pension", "When can I get my State Pension?",
		"At 66 now, and it rises to 67 by 2028. You can look up your own date on GOV.UK.", ""},
	{"state_pension", "How do I fill gaps in my National Insurance record?",
		"Look at your forecast on GOV.UK first: it shows the gaps, what each year costs and what it would add.", ""},
	{"drawdown", "What is drawdown?", "Your pot stays invested and you take an income from it when you like. It can " +
		"go down as well as up. Would an example help?", ""},
	{"drawdown", "Can my drawdown pot run out?",
		"Yes, if you take more than it grows. Many people look at it once a year, and Pension Wise can talk it " +
			"through for free.", ""},
	{"consolidation", "Is it a good idea to put my pensions together?",
		"It can make things easier, but look at charges and at guarantees that you would lose first. Pension Wise " +
			"is free.", ""},
	{"consolidation", "How do I find an old pension?",
		"The Pension Tracing Service is free: 0800 731 0193. You need the name of the employer.", ""},
	{"scams", "Somebody called me about a pension review. Is that real?",
		"Cold calls about pensions are against the law, so it is probably a scam. You can end the call and report it.",
		""},
	{"death_benefits", "Who gets my pension when I die?",
		"Whoever you name on the provider's form, in most schemes; it is not part of your will. When did you last " +
			"look at yours?", ""},
}

// What users write, by how they found it.
var (
	pleased = []string{"Clear, thank you.", "That is exactly what I needed.", "Short and to the point.",
		"Easy to follow, thanks.", "Good to know whom to ask."}
	displeased = []string{"It did not answer my question.", "Too general.", "I still do not know what to do next."}
	confused   = []string{"I asked about my £40,000 and got figures of a million. What has that to do with me?",
		"Too many allowances. I gave up reading.",
		"What is a death benefit allowance? I only want to know what I can take.",
		"It used to be simpler. Now it is all limits that I will never reach.",
		"Had to read it three times and still do not know how much is tax free."}
)

// How likely a user is to like an answer: of other topics, of the dip's topic before, and after.
const (
	likesOther, likesBefore, likesAfter = 0.88, 0.90, 0.30
	votes                               = 0.75 // of those who ask
)

// dip has a supervisor revise a draft about tax-free cash some days ago, and an expert accept the rule that comes of
// it. It is a true rule, and a careful one; customers found that it buries what they asked for.
func (w *Filling) dip(ctx context.Context) error {
	if w.Feedback == nil {
		return nil
	}
	w.clock.Set(w.end.Add(-dipDays*24*time.Hour - 3*time.Hour))
	age := 58
	asked := interaction.Consultation{Question: "How much of my pot can I take as tax-free cash?", TaskType: DipTopic,
		Customer: interaction.Customer{Age: &age, Literacy: "medium", Pensions: []interaction.Pension{{Kind: "dc"}}}}
	iid, err := w.Interactions.Advise(ctx, asked, w.agent.ID, w.agent.Name, interaction.OriginDemo, By, nil)
	if err != nil {
		return err
	}
	if err := w.Jobs.Drain(ctx); err != nil {
		return err
	}
	in, err := w.Interactions.Get(ctx, iid)
	if err != nil {
		return err
	}
	item, err := w.Reviews.Get(ctx, iid)
	if err != nil {
		return err
	}
	w.clock.Set(w.clock.Now().Add(20 * time.Minute))
	if _, err := w.Reviews.Decide(ctx,
		review.Input{ID: iid, By: w.desk[0], Version: item.Version, TextHash: item.TextHash, SecondsOnCase: 140,
			Kind: review.Revise,
			Text: adding(
				"The lump sum allowance is £268,275, and the lump sum and death benefit allowance is £1,073,100.")(
				in.Guidance),
			Reason: "The allowances are not mentioned.",
			Statements: []rule.Statement{{When: []rule.Condition{topics(pack.TaxFreeCash)},
				Because: "some people have large pots",
				Do: rule.Act{Kind: rule.Include,
					Text: "The lump sum allowance is £268,275, and the lump sum and death benefit allowance is " +
						"£1,073,100."}}},
		}); err != nil {
		return err
	}
	w.Made.Asked, w.Made.Decided = w.Made.Asked+1, w.Made.Decided+1
	w.clock.Set(w.clock.Now().Add(Hold + time.Second))
	if err := w.Jobs.Drain(ctx); err != nil {
		return err
	}
	ruleID, err := w.acceptOf(ctx, iid)
	if err != nil {
		return err
	}
	w.voices = append(w.voices, w.talk(w.clock.Now(), ruleID)...)
	w.inOrder()
	if err := w.hear(ctx, w.clock.Now()); err != nil {
		return err
	}
	return w.liked(ctx)
}

// liked gives the agent that people of the desk may talk to some answers that two users liked, which it gives again.
func (w *Filling) liked(ctx context.Context) error {
	return w.Together(ctx, func(tx *db.Tx) error {
		for _, c := range chats {
			if c.since != "" {
				continue
			}
			subject, err := w.Feedback.LogTx(tx,
				feedback.Observation{AgentID: w.chat.ID, AgentName: w.chat.Name, AgentType: SiteChat, Topic: c.topic,
					Query:    c.query,
					Response: c.answer, At: w.clock.Now(), UserID: "member-1", SessionID: "chat-" + c.topic,
					ResponseMs: 700})
			if err != nil {
				return err
			}
			for _, user := range []string{"member-1", "member-2"} {
				if _, err := w.Feedback.VoteTx(tx,
					feedback.Vote{SubjectID: subject, UserID: user, Kind: feedback.Thumbs, Value: 1,
						Channel: feedback.ChannelWidget, At: w.clock.Now()}); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// acceptOf has an expert accept the lesson of a case, and gives its rule; "" where it did not get that far.
func (w *Filling) acceptOf(ctx context.Context, iid string) (string, error) {
	page, err := w.Learning.List(ctx, learning.Filter{Stage: learning.StageAccept, State: learning.Waiting})
	if err != nil {
		return "", err
	}
	at := slices.IndexFunc(page.Items, func(l learning.Lesson) bool {
		return l.InteractionID == iid && l.Origin == learning.Revise
	})
	if at < 0 {
		return "", nil
	}
	w.clock.Set(w.clock.Now().Add(2 * time.Hour))
	l := page.Items[at]
	if _, err := w.Learning.Accept(ctx, l.ID, nil, l.Version, w.expert[0]); err != nil {
		return "", fmt.Errorf("accept the lesson: %w", err)
	}
	w.Made.Rules++
	lessons, err := w.Learning.ForInteraction(ctx, iid)
	for _, l := range lessons {
		if l.RuleID != "" && l.Origin == learning.Revise {
			return l.RuleID, err
		}
	}
	return "", err
}

// talk is what the chat's users do over VoiceDays; the same in every demo.
func (w *Filling) talk(accepted time.Time, ruleID string) (list []voice) {
	dice := rand.New(rand.NewPCG(20261122, 7))
	for day := VoiceDays; day >= 0; day-- {
		morning := w.end.AddDate(0, 0, -day).Truncate(24 * time.Hour).Add(7 * time.Hour)
		n := perDay
		if d := morning.Weekday(); d == time.Saturday || d == time.Sunday {
			n /= 2
		}
		for range n {
			at := morning.Add(time.Duration(dice.IntN(14*60)) * time.Minute)
			list = append(list, w.exchange(dice, at, chats[dice.IntN(len(chats))], at.After(accepted), ruleID)...)
		}
	}
	return list
}

// inOrder puts what is to happen in the order of time; what would happen after now does not.
func (w *Filling) inOrder() {
	w.voices = slices.DeleteFunc(w.voices, func(v voice) bool { return v.at.After(w.end) })
	slices.SortStableFunc(w.voices, func(a, b voice) int { return a.at.Compare(b.at) })
}

// exchange is one question, its answer, and what its user made of it.
func (w *Filling) exchange(dice *rand.Rand, at time.Time, c chat, after bool, ruleID string) []voice {
	o := feedback.Observation{AgentID: w.agent.ID, AgentName: w.agent.Name, AgentType: ChatType, Topic: c.topic,
		Query: c.query, Response: c.answer, At: at,
		UserID: fmt.Sprintf("member-%d", 1000+dice.IntN(4000)), SessionID: fmt.Sprintf("chat-%x", dice.Uint32()),
		ResponseMs: int64(600 + dice.IntN(1800))}
	likes := likesOther
	words := displeased
	if c.topic == DipTopic {
		likes = likesBefore
		if after && c.since != "" {
			o.Response, likes, words = c.since, likesAfter, confused
			if ruleID != "" {
				o.Knowledge = []string{ruleID}
			}
		}
	}
	var subject string
	list := []voice{{at, func(tx *db.Tx) (err error) {
		subject, err = w.Feedback.LogTx(tx, o)
		return err
	}}}
	if dice.Float64() > votes {
		return list
	}
	liked := dice.Float64() < likes
	v := feedback.Vote{UserID: o.UserID, Kind: feedback.Thumbs, Value: -1, Channel: feedback.ChannelWidget,
		At: at.Add(time.Duration(1+dice.IntN(40)) * time.Minute)}
	if liked {
		v.Value, words = 1, pleased
	}
	if dice.IntN(5) < 2 {
		v.Kind, v.Value = feedback.Rating, float64(dice.IntN(5))
		if liked {
			v.Value = float64(6 + dice.IntN(5))
		}
	}
	if dice.IntN(5) == 0 || !liked && dice.IntN(2) == 0 {
		v.Text = words[dice.IntN(len(words))]
	}
	list = append(list, voice{v.At, func(tx *db.Tx) error {
		v.SubjectID = subject
		_, err := w.Feedback.VoteTx(tx, v)
		return err
	}})
	if dice.IntN(12) == 0 {
		list = append(list, w.outcome(dice, &subject, v, liked))
	}
	return list
}

// outcome is what a user says when they are asked a day later.
func (w *Filling) outcome(dice *rand.Rand, subject *string, v feedback.Vote, liked bool) voice {
	score := func() float64 {
		if liked {
			return float64(7 + dice.IntN(4))
		}
		return float64(2 + dice.IntN(5))
	}
	o := feedback.Outcome{Satisfaction: score(), Comprehension: score(), GoalAlignment: score(), GoalsMet: &liked,
		Channel: feedback.ChannelLink, By: v.UserID, At: v.At.Add(20 * time.Hour)}
	if !liked && v.Text != "" {
		o.Issues = []string{v.Text}
	}
	return voice{o.At, func(tx *db.Tx) error {
		o.SubjectID = *subject
		return w.Feedback.AddOutcomeTx(tx, &o)
	}}
}

// most of what is heard together in one transaction; it is of one day.
const together = 100

// firstDay are the first of list that happen on one day, together at most.
func firstDay(list []voice) []voice {
	const day = 24 * time.Hour
	n := 1
	for n < min(together, len(list)) && list[n].at.Truncate(day).Equal(list[0].at.Truncate(day)) {
		n++
	}
	return list[:n]
}

// hear has everything happen that happens until a time.
func (w *Filling) hear(ctx context.Context, until time.Time) error {
	n := 0
	for n < len(w.voices) && !w.voices[n].at.After(until) {
		n++
	}
	now := w.voices[:n]
	w.voices = w.voices[n:]
	for len(now) > 0 {
		part := firstDay(now)
		now = now[len(part):]
		w.clock.Set(part[len(part)-1].at)
		if err := w.Together(ctx, func(tx *db.Tx) error {
			for _, v := range part {
				if err := v.do(tx); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// heard has the rest happen: the chat's users until now, votes and outcomes of the guidance that was released, and the
// nights.
func (w *Filling) heard(ctx context.Context) error {
	if w.Feedback == nil {
		return nil
	}
	if err := w.hear(ctx, w.clock.Now()); err != nil {
		return err
	}
	page, err := w.Interactions.List(ctx,
		interaction.Filter{AgentID: w.agent.ID, Status: interaction.Released, Limit: 100})
	if err != nil {
		return err
	}
	for i, in := range page.Items {
		if i%3 == 2 {
			continue
		}
		if err := w.judge(ctx, i, in.ID); err != nil {
			return err
		}
	}
	if w.Night == nil {
		return nil
	}
	return w.Night(ctx)
}

// judge is what the customer of a piece of guidance thinks of it.
func (w *Filling) judge(ctx context.Context, i int, subject string) error {
	user := fmt.Sprintf("customer-%d", 200+i)
	if _, err := w.Feedback.Vote(ctx,
		feedback.Vote{SubjectID: subject, UserID: user, Kind: feedback.Rating, Value: float64(6 + i*7%5),
			Channel: feedback.ChannelLink}); err != nil {
		return err
	}
	if i%4 != 0 {
		return nil
	}
	yes := true
	sam := w.Made.Accounts[0]
	if !sam.Has(account.Supervisor) {
		return nil
	}
	_, err := w.Feedback.AddOutcome(ctx,
		feedback.Outcome{SubjectID: subject, Satisfaction: float64(7 + i%3), Comprehension: 8,
			GoalAlignment: float64(7 + i%4), GoalsMet: &yes,
			UnderstandingChecked: &yes, By: sam.ID, ByName: sam.Name, Channel: feedback.ChannelDesk})
	return err
}
