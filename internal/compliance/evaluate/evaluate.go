// Package evaluate measures judges, checks and the panel on texts that experts labelled, and turns what was measured
// into a threshold that says from where on people must look.
//
// It owns the tables judge_run, judge_item, judge_answer, judge_threshold, judge_refit and judge_taught; who switches
// what on is rows of package approval. The mathematics is that of measure and refit; this package asks, keeps and
// proposes.
//
//	dataset version or file ──ask──> answers ──measure──> figures
//	                                    └──calibrate, certify──> threshold: proposed ──a person──> active ──> superseded, off
//	                                                                           └─────> refused
//
// What it promises.
//   - Every judge is asked about every text, those too that the checks stop; the panel's verdict is then concluded as
//     on the desk (compliance.Validator.Conclude), so that a panel is measured as it works and a judge by itself.
//   - What was answered is kept (judge_answer), so that figures, calibrations and thresholds are made again without
//     asking anybody again. A run goes on where it was interrupted; the same item is never asked about twice.
//   - A run names the identity of everybody it asked. A threshold holds for that panel alone: with another judge, or
//     another model behind one, Routing gives the seed's bands and Standing says so.
//   - Calibrations are fitted on the split train, the threshold is certified on accept, and what it does is told of
//     test: three splits that share no family. Nothing is certified on what it was fitted on.
//   - The system proposes; an expert or an administrator asks to switch on, with a reason, and another one agrees: one
//     person alone could label a set, measure on it and take everybody off what the panel clears. Going back to the
//     bands takes one. Versions are numbered, never changed, never deleted, and audited.
//   - What a pack's labels taught the judge in the program (refit) is a version too: proposed each night where it is
//     better for certain, switched on by two people, taken back by one. Until then nothing of it counts.
//   - No text is kept here: a run holds ids, labels and numbers, and an erasure in the set needs nothing here.
//
// A judge's label for a text is that of a panel of which it is the only member. Its errors, for the number of
// independent votes, count where the truth is not borderline: passed what is none, or failed what is fine.
//
// Decided against: thresholds from a file (a file has no splits that anybody guards), calibrating the checks (they say
// yes or no), and running in the background without a row (who waits wants to see how far it is).
package evaluate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/lists"
)

// Who answers: these two, and judges as "judge:" and their name.
const (
	Checks      = "checks"
	WholePanel  = "panel"
	judgePrefix = "judge:"
	voicePrefix = "voice:" // what votes count as: those of judges that look at one aspect each speak together
)

// side is how many texts a panel that needs a network is asked about side by side.
const side = 4

// Item is a labelled text.
type Item struct {
	ID           string
	Family       string // items of one family resemble each other; "" stands alone
	Split        string
	Consultation interaction.Consultation
	Guidance     string
	Truth        string // label
	Codes        []string
}

// subject is the text as it teaches.
func (it Item) subject() compliance.Subject {
	c := it.Consultation
	return compliance.Subject{Text: it.Guidance, Situation: c.Situation(), Customer: c.Customer}
}

// Said is what one of them said of an item.
type Said struct {
	Who        string   `json:"who"`
	Label      string   `json:"label"`     // "" when it abstained
	Review     bool     `json:"review"`    // a person would look
	Violation  float64  `json:"violation"` // probability, 0 to 1; -1: none
	Codes      []string `json:"codes"`
	Why        string   `json:"why,omitempty"` // of an abstention
	Tokens     int      `json:"tokens,omitempty"`
	DurationMs int64    `json:"duration_ms,omitempty"`
}

// Answered is an item without its text, and what was said of it.
type Answered struct {
	N      int      `json:"n"`
	ID     string   `json:"id"`
	Family string   `json:"family,omitempty"`
	Split  string   `json:"split,omitempty"`
	Truth  string   `json:"truth"`
	Codes  []string `json:"codes"`
	Said   []Said   `json:"said"`
}

// Member is one judge of a panel as it was asked.
type Member struct {
	Name     string `json:"name"`
	Identity string `json:"identity"` // provider and model, or embedded and version
	Local    bool   `json:"local"`
}

// Members are the judges of a panel.
func Members(p compliance.Panel) []Member {
	return lists.Map(p.Judges, func(j compliance.Judge) Member {
		return Member{Name: j.Name(), Identity: identity(j), Local: j.Local()}
	})
}

// identity is what answers for a judge. One that has a model, or was taught, names it; another local one says it with
// every vote, and is asked about nothing, which costs nothing.
func identity(j compliance.Judge) string {
	if m, ok := j.(interface{ Model() string }); ok {
		return m.Model()
	}
	if !j.Local() {
		return ""
	}
	votes := compliance.Panel{Judges: []compliance.Judge{j}}.Ask(context.Background(), compliance.Subject{})
	return votes[0].AnsweredBy
}

// PanelID is a short name of a panel that changes with every member and with what answers for it.
func PanelID(p compliance.Panel) string {
	b, _ := json.Marshal(struct {
		Members []Member
		Quorum  int
	}{Members(p), p.Quorum}) // strings always marshal
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// Ask asks the checks, every judge and the panel about items, in their order. It stops when ctx ends and gives what is
// whole.
func Ask(ctx context.Context, v *compliance.Validator, items []Item) []Answered {
	out := make([]Answered, len(items))
	done := make([]bool, len(items))
	one := func(i int) {
		out[i] = askOne(ctx, v, items[i])
		done[i] = ctx.Err() == nil
	}
	if !v.Panel().Remote() {
		for i := range items {
			if ctx.Err() != nil {
				break
			}
			one(i)
		}
	} else {
		var wait sync.WaitGroup
		turns := make(chan struct{}, side)
		for i := range items {
			turns <- struct{}{}
			wait.Go(func() {
				defer func() { <-turns }()
				if ctx.Err() == nil {
					one(i)
				}
			})
		}
		wait.Wait()
	}
	whole := slices.Index(done, false)
	if whole < 0 {
		whole = len(items)
	}
	return out[:whole]
}

// AskAll is Ask of some items at a time, for whoever watches.
func AskAll(ctx context.Context, v *compliance.Validator, items []Item,
	progress func(done, total int)) (out []Answered, err error) {
	for some := range slices.Chunk(items, 16) {
		out = append(out, Ask(ctx, v, some)...)
		progress(len(out), len(items))
	}
	return out, ctx.Err()
}

func askOne(ctx context.Context, v *compliance.Validator, it Item) Answered {
	a := Answered{ID: it.ID, Family: it.Family, Split: it.Split, Truth: it.Truth, Codes: it.Codes}
	began := time.Now()
	checked := v.Checks().Check(it.Guidance, it.Consultation.Situation())
	a.Said = append(a.Said, Said{Who: Checks, Label: string(checked.Label), Review: checked.RequiresHumanReview,
		Violation: -1,
		Codes:     codesOf(checked.Issues), DurationMs: time.Since(began).Milliseconds()})
	votes := v.Panel().Of(it.Consultation.Pack).Ask(ctx, v.Subject(it.Guidance, it.Consultation))
	var tokens int
	for _, vote := range votes {
		a.Said = append(a.Said, saidBy(vote))
		tokens += vote.Tokens
	}
	if len(votes) == 0 {
		return a
	}
	for _, voice := range compliance.Voices(votes) {
		s := saidBy(voice)
		s.Who, s.Tokens, s.DurationMs = voicePrefix+voice.Judge, 0, 0
		a.Said = append(a.Said, s)
	}
	verdict := v.Conclude(checked, votes, it.Consultation.Pack)
	panel := Said{Who: WholePanel, Label: string(verdict.Label), Review: verdict.RequiresHumanReview, Violation: -1,
		Codes:  codesOf(verdict.Issues),
		Tokens: tokens, DurationMs: time.Since(began).Milliseconds()}
	switch {
	case verdict.Label == compliance.NotJudged:
		panel.Label = ""
	case verdict.Critical():
		panel.Violation = 1 // nobody is asked on the desk: it is a violation, say the checks
	case verdict.Split != "":
		panel.Violation = verdict.Violation
	}
	a.Said = append(a.Said, panel)
	return a
}

// saidBy is a vote as the verdict of a panel of one.
func saidBy(v compliance.Vote) Said {
	s := Said{Who: judgePrefix + v.Judge, Violation: -1, Codes: codesOf(v.Issues), Why: v.Why, Tokens: v.Tokens,
		DurationMs: v.DurationMs}
	if v.Abstained {
		return s
	}
	alone := compliance.Consent(nil, []compliance.Vote{v}, 1, compliance.Routing{})
	s.Label, s.Violation, s.Why = string(alone.Label), v.Violation(), ""
	return s
}

func codesOf(issues []compliance.Issue) []string {
	out := []string{}
	for _, i := range issues {
		out = append(out, i.Code)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
