package app

import (
	"context"
	"fmt"
	"slices"

	"preceptor/internal/account"
	"preceptor/internal/comment"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/interaction"
	"preceptor/internal/learning"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/internal/review"
	"preceptor/web/api"
)

// askFor is how many experts the agent's policy has asked, about what share of its drafts, and by when.
func (a *App) askFor(tx *db.Tx, agentID string) (borderline.Asked, error) {
	p, err := a.Policies.ForTx(tx, agentID)
	return borderline.Asked{Share: p.ExpertShare, First: p.Experts.First, Hard: p.Experts.Hard, Most: p.Experts.Most,
		Target: p.ExpertLate}, err
}

// undecided is nil while a case waits for a supervisor with this text.
func (a *App) undecided(tx *db.Tx, interactionID, textHash string) error {
	return a.Reviews.Undecided(tx, interactionID, textHash)
}

// expertSays is what the experts say about a text, for the desk: sent to them, no approval; ruled compliant,
// approvable; ruled otherwise, blocked.
func (a *App) expertSays(tx *db.Tx, interactionID, textHash string) (review.Expert, error) {
	st, err := a.Borderline.StandingTx(tx, interactionID, textHash)
	// what only the panel enrolled may be decided; the case is overtaken then
	return review.Expert{Open: st.Open && st.Sent != "",
		Releases: st.Releases(), Blocks: st.Ruled != "" && !st.Releases(), By: st.By}, err
}

// weighed follows the verdict of a whole panel on a draft. A seeded check goes to the experts like any other draft,
// because nobody may tell it by that; nothing is learned from it.
//
// open reports whether the text still waits: nobody is asked about one that was settled while judges over a network
// read it.
func (a *App) weighed(tx *db.Tx, in *interaction.Interaction, v compliance.Verdict, open bool) error {
	if open {
		if _, err := a.Borderline.EnrolTx(tx,
			borderline.Subject{Interaction: in, Text: in.Guidance, Verdict: v}); err != nil {
			return fmt.Errorf("app: enrol %s: %w", in.ID, err)
		}
	}
	if err := a.rememberVerdict(tx, in, v); err != nil {
		return err
	}
	kind, ok := map[string]string{borderline.Urgent: learning.Verdict,
		borderline.Judges: learning.Judged}[borderline.Learns(v)]
	if !ok || in.Planted {
		return nil
	}
	s := sourceOf(in, kind, in.ID, v)
	s.By = "the checks"
	if kind == learning.Judged {
		s.By, s.Phrases = "the panel", objections(in.Guidance, v)
	}
	_, err := a.Learning.FromVerdictTx(tx, s)
	return err
}

// ruledOn is what the desk needs of a ruling; v is the verdict that the experts had before them.
func ruledOn(r *borderline.Ruling, v compliance.Verdict) review.Assessment {
	as := assessment(v)
	as.Label, as.Passed, as.Blocked, as.Borderline = string(r.Label), r.Releases(), r.Label == compliance.NonCompliant,
		r.Label == compliance.Borderline
	as.Because = nil // settled
	if !r.Releases() {
		as.Flags = append(as.Flags, review.Flag{Code: "EXPERT_RULING", Severity: review.Critical,
			Why: r.By.Name + " ruled: " + r.Rationale, Reference: "Ruling on a borderline case"})
	}
	return as
}

// sourceOfRuling is what learning needs of a ruling.
func sourceOfRuling(in *interaction.Interaction, c *borderline.Case, r *borderline.Ruling, v compliance.Verdict,
	answers []borderline.Answer) learning.Source {
	s := sourceOf(in, learning.Ruling, r.ID, v)
	s.AgentText, s.Label, s.Reason, s.By, s.At = c.Text, string(r.Label), r.Rationale, r.By.Name, r.At
	s.Phrases = r.Pattern.Against()
	for _, answer := range answers {
		for _, m := range answer.Marks {
			s.Flags = append(s.Flags, learning.Flag{Code: m.Code, Quote: m.Quote})
			s.Phrases = append(s.Phrases, m.Quote)
		}
	}
	return s
}

// escalation is what holds for an agent's drafts that the judges can't settle.
func (a *App) escalation(ctx context.Context, agentID string) (out api.Escalation, err error) {
	p, err := a.Policies.Current(ctx, agentID)
	if err != nil {
		return out, err
	}
	b, err := a.Borderline.Budget(ctx, agentID)
	out = api.Escalation{ReviewShare: p.Share, ExpertShare: p.ExpertShare, Drafts: b.Drafts, WithExperts: b.With,
		Unsettled: b.Held}
	if err != nil {
		return out, err
	}
	of, err := db.Read(ctx, a.DB, func(tx *db.Tx) (string, error) { return a.Accounts.PackTx(tx, agentID) })
	if r := a.Judges.Routing(); r.Version > 0 && r.Pack == of {
		out.MissedAtMost = &r.Alpha
	}
	return out, err
}

// reassess tells the desk, if the case is about the agent's own words.
func (a *App) reassess(tx *db.Tx, in *interaction.Interaction, c *borderline.Case, as review.Assessment) error {
	if c.TextHash != in.GuidanceHash {
		return nil
	}
	return a.Reviews.ReassessTx(tx, in, as)
}

// sourceOf is what learning needs of a verdict or a ruling.
func sourceOf(in *interaction.Interaction, kind, causeID string, v compliance.Verdict) learning.Source {
	s := learning.Source{
		Kind: kind, CauseID: causeID, InteractionID: in.ID, AgentID: in.AgentID, AgentName: in.AgentName,
		Task:      in.Consultation.TaskType,
		Situation: in.Consultation.Situation(), Question: in.Consultation.Question, AgentText: in.Guidance,
		Label:     string(v.Label),
		Reasoning: in.Reasoning, Known: in.Consultation.Customer.Personal(), Flags: flagsOf(v.Issues),
	}
	for _, j := range v.Judges {
		if !j.Abstained {
			s.Voices = append(s.Voices,
				learning.Voice{Judge: j.Judge, Passed: j.Passed, Confidence: j.Confidence, Boundary: j.Boundary,
					Reasoning: j.Reasoning, Issues: flagsOf(j.Issues)})
		}
	}
	return s
}

// flagsOf are issues as learning knows them, the critical ones first.
func flagsOf(issues []compliance.Issue) (out []learning.Flag) {
	for _, critical := range []bool{true, false} {
		for _, i := range issues {
			if (i.Severity == compliance.Critical) == critical {
				out = append(out, learning.Flag{Code: i.Code, Why: i.Why, Quote: i.Quote})
			}
		}
	}
	return out
}

// objections are the words of a text that failing judges point at.
func objections(text string, v compliance.Verdict) (out []string) {
	out = borderline.Objections(text, v)
	for _, i := range v.Issues {
		if i.Quote != "" {
			out = append(out, i.Quote)
		}
	}
	return out
}

// remarked tells whom a comment on a borderline case means, and whoever took part in the case.
func (a *App) remarked(tx *db.Tx, c *borderline.Case, r borderline.Remark, others []string) error {
	all, err := a.Accounts.ListTx(tx, account.Expert)
	if err != nil {
		return err
	}
	found, unclear := comment.Parse(r.Text, lists.Map(all, func(p account.Account) comment.Person {
		return comment.Person{ID: p.ID, Name: p.Name, Email: p.Email}
	}), nil)
	if len(unclear) > 0 {
		u := unclear[0]
		msg := fmt.Sprintf("No expert is called “%s”. Write the name as it is shown, or leave out the @.", u.Word)
		if len(u.Who) > 1 {
			msg = fmt.Sprintf("“@%s” can mean %d experts. Write the whole name.", u.Word, len(u.Who))
		}
		return fault.Wrong("The comment can't be posted yet. Nothing you typed is lost.", "remark", msg)
	}
	meant := lists.Map(found, func(m comment.Mention) string { return m.Person.ID })
	n := comment.Notice{Kind: comment.CaseMention, ObjectID: c.ID + "#remark-" + r.ID, Task: c.Task,
		By: comment.Person{ID: r.By.ID, Name: r.By.Name}}
	if err := a.Comments.NoticeTx(tx, meant, n); err != nil {
		return err
	}
	n.Kind = comment.CaseComment
	return a.Comments.NoticeTx(tx, slices.DeleteFunc(others, func(id string) bool {
		return slices.Contains(meant, id) ||
			!slices.ContainsFunc(all, func(p account.Account) bool { return p.ID == id })
	}), n)
}

// noticeBack tells the supervisor who sent a case that the experts are done with it.
func (a *App) noticeBack(tx *db.Tx, c *borderline.Case, by borderline.Person) error {
	sent, _ := c.Asked()
	return a.Comments.NoticeTx(tx, []string{sent.ID}, comment.Notice{Kind: comment.CaseBack, CaseID: c.InteractionID,
		ObjectID: c.ID, Task: c.Task, By: comment.Person{ID: by.ID, Name: by.Name}})
}

// noticeRuled tells those who answered a case that somebody adjudicated it, and who sent it of any ruling.
func (a *App) noticeRuled(tx *db.Tx, c *borderline.Case, r *borderline.Ruling, answers []borderline.Answer) error {
	if err := a.noticeBack(tx, c, r.By); err != nil || r.How != borderline.Adjudicated {
		return err
	}
	to := lists.Map(answers, func(x borderline.Answer) string { return x.By.ID })
	return a.Comments.NoticeTx(tx, to, comment.Notice{Kind: comment.CaseRuled, ObjectID: c.ID, Task: c.Task,
		By: comment.Person{ID: r.By.ID, Name: r.By.Name}})
}

// noticeBorderline tells the experts of cases that passed their target.
func (a *App) noticeBorderline(tx *db.Tx, late []borderline.Case) error {
	return a.tellExperts(tx, comment.Notice{Kind: comment.Borderline, N: len(late), ObjectID: late[len(late)-1].ID,
		Task: late[len(late)-1].Task})
}
