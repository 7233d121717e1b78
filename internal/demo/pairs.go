package demo

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/feedback/preference"
)

//go:embed pairs.json
var pairs []byte

// side is one of the two answers of a pair.
type side struct{ Maker, Text string }

// pair is two answers to one question, and what people said of them, one after another: first, second, tie or bad.
type pair struct {
	Task, Prompt  string
	From          string // SiteChat, or whoever put it in by hand
	First, Second side
	Said          []string
}

func readPairs() (list []pair, err error) {
	if err := json.Unmarshal(pairs, &list); err != nil {
		return nil, fmt.Errorf("demo: read the pairs: %w", err)
	}
	return list, nil
}

// compare has the agent of the firm's site and a manager put pairs in, and the desk judge them blind. Some are left to
// the newcomer.
func (w *Filling) compare(ctx context.Context) error {
	list, err := readPairs()
	if err != nil {
		return err
	}
	manager := w.person(account.Manager)
	var judges []preference.Person
	for _, a := range w.Made.Accounts {
		if a.Has(account.Supervisor) || a.Has(account.Expert) {
			judges = append(judges, preference.Person{ID: a.ID, Name: a.Name})
		}
	}
	for i, p := range list {
		w.clock.Set(w.clock.Now().Add(11 * time.Minute))
		in := preference.Input{Origin: preference.Given, Task: p.Task, Prompt: p.Prompt,
			First:  preference.Response{Text: p.First.Text, Maker: p.First.Maker},
			Second: preference.Response{Text: p.Second.Text, Maker: p.Second.Maker}, By: manager}
		if p.From == SiteChat {
			in.Origin, in.AgentID, in.SourceID = preference.API, w.chat.ID, fmt.Sprintf("pair-%d", i+1)
			in.By = preference.Person{ID: w.chatToken.ID, Name: w.chat.Name}
		}
		kept, err := w.Preferences.Add(ctx, in)
		if err != nil {
			return fmt.Errorf("put pair %d in: %w", i+1, err)
		}
		for k, said := range p.Said {
			by := judges[(i+k)%len(judges)]
			w.clock.Set(w.clock.Now().Add(time.Duration(1+(i+k)%3) * time.Minute))
			if err := w.Preferences.Answer(ctx, kept.ID, onScreen(said, kept.ID, by.ID), by); err != nil {
				return fmt.Errorf("judge pair %d: %w", i+1, err)
			}
		}
	}
	return nil
}

// onScreen is what a judge presses who means the first or the second answer: each sees them in an order of their own.
func onScreen(said, pairID, judgeID string) string {
	if said != "first" && said != "second" {
		return said
	}
	if (said == "first") == (preference.Order(pairID, judgeID) == "left") {
		return preference.ABetter
	}
	return preference.BBetter
}
