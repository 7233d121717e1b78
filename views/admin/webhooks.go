package admin

import (
	"strconv"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/delivery"
	"preceptor/views/accounts"
	"preceptor/views/ui"
)

// WebhooksView is every agent and where its events go.
type WebhooksView struct {
	Side Side
	Rows []WebhookRow
}

// WebhookRow is an agent with its webhook.
type WebhookRow struct {
	Agent    account.Agent
	Endpoint *delivery.Endpoint // nil: it polls
}

// WebhookView is one agent's webhook and its events.
type WebhookView struct {
	Side     Side
	Agent    account.Agent
	Endpoint *delivery.Endpoint
	Fresh    string // a secret that was just made: shown once
	Rotated  bool   // and another one signs for a day beside it
	URL      string `form:"url"` // as typed
	WithText bool   `form:"with_text"`
	Base     string `form:"base"`
	Errors   accounts.Errors
	State    string `form:"state"` // of the events that are listed; "" is all
	Before   int64  `form:"before"`
	Events   []delivery.Delivery
	Here     string // the address of this page
	Pages    ui.Pages
}

// EventView is one event with its attempts.
type EventView struct {
	Side     Side
	Agent    account.Agent
	Off      bool // the webhook is disabled
	Event    delivery.Delivery
	Attempts []delivery.Attempt
}

// base is what is set now.
func (v WebhookView) base() string {
	if v.Endpoint == nil {
		return delivery.Endpoint{}.Words()
	}
	return v.Endpoint.Words()
}

func webhookHref(agentID string) string { return "/admin/webhooks/" + agentID }

// badge is a tone, an icon and a word.
type badge struct {
	tone       ui.Tone
	icon, word string
}

// health says how an endpoint is.
func health(e *delivery.Endpoint, now time.Time) badge {
	switch {
	case e == nil:
		return badge{ui.Neutral, "", "polling"}
	case e.DisabledWhy == delivery.WhyGone:
		return badge{ui.Red, "stop", "off: receiver answered 410"}
	case !e.Enabled:
		return badge{ui.Amber, "warn", "off"}
	case e.PausedUntil.After(now):
		return badge{ui.Amber, "clock", "asked us to wait"}
	case e.Failures > 0:
		return badge{ui.Amber, "warn", "failing"}
	case e.DeliveredAt.IsZero():
		return badge{ui.Neutral, "", "nothing sent yet"}
	default:
		return badge{ui.Green, "check", "works"}
	}
}

// standing says where an event is.
func standing(d delivery.Delivery, off bool) badge {
	switch {
	case d.State == delivery.Done:
		return badge{ui.Green, "check", "delivered"}
	case d.State == delivery.Dead:
		return badge{ui.Red, "stop", "failed"}
	case d.State == delivery.Failed:
		return badge{ui.Amber, "warn", "did not arrive"}
	case off:
		return badge{ui.Neutral, "lock", "kept"}
	case d.Attempt > 0:
		return badge{ui.Amber, "clock", "trying again"}
	default:
		return badge{ui.Neutral, "clock", "waiting"}
	}
}

var eventNames = map[string]string{
	"guidance.released": "Sent", "guidance.corrected": "Corrected", "guidance.recalled": "Recalled",
	"guidance.escalated": "Escalated", "guidance.returned": "Sent back",
	"guidance.taken": "Taken by a person", "guidance.closed": "Closed by a person",
	"guidance.expired": "Expired", "feedback.nightly": "Feedback of the day",
	delivery.TestType: "Test",
}

func eventName(kind string) string {
	if name := eventNames[kind]; name != "" {
		return name
	}
	return kind
}

var outcomeNames = map[string]string{
	delivery.Delivered: "Delivered", delivery.Status: "Refused by the receiver", delivery.Redirect: "Redirected",
	delivery.Gone:     "No longer wanted",
	delivery.TimedOut: "No answer in time", delivery.Connection: "No connection",
	delivery.Certificate: "Certificate not trusted",
	delivery.Refused:     "Address not allowed", delivery.Lost: "Nothing to send",
	delivery.Unmade: "Couldn't be created",
}

func tries(d delivery.Delivery) string {
	if d.Type == delivery.TestType {
		return strconv.Itoa(d.Attempt) + " of 1"
	}
	return strconv.Itoa(d.Attempt) + " of " + strconv.Itoa(delivery.Attempts)
}

// later is a moment to come, in words.
func later(t, now time.Time) string {
	d := t.Sub(now)
	switch {
	case d <= 0:
		return "now"
	case d < time.Minute:
		return "in " + strconv.Itoa(int(d.Seconds())+1) + " s"
	case d < time.Hour:
		return "in " + strconv.Itoa(int(d.Minutes())+1) + " min"
	default:
		return "in " + strconv.Itoa(int(d.Hours()+0.5)) + " h"
	}
}

// next is what happens to an event that is not settled.
func next(d delivery.Delivery, e *delivery.Endpoint, now time.Time) string {
	at := d.NextAt
	if e.PausedUntil.After(at) {
		at = e.PausedUntil
	}
	switch {
	case d.State != delivery.Waiting:
		return ""
	case !e.Enabled:
		return "when the webhook is on again"
	default:
		return later(at, now)
	}
}

// took is how long an attempt lasted.
func took(d time.Duration) string {
	if d >= time.Second {
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	}
	return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
}

func (v WebhookView) tabs() []ui.Tab {
	waiting, dead := -1, -1
	if v.Endpoint != nil {
		waiting, dead = v.Endpoint.Waiting, v.Endpoint.Dead
	}
	var out []ui.Tab
	for _, t := range []ui.Tab{{Label: "All", Count: -1}, {Label: "Waiting", Href: delivery.Waiting, Count: waiting},
		{Label: "Failed", Href: delivery.Dead, Count: dead}, {Label: "Delivered", Href: delivery.Done, Count: -1}} {
		t.Current = t.Href == v.State
		if t.Href != "" {
			t.Href = "?state=" + t.Href
		}
		t.Href = webhookHref(v.Agent.ID) + t.Href
		out = append(out, t)
	}
	return out
}
