package compliance

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
)

// Panel is who votes.
type Panel struct {
	Judges  []Judge
	Quorum  int           // how many must have voted; 0 means more than half of the panel
	Timeout time.Duration // for one judge's answer; 0 means patience
}

// patience is how long a judge may think.
const patience = 60 * time.Second

// quorum is how many votes a panel needs.
func (p Panel) quorum() int {
	if p.Quorum > 0 {
		return p.Quorum
	}
	return len(p.Judges)/2 + 1
}

// Validator is the hybrid of seed 000: the deterministic checks first, and where they don't stop a text, the panel.
type Validator struct {
	checks *Checker
	panel  Panel
	ruled  atomic.Pointer[ruledSentences] // nil: none
	// Routing and a pack's Rubric give what is in force; nil means the seed's bands and no rubric. Set once, before
	// use.
	Routing func() Routing
	Rubric  func(packName string) Rubric
}

// New joins checks and panel.
func New(checks *Checker, panel Panel) *Validator { return &Validator{checks: checks, panel: panel} }

// Checks are the deterministic checks alone.
func (v *Validator) Checks() *Checker { return v.checks }

// Panel is who votes.
func (v *Validator) Panel() Panel { return v.panel }

// Remote reports whether a judge needs a network, so that a whole verdict must wait for a job.
func (p Panel) Remote() bool {
	return slices.ContainsFunc(p.Judges, func(j Judge) bool { return !j.Local() })
}

// Of are the judges who read texts of a pack: all where the domain has a line of its own, else those who judge any
// trade.
func (p Panel) Of(packName string) Panel {
	if !pack.Of(packName).Checks {
		p.Judges = slices.DeleteFunc(slices.Clone(p.Judges), func(j Judge) bool {
			_, any := j.(interface{ AnyTrade() })
			return !any
		})
	}
	return p
}

// Validate is the whole verdict on guidance for a consultation: checks, then every judge. It never fails: a judge that
// does abstains. It may take as long as the slowest judge; call it outside any transaction.
func (v *Validator) Validate(ctx context.Context, guidance string, c interaction.Consultation) Verdict {
	return v.verdict(ctx, guidance, c, v.panel, func(p Panel, s Subject) []Vote { return p.ask(ctx, s, false) })
}

// Glance is the verdict without those judges that need a network: what can be said at once, as while a person types.
// With no judge left, it is the checks' own.
func (v *Validator) Glance(guidance string, c interaction.Consultation) Verdict {
	rules := v.Rules() // first: what changes meanwhile has another name
	verdict := v.verdict(context.Background(), guidance, c, v.local(), func(Panel, Subject) []Vote { return nil })
	verdict.Rules = rules
	return verdict
}

func (v *Validator) local() Panel {
	p := Panel{Timeout: v.panel.Timeout}
	for _, j := range v.panel.Judges {
		if j.Local() {
			p.Judges = append(p.Judges, j)
		}
	}
	return p
}

// verdict is that of the checks and the panel p; remote has those of its judges vote that need a network, unless nobody
// needs to ask them.
func (v *Validator) verdict(ctx context.Context, guidance string, c interaction.Consultation, p Panel,
	remote func(Panel, Subject) []Vote,
) Verdict {
	acts := c.Acts
	switch c.Acts = ""; {
	case c.NoText:
		return v.read(ctx, guidance, "", c, p, remote)
	case acts != "":
		return v.read(ctx, guidance+"\n\n"+acts, guidance, c, p, remote).within(utf8.RuneCountInString(guidance))
	}
	return v.read(ctx, guidance, guidance, c, p, remote)
}

func (v *Validator) read(ctx context.Context, guidance, prose string, c interaction.Consultation, p Panel,
	remote func(Panel, Subject) []Vote) Verdict {
	situation := c.Situation().Known()
	checked, text := v.checks.check(guidance, prose, situation)
	p = p.Of(c.Pack)
	s := v.subject(guidance, situation, c, checked, text)
	ruled := v.heed(ctx, s)
	switch {
	case foreign(checked):
		return v.conclude(checked, nil, Panel{}, c.Pack)
	case len(p.Judges) == 0:
		return v.conclude(ruled.checks(checked), nil, Panel{}, c.Pack)
	}
	votes := v.checks.inForce().without(p.ask(ctx, s, true))
	checked = ruled.checks(checked.confirmed(votes)) // what stops the text is known before experts are heard
	if checked, votes = ruled.votes(p, checked, votes); !Stopped(checked) {
		var far []Vote
		s.Found = checked.Issues
		checked, far = ruled.votes(p, checked, remote(p, s))
		votes = append(votes, far...)
	}
	return v.conclude(checked, votes, p, c.Pack)
}

// within takes the places of issues that lie beyond a text of so many code points: they are in what the agent would do
// beside it, and their quotes say so.
func (v Verdict) within(length int) Verdict {
	clip := func(list []Issue) []Issue {
		list = slices.Clone(list)
		for i := range list {
			if list[i].Span[1] > length {
				list[i].Span = [2]int{}
			}
		}
		return list
	}
	v.Issues, v.LeftOut, v.Judges = clip(v.Issues), clip(v.LeftOut), slices.Clone(v.Judges)
	for i := range v.Judges {
		j := &v.Judges[i]
		if j.Issues = clip(j.Issues); j.Weighs != nil && j.Weighs.Span[1] > length {
			weighs := *j.Weighs
			weighs.Span = [2]int{}
			j.Weighs = &weighs
		}
	}
	return v
}

// Stopped reports whether the checks alone stop a text.
func Stopped(checked Verdict) bool { return checked.Label == NonCompliant }

// foreign reports whether a text is in no language that judges know, or may be.
func foreign(checked Verdict) bool {
	return slices.Contains(checked.Because, becauseForeign) || slices.Contains(checked.Because, becauseShort)
}

// confirmed is a verdict of the checks after judges that read for issues voted: what they are sure of stops a text,
// what they read otherwise is left out, and what a check finds only stops it if they see a violation, too. What the
// firm's own checks find stays as it is.
func (v Verdict) confirmed(votes []Vote) Verdict {
	at := slices.IndexFunc(votes, func(j Vote) bool { return !j.Abstained && j.Reads != nil })
	if at < 0 {
		return v
	}
	j := votes[at]
	var kept []Issue
	for _, i := range v.Issues {
		if p, reads := j.Reads[i.Code]; reads && !i.Own {
			if i.Severity != Critical || j.Violation() < stopsFrom {
				if p < heldFrom && i.Severity != Critical && !slices.Contains(lawful, i.Code) {
					continue
				}
				if i.Severity == Critical {
					i.Severity = Major
				}
			}
		}
		kept = append(kept, i)
	}
	for _, i := range j.Issues {
		if i.Severity == Critical && !slices.ContainsFunc(kept, func(k Issue) bool {
			return k.Severity == Critical && same(k, i)
		}) {
			kept = append(kept, i)
		}
	}
	return v.with(kept)
}

// with is a verdict of the checks with other issues.
func (v Verdict) with(issues []Issue) Verdict {
	out := conclude(issues, false)
	out.Checklist, out.Facts, out.Because, out.LeftOut = v.Checklist, v.Facts, v.Because, v.LeftOut
	out.RequiresHumanReview = out.RequiresHumanReview || len(v.Because) > 0
	return out
}

// lawful are codes of dated facts and of what the law asks to be said: checks know them, so that
// no judge has them left out, only told instead of stopping the text.
var lawful = []string{MissingDBWarning, InaccurateFact}

// Where the checks and a judge that reads for issues meet, chosen on authors left out of its training.
const (
	stopsFrom = 0.8  // the judge's probability of a violation from which a critical finding is held and stops the text
	heldFrom  = 0.05 // the judge's probability of an issue from which any other finding of it is held
)

// Subject is what the judges are shown of guidance for a consultation, with the rubric in force for its pack.
func (v *Validator) Subject(guidance string, c interaction.Consultation) Subject {
	situation := c.Situation().Known()
	checked, text := v.checks.check(guidance, guidance, situation)
	return v.subject(guidance, situation, c, checked, text)
}

func (v *Validator) subject(guidance string, situation pack.Situation, c interaction.Consultation, checked Verdict,
	text shown) Subject {
	s := Subject{Text: guidance, Situation: situation, Customer: c.Customer, Found: checked.Issues, shown: text}
	if v.Rubric != nil {
		s.Rubric = v.Rubric(c.Pack)
	}
	return s
}

// Conclude is the verdict on a text of a pack of which the checks said checked and the pack's whole panel voted votes:
// for votes that were cast before, as when the panel is measured.
func (v *Validator) Conclude(checked Verdict, votes []Vote, packName string) Verdict {
	return v.conclude(checked.confirmed(votes), votes, v.panel.Of(packName), packName)
}

func (v *Validator) conclude(checked Verdict, votes []Vote, p Panel, packName string) Verdict {
	switch {
	case Stopped(checked) || foreign(checked):
		return checked.unjudged()
	case len(p.Judges) == 0:
		return checked.unjudged(becauseUnasked)
	}
	var r Routing
	if v.Routing != nil {
		if r = v.Routing(); pack.Of(r.Pack) != pack.Of(packName) {
			r = Routing{}
		}
	}
	out := Consent(checked.Issues, votes, p.quorum(), r)
	out.Checklist, out.Facts, out.LeftOut = checked.Checklist, checked.Facts, checked.LeftOut
	if len(checked.Because) > 0 { // what the checks could not read, judges could not either
		out.RequiresHumanReview, out.Because = true, append(checked.Because, out.Because...)
		out.Band = out.Says()
	}
	return out
}

// Ask has every judge vote. What fails, takes too long or makes no sense abstains. The votes of those that need no
// network come first.
func (p Panel) Ask(ctx context.Context, s Subject) []Vote {
	return append(p.ask(ctx, s, true), p.ask(ctx, s, false)...)
}

// ask has the judges vote that are local, or those that aren't, side by side.
func (p Panel) ask(ctx context.Context, s Subject, local bool) []Vote {
	judges := slices.DeleteFunc(slices.Clone(p.Judges), func(j Judge) bool { return j.Local() != local })
	votes := make([]Vote, len(judges))
	var wait sync.WaitGroup
	for i, j := range judges {
		if local {
			votes[i] = p.one(ctx, j, s)
			continue
		}
		wait.Go(func() { votes[i] = p.one(ctx, j, s) })
	}
	wait.Wait()
	return votes
}

func (p Panel) one(ctx context.Context, j Judge, s Subject) (v Vote) {
	began := time.Now()
	defer func() {
		if recover() != nil { // a judge's defect is its own
			v = abstained(j, "It failed unexpectedly.")
		}
		v.Judge = j.Name()
		if !j.Local() {
			v.DurationMs = time.Since(began).Milliseconds()
		}
	}()
	timeout := p.Timeout
	if timeout <= 0 {
		timeout = patience
	}
	if !j.Local() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	v, err := j.Judge(ctx, s)
	switch {
	case err != nil:
		return abstained(j, reasonOf(err))
	case v.Abstained:
		v.Missing, v.Issues = !j.Local(), []Issue{}
		return v
	case !v.sound():
		return abstained(j, "Its answer can't be used.")
	}
	if v = bounded(v); !pack.Of(s.Situation.Pack).Checks { // the registry's sources are those of the pack with checks
		for i := range v.Issues {
			v.Issues[i].Reference = ""
		}
	}
	return v
}

func abstained(j Judge, why string) Vote {
	return Vote{Judge: j.Name(), Abstained: true, Missing: true, Why: why, Issues: []Issue{}}
}

// WithoutRemote is the verdict on guidance where no judge over a network can be asked any more: the local judges', with
// the votes of the others missing, and why.
func (v *Validator) WithoutRemote(guidance string, c interaction.Consultation, why string) Verdict {
	return v.verdict(context.Background(), guidance, c, v.panel, func(p Panel, _ Subject) (missing []Vote) {
		for _, j := range p.Judges {
			if !j.Local() {
				missing = append(missing, abstained(j, why))
			}
		}
		return missing
	})
}

// reasonOf is why a judge abstains, for a person; the cause is for the log of the judge itself.
func reasonOf(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "It did not answer in time."
	}
	if fault.KindOf(err) == fault.Internal {
		return "It could not be asked."
	}
	return fault.Message(err)
}

// bounded cuts what a judge may leave in the record.
func bounded(v Vote) Vote {
	if utf8.RuneCountInString(v.Reasoning) > maxReasoning {
		v.Reasoning = string([]rune(v.Reasoning)[:maxReasoning])
	}
	if len(v.Issues) > maxVoteIssues {
		v.Issues = v.Issues[:maxVoteIssues]
	}
	if v.Issues == nil {
		v.Issues = []Issue{}
	}
	return v
}
