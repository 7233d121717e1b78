package browsertest

import (
	"fmt"
	"strings"
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/account"
	"preceptor/internal/delivery"
	"preceptor/views/accounts"
	"preceptor/views/admin"
	"preceptor/views/layout"
)

func webhookSamples() []Sample {
	return []Sample{
		{"webhooks", "Webhooks", func(f layout.Frame, w Words) templ.Component {
			return admin.Webhooks(f, webhooks(w))
		}},
		{"webhooks-empty", "Webhooks, no agents", func(f layout.Frame, _ Words) templ.Component {
			return admin.Webhooks(f, admin.WebhooksView{Side: adminSide})
		}},
		{"webhook-none", "Webhook, not set up", webhookIn(func(v *admin.WebhookView, _ Words) {
			v.Endpoint, v.Events, v.URL = nil, nil, ""
		})},
		{"webhook-private", "Webhook, a private address", webhookIn(func(v *admin.WebhookView, _ Words) {
			v.Endpoint, v.Events, v.URL = nil, nil, "https://hooks.internal/preceptor"
			v.Errors = accounts.Errors{"url": "hooks.internal is at 10.20.30.40, which is a private address. To send " +
				"there, start the program with --webhook-allow 10.20.30.40 (PRECEPTOR_WEBHOOK_ALLOW)."}
		})},
		{"webhook-new", "Webhook, the secret", webhookIn(func(v *admin.WebhookView, _ Words) {
			v.Fresh, v.Events, v.Endpoint.DeliveredAt = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD4sUdPBk9rzI=", nil,
				time.Time{}
		})},
		{"webhook-rotated", "Webhook, a new secret", webhookIn(func(v *admin.WebhookView, w Words) {
			v.Fresh, v.Rotated, v.Endpoint.OldUntil = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD4sUdPBk9rzI=", true,
				w.Now.Add(24*time.Hour)
		})},
		{"webhook-healthy", "Webhook that works", webhookIn(func(*admin.WebhookView, Words) {})},
		{"webhook-failing", "Webhook that fails", webhookIn(failingHook)},
		{"webhook-paused", "Webhook that asked us to wait", webhookIn(func(v *admin.WebhookView, w Words) {
			failingHook(v, w)
			v.Endpoint.PausedUntil = w.Now.Add(12 * time.Minute)
		})},
		{"webhook-gone", "Webhook that answered 410", webhookIn(func(v *admin.WebhookView, w Words) {
			failingHook(v, w)
			v.Endpoint.Enabled, v.Endpoint.DisabledWhy, v.Endpoint.DisabledAt = false, delivery.WhyGone,
				w.Now.Add(-3*time.Hour)
		})},
		{"webhook-off", "Webhook that is off", webhookIn(func(v *admin.WebhookView, w Words) {
			v.Endpoint.Enabled, v.Endpoint.DisabledWhy, v.Endpoint.DisabledAt = false, delivery.WhyPerson,
				w.Now.Add(-3*time.Hour)
		})},
		{"webhook-dead", "Webhook with events given up", webhookIn(func(v *admin.WebhookView, w Words) {
			v.Endpoint.Dead, v.State = 2, delivery.Dead
			v.Events = []delivery.Delivery{deadEvent(w, 8), deadEvent(w, 7)}
		})},
		{"webhook-event", "Event, given up", func(f layout.Frame, w Words) templ.Component {
			return admin.Event(f, eventView(w))
		}},
		{"webhook-event-new", "Event, not tried yet", func(f layout.Frame, w Words) templ.Component {
			v := eventView(w)
			v.Event, v.Attempts = sampleEvent(w, 9, "guidance.corrected", delivery.Waiting), nil
			return admin.Event(f, v)
		}},
	}
}

var adminSide = admin.Side{Shown: true, Webhooks: 2}

func webhookIn(change func(*admin.WebhookView, Words)) func(layout.Frame, Words) templ.Component {
	return func(f layout.Frame, w Words) templ.Component {
		e := sampleEndpoint(w)
		v := admin.WebhookView{Side: adminSide, Agent: account.Agent{ID: "a1", Name: w.Agent}, Endpoint: &e, URL: e.URL,
			WithText: true, Here: "/admin/webhooks/a1"}
		for i, kind := range []string{"guidance.released", "guidance.escalated", "guidance.corrected",
			"guidance.recalled", "guidance.returned", delivery.TestType} {
			v.Events = append(v.Events, sampleEvent(w, 9-i, kind, delivery.Done))
		}
		change(&v, w)
		return admin.Webhook(f, v)
	}
}

func sampleEndpoint(w Words) delivery.Endpoint {
	return delivery.Endpoint{AgentID: "a1", URL: "https://advisor.example/preceptor/events", WithText: true,
		Enabled: true, DeliveredAt: w.Now.Add(-4 * time.Minute), CreatedAt: w.Now.Add(-300 * time.Hour)}
}

func sampleEvent(w Words, n int, kind, state string) delivery.Delivery {
	d := delivery.Delivery{Seq: int64(n), ID: "msg_" + strings.Repeat(fmt.Sprint(n), 32), AgentID: "a1", Type: kind,
		ObjectID: "01a1ffbb-8440-7560-9fa8-4ba0cd86d357", State: state,
		CreatedAt: w.Now.Add(-time.Duration(100-10*n) * time.Minute), NextAt: w.Now.Add(3 * time.Second)}
	if state == delivery.Done {
		d.Attempt, d.Tried = 1, 1
		d.Last = delivery.Attempt{N: 1, At: d.CreatedAt, Outcome: delivery.Delivered, Status: 204,
			Took: 84 * time.Millisecond, BodyHash: strings.Repeat("3c", 32)}
	}
	return d
}

func failingHook(v *admin.WebhookView, w Words) {
	e := v.Endpoint
	e.Failures, e.FailingSince, e.Waiting, e.DeliveredAt = 7, w.Now.Add(-40*time.Minute), 2, w.Now.Add(-50*time.Minute)
	e.Failure = "The receiver answered 503. It said: " + w.Reason
	for i := range 2 {
		d := &v.Events[i]
		d.State, d.Attempt, d.Tried, d.NextAt = delivery.Waiting, 4-i, 4-i,
			w.Now.Add(time.Duration(80*(i+1))*time.Minute)
		d.Last = delivery.Attempt{N: 4 - i, At: w.Now.Add(-time.Minute), Outcome: delivery.Status, Status: 503,
			Note: e.Failure, Took: 120 * time.Millisecond}
	}
}

func deadEvent(w Words, n int) delivery.Delivery {
	d := sampleEvent(w, n, "guidance.released", delivery.Dead)
	d.Attempt, d.Tried, d.CreatedAt = 10, 10, w.Now.Add(-90*time.Hour)
	d.Last = delivery.Attempt{N: 10, At: w.Now.Add(-14 * time.Hour), Outcome: delivery.TimedOut,
		Note: "The receiver did not answer within 20 seconds.", Took: 20 * time.Second}
	return d
}

func eventView(w Words) admin.EventView {
	v := admin.EventView{Side: adminSide, Agent: account.Agent{ID: "a1", Name: w.Agent}, Event: deadEvent(w, 8)}
	notes := []delivery.Attempt{
		{Outcome: delivery.TimedOut, Note: "The receiver did not answer within 20 seconds.", Took: 20 * time.Second},
		{Outcome: delivery.Status, Status: 500, Note: "The receiver answered 500. It said: " + w.Reason,
			Took: 210 * time.Millisecond},
		{Outcome: delivery.Redirect, Status: 302,
			Note: "The receiver answered 302, a redirect, which we don't follow. Enter the address it redirects to.",
			Took: 40 * time.Millisecond},
		{Outcome: delivery.Connection, Note: "The receiver closed the connection without an answer.",
			Took: 12 * time.Millisecond},
		{Outcome: delivery.Certificate, Note: "The receiver's certificate has expired or is not valid yet.",
			Took: 31 * time.Millisecond},
	}
	for n := 10; n > 0; n-- {
		a := notes[n%len(notes)]
		a.N, a.At, a.BodyHash = n, w.Now.Add(-time.Duration(100-9*n)*time.Hour), strings.Repeat("3c", 32)
		v.Attempts = append(v.Attempts, a)
	}
	return v
}

func webhooks(w Words) admin.WebhooksView {
	works, fails, gone, off := sampleEndpoint(w), sampleEndpoint(w), sampleEndpoint(w), sampleEndpoint(w)
	fails.Failures, fails.Waiting, fails.Dead = 3, 12, 2
	gone.Enabled, gone.DisabledWhy = false, delivery.WhyGone
	off.Enabled, off.DisabledWhy = false, delivery.WhyPerson
	v := admin.WebhooksView{Side: adminSide}
	for i, e := range []*delivery.Endpoint{&works, &fails, &gone, &off, nil} {
		v.Rows = append(v.Rows,
			admin.WebhookRow{Agent: account.Agent{ID: fmt.Sprint("a", i),
				Name: []string{w.Agent, "drawdown-helper", "old-advisor", "night-desk", "trial"}[i]}, Endpoint: e})
	}
	return v
}
