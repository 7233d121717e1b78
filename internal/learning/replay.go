package learning

import (
	"strings"
	"time"

	"preceptor/internal/db"
	"preceptor/internal/pack"
)

// Edit is a correction that somebody made elsewhere: a text before and after, and what the editor said about it. `preceptor learn
// replay` takes files of them down the path, as if a supervisor had revised a draft.
type Edit struct {
	ID       string `json:"id"`
	Question string `json:"question"` // what the customer asked; made of the page's name when it is empty
	Page     string `json:"page"`
	Task     string `json:"task"` // of the question; worked out when it is empty
	Date     string `json:"date"` // as 2006-01-02
	Kind     string `json:"kind"` // whatever the file calls it; counted and otherwise left alone

	Before   string `json:"before"`
	After    string `json:"after"`
	Reason   string `json:"reason"`
	Feedback string `json:"feedback"`

	// Of a change to public text: what the editor wrote beside it. They stand for Reason where that is empty.
	CommitSubject string `json:"commit_subject"`
	CommitBody    string `json:"commit_body"`
}

// Source is the edit as a revision by a supervisor. The customer is nobody in particular: who holds a pot and asks the question.
func (e Edit) Source() Source {
	q := firstText(e.Question, pageQuestion(e.Page))
	at, _ := time.Parse(time.DateOnly, e.Date)
	task := firstText(e.Task, pack.Classify(q))
	if task == pack.General {
		task = pack.Classify(q + ". " + e.Before)
	}
	reason := strings.TrimSpace(e.Reason)
	if reason == "" {
		reason = strings.TrimSpace(strings.TrimRight(e.CommitSubject, ". ") + ". " + e.CommitBody)
	}
	return Source{
		Kind: Revise, DecisionID: "replay-" + e.ID, InteractionID: "replay-" + e.ID, Task: task, Question: q, AgentText: e.Before, HumanText: e.After,
		Reason: strings.Trim(reason, ". "), Feedback: e.Feedback, Situation: pack.Situation{Question: q, Task: task, HasDC: true, At: at}, By: "Replay", At: at,
	}
}

// pageQuestions are what people ask who come to a page of the public guidance, by the words of its name.
var pageQuestions = []struct{ words, question string }{
	{"making_money_last", "How long will my pension pot last?"},
	{"pension_pot_options", "What could I do with my pot?"},
	{"take_cash", "Can I take cash in chunks?"}, {"take_whole", "Can I take my whole pot at once?"},
	{"shop_around", "Where can I compare annuities?"},
	{"before_55", "How early can I take my pension?"},
	{"when_you_die", "What happens to my pension when I die?"},
	{"how_my_pension_is_taxed", "How much tax would I pay?"},
	{"my_pension_affects_my_benefits", "Would I lose my benefits?"},
}

func pageQuestion(page string) string {
	name := page[strings.LastIndexByte(page, '/')+1:]
	for _, p := range pageQuestions {
		if strings.Contains(name, p.words) {
			return p.question
		}
	}
	return strings.ReplaceAll(name, "_", " ")
}

// How a lesson of a replay ended.
const (
	EndRule       = "rule"
	EndSame       = "same as a rule"
	EndNothing    = "nothing"
	EndUnstated   = "needs a sentence"
	EndValidation = "rejected by validation"
	EndJudge      = "rejected by the judge"
	EndFailed     = "failed"
	EndUnfinished = "unfinished" // is not meant to happen
)

// Ending names how l ended: a rule, the same as one, rejected and by whom, waiting for a sentence, or nothing. A lesson without a name
// is unfinished.
func Ending(l Lesson) string {
	switch {
	case l.Stage == StageAccept && (l.State == Waiting || l.State == Accepted):
		return EndRule
	case l.State == Nothing && l.SameAs:
		return EndSame
	case l.State == Nothing:
		return EndNothing
	case l.State == Unstated:
		return EndUnstated
	case l.State == Rejected && l.Stage == StageValidate:
		return EndValidation
	case l.State == Rejected:
		return EndJudge
	case l.State == Failed:
		return EndFailed
	}
	return EndUnfinished
}

// ReplayTx begins the lesson of an edit as a released decision begins it: the path and the case that may follow.
func (p *Pipeline) ReplayTx(tx *db.Tx, s Source) error {
	if err := p.FromDecisionTx(tx, s); err != nil {
		return err
	}
	return p.ReleasedTx(tx, s.DecisionID)
}
