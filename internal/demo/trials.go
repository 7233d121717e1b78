package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/feedback"
	"preceptor/internal/feedback/experiment"
	"preceptor/internal/platform/db"
)

// What was tried before the desk's days, in days ago. Both are about the chat on the firm's site: what the newcomer
// asks our advisor for is always drafted with all that it has learned.
const (
	promptAgo   = 29 // began an experiment that has ended
	memoryAgo   = 21 // began one that still runs
	pairsAgo    = 14 // people judged pairs
	promptEvery = 40 * time.Minute
	memoryUsers = 270 // in memoryAgo days; three of four vote
)

// The aims of the two, and how good the outcomes really are: treatment, then control.
var (
	promptAim   = experiment.Aim{Baseline: 0.70, Effect: 0.15, Alpha: 0.05, Power: 0.80, Split: 0.5}
	promptTruth = [2]float64{0.90, 0.68}
	memoryAim   = experiment.Aim{Baseline: 0.72, Effect: 0.12, Alpha: 0.05, Power: 0.80, Split: 0.5}
	memoryTruth = [2]float64{0.82, 0.74}
)

// past is what there was before the desk's days: an experiment that ended, one that still runs, and pairs of answers
// that were judged.
func (w *Filling) past(ctx context.Context) error {
	if w.Feedback != nil && w.Experiments != nil {
		if err := w.tryPrompt(ctx); err != nil {
			return fmt.Errorf("an experiment that ended: %w", err)
		}
		if err := w.tryMemory(ctx); err != nil {
			return fmt.Errorf("an experiment that runs: %w", err)
		}
		if err := w.hear(ctx, w.ago(pairsAgo)); err != nil {
			return err
		}
	}
	w.clock.Set(w.ago(pairsAgo))
	if w.Preferences != nil {
		if err := w.compare(ctx); err != nil {
			return fmt.Errorf("pairs: %w", err)
		}
	}
	if err := w.hear(ctx, w.ago(deskDays)); err != nil {
		return err
	}
	w.clock.Set(w.ago(deskDays))
	return nil
}

func (w *Filling) ago(days int) time.Time { return w.end.Add(-time.Duration(days) * 24 * time.Hour) }

// begin plans an experiment on the chat of the site, and starts it.
func (w *Filling) begin(ctx context.Context, in experiment.Input, aim experiment.Aim) (*experiment.Experiment, error) {
	manager := w.person(account.Manager)
	by := manager
	in.AgentID, in.AgentName = w.chat.ID, w.chat.Name
	e, err := w.Experiments.Create(ctx, in, aim, by)
	if err != nil {
		return nil, err
	}
	w.clock.Set(w.clock.Now().Add(25 * time.Minute))
	return e, w.Experiments.Start(ctx, e.ID, by)
}

// tryPrompt has the chat try a new prompt and report how it went, until a stop rule ends it.
func (w *Filling) tryPrompt(ctx context.Context) error {
	w.clock.Set(w.ago(promptAgo))
	e, err := w.begin(ctx, experiment.Input{Name: "Prompt 4 for the site chat", Purpose: experiment.Prompt,
		Treatment: "prompt 4", Control: "prompt 3", Metric: experiment.Satisfaction}, promptAim)
	if err != nil {
		return err
	}
	dice := rand.New(rand.NewPCG(20261122, 9))
	for i := 0; i < e.Total() && e.State != experiment.Stopped; i++ {
		w.clock.Set(w.clock.Now().Add(promptEvery))
		arm, truth := armAt(i, promptTruth)
		subject := fmt.Sprintf("session-%d", 4000+i)
		if _, err := w.Experiments.Assign(ctx, e.ID,
			experiment.Ask{AgentID: w.chat.ID, User: userIn(e, i, arm), Subject: subject}); err != nil {
			return err
		}
		if e, err = w.Experiments.Outcome(ctx, e.ID, w.chat.ID,
			experiment.Result{Subject: subject, Good: dice.Float64() < truth}); err != nil {
			return err
		}
	}
	return nil
}

// tryMemory starts the experiment that runs, and has users of the chat ask and vote from then until now; not all of
// them have been heard when it returns.
func (w *Filling) tryMemory(ctx context.Context) error {
	w.clock.Set(w.ago(memoryAgo))
	e, err := w.begin(ctx, experiment.Input{Name: "Does what we learned help the site chat?",
		Purpose: experiment.Memory, Metric: experiment.Vote}, memoryAim)
	if err != nil {
		return err
	}
	var calm []chat
	for _, c := range spoken.Chats {
		if c.Since == "" {
			calm = append(calm, c)
		}
	}
	dice := rand.New(rand.NewPCG(20261122, 31))
	began := w.clock.Now()
	every := w.end.Sub(began) / (memoryUsers + 1)
	for i := range memoryUsers {
		arm, truth := armAt(i, memoryTruth)
		c := calm[dice.IntN(len(calm))]
		o := feedback.Observation{AgentID: w.chat.ID, AgentName: w.chat.Name, AgentType: SiteChat, Topic: c.Topic,
			Query: c.Query, Response: c.Answer,
			At: began.Add(time.Duration(i+1) * every), UserID: userIn(e, i, arm),
			SessionID: fmt.Sprintf("site-%x", dice.Uint32()), ResponseMs: int64(500 + dice.IntN(1500))}
		if arm == experiment.Treatment {
			o.Response += spoken.Learned[c.Topic]
		}
		w.voices = append(w.voices, w.tried(dice, o, truth)...)
	}
	w.inOrder()
	return nil
}

// tried is one question to the chat in the experiment on memory, and the vote of who asked, where there is one.
func (w *Filling) tried(dice *rand.Rand, o feedback.Observation, truth float64) []voice {
	var subject string
	list := []voice{{o.At, func(tx *db.Tx) (err error) {
		if subject, err = w.Feedback.LogTx(tx, o); err != nil {
			return err
		}
		_, err = w.Experiments.ArmTx(tx, experiment.Ask{AgentID: o.AgentID, User: o.UserID, Subject: subject})
		return err
	}}}
	v := feedback.Vote{UserID: o.UserID, Kind: feedback.Thumbs, Value: -1, Channel: feedback.ChannelWidget,
		At: o.At.Add(time.Duration(1+dice.IntN(20)) * time.Minute)}
	if dice.Float64() < truth {
		v.Value = 1
	}
	if dice.Float64() > votes {
		return list
	}
	return append(list, voice{v.At, func(tx *db.Tx) error {
		v.SubjectID = subject
		_, err := w.Feedback.VoteTx(tx, v)
		return err
	}})
}

// armAt is in which arm who comes next is, by turns, and how likely the outcome is good there.
func armAt(i int, truth [2]float64) (string, float64) {
	if i%2 == 0 {
		return experiment.Treatment, truth[0]
	}
	return experiment.Control, truth[1]
}

// userIn names the i-th person, whom the experiment puts into this arm: ids of experiments differ from demo to demo,
// and the figures should not.
func userIn(e *experiment.Experiment, i int, arm string) string {
	for n := 1000 + 100*i; ; n++ {
		if user := fmt.Sprintf("visitor-%d", n); experiment.ArmOf(e.ID, user, e.Split) == arm {
			return user
		}
	}
}
