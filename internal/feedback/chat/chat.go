// Package chat lets people talk to agents. With an observed agent (seed 001's tutor page) a question and its answer are
// an observation of package feedback, and the thumbs under it a vote. What an agent under review is asked becomes a
// consultation (Talk), whose answer shows once it is released; a private link opens it again. It owns the table
// chat_link, which finds a conversation and holds none of its words.
//
// What it promises. Nothing leaves unreviewed by this door: whether people review what an agent writes is asked anew
// with each question. One sees one's own talks only, and those whose link one has. What a person types is stripped of
// personal data before a model gets it (Prompted), and the answer is given back with it. Every answer is on record
// before it is shown. Customers without an account ask only agents for which somebody switched that on.
//
// What may be asked is Answerer, one function: the embedded drafter, or the configured model with what was liked before
// in its prompt. What it decided against: streaming (an answer is logged whole), and a talk that several people share.
package chat

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"preceptor/internal/feedback"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/hook"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/limiter"
	"preceptor/internal/platform/lists"
)

// MaxQuestion bounds a question, in characters.
const MaxQuestion = 4_000

// Remembered is how many earlier turns of a talk an answerer is given.
const Remembered = 6

// Pace is how often one person may ask: an answer may cost money.
var Pace = limiter.Pace{Burst: 20, Every: 15 * time.Second}

// Agent is whom one talks to.
type Agent struct{ ID, Name string }

// Question is what an answerer is given.
type Question struct {
	Agent    Agent
	Text     string
	Earlier  []feedback.Observation // of the same talk, oldest first
	Examples []feedback.Exemplar    // answers to like questions that people liked
}

// Answer is what comes of it.
type Answer struct {
	Text     string
	By       string   // who answered, as "embedded advisor" or "openai/gpt-5-mini"
	Topic    string   // what it was about; "" when nobody can tell
	Examples []string // ids of those that it was written with
}

// Answerer answers a question. It is asked outside of any transaction.
type Answerer func(ctx context.Context, q Question) (Answer, error)

// Hooks are what the room asks others.
type Hooks struct {
	// Find gives an agent by name; NotFound without one.
	Find func(ctx context.Context, name string) (Agent, error)
	// All lists every agent.
	All func(ctx context.Context) ([]Agent, error)
	// Reviewed reports whether people review what the agent writes.
	Reviewed func(ctx context.Context, a Agent) (bool, error)
	// Public reports whether customers without an account may ask it.
	Public func(ctx context.Context, a Agent) (bool, error)
}

// Room is where people and agents meet.
type Room struct {
	db     *db.DB
	asked  *interaction.Store
	book   *feedback.Book
	answer Answerer
	name   string // of who answers
	limits *limiter.Limiter
	now    func() time.Time
	hooks  Hooks
}

// New makes a room in which answer, called name, answers.
func New(d *db.DB, asked *interaction.Store, book *feedback.Book, name string, answer Answerer, h Hooks) *Room {
	hook.Complete(h)
	return &Room{db: d, asked: asked, book: book, hooks: h, answer: answer, name: name, now: d.Now,
		limits: limiter.New(d.Now, d.Pace)}
}

// By is who answers.
func (r *Room) By() string { return r.name }

// Find finds an agent by name, and whether people review what it writes. NotFound without one of that name.
func (r *Room) Find(ctx context.Context, name string) (a Agent, reviewed bool, err error) {
	if a, err = r.hooks.Find(ctx, name); err != nil {
		return a, false, err
	}
	reviewed, err = r.hooks.Reviewed(ctx, a)
	return a, reviewed, err
}

// Enter finds an agent that answers at once. NotFound without one of that name, Denied for one that is under review.
func (r *Room) Enter(ctx context.Context, name string) (Agent, error) {
	a, reviewed, err := r.Find(ctx, name)
	if err == nil && reviewed {
		err = fault.New(fault.Denied, "A person reviews what %s writes before anyone sees it.", a.Name)
	}
	return a, err
}

// Rooms lists the agents that answer at once, and those whose answers are reviewed first.
func (r *Room) Rooms(ctx context.Context) (open, reviewed []Agent, err error) {
	all, err := r.hooks.All(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, a := range all {
		under, err := r.hooks.Reviewed(ctx, a)
		if err != nil {
			return nil, nil, err
		}
		if under {
			reviewed = append(reviewed, a)
		} else {
			open = append(open, a)
		}
	}
	return open, reviewed, nil
}

// Ask has the agent answer and records both, and returns the session, which is a new one when it was empty, with the id
// of the answer. Invalid with a question that can't be asked, Limited when a person asks too often.
func (r *Room) Ask(ctx context.Context, agentName, userID, session, text string) (talk, answerID string, err error) {
	text, err = Check(text)
	if err != nil {
		return "", "", err
	}
	a, err := r.Enter(ctx, agentName)
	if err != nil {
		return "", "", err
	}
	if err := r.limits.Take(userID, Pace); err != nil {
		return "", "", err
	}
	if !id.Valid(session) {
		session = id.New()
	}
	q := Question{Agent: a, Text: text}
	if q.Earlier, err = r.book.Talk(ctx, a.ID, userID, session); err != nil {
		return "", "", err
	}
	q.Earlier = q.Earlier[max(0, len(q.Earlier)-Remembered):]
	if q.Examples, err = r.book.Examples(ctx, feedback.Ask{AgentID: a.ID, AgentType: a.Name, Query: text}); err != nil {
		return "", "", err
	}
	asked := r.now()
	got, err := r.answer(ctx, q)
	if err != nil {
		return "", "", err
	}
	answerID, err = r.book.Log(ctx, feedback.Observation{AgentID: a.ID, AgentName: a.Name, AgentType: a.Name,
		SessionID: session, UserID: userID,
		Query: text, Response: got.Text, Topic: got.Topic, ResponseMs: max(0, r.now().Sub(asked).Milliseconds()),
		Examples: got.Examples})
	return session, answerID, err
}

// Check is a question as it can be asked; Invalid for what can't be.
func Check(text string) (string, error) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	wrong := ""
	switch {
	case text == "":
		wrong = "Enter your question."
	case utf8.RuneCountInString(text) > MaxQuestion:
		wrong = "Shorten it to 4,000 characters."
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		wrong = "It contains an invalid character. Type it again."
	}
	if wrong != "" {
		return "", fault.Wrong("The question can't be asked yet.", "question", wrong)
	}
	return text, nil
}

// Turn is a question with its answer and what the person thinks of it.
type Turn struct {
	feedback.Observation
	Vote *feedback.Vote
}

// Talk reads what a person and an agent said in a session, oldest first.
func (r *Room) Talk(ctx context.Context, a Agent, userID, session string) ([]Turn, error) {
	list, err := r.book.Talk(ctx, a.ID, userID, session)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	ids := lists.Map(list, func(o feedback.Observation) string { return o.ID })
	votes, err := r.book.VotesBy(ctx, userID, ids...)
	if err != nil {
		return nil, err
	}
	turns := make([]Turn, len(list))
	for i, o := range list {
		turns[i].Observation = o
		if v, ok := votes[o.ID]; ok {
			turns[i].Vote = &v
		}
	}
	return turns, nil
}

// Vote says what a person thinks of an answer of their own talk: 1, -1, or 0 to take it back. NotFound for one that
// they did not get themselves.
func (r *Room) Vote(ctx context.Context, a Agent, userID, answerID string, value float64) (session string, err error) {
	s, err := r.book.Subject(ctx, answerID)
	if err != nil {
		return "", err
	}
	if s.Kind != feedback.Observed || s.AgentID != a.ID || s.UserID != userID {
		return "", fault.New(fault.NotFound, "There is no such answer in your chats with %s.", a.Name)
	}
	_, err = r.book.Vote(ctx, feedback.Vote{SubjectID: answerID, UserID: userID, Kind: feedback.Thumbs, Value: value,
		Channel: feedback.ChannelChat})
	return s.SessionID, err
}
