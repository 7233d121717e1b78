package demo

import (
	"context"
	_ "embed"
	"encoding/json"
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
type chat struct{ Topic, Query, Answer, Since string }

//go:embed voices.json
var voicesFile []byte

// spoken is what users ask and are answered, what they write by how they found it, what an answer about a topic has
// more once people's corrections are used, and what two agents do: the map analyst, whose units are wrong, whose notes
// say so, and who does better, and the site builder.
var spoken = func() (s struct {
	Chats                         []chat
	Pleased, Displeased, Confused []string
	Learned                       map[string]string
	Maps                          [][]done
	Site                          []done
}) {
	if err := json.Unmarshal(voicesFile, &s); err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return s
}()

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
		for _, c := range spoken.Chats {
			if c.Since != "" {
				continue
			}
			subject, err := w.Feedback.LogTx(tx,
				feedback.Observation{AgentID: w.chat.ID, AgentName: w.chat.Name, AgentType: SiteChat, Topic: c.Topic,
					Query:    c.Query,
					Response: c.Answer, At: w.clock.Now(), UserID: "member-1", SessionID: "chat-" + c.Topic,
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
			c := spoken.Chats[dice.IntN(len(spoken.Chats))]
			list = append(list, w.exchange(dice, at, c, at.After(accepted), ruleID)...)
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
	o := feedback.Observation{AgentID: w.agent.ID, AgentName: w.agent.Name, AgentType: ChatType, Topic: c.Topic,
		Query: c.Query, Response: c.Answer, At: at,
		UserID: fmt.Sprintf("member-%d", 1000+dice.IntN(4000)), SessionID: fmt.Sprintf("chat-%x", dice.Uint32()),
		ResponseMs: int64(600 + dice.IntN(1800))}
	likes := likesOther
	words := spoken.Displeased
	if c.Topic == DipTopic {
		likes = likesBefore
		if after && c.Since != "" {
			o.Response, likes, words = c.Since, likesAfter, spoken.Confused
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
		v.Value, words = 1, spoken.Pleased
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
