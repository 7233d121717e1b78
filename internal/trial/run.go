package trial

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"preceptor/internal/app"
	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
)

// expert accepts what reaches the end of the path.
var expert = knowledge.Person{ID: "trial", Name: "Trial", Roles: []string{"expert"}}

var by = audit.System("trial")

// Run takes a trial down the whole path in a file of its own that is gone afterwards, and asks no model: the same trial
// gives the same result. The decision's text is still held and no source for drafts, so that a probe's two drafts
// differ by rules alone.
func (one Trial) Run(ctx context.Context) (out Result, err error) {
	dir, err := os.MkdirTemp("", "preceptor-trial-")
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	a, err := app.OpenAlone(ctx, filepath.Join(dir, "trial.db"), io.Discard)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	return (&trying{a, one, ctx, ""}).run(dir)
}

// trying is a trial under way.
type trying struct {
	*app.App
	Trial
	ctx     context.Context
	agentID string
}

func (y *trying) run(dir string) (out Result, err error) {
	out = Result{ID: y.ID, Lesson: Lesson{Outcome: "nothing", Rules: []Rule{}}, Probes: []ProbeResult{}}
	agent, err := y.Accounts.EnsureAgent(y.ctx, y.Agent, y.Domain)
	if err != nil {
		return out, err
	}
	y.agentID = agent.ID
	if err := y.read(filepath.Join(dir, "documents")); err != nil {
		return out, err
	}
	without, err := y.drafts()
	if err != nil {
		return out, err
	}
	if out.Lesson, err = y.learn(); err != nil {
		return out, err
	}
	with, err := y.drafts()
	if err != nil {
		return out, err
	}
	for i, p := range y.Probes {
		out.Probes = append(out.Probes,
			ProbeResult{ID: p.ID, Without: without[i].Guidance, With: with[i].Guidance, Rules: ruleMarks(with[i])})
	}
	return out, nil
}

// read imports the documents.
func (y *trying) read(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	for i, doc := range y.Documents {
		text := "# " + strings.Join(strings.Fields(doc.Title), " ") + "\n\n" + doc.Text + "\n"
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%02d.md", i+1)), []byte(text), 0o600); err != nil {
			return err
		}
	}
	report, err := y.Knowledge.Import(y.ctx, os.DirFS(dir),
		knowledge.ImportOptions{Source: dir, AgentID: y.agentID, By: by})
	if err == nil && report.Imported == 0 && len(y.Documents) > 0 {
		err = fault.New(fault.Invalid, "None of the documents could be imported.")
	}
	return err
}

// drafts are the probes' drafts with the rules that there are now.
func (y *trying) drafts() ([]*interaction.Interaction, error) {
	ids := make([]string, len(y.Probes))
	for i, p := range y.Probes {
		id, err := y.Interactions.Advise(y.ctx, y.asks(p.Query, p.Profile), y.agentID, y.Agent, interaction.OriginAPI,
			by, nil)
		if err != nil {
			return nil, fmt.Errorf("probe %s: %w", p.ID, err)
		}
		ids[i] = id
	}
	if err := y.Jobs.Drain(y.ctx); err != nil {
		return nil, err
	}
	list := make([]*interaction.Interaction, len(ids))
	for i, id := range ids {
		in, err := y.Interactions.Get(y.ctx, id)
		if err != nil {
			return nil, err
		}
		if in.Status == interaction.Failed {
			return nil, fmt.Errorf("probe %s: no draft was made", y.Probes[i].ID)
		}
		list[i] = in
	}
	return list, nil
}

func (y *trying) asks(query string, profile Profile) interaction.Consultation {
	return interaction.Consultation{Question: query, Customer: profile.Customer, Pack: y.Domain}
}

// learn guesses what the decision states, takes it down the path, and accepts what comes out at its end.
func (y *trying) learn() (out Lesson, err error) {
	out = Lesson{Outcome: "nothing", Rules: []Rule{}}
	asked := y.asks(y.Query, y.Profile)
	situation := asked.Situation()
	known := asked.Customer.Personal()
	src := learning.Source{Kind: y.Decision, DecisionID: "trial", InteractionID: "trial", AgentID: y.agentID,
		AgentName: y.Agent, Task: situation.Task,
		Situation: situation, Question: y.Query, AgentText: y.Response, HumanText: y.Revised, Reason: y.Reason,
		Feedback: y.NextTime,
		By:       expert.Name, At: y.DB.Now(), Known: known}
	var reviewed []string
	for _, doc := range y.Documents {
		reviewed = append(reviewed, doc.Text)
	}
	st, why := learning.Guess(src, y.Say, y.Knowledge.Compare, reviewed...)
	if out.Why = why; why == "" {
		src.Statements = []rule.Statement{st}
	}
	if src.Statements, err = y.vetted(src, &out); err != nil || len(src.Statements) == 0 {
		return out, err
	}
	if err := y.DB.Write(y.ctx, func(tx *db.Tx) error { return y.Learning.FromDecisionTx(tx, src) }); err != nil {
		return out, err
	}
	if err := y.Jobs.Drain(y.ctx); err != nil {
		return out, err
	}
	return out, y.accept(&out)
}

// vetted are the statements that the gate lets in; one whose reason it refuses comes without it.
func (y *trying) vetted(src learning.Source, out *Lesson) (list []rule.Statement, err error) {
	for _, st := range src.Statements {
		v := knowledge.Vetting{AgentID: y.agentID, Pack: y.Domain, Statement: st, Known: src.Known,
			Situation: &src.Situation}
		vetted, err := y.Knowledge.Vet(y.ctx, v)
		if slices.ContainsFunc(fault.Fields(err), func(f fault.Field) bool { return f.Name == "because" }) {
			v.Statement.Because = ""
			vetted, err = y.Knowledge.Vet(y.ctx, v)
		}
		switch {
		case fault.Is(err, fault.Invalid):
			out.Why = refusal(err)
		case err != nil:
			return nil, err
		default:
			list = append(list, vetted.Statement)
		}
	}
	return list, nil
}

func refusal(err error) string {
	parts := []string{fault.Message(err)}
	for _, f := range fault.Fields(err) {
		parts = append(parts, f.Msg)
	}
	return strings.Join(parts, " ")
}

// accept lets in every lesson that waits for a person.
func (y *trying) accept(out *Lesson) error {
	list, err := y.Learning.ForInteraction(y.ctx, "trial")
	if err != nil {
		return err
	}
	for _, l := range list {
		out.Why = l.Outcome
		if l.Stage != learning.StageAccept || l.State != learning.Waiting {
			continue
		}
		made, err := y.Learning.Accept(y.ctx, l.ID, nil, l.Version, expert)
		if fault.Is(err, fault.Invalid) || fault.Is(err, fault.Conflict) {
			out.Why = refusal(err)
			continue
		}
		if err != nil {
			return err
		}
		st := made.Statement
		out.Rules = append(out.Rules,
			Rule{Label: made.Label(), Statement: made.Principle, When: st.When, Do: &st.Do, Why: st.Because})
	}
	if len(out.Rules) > 0 {
		out.Outcome, out.Rule = "rule", out.Rules[0]
	}
	return nil
}

// ruleMarks are the rules that a draft says parts of it come from.
func ruleMarks(in *interaction.Interaction) []string {
	out := []string{}
	for _, m := range in.Provenance.Marks {
		if m.Kind == interaction.MarkRule && !slices.Contains(out, m.Label) {
			out = append(out, m.Label)
		}
	}
	return out
}
