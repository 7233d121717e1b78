package feedback

import (
	"net/url"
	"time"

	"preceptor/internal/feedback/chat"
	"preceptor/views/ui"
)

// Talk is a conversation with an agent whose answers people review, before whoever asks.
type Talk struct {
	chat.Talk
	Path     string // where questions go
	Session  string // the secret, where it stands in the form and not in Path
	Events   string // where news come from, for pages without an account
	Link     string // the whole private link
	Fresh    string // where a new conversation begins
	Full     string // why nothing more can be asked; "" while something can
	Question string // as typed
	Error    string
	Message  string
	Theme    string
	Widget   bool
	Origins  []string
	Now      time.Time
}

// Here is the address of the page itself.
func (v Talk) Here() string {
	if v.Session == "" {
		return v.Path
	}
	return v.Path + "?s=" + url.QueryEscape(v.Session)
}

func heading(v Talk) string {
	if len(v.Turns) == 0 {
		return "Ask a question"
	}
	return "Your conversation"
}

// title says first what is new: a tab in the background shows no more.
func (v Talk) title() string {
	switch n := len(v.Turns); {
	case v.Message != "":
		return v.Message + " " + heading(v)
	case n > 0 && v.Turns[n-1].State == chat.Answered:
		return "Your answer is here"
	}
	return heading(v)
}

func (v Talk) label() string {
	if len(v.Turns) == 0 {
		return "Your question"
	}
	return "Your next question"
}

// words say how far an answer is, and nothing of what may become of it.
func (v Talk) words(r chat.Reply) string {
	switch r.State {
	case chat.TakenBack:
		return "This answer was taken back. Please don't rely on it. A person is correcting it."
	case chat.Declined:
		return "A person looked at this and decided not to answer it here. Please contact us, so that somebody can " +
			"help you directly."
	case chat.Failed:
		return "We couldn't write an answer. Please ask again in other words."
	case chat.Late:
		return "Nobody could check this answer in time, so it wasn't sent. Please ask again if you still need it."
	case chat.Ended:
		return "This question was closed without an answer. Please ask again if you still need one."
	}
	text := "A person is checking this answer."
	switch {
	case v.Usual == 0:
		return text
	case v.Now.Sub(r.AskedAt) > 2*v.Usual:
		return text + " It is taking longer than usual."
	}
	return text + " Usually this takes " + roughly(v.Usual) + "."
}

// roughly is a time in words, rounded up as one says it.
func roughly(d time.Duration) string {
	up := func(unit time.Duration) int { return int((d + unit - 1) / unit) }
	switch {
	case d < time.Minute:
		return "less than a minute"
	case d < 90*time.Minute:
		return "about " + ui.Count(up(time.Minute), "minute")
	case d < 36*time.Hour:
		return "about " + ui.Count(up(time.Hour), "hour")
	}
	return "about " + ui.Count(up(24*time.Hour), "day")
}
