package api

import (
	"context"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/strict"
	"preceptor/internal/review"
)

// guidanceBody is what an agent hands in.
type guidanceBody struct {
	Agent         string           `json:"agent,omitempty" doc:"Your agent's name; the token says it too."`
	Consultation  consultationBody `json:"consultation"`
	Guidance      string           `json:"guidance,omitempty" doc:"The text that would go to the customer, at most 204,800 bytes. Needed unless there are actions."`
	Actions       []actionBody     `json:"actions,omitempty" doc:"What you want to do, beside the text or without one, at most 20. Do nothing before it is released."`
	Reasoning     string           `json:"reasoning,omitempty" doc:"The agent's reasoning, at most 204,800 bytes."`
	Model         string           `json:"model,omitempty" doc:"Which model wrote it."`
	KnowledgeUsed []used           `json:"knowledge_used,omitempty" doc:"Ids from recall of what the agent was shown."`
	Steps         freeList         `json:"steps,omitempty" doc:"What the agent did on the way, in any form."`
	Metadata      freeObject       `json:"metadata,omitempty" doc:"Your own fields, such as a case number. Reviewers see and find them; you get them back with the guidance, in events and in exports."`
	Handling
	Revises string `json:"revises,omitempty" doc:"The id of your guidance that was sent back (returned) and that this replaces; each can have one new version."`
}

type consultationBody struct {
	Customer customer      `json:"customer,omitempty"`
	Question string        `json:"question,omitempty" doc:"What the customer asked, at most 20,000 bytes. Required, unless messages end with it."`
	Messages []messageBody `json:"messages,omitempty" doc:"The conversation so far, oldest first, at most 200 messages and 204,800 bytes. The customer's last message is the question."`
	Thread   string        `json:"thread,omitempty" doc:"Your id for the conversation, at most 200 bytes. It ties the drafts of one conversation together."`
	TaskType string        `json:"task_type,omitempty" doc:"What it is about, such as db_transfer or tax_free_cash; your own words are kept. If left out, we detect it."`
}

// messageBody is one message of a conversation.
type messageBody struct {
	Role string     `json:"role" enum:"customer,agent,tool,user,assistant" doc:"Who said it, or tool for the use of a tool. user is the customer, assistant the agent."`
	Text string     `json:"text,omitempty" doc:"What was said, or what the tool answered."`
	At   *time.Time `json:"at,omitempty" doc:"When, in RFC 3339, such as 2026-03-01T09:30:00Z."`
	Tool string     `json:"tool,omitempty" doc:"The tool's name."`
}

type links struct {
	Self string `json:"self" doc:"Where to follow its status."`
}

type receipt struct {
	ID     string `json:"id"`
	Status string `json:"status" doc:"waiting, or drafting while the built-in advisor writes."`
	Links  links  `json:"links"`
}

type receiptOutput struct {
	Location string `header:"Location" doc:"Where to follow its status."`
	Replayed string `header:"Idempotency-Replayed" doc:"true when this is the answer to an earlier call with the same key."`
	Body     receipt
}

func (h *handlers) submit(ctx context.Context, c *call, key *interaction.Idempotency,
	body guidanceBody) (*receiptOutput, error) {
	if err := c.ownAgent(body.Agent); err != nil {
		return nil, err
	}
	consultation, err := body.Consultation.read()
	if err != nil {
		return nil, err
	}
	sub := interaction.Submission{
		AgentID: c.token.AgentID, AgentName: c.token.AgentName, Origin: interaction.OriginAPI, By: c.token.Actor(),
		Consultation: consultation, Guidance: body.Guidance, Reasoning: body.Reasoning, Model: body.Model,
		Steps: body.Steps.raw, Metadata: body.Metadata.raw, Revises: body.Revises, Handling: body.Handling.read(),
		Actions: actionsOf(body.Actions),
	}
	for _, u := range body.KnowledgeUsed {
		sub.KnowledgeUsed = append(sub.KnowledgeUsed, u.Used)
	}
	rec, err := h.Interactions.Submit(ctx, sub, key)
	if err != nil {
		return nil, err
	}
	return receiptOf(rec), nil
}

func receiptOf(rec interaction.Receipt) *receiptOutput {
	out := &receiptOutput{Location: self(rec.ID),
		Body: receipt{ID: rec.ID, Status: rec.Status, Links: links{self(rec.ID)}}}
	if rec.Replayed {
		out.Replayed = "true"
	}
	return out
}

func self(id string) string { return "/api/guidance/" + id }

// GuidanceSummary is what a list shows of each. It is exported because the description leaves out what an unexported
// type embeds.
type GuidanceSummary struct {
	ID         string     `json:"id"`
	Status     string     `json:"status" enum:"drafting,waiting,held,released,escalated,returned,withdrawn,expired,closed,failed" doc:"returned: sent back to you with a note, for a new version that revises it; withdrawn: by you; expired: nobody decided before expires_at; closed: erased before anyone decided."`
	ErasedAt   *time.Time `json:"erased_at,omitempty" doc:"When all its texts were erased. Stop using what you collected, and erase your copy."`
	Recalled   bool       `json:"recalled,omitempty" doc:"It was released and then recalled for correction. Stop using the text you collected."`
	Agent      string     `json:"agent"`
	Thread     string     `json:"thread,omitempty" doc:"Your id for the conversation."`
	TaskType   string     `json:"task_type"`
	TaskTypeBy string     `json:"task_type_by" enum:"agent,preceptor" doc:"Who set the task type."`
	Handling
	CreatedAt  time.Time  `json:"created_at"`
	ReleasedAt *time.Time `json:"released_at,omitempty"`
	Links      links      `json:"links"`
}

// guidanceAnswer is one piece of guidance and what became of it.
type guidanceAnswer struct {
	GuidanceSummary
	Metadata  map[string]any   `json:"metadata,omitempty" doc:"As you sent it."`
	Actions   []approvedAction `json:"actions,omitempty" doc:"What you may do now, with these arguments and no others; only while the status is released."`
	Refused   []refusedAction  `json:"refused_actions,omitempty" doc:"What you may not do, and why, though the rest was released."`
	FinalText *string          `json:"final_text,omitempty" doc:"The text for the customer; only while the status is released."`
	Decision  *decisionAnswer  `json:"decision,omitempty" doc:"The current decision; until held_until it may still be undone."`
	Escalated *Escalated       `json:"escalation,omitempty" doc:"What became of the customer; only while the status is escalated."`
	Delivery  *deliveryAnswer  `json:"delivery,omitempty" doc:"How its latest event is delivered to you; left out while there is none."`
	Failure   string           `json:"failure,omitempty" doc:"Why the draft failed."`
	Revises   string           `json:"revises,omitempty" doc:"The guidance that was sent back and that this replaces."`
	RevisedBy string           `json:"revised_by,omitempty" doc:"The new version, if this was sent back."`
	History   []eventAnswer    `json:"history" doc:"Oldest first."`
}

type decisionAnswer struct {
	Kind       string      `json:"kind" enum:"approve,revise,reject,return,sampled" doc:"return: sent back to the agent; sampled: sent without review under a policy that reviews only a share."`
	State      string      `json:"state" enum:"held,released,escalated,returned"`
	ReasonCode string      `json:"reason_code,omitempty"`
	Reason     string      `json:"reason,omitempty" doc:"For a return: what to do differently."`
	Feedback   string      `json:"feedback,omitempty" doc:"For the agent: what to do next time."`
	DecidedAt  time.Time   `json:"decided_at"`
	HeldUntil  time.Time   `json:"held_until"`
	Overruled  []overruled `json:"overruled,omitempty" doc:"Checks that blocked the text and that two supervisors overruled, for this text only. The same words will be blocked again."`
}

// Escalated is where a customer is whom a person answers. Who that is stays on the desk.
type Escalated struct {
	State         string     `json:"state" enum:"open,taken,closed" doc:"open: nobody has taken it yet; closed: a person is done with it."`
	EscalatedAt   time.Time  `json:"escalated_at"`
	TakenAt       *time.Time `json:"taken_at,omitempty" doc:"When a person first took it."`
	ClosedAt      *time.Time `json:"closed_at,omitempty"`
	Outcome       string     `json:"outcome,omitempty" enum:"answered,passed_on,not_reached,not_needed" doc:"How it ended."`
	WaitedSeconds int        `json:"waited_seconds" doc:"From the customer's question to the close, or until now."`
}

type overruled struct {
	Code   string `json:"code"`
	Reason string `json:"reason,omitempty" doc:"Why the check is wrong about this text; present once released."`
}

type eventAnswer struct {
	At    time.Time `json:"at"`
	Kind  string    `json:"kind" doc:"submitted, asked, drafted, failed, signed, seconded, approved, revised, rejected, sent back, sampled, skipped, referred (to the experts), ruled, ruling undone, undone, overruled, released, escalated, taken by a person, released by a person, closed by a person, returned, recalled, recall read, withdrawn or expired."`
	Actor string    `json:"actor" enum:"agent,person,system"`
	Note  string    `json:"note,omitempty"`
}

func (h *handlers) get(ctx context.Context, in *struct {
	ID string `path:"id" doc:"As in the receipt."`
}) (guidanceAnswer, error) {
	return h.guidance(ctx, in.ID)
}

func (h *handlers) guidance(ctx context.Context, id string) (out guidanceAnswer, err error) {
	c := callOf(ctx)
	it, err := h.Interactions.Get(ctx, id)
	if err == nil && (it.AgentID != c.token.AgentID || it.Planted) { // an agent knows nothing of the checks on the desk
		err = interaction.NotFound()
	}
	if err != nil {
		return out, err
	}
	out = guidanceAnswer{GuidanceSummary: summaryOf(it), Failure: it.Failure, Revises: it.Revises}
	h.Interactions.NoteRecallRead(ctx, it)
	if len(it.Metadata) > 0 {
		if err := strict.Tree(it.Metadata, &out.Metadata); err != nil {
			return out, err
		}
	}
	if it.Status == interaction.Released && it.ErasedAt.IsZero() && !it.NoText {
		out.FinalText = &it.FinalText
	}
	item, err := h.Reviews.Get(ctx, id)
	if err == nil && item.Decision != nil {
		out.Decision = decisionOf(item.Decision)
		out.Actions, out.Refused = approved(it, item.Decision)
	} else if err != nil && !fault.Is(err, fault.NotFound) { // while it is drafted, there is no review
		return out, err
	}
	if out.Escalated, err = h.Escalated(ctx, id); err != nil {
		return out, err
	}
	if out.Delivery, err = h.delivery(ctx, it); err != nil {
		return out, err
	}
	if out.RevisedBy, err = h.Interactions.RevisedBy(ctx, it.ID); err != nil {
		return out, err
	}
	history, err := h.Interactions.History(ctx, it.ID)
	if err != nil {
		return out, err
	}
	for _, e := range history {
		ev := eventAnswer{At: e.At, Kind: e.Kind, Actor: e.Actor.Kind}
		if e.Actor.Kind != audit.Person && told[e.Kind] {
			ev.Note = e.Note // what is noted about people, as why they skipped, stays on the desk
		}
		out.History = append(out.History, ev)
	}
	return out, nil
}

// told are the kinds of events whose notes are for agents: which drafter wrote, why none could, and what it was told.
var told = map[string]bool{"asked": true, "drafted": true, "failed": true}

// decisionOf is the one that stands. Its text is not part of it: that is final_text, once released.
func decisionOf(d *review.Decision) *decisionAnswer {
	out := &decisionAnswer{Kind: d.Kind, State: d.State, DecidedAt: d.DecidedAt, HeldUntil: d.HeldUntil}
	for _, o := range d.Overrulings {
		out.Overruled = append(out.Overruled, overruled{Code: o.Code})
	}
	if d.State == review.Released || d.State == review.Escalated || d.State == review.Returned {
		// until then it may be undone, and was never said
		out.ReasonCode, out.Reason, out.Feedback = d.ReasonCode, d.Reason, d.Feedback
		for i, o := range d.Overrulings {
			out.Overruled[i].Reason = o.Reason
		}
	}
	return out
}

func summaryOf(it *interaction.Interaction) GuidanceSummary {
	s := GuidanceSummary{ID: it.ID, Status: it.Status, Agent: it.AgentName, Thread: it.Consultation.Thread,
		TaskType: it.Consultation.TaskType, TaskTypeBy: it.TaskTypeBy, Handling: handlingOf(it.Handling),
		CreatedAt: it.CreatedAt, Links: links{self(it.ID)}, Recalled: it.Recalled()}
	if !it.ReleasedAt.IsZero() {
		s.ReleasedAt = &it.ReleasedAt
	}
	if !it.ErasedAt.IsZero() {
		s.ErasedAt = &it.ErasedAt
	}
	return s
}

type guidanceList struct {
	Items      []GuidanceSummary `json:"items"`
	NextCursor string            `json:"next_cursor,omitempty" doc:"Left out on the last page."`
}

func (h *handlers) list(ctx context.Context, in *struct {
	Status string `query:"status" doc:"Only those with this status: drafting, waiting, held, released, escalated, returned, withdrawn, expired or failed."`
	Thread string `query:"thread" doc:"Only those of this conversation."`
	Cursor string `query:"cursor" doc:"next_cursor of the page before."`
	Limit  int    `query:"limit" doc:"1 to 100; if left out, 25."`
}) (out guidanceList, err error) {
	page, err := h.Interactions.List(ctx,
		interaction.Filter{AgentID: callOf(ctx).token.AgentID, Status: in.Status, Thread: in.Thread,
			Cursor: in.Cursor, Limit: in.Limit})
	if err != nil {
		return out, err
	}
	out = guidanceList{Items: []GuidanceSummary{}, NextCursor: page.Next}
	for i := range page.Items {
		out.Items = append(out.Items, summaryOf(&page.Items[i]))
	}
	return out, nil
}
