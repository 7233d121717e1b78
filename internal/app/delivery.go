package app

import (
	"context"
	"encoding/json"
	"time"

	"preceptor/internal/delivery"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/document"
	"preceptor/internal/platform/job"
	"preceptor/internal/review"
	"preceptor/internal/review/escalation"
	"preceptor/web/api"
)

// maxEventText is how long a text may be that goes with its event; a longer one is fetched. The specification advises
// less than 20 kB in all.
const maxEventText = 16 << 10

// The types of events. A page names each (views/admin/webhooks.go) and help/65-webhooks.md describes it.
const (
	eventReleased  = "guidance.released"
	eventCorrected = "guidance.corrected"
	eventRecalled  = "guidance.recalled"
	eventEscalated = "guidance.escalated"
	eventTaken     = "guidance.taken"  // escalated, and a person has it
	eventClosed    = "guidance.closed" // escalated, and the person is done
	eventReturned  = "guidance.returned"
	eventExpired   = "guidance.expired"
	eventNightly   = "feedback.nightly" // the day's digest
)

// guidanceEvent is what an event about guidance says. Who decided is not part of it.
type guidanceEvent struct {
	ID         string    `json:"id"`
	Agent      string    `json:"agent"`
	Status     string    `json:"status"`
	Kind       string    `json:"kind"`
	DecidedAt  time.Time `json:"decided_at"`
	TextSHA256 string    `json:"text_sha256,omitempty"`
	Text       string    `json:"text,omitempty"`
	Superseded bool      `json:"superseded,omitempty"`
	Erased     bool      `json:"erased,omitempty"` // the text is gone for good
	URL        string    `json:"url"`

	Escalation *api.Escalated `json:"escalation,omitempty"` // as it stands when the event is sent

	Actions  []map[string]any `json:"actions,omitempty"` // what the agent may do now
	Refused  []map[string]any `json:"refused_actions,omitempty"`
	Metadata json.RawMessage  `json:"metadata,omitempty"` // the agent's own, where texts go with events
}

// allowed is what the operator lets be reached although it is not public.
func (a *App) allowed() delivery.Allow {
	networks, hosts, _ := a.cfg.WebhookTargets() // Open has checked them
	return delivery.Allow{Networks: networks, Hosts: hosts}
}

// fetchPage reads a document at an address, by the rules of webhooks.
func (a *App) fetchPage(ctx context.Context, address string) (string, []byte, error) {
	f, err := delivery.Fetch(ctx, a.allowed(), address, document.MaxFile)
	return f.Type, f.Body, err
}

// deliver makes the service that tells agents what became of their guidance.
func (a *App) deliver(jobs *job.Queue) *delivery.Service {
	s := delivery.New(a.DB, jobs, delivery.Options{Allow: a.allowed()}, a.Log)
	s.Data = a.eventData
	return s
}

// tellReleased is the event at the end of a hold.
func (a *App) tellReleased(tx *db.Tx, d *review.Decision) error {
	event := map[string]string{review.Escalated: eventEscalated, review.Returned: eventReturned}[d.State]
	switch {
	case event != "":
	case d.Corrects:
		event = eventCorrected
	default:
		event = eventReleased
	}
	return a.tell(tx, event, d)
}

func (a *App) tell(tx *db.Tx, event string, d *review.Decision) error {
	if d.Interaction.Planted { // it was never meant for anybody
		return nil
	}
	return a.Delivery.EnqueueTx(tx, d.Interaction.AgentID, event, d.InteractionID, d.ID)
}

// eventData builds what an event says from what is on file now. A text goes out only while it is the one that may go to
// the customer: the news of a release that was recalled before it could be delivered says so, and carries none. So does
// the news of a recall after the correction went out: what the agent has by then is not what was recalled.
func (a *App) eventData(ctx context.Context, e delivery.Event) (any, error) {
	if e.Type == delivery.TestType {
		agent, err := a.Accounts.Agent(ctx, e.AgentID)
		return map[string]string{"agent": agent.Name}, err
	}
	if e.Type == eventNightly {
		return a.nightlyData(ctx, e)
	}
	if e.Type == eventExpired {
		in, err := a.Interactions.Get(ctx, e.SourceID)
		if err != nil {
			return nil, err
		}
		return guidanceEvent{ID: in.ID, Agent: in.AgentName, Status: in.Status, Kind: in.Status,
			DecidedAt: in.ExpiresAt, Erased: !in.ErasedAt.IsZero(), URL: a.apiURL(in.ID), Metadata: given(e, in)}, nil
	}
	d, err := a.Reviews.Decision(ctx, e.SourceID)
	if err != nil {
		return nil, err
	}
	in, err := a.Interactions.Get(ctx, d.InteractionID)
	if err != nil {
		return nil, err
	}
	out := guidanceEvent{ID: in.ID, Agent: in.AgentName, Kind: d.Kind, DecidedAt: d.DecidedAt.UTC(),
		URL: a.apiURL(in.ID),
		Status: map[string]string{eventReleased: "released", eventCorrected: "released", eventRecalled: "recalled",
			eventEscalated: "escalated", eventTaken: "escalated", eventClosed: "escalated",
			eventReturned: "returned"}[e.Type]}
	if out.Escalation, err = a.escalated(ctx, d.InteractionID); err != nil {
		return nil, err
	}
	if out.Erased = !in.ErasedAt.IsZero(); out.Erased {
		return out, nil // what happened, and no text
	}
	out.Metadata = given(e, in)
	if d.Text != "" && !in.NoText {
		out.TextSHA256 = interaction.TextHash(d.Text)
	}
	switch {
	case out.Status == "recalled": // the correction may have been told already, when this is replayed
		out.Superseded = !in.Recalled()
	case out.Status != "released":
	case d.State != review.Released:
		out.Superseded = true
	case e.WithText && len(d.Text)+len(d.Actions.Column()) <= maxEventText:
		if !in.NoText {
			out.Text = d.Text
		}
		for i, a := range d.Actions {
			if a.Refused != "" {
				out.Refused = append(out.Refused, map[string]any{"index": i, "name": a.Name, "reason": a.Refused})
				continue
			}
			out.Actions = append(out.Actions, map[string]any{"index": i, "name": a.Name, "arguments": a.Object()})
		}
	}
	return out, nil
}

// escalatedMoved tells the agent that a person took its customer, or is done. That somebody released them again changes
// nothing for the agent.
func (a *App) escalatedMoved(tx *db.Tx, c *escalation.Case, event string) error {
	if kind := map[string]string{escalation.Taken: eventTaken, escalation.Closed: eventClosed}[event]; kind != "" {
		return a.Delivery.EnqueueTx(tx, c.AgentID, kind, c.ID, c.DecisionID)
	}
	return nil
}

// escalated is what an agent may know of an escalation; nil for guidance that isn't with a person.
func (a *App) escalated(ctx context.Context, id string) (*api.Escalated, error) {
	c, err := a.Escalations.Of(ctx, id)
	if c == nil || err != nil {
		return nil, err
	}
	out := &api.Escalated{State: c.State(), Outcome: c.Outcome, EscalatedAt: c.At,
		WaitedSeconds: int(c.Wait(a.DB.Now()).Seconds())}
	if !c.TakenAt.IsZero() {
		out.TakenAt = &c.TakenAt
	}
	if !c.ClosedAt.IsZero() {
		out.ClosedAt = &c.ClosedAt
	}
	return out, nil
}

// maxEventMetadata is how long metadata may be that goes with an event.
const maxEventMetadata = 4 << 10

// given is the agent's own metadata as far as it goes with an event.
func given(e delivery.Event, in *interaction.Interaction) json.RawMessage {
	if !e.WithText || len(in.Metadata) > maxEventMetadata {
		return nil
	}
	return in.Metadata
}

// apiURL is where an agent reads about a piece of guidance. Without a listener, in commands, it is the path alone.
func (a *App) apiURL(id string) string {
	path := "/api/guidance/" + id
	if a.cfg.PublicURL == "" && a.Addr() == "" {
		return path
	}
	return a.URL() + path
}
