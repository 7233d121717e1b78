package demo_test

import (
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app"
	"preceptor/internal/demo"
	"preceptor/internal/feedback/experiment"
	"preceptor/internal/feedback/preference"
)

// The ranking separates some and leaves others open, and every judge finds pairs that wait.
func hasPairs(t *testing.T, a *app.App, made demo.Seeded) {
	ctx := t.Context()
	c, err := a.Preferences.Counts(ctx)
	if err != nil || c.Revisions < 3 || c.Given < 5 || c.API < 8 || c.Judged < 12 {
		t.Errorf("pairs: %+v, %v", c, err)
	}
	r, err := a.Preferences.Ranking(ctx)
	if err != nil || len(r.Groups) != 1 || len(r.Groups[0].Members) < 4 || !r.Groups[0].Ranked ||
		r.Groups[0].Message != "" {
		t.Fatalf("the ranking is %+v, %v", r, err)
	}
	list := r.Groups[0].Members
	for _, s := range list {
		t.Logf("%-22s %.2f (%.2f to %.2f), %d won, %d lost, %d level", s.Name, s.Chance, s.ChanceLow, s.ChanceHigh,
			s.Wins, s.Losses, s.Ties)
	}
	if first, last := list[0], list[len(list)-1]; first.ChanceLow <= last.ChanceHigh ||
		first.ChanceLow > list[1].ChanceHigh {
		t.Errorf("%s is not ahead of %s, or the answers leave nothing open", first.Name, last.Name)
	}
	for _, p := range made.Accounts {
		if !p.Has(account.Supervisor) && !p.Has(account.Expert) && !p.Has(account.Admin) {
			continue
		}
		w, err := a.Preferences.Next(ctx, preference.Person{ID: p.ID, Name: p.Name})
		if err != nil || w.Now == nil || w.Waiting < 2 {
			t.Errorf("%s finds %+v, %v", p.Name, w, err)
		}
	}
}

// One experiment has shown a benefit, and the one on memory runs for weeks and has shown nothing yet. It does not
// concern our own advisor.
func hasExperiments(t *testing.T, a *app.App) {
	ctx := t.Context()
	list, err := a.Experiments.List(ctx)
	if err != nil || len(list) != 2 {
		t.Fatalf("%d experiments, %v", len(list), err)
	}
	runs, ended := list[0], list[1]
	if l := ended.Look(); ended.State != experiment.Stopped || ended.Ended != experiment.Better ||
		ended.Counts.Total() < 60 || l.Low <= 0 {
		t.Errorf("the first ended as %q with %+v: %+v", ended.Ended, ended.Counts, l)
	}
	agent, err := a.Accounts.EnsureAgent(ctx, demo.Agent, "pension")
	if err != nil {
		t.Fatal(err)
	}
	l := runs.Look()
	t.Logf("%s: %+v of %d, %+.3f (%+.3f to %+.3f)", runs.Name, runs.Counts, runs.Total(), l.Effect, l.Low, l.High)
	if runs.State != experiment.Running || runs.Purpose != experiment.Memory || runs.AgentID == "" ||
		runs.AgentID == agent.ID || l.Ended != "" || l.Progress < 0.3 || l.Progress > 0.7 || l.Effect <= 0 {
		t.Errorf("the second is %s at %.2f: %+v", runs.State, l.Progress, l)
	}
	if got := a.DB.Now().Sub(runs.StartedAt).Hours() / 24; got < 20 {
		t.Errorf("it began %.1f days ago", got)
	}
	for _, e := range list {
		path, err := a.Experiments.Path(ctx, e.ID)
		if err != nil || len(path) < 20 {
			t.Errorf("%s has %d looks, %v", e.Name, len(path), err)
			continue
		}
		if days := path[len(path)-1].At.Sub(path[0].At).Hours() / 24; days < 2 {
			t.Errorf("the looks of %s are of %.1f days", e.Name, days)
		}
	}
}
