package app

import (
	"context"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/embedded"
	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/compliance/prompted"
	"preceptor/internal/interaction"
	"preceptor/internal/learning"
	"preceptor/internal/llm"
	"preceptor/internal/pack"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db"
	"preceptor/internal/practice/drill"
	"preceptor/internal/privacy"
	"preceptor/internal/review"
)

// Panel is who votes on compliance: the judge in the program, with what the firm taught it (nil for nothing), and those
// that the settings name. Each of the latter has a model of its own, so that the breaker of one that is down stands
// before no other.
func Panel(cfg config.Config, priv *privacy.Pseudonymiser, taught embedded.Taught) (compliance.Panel, error) {
	p := panel(taught)
	list, err := cfg.JudgeList()
	if err != nil {
		return p, err
	}
	for _, j := range list {
		g, _, err := llm.Open(llm.Config{Provider: j.Provider, BaseURL: j.BaseURL, Model: j.Model,
			APIKey: cfg.JudgeKey(j).Reveal(), Timeout: cfg.LLM.Timeout})
		if err != nil {
			return p, err
		}
		p.Judges = append(p.Judges, prompted.New(j.Name, g, priv))
	}
	// A judge's own tries and pauses fit in: the job that asks bears minutes.
	p.Timeout = 2 * cfg.LLM.Timeout
	return p, nil
}

// goldCase prepares a case of a text that experts found compliant; what it returns keeps it.
func (a *App) goldCase(ctx context.Context, g evaluate.Gold, agent evaluate.Agent,
	by audit.Actor) (keep func(tx *db.Tx) (string, error), err error) {
	c := a.Learning.GoldCase(goldSource(g, agent), g.Origin(), by)
	if err := a.Knowledge.PrepareCase(ctx, &c); err != nil {
		return nil, err
	}
	return func(tx *db.Tx) (string, error) {
		kept, err := a.Knowledge.AddCaseTx(tx, c)
		return kept.ID, err
	}, nil
}

// goldLesson begins a lesson of a text that they found otherwise; false where there is one.
func (a *App) goldLesson(tx *db.Tx, g evaluate.Gold, agent evaluate.Agent) (bool, error) {
	return a.Learning.FromVerdictTx(tx, goldSource(g, agent))
}

// assess is what the desk needs of the verdict that counts of a text now.
func (a *App) assess(text string, in *interaction.Interaction) review.Assessment {
	return assessment(a.verdict(text, in))
}

// shipped gives the codes of what the checks find as they come, whatever this desk switched off: the cases to practise
// on go by them.
func shipped(checks *compliance.Checker) drill.Find {
	return func(text string, c interaction.Consultation) (codes []string) {
		for _, i := range checks.Check(text, c.Situation()).Issues {
			codes = append(codes, i.Code)
		}
		return codes
	}
}

// verdict is what counts of a text now: that of the checks and the local judges; of a draft that the whole panel has
// read, that of the panel, unless a check stops the draft today.
func (a *App) verdict(text string, in *interaction.Interaction) compliance.Verdict {
	fresh := a.Validator.Glance(text, in.Consultation)
	if fresh.Critical() || !a.Validator.Panel().Of(in.Consultation.Pack).Remote() || !sameText(text, in.Guidance) ||
		!in.NoText && in.Consultation.Acts != in.Actions.Text() {
		return fresh
	}
	last, err := a.Compliance.Latest(context.Background(), in.ID)
	if err != nil || last.TextHash != in.GuidanceHash {
		return fresh
	}
	return last.Verdict
}

// sameText reports whether two texts differ in nothing but the line ends that a form sends.
func sameText(a, b string) bool {
	return strings.ReplaceAll(a, "\r\n", "\n") == strings.ReplaceAll(b, "\r\n", "\n")
}

// goldSource is what learning needs of a text that experts labelled: it is ruled, as a borderline case is.
func goldSource(g evaluate.Gold, agent evaluate.Agent) learning.Source {
	s := learning.Source{
		Kind: learning.Ruling, Origin: learning.Dataset, CauseID: g.Origin(), AgentID: agent.ID, AgentName: agent.Name,
		Task: pack.Of(g.Consultation.Pack).TopicIn(g.Consultation.Situation()), Situation: g.Consultation.Situation(),
		Question: g.Consultation.Question, AgentText: g.Guidance, Label: g.Truth, Reason: g.Answer.Rationale,
		By: g.Dataset, Known: g.Consultation.Customer.Personal(),
	}
	text := []rune(g.Guidance)
	for _, i := range g.Answer.Issues {
		f := learning.Flag{Code: i.Code}
		if info, ok := compliance.InfoOf(i.Code); ok {
			f.Why = info.Description
		}
		if i.Start < i.End && i.End <= len(text) {
			f.Quote = string(text[i.Start:i.End])
			s.Phrases = append(s.Phrases, f.Quote)
		}
		s.Flags = append(s.Flags, f)
	}
	return s
}
