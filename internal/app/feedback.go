package app

import (
	"context"
	"fmt"
	"strings"

	"preceptor/internal/advisor"
	"preceptor/internal/compliance"
	"preceptor/internal/delivery"
	"preceptor/internal/feedback"
	"preceptor/internal/feedback/experiment"
	"preceptor/internal/feedback/nightly"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/learning/stream"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
)

// clean takes personal data out of a text of a subject.
func (a *App) clean(s feedback.Subject, text string) string { return hide(a.Privacy)(text, s.Known...) }

// withheld says why agents aren't given the cases of subjects.
func (a *App) withheld(tx *db.Tx, subjects []string) (string, error) {
	return a.Knowledge.WithheldTx(tx, subjects)
}

// shown notes that our advisor wrote with exemplars in sight.
func (a *App) shown(tx *db.Tx, in *interaction.Interaction, ids []string) error {
	return a.Feedback.UseTx(tx, in.ID, in.AgentID, ids)
}

func (a *App) agentName(ctx context.Context, agentID string) (string, error) {
	agent, err := a.Accounts.Agent(ctx, agentID)
	return agent.Name, err
}

// shots are what our advisor is shown for a consultation: exemplars of the task that the agent named, nearest to the
// question first.
func (a *App) shots(ctx context.Context, in *interaction.Interaction) (s advisor.Shots, err error) {
	ask := feedback.Ask{AgentID: in.AgentID, AgentType: in.AgentName, Query: in.Consultation.Question}
	if in.TaskTypeBy == interaction.ByAgent {
		ask.Topic = in.Consultation.TaskType
	}
	list, err := a.Feedback.Examples(ctx, ask)
	if err != nil {
		return s, err
	}
	s.Block, s.Items = feedback.FewShot(list), lists.Map(list, exemplarItem)
	return s, nil
}

// exemplarItem is an exemplar as an item of a recall.
func exemplarItem(e feedback.Exemplar) knowledge.Item {
	return knowledge.Item{Kind: "exemplar", ID: e.ID, Label: "an answer that customers liked", Title: e.Query,
		Text: e.Good, Score: e.Weight,
		Why: []string{fmt.Sprintf("%.0f more users for it than against", e.Score)}, Source: e.Source,
		Case: &knowledge.Case{ID: e.ID, Source: knowledge.FromFeedback, Task: e.Topic, Approved: true,
			CaseText: knowledge.CaseText{Title: e.Query, Guidance: e.Good}}}
}

// recall is the recall of the API: the knowledge, and after it the exemplars for the question as seed 001's block, as
// far as the budget holds them. An agent that hands their ids back as knowledge_used has their use counted. While an
// experiment on memory or on a rule runs for the agent, a named user is in an arm of it, and without says what that
// goes without.
func (a *App) recall(ctx context.Context, q knowledge.Query,
	user string) (r *knowledge.Recall, without knowledge.Withhold, err error) {
	if user = reference(user); user != "" {
		if q.Withhold, err = a.without(ctx, experiment.Ask{AgentID: q.AgentID, User: user}); err != nil {
			return nil, q.Withhold, err
		}
	}
	r, err = a.Knowledge.Recall(ctx, q)
	if err == nil && !q.Withhold.Learned {
		var list []feedback.Exemplar
		if list, err = a.exemplars(ctx, q); q.TopCases > 0 {
			list = list[:min(len(list), q.TopCases)]
		}
		for ; len(list) > 0; list = list[:len(list)-1] {
			prompt := strings.TrimPrefix(r.Prompt+"\n\n"+feedback.FewShot(list), "\n\n")
			if tokens := knowledge.Tokens(prompt); q.TokenBudget <= 0 || tokens <= q.TokenBudget {
				r.Prompt, r.Tokens = prompt, tokens
				break
			}
		}
		r.Items = append(r.Items, lists.Map(list, exemplarItem)...)
	}
	return r, q.Withhold, err
}

// exemplars are the answers that users liked to questions like q. A topic filters where q names one that there are
// answers of, and a topic that was only guessed never does.
func (a *App) exemplars(ctx context.Context, q knowledge.Query) (list []feedback.Exemplar, err error) {
	if q.AgentID == "" || strings.TrimSpace(q.Text) == "" {
		return nil, nil
	}
	agent, err := a.Accounts.Agent(ctx, q.AgentID)
	if err != nil {
		return nil, err
	}
	ask := feedback.Ask{AgentID: q.AgentID, AgentType: agent.Name, AllTypes: true, Topic: q.Task, Query: q.Text}
	if q.Task != "" && q.Task != pack.General {
		if list, err = a.Feedback.Examples(ctx, ask); err != nil || len(list) > 0 {
			return list, err
		}
	}
	ask.Topic = ""
	return a.Feedback.Examples(ctx, ask)
}

// Liked are the exemplars for a question as items of a recall.
func (a *App) Liked(ctx context.Context, q knowledge.Query) ([]knowledge.Item, error) {
	list, err := a.exemplars(ctx, q)
	return lists.Map(list, exemplarItem), err
}

// learnOutcome hands an outcome of guidance on. One of an observed answer is for examples and replay alone: nobody
// reviewed it, so it makes no knowledge for advice. What a person says instead of an earlier one takes the memory of
// that back; its lesson stays one.
func (a *App) learnOutcome(tx *db.Tx, old *feedback.Outcome, o feedback.Outcome, s feedback.Subject) error {
	if s.Kind != feedback.Guidance {
		return nil
	}
	in, err := a.Interactions.GetTx(tx, s.ID)
	if err != nil {
		return err
	}
	scores := learning.Scores{Satisfaction: o.Satisfaction, Comprehension: o.Comprehension,
		GoalAlignment: o.GoalAlignment}
	src := learning.Source{Kind: learning.Outcome, CauseID: o.ID, InteractionID: in.ID, AgentID: in.AgentID,
		AgentName: in.AgentName, Task: in.Consultation.TaskType,
		Situation: in.Consultation.Situation(), Question: in.Consultation.Question, AgentText: in.FinalText,
		Reasoning: in.Reasoning, By: outcomeBy(o), At: o.At,
		Scores: &scores, Flags: outcomeFlags(o), Known: in.Consultation.Customer.Personal()}
	if old != nil {
		if err := a.Stream.UndoTx(tx, stream.Outcome, outcomeCause(*old)); err != nil {
			return err
		}
	}
	if err := a.rememberOutcome(tx, o, in, &scores, src.Flags); err != nil {
		return err
	}
	if !o.Successful() {
		return a.Learning.FromOutcomeTx(tx, src)
	}
	if src.DecisionID, err = a.Reviews.DeliveredTx(tx, in.ID); err != nil {
		return err
	}
	src.HumanText = in.FinalText
	return a.Learning.SucceededTx(tx, src)
}

// dislikesTeach is how many dislikes on one topic that say why begin a lesson, and mostQuoted how many it quotes.
const dislikesTeach, mostQuoted = 3, 8

// learnDislikes begins a lesson where users disliked several answers of an agent on a topic and said why; while one of
// them stands open, no other begins.
func (a *App) learnDislikes(tx *db.Tx, v feedback.Vote, s feedback.Subject) error {
	if v.Norm > 0.5 || v.Text == "" {
		return nil
	}
	task := interaction.TaskForm(s.Topic)
	since, open, err := learning.DislikesSinceTx(tx, s.AgentID, task)
	if err != nil || open {
		return err
	}
	votes, err := a.Feedback.DislikedTx(tx, s.AgentID, s.Topic, since, mostQuoted)
	if err != nil || len(votes) < dislikesTeach {
		return err
	}
	domain, err := a.Accounts.PackTx(tx, s.AgentID)
	if err != nil {
		return err
	}
	src := learning.Source{Kind: learning.Disliked, CauseID: v.ID + "/" + fmt.Sprint(v.Version), AgentID: s.AgentID,
		AgentName: s.AgentName, Task: task, Situation: pack.Situation{Pack: domain, Question: s.Query, Task: task},
		Question: s.Query, AgentText: s.Response, By: fmt.Sprintf("%d users", len(votes)), At: tx.Now, Known: s.Known}
	for _, one := range votes {
		about, err := a.Feedback.SubjectTx(tx, s.AgentID, one.SubjectID)
		if err != nil {
			return err
		}
		src.Known = append(src.Known, about.Known...)
		src.From = append(src.From, one.ID, one.SubjectID)
		src.Flags = append(src.Flags, learning.Flag{Code: "DISLIKED", Why: "A user disliked it",
			Quote: one.Text})
	}
	return a.Learning.FromDislikesTx(tx, src)
}

// outcomeCause names a version of an outcome as the cause of a memory.
func outcomeCause(o feedback.Outcome) string {
	if o.Version <= 1 {
		return o.ID
	}
	return fmt.Sprintf("%s/%d", o.ID, o.Version)
}

func outcomeBy(o feedback.Outcome) string {
	if o.ByName != "" {
		return o.ByName
	}
	return "the customer"
}

// outcomeFlags are what an outcome names as wrong, as a check would.
func outcomeFlags(o feedback.Outcome) (flags []learning.Flag) {
	missed := func(b *bool, code, why string) {
		if b != nil && !*b {
			flags = append(flags, learning.Flag{Code: code, Why: why})
		}
	}
	missed(o.DBWarningGiven, compliance.MissingDBWarning,
		"The customer was not warned about the guarantees of a defined benefit pension.")
	missed(o.Signposted, compliance.MissingSignpost,
		"The customer was not told where to get free guidance or regulated advice.")
	missed(o.UnderstandingChecked, "UNDERSTANDING_NOT_CHECKED", "Nobody checked whether the customer understood.")
	missed(o.GoalsMet, "GOALS_NOT_MET", "The customer did not reach what they wanted.")
	for _, issue := range o.Issues {
		flags = append(flags, learning.Flag{Code: "OUTCOME_ISSUE", Why: issue})
	}
	return flags
}

func (a *App) rememberOutcome(tx *db.Tx, o feedback.Outcome, in *interaction.Interaction, scores *learning.Scores,
	flags []learning.Flag) error {
	e := eventOf(in)
	e.Kind, e.CauseID, e.Scores = stream.Outcome, outcomeCause(o), scores
	e.What, e.Text = "suboptimal", "An outcome was reported: "+scores.Words()+"."
	if o.Successful() {
		e.What = "successful"
	}
	for _, f := range flags {
		e.Codes = append(e.Codes, f.Code)
		e.Text += " " + f.Why
	}
	if err := a.Stream.RememberTx(tx, e); err != nil {
		return fmt.Errorf("app: remember outcome %s: %w", o.ID, err)
	}
	return nil
}

// agentNames are the names of all agents by id.
func (a *App) agentNames(ctx context.Context) (map[string]string, error) {
	list, err := a.Accounts.Agents(ctx)
	names := map[string]string{}
	for _, agent := range list {
		names[agent.ID] = agent.Name
	}
	return names, err
}

// promptRules are the rules in force of an agent, its own and those of all, as its prompt file has them.
func (a *App) promptRules(ctx context.Context, agentID string) ([]nightly.Rule, error) {
	list, err := a.Knowledge.RulesInForce(ctx, agentID)
	return lists.Map(list, func(r knowledge.Rule) nightly.Rule {
		yields := lists.Map(r.Yields, func(o *knowledge.Rule) nightly.Rule {
			return nightly.Rule{ID: o.ID, Version: o.Version}
		})
		return nightly.Rule{ID: r.ID, Version: r.Version, Yields: yields}
	}), err
}

// ruleWords are the words of a version of a rule, without what was erased of them, and whether they are in force no
// more. A newer version in force with the same words, as of a rule that was tried again, keeps them. An exception to it
// is told while its own words are in force.
func (a *App) ruleWords(tx *db.Tx, of nightly.Rule) (words string, gone bool, err error) {
	r, gone, err := a.ruleThen(tx, of)
	if err != nil {
		return "", false, err
	}
	for _, y := range of.Yields {
		o, gone, err := a.ruleThen(tx, y)
		if err != nil {
			return "", false, err
		}
		if !gone {
			r.Yields = append(r.Yields, o)
		}
	}
	return r.Line(), gone, nil
}

// ruleThen is a version of a rule, and whether its words left use since.
func (a *App) ruleThen(tx *db.Tx, of nightly.Rule) (r *knowledge.Rule, gone bool, err error) {
	if r, err = a.Knowledge.RuleVersionTx(tx, of.ID, of.Version); err != nil {
		return nil, false, err
	}
	head, err := a.Knowledge.RuleTx(tx, of.ID)
	if err != nil {
		return nil, false, err
	}
	now, err := a.Knowledge.InUseTx(tx, head)
	if err != nil {
		return nil, false, err
	}
	left, err := a.Knowledge.LeftUseTx(tx, of.ID, of.Version) // who approved the file may not have seen it
	return r, left || now.Principle != r.Principle || now.Status != knowledge.Active || !now.Holds(tx.Now) ||
		!now.ErasedAt.IsZero(), err
}

// nightlyEvent is what the digest says.
type nightlyEvent struct {
	Day          string   `json:"day"`
	AgentType    string   `json:"agent_type"`
	Interactions int      `json:"interactions"`
	Positive     int      `json:"positive"`
	Negative     int      `json:"negative"`
	Rate         *float64 `json:"satisfaction_rate"`
	Promoted     int      `json:"examples_promoted"`
	Demoted      int      `json:"examples_demoted"`
	Retired      int      `json:"examples_retired"`
	Patterns     int      `json:"patterns"`
}

func (a *App) nightlyData(ctx context.Context, e delivery.Event) (any, error) {
	n, err := a.Nightly.Night(ctx, e.SourceID)
	if err != nil {
		return nil, err
	}
	out := nightlyEvent{Day: n.Day, AgentType: n.AgentType, Interactions: n.Interactions, Positive: n.Positive,
		Negative: n.Negative, Promoted: n.Promoted,
		Demoted: n.Demoted, Retired: n.Retired}
	if rate, ok := n.Share(); ok {
		out.Rate = &rate
	}
	for _, p := range n.Patterns {
		if p.Sure() {
			out.Patterns++
		}
	}
	return out, nil
}

// votedOnly are the agents that are known by votes alone: as they call themselves, and no agent here has or had that
// name.
func (a *App) votedOnly(ctx context.Context) ([]string, error) {
	types, err := a.Feedback.AgentTypes(ctx)
	if err != nil || len(types) == 0 {
		return nil, err
	}
	return db.Read(ctx, a.DB, func(tx *db.Tx) (list []string, err error) {
		for _, name := range types {
			id, err := a.Accounts.AgentNamedTx(tx, name)
			if err != nil {
				return nil, err
			}
			if id == "" {
				list = append(list, name)
			}
		}
		return list, nil
	})
}
