package browsertest

import (
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/knowledge"
	"preceptor/internal/review"
	"preceptor/views/layout"
	"preceptor/views/reviews"
	"preceptor/views/search"
	"preceptor/views/ui"
)

func deskSamples() []Sample {
	return []Sample{
		{"queue", "Queue", queueIn(func(*reviews.Queue, Words) {})},
		{"queue-ticked", "Queue, rows ticked", queueIn(func(q *reviews.Queue, _ Words) {
			q.Bulk.IDs = []string{"i1", "i3"}
		})},
		{"queue-filtered", "Queue, filtered and saved", queueIn(filtered)},
		{"queue-problem", "Queue, skipping without a reason", queueIn(func(q *reviews.Queue, _ Words) {
			q.Bulk = reviews.Bulk{IDs: []string{"i2"}, Message: "Give a reason for skipping these reviews.",
				Errors: map[string]string{"reason": "Give a reason for whoever takes them next."}}
		})},
		{"queue-skipped", "Queue, all that is left was skipped", queueIn(allSkipped)},
		{"queue-others", "Queue, with others", queueIn(withOthers)},
		{"queue-signed", "Queue, signed by me", queueIn(signedByMe)},
		{"queue-done", "Queue, done", queueIn(doneQueue)},
		{"queue-outside", "Queue, as a manager sees it",
			queueIn(func(q *reviews.Queue, _ Words) { q.Outside, q.Teams, q.To = true, nil, q.To[1:] })},
		{"queue-empty", "Queue, empty", noneIn(func(*reviews.Queue) {})},
		{"queue-taken", "Queue, all with others", noneIn(func(q *reviews.Queue) { q.Counts.Others = 3 })},
		{"queue-second", "Queue, all waiting for a second supervisor",
			noneIn(func(q *reviews.Queue) { q.Counts.Signed = 2 })},
		{"queue-not-mine", "Queue, nothing for me", noneIn(func(q *reviews.Queue) {
			q.Counts.Others, q.Counts.Signed = 3, 2
		})},
		{"queue-no-hit", "Queue, search without a hit",
			noneIn(func(q *reviews.Queue) { q.Filter.Search, q.Counts.Needs = "trawler", 12 })},
		{"queue-no-match", "Queue, nothing matches", noneIn(func(q *reviews.Queue) {
			q.Filter.Flag, q.Counts.Needs = "MISSING_DB_WARNING", 12
		})},
		{"search", "Search", func(f layout.Frame, w Words) templ.Component { return search.Page(f, found(w)) }},
		{"search-none", "Search, nothing found", func(f layout.Frame, w Words) templ.Component {
			return search.Page(f, search.Results{Query: w.Name, Now: w.Now})
		}},
		{"search-own", "Search, as somebody who may not see the desk", func(f layout.Frame, w Words) templ.Component {
			v := found(w)
			v.Own, v.Peopled, v.People = true, false, nil
			return search.Page(f, v)
		}},
	}
}

func queueIn(change func(*reviews.Queue, Words)) func(layout.Frame, Words) templ.Component {
	return func(f layout.Frame, w Words) templ.Component {
		q := queue(w)
		change(&q, w)
		f.OwnSearch = true
		return reviews.QueuePage(f, q)
	}
}

func noneIn(change func(*reviews.Queue)) func(layout.Frame, Words) templ.Component {
	return func(f layout.Frame, w Words) templ.Component {
		q := emptyQueue(w)
		change(&q)
		f.OwnSearch = true
		return reviews.QueuePage(f, q)
	}
}

func queue(w Words) reviews.Queue {
	q := emptyQueue(w)
	q.Counts = review.Counts{Needs: 12, Others: 2, Signed: 1, Assigned: 4, Done: 41, DoneToday: 9, Skipped: 1}
	q.Page.Oldest = w.Now.Add(-26 * time.Hour)
	q.Page.Next, q.Page.SentBack = "c2", map[string]bool{"i6": true}
	for i := range 9 {
		r := sampleRow(w, i)
		switch i {
		case 0:
			r.NeedsTwo, r.First = true, review.Person{ID: other, Name: "Ben Carter"}
		case 1:
			r.Claim = review.Claim{By: review.Person{ID: me, Name: "Ann Archer"}, Until: w.Now.Add(4 * time.Minute)}
		case 2:
			r.AssignedTo = review.Person{ID: "team:t1", Name: "Transfers"}
		case 3:
			r.Skipped = true
		case 5:
			r.NeedsTwo, r.AssignedTo = true, review.Person{ID: me, Name: "Ann Archer"}
		case 7:
			r.Correcting, r.CreatedAt = true, w.Now.Add(-3*time.Hour)
		}
		q.Page.Items = append(q.Page.Items, r)
	}
	q.Rail = rail(w)
	return q
}

func emptyQueue(w Words) reviews.Queue {
	people := []ui.Option{{Value: me, Label: "Ann Archer"}, {Value: other, Label: "Ben Carter"}}
	team := ui.Option{Value: "team:t1", Label: "Transfers"}
	return reviews.Queue{
		Filter:   review.Filter{State: review.Needs, Viewer: me},
		Policies: review.Targets{"": {Soon: 4 * time.Hour, Late: 24 * time.Hour}},
		Agents:   []ui.Option{{Value: "a1", Label: w.Agent}},
		Flags:    []string{"MISSING_DB_WARNING", "PERSONAL_RECOMMENDATION"},
		People:   people, Teams: []ui.Option{team}, Now: w.Now,
		To: []ui.Option{{Value: me, Label: "you"}, people[1], {Value: team.Value, Label: "team " + team.Label},
			{Value: review.ToNobody, Label: "nobody"}},
		Saved: []review.SavedFilter{
			{ID: "f1", Owner: review.Person{ID: me}, Name: "Late transfers", Query: "age=late&task=db_transfer",
				Team: team.Value},
			{ID: "f2", Owner: review.Person{ID: other, Name: "Ben Carter"}, Name: w.Name,
				Query: "flag=MISSING_DB_WARNING", Team: team.Value},
		},
	}
}

func filtered(q *reviews.Queue, _ Words) {
	q.Filter.Task, q.Filter.Age, q.Saved[0].Pinned = "db_transfer", review.Late, true
	q.Page.Items, q.Page.Next = q.Page.Items[:1], ""
}

func allSkipped(q *reviews.Queue, _ Words) {
	q.Page.Items, q.Page.Next = q.Page.Items[2:5], ""
	q.Counts.Needs, q.Counts.Skipped = 3, 3
	for i := range q.Page.Items {
		q.Page.Items[i].Skipped = true
	}
}

func withOthers(q *reviews.Queue, w Words) {
	q.Filter.State, q.Page.Items, q.Page.Next = review.Others, q.Page.Items[:2], ""
	for i := range q.Page.Items {
		q.Page.Items[i].Claim = review.Claim{By: review.Person{ID: other, Name: "Ben Carter"},
			Until: w.Now.Add(6 * time.Minute)}
	}
}

func signedByMe(q *reviews.Queue, _ Words) {
	q.Filter.State, q.Page.Items, q.Page.Next = review.Signed, q.Page.Items[:1], ""
	q.Page.Items[0].First = review.Person{ID: me, Name: "Ann Archer"}
}

func doneQueue(q *reviews.Queue, w Words) {
	q.Filter.State = review.Done
	q.Page.Outcomes = map[string]review.Outcome{}
	outcomes := []review.Outcome{
		{Kind: review.Approve, State: review.Held, By: "Ann Archer"},
		{Kind: review.Revise, State: review.Released, By: "Ben Carter", Second: "Ann Archer"},
		{Kind: review.Reject, State: review.Escalated, By: "Ben Carter"},
		{Kind: review.Return, State: review.Returned, By: "Ben Carter"},
		{Kind: review.Sampled, State: review.Released}, {Kind: review.Approve, State: review.Closed, By: "Ann Archer"},
	}
	for i := range q.Page.Items {
		r := &q.Page.Items[i]
		r.State, r.DecidedAt, r.Skipped, r.Claim = "decided", w.Now.Add(-time.Duration(i*i+1)*9*time.Minute), false,
			review.Claim{}
		q.Page.Outcomes[r.ID] = outcomes[i%len(outcomes)]
	}
}

func found(w Words) search.Results {
	decided := sampleRow(w, 1)
	decided.State = "decided"
	return search.Results{Query: "transfer", Cases: []review.Row{sampleRow(w, 0), decided}, More: true, Peopled: true,
		MayAdmin: true, Now: w.Now,
		Known: []knowledge.Item{{Kind: "rule", ID: "r1", Label: "Rule R-71", Title: "Say what a DB transfer gives up",
			Text: w.Principle, Score: .91}},
		People: []search.Person{{ID: other, Name: w.Name, Roles: "supervisor"},
			{ID: "p3", Name: "Cy Dent", Roles: "expert", Disabled: true}}}
}
