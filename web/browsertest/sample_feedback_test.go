package browsertest

import (
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/feedback"
	"preceptor/internal/feedback/chat"
	views "preceptor/views/feedback"
	"preceptor/views/layout"
)

func feedbackSamples() []Sample {
	return []Sample{
		{"feedback-link", "Link, as a customer sees it", func(_ layout.Frame, w Words) templ.Component {
			return views.LinkPage(customer(w))
		}},
		{"feedback-link-wrong", "Link, with something wrong", func(_ layout.Frame, w Words) templ.Component {
			v := customer(w)
			v.Form = views.Form{Vote: "1", Rating: "2", Understood: "yes", Comment: w.Feedback,
				Message: "Check your answers and try again.", Errors: map[string]string{
					"vote":       "Choose yes or no.",
					"rating":     "You said yes but gave 2 out of 10, where 10 is best. Change one of them.",
					"understood": "Choose one of the answers.",
					"goals":      "Answer both questions, or neither.", "comment": "Please shorten it."}}
			return views.LinkPage(v)
		}},
		{"feedback-link-saved", "Link, saved", func(_ layout.Frame, w Words) templ.Component {
			v := customer(w)
			v.Saved, v.Had = true, true
			return views.LinkPage(v)
		}},
		{"feedback-link-taken", "Link, taken back", func(_ layout.Frame, w Words) templ.Component {
			v := customer(w)
			v.Saved = true
			return views.LinkPage(v)
		}},
		{"feedback-link-expired", "Link, expired", func(_ layout.Frame, _ Words) templ.Component {
			return views.ClosedPage(views.Closed{Title: "This link has expired",
				Text: "This link has expired, so it can't be used any more."})
		}},
		{"feedback-link-talk", "Conversation, as a customer sees it", func(_ layout.Frame, w Words) templ.Component {
			return views.GuestTalk(talked(w))
		}},
		{"feedback-chat-reviewed", "Chat with a reviewed agent", func(f layout.Frame, w Words) templ.Component {
			v := talked(w)
			v.Full, v.Message = "", w.Reason
			return views.TalkPage(f, v)
		}},
		{"feedback-widget", "Widget, fresh and answered", widget},
		{"feedback-comments", "Comments", func(f layout.Frame, w Words) templ.Component {
			return views.ListPage(f, saidByUsers(w))
		}},
		{"feedback-comments-back", "Comments, searched far back", func(f layout.Frame, w Words) templ.Component {
			v := saidByUsers(w)
			v.Filter.Words, v.Page.Items, v.Page.Back = w.Reason, nil, w.Now.Add(-90*24*time.Hour)
			v.From, v.To, v.Wrong = w.Goal, "2026-11-21",
				map[string]string{"from": "write days as 2026-11-22; \"" + w.Goal + "\" is none.",
					"sign":   "choose positive, negative or neutral; \"angry\" is none of them.",
					"cursor": "The page number in the address is cut off."}
			return views.ListPage(f, v)
		}},
		{"feedback-comments-none", "Comments, none", func(f layout.Frame, w Words) templ.Component {
			return views.ListPage(f, views.List{Now: w.Now})
		}},
		{"feedback-one", "One answer, for a supervisor", func(f layout.Frame, w Words) templ.Component {
			return views.OnePage(f, judged(w))
		}},
		{"feedback-one-wrong", "One answer, forms with something wrong, and a link",
			func(f layout.Frame, w Words) templ.Component {
				v := judged(w)
				v.Follow = &views.FollowUp{Satisfaction: "11", Comprehension: w.Goal, Issues: w.Reason, GoalsMet: "no",
					HasDB: true, Message: "Check your answers and try again.",
					Errors: map[string]string{"satisfaction": "Enter a number from 0 to 10.",
						"comprehension":  "Enter a number from 0 to 10.",
						"goal_alignment": "Enter a number from 0 to 10."}}
				v.Maker = &views.Maker{User: w.Name, Days: "7",
					Errors: map[string]string{"user_id": "Use an id of at most 200 characters."},
					Link:   "https://preceptor.example/f/AAAA", Until: w.Now.Add(time.Hour)}
				return views.OnePage(f, v)
			}},
		{"feedback-one-unread", "One answer, for a manager", func(f layout.Frame, w Words) templ.Component {
			v := judged(w)
			v.MayRead, v.Follow, v.Case, v.Votes, v.Outcomes = false, nil, "", nil, nil
			return views.OnePage(f, v)
		}},
		{"feedback-examples", "Examples", func(f layout.Frame, w Words) templ.Component {
			return views.ExamplesPage(f, liked(w))
		}},
		{"feedback-examples-none", "Examples, none", func(f layout.Frame, w Words) templ.Component {
			return views.ExamplesPage(f, views.Examples{Now: w.Now})
		}},
		{"feedback-nightly", "Nightly summaries", func(f layout.Frame, w Words) templ.Component {
			return views.NightsPage(f, nights(w))
		}},
		{"feedback-nightly-none", "Nightly summaries, none", func(f layout.Frame, w Words) templ.Component {
			return views.NightsPage(f, views.Nights{})
		}},
		{"feedback-chat", "Chat", func(f layout.Frame, w Words) templ.Component {
			return views.ChatPage(f, chatted(w))
		}},
		{"feedback-chat-wrong", "Chat, with something wrong", func(f layout.Frame, w Words) templ.Component {
			v := chatted(w)
			v.Turns, v.Question, v.Error, v.Message = nil, w.Question,
				"This is 4,300 characters long. Shorten it by at least 300.", "The question can't be asked yet."
			return views.ChatPage(f, v)
		}},
		{"feedback-rooms", "Whom one may talk to", func(f layout.Frame, w Words) templ.Component {
			return views.RoomsPage(f, []chat.Agent{{Name: w.Name}}, []chat.Agent{{Name: w.Agent}})
		}},
		{"feedback-rooms-none", "Nobody to talk to", func(f layout.Frame, _ Words) templ.Component {
			return views.RoomsPage(f, nil, nil)
		}},
	}
}

// widget shows what stands in its frame, twice: the gallery is one page with one heading, and the frame is a page of
// its own.
func widget(f layout.Frame, w Words) templ.Component {
	v := customer(w)
	v.Path, v.Had, v.Saved, v.Form = "/widget/AAAA", true, true, views.Form{Vote: "-1", Comment: w.Feedback}
	return views.WidgetSample(f, v)
}

func customer(w Words) views.Public {
	return views.Public{Path: "/f/AAAA", At: w.Now.Add(-26 * time.Hour), Query: w.Question, Response: w.Revised,
		AskOutcome: true, Until: w.Now.Add(14 * 24 * time.Hour)}
}

func votesOf(w Words) []feedback.Vote {
	at := w.Now.Add(-5 * time.Hour)
	return []feedback.Vote{
		{ID: "v3", SubjectID: "i3", UserID: w.Name, Kind: feedback.Thumbs, Value: -1, Norm: 0, Text: w.Reason,
			Channel: feedback.ChannelWidget, At: at, Version: 2},
		{ID: "v2", SubjectID: "i2", UserID: "c-2041", Kind: feedback.Rating, Value: 8, Norm: .8, Text: w.Feedback,
			Channel: feedback.ChannelLink, At: at.Add(-time.Hour), Version: 1},
		{ID: "v1", SubjectID: "i1", UserID: "c-77", Kind: feedback.Thumbs, Value: 0, Norm: .5, Text: w.Goal,
			Channel: feedback.ChannelAPI, At: at.Add(-48 * time.Hour), Version: 4},
	}
}

func saidByUsers(w Words) views.List {
	v := views.List{Agents: []string{w.Agent, "tutor"}, Topics: []string{"db_transfer", w.Goal}, Now: w.Now,
		From: "2026-11-01", To: "2026-11-21",
		Filter: feedback.CommentFilter{AgentType: w.Agent, Sign: feedback.Negative, Cursor: "c"},
		Page:   feedback.CommentPage{Next: "n"}}
	for i, vote := range votesOf(w) {
		vote.AgentType, vote.Topic = w.Agent, []string{"db_transfer", "", w.Goal}[i]
		v.Page.Items = append(v.Page.Items, vote)
	}
	return v
}

func judged(w Words) views.One {
	yes, no := true, false
	return views.One{
		Subject: feedback.Subject{ID: "i1", Kind: feedback.Guidance, AgentName: w.Agent, AgentType: w.Agent,
			Topic: "db_transfer", Query: w.Question, Response: w.Revised, At: w.Now.Add(-26 * time.Hour),
			Released: true},
		MayRead: true, Votes: votesOf(w), Case: "/reviews/i1", List: true, Now: w.Now,
		People: map[string]string{"p1": w.Name},
		Outcomes: []feedback.Outcome{
			{ID: "o1", Satisfaction: 4, Comprehension: 2.5, GoalAlignment: 5, Issues: []string{w.Reason, w.Goal},
				GoalsMet: &no, Signposted: &yes, By: "p1", Channel: feedback.ChannelDesk, At: w.Now},
			{ID: "o2", Satisfaction: 10, Comprehension: 10, GoalAlignment: 10, GoalsMet: &yes, By: w.Name,
				Channel: feedback.ChannelLink, At: w.Now.Add(-time.Hour)},
		},
		Follow: &views.FollowUp{HasDB: true}, Maker: &views.Maker{Days: "14"},
	}
}

// talked is a conversation with an answer in each state.
func talked(w Words) views.Talk {
	v := views.Talk{Path: "/c/s1", Link: "https://preceptor.example.org/c/" + strings.Repeat("s1", 20), Fresh: "/talk/t",
		Full: "Wait for an answer before you write again.", Now: w.Now}
	v.Agent.Name, v.Thread, v.Usual, v.Until = w.Name, "chat-0123456789ab", 6*time.Minute, w.Now.Add(chat.LinkLife)
	for i, state := range []chat.State{chat.Answered, chat.TakenBack, chat.Declined, chat.Failed, chat.Late, chat.Ended,
		chat.Checking} {
		r := chat.Reply{ID: strconv.Itoa(i), Question: w.Question, State: state, AskedAt: w.Now}
		if state == chat.Answered {
			r.Text = w.Revised
		}
		v.Turns = append(v.Turns, r)
	}
	return v
}

func chatted(w Words) views.Chat {
	v := views.Chat{Agent: "tutor", Path: "/chat/tutor", Session: "s1", By: "embedded advisor", Now: w.Now}
	for i, vote := range append(votesOf(w)[:1], feedback.Vote{}) {
		t := chat.Turn{Observation: feedback.Observation{ID: strconv.Itoa(i), Query: w.Question, Response: w.Revised,
			At: w.Now}}
		if vote.ID != "" {
			t.Vote = &vote
		}
		v.Turns = append(v.Turns, t)
	}
	return v
}
