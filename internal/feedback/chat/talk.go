package chat

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

// LinkLife is how long a private link opens its conversation after the last question.
const LinkLife = 30 * 24 * time.Hour

const (
	mostOpen  = 3  // questions of a conversation that wait for an answer
	mostTurns = 50 // of a conversation
)

// State is how far an answer is.
type State string

// The states of an answer, as whoever asked may know them.
const (
	Checking  State = "checking" // it is drafted, and a person reads it
	Answered  State = "answered"
	TakenBack State = "taken back" // released, recalled, and being corrected
	Declined  State = "declined"   // a person decided that nothing goes out
	Failed    State = "failed"     // no draft could be written
	Late      State = "late"       // nobody decided in time
	Ended     State = "ended"      // withdrawn, or closed
)

// Reply is what was asked and how far its answer is. Text is what was released; no other text is ever in it.
type Reply struct {
	ID, Question string
	AskedAt      time.Time
	State        State
	Text         string
	AnsweredAt   time.Time
}

// Talk is a conversation with an agent whose answers people review.
type Talk struct {
	Agent  Agent
	Thread string // its name at the desk, which opens nothing
	Public bool   // begun by somebody without an account
	Until  time.Time
	Turns  []Reply
	// how long the agent's recent answers took, in the middle, while one is waited for; 0 where there are too few
	Usual time.Duration
}

// Waiting counts the questions that wait for an answer.
func (t Talk) Waiting() (n int) {
	for _, r := range t.Turns {
		if r.State == Checking || r.State == TakenBack {
			n++
		}
	}
	return n
}

// errNoTalk is said of every address that opens no conversation, so that nobody learns which there are.
var errNoTalk = fault.New(fault.NotFound,
	"This link doesn't open a conversation. It may be incomplete, it may have expired, or the conversation was erased.")

// errClosed is said of every agent that customers can't ask, whether there is one of that name or not.
var errClosed = fault.New(fault.NotFound, "There is no public chat here.")

// Host finds an agent that customers without an account may ask: one whose answers people review, and for which
// somebody switched that on.
func (r *Room) Host(ctx context.Context, name string) (Agent, error) {
	a, reviewed, err := r.Find(ctx, name)
	if fault.Is(err, fault.NotFound) || err == nil && !reviewed {
		return a, errClosed
	}
	if err != nil {
		return a, err
	}
	return a, r.public(ctx, a)
}

func (r *Room) public(ctx context.Context, a Agent) error {
	on, err := r.hooks.Public(ctx, a)
	if err == nil && !on {
		err = errClosed
	}
	return err
}

// Key is for one form by which a conversation begins.
func Key() string { return id.Secret(32) }

// Begin asks an agent the first question of a conversation, and gives the secret under which it is opened. Whoever has
// that may read it and ask on. Only its hash is kept. The same question with the same key is one conversation; without
// a key each is its own.
func (r *Room) Begin(ctx context.Context, a Agent, text, key string, by audit.Actor) (secret string, err error) {
	if text, err = r.mayAsk(text, by); err != nil {
		return "", err
	}
	if len(key) < len(Key()) {
		key = Key()
	}
	secret = interaction.TextHash(strings.Join([]string{key, a.ID, by.ID, text}, "\n"))
	talk := Talk{Agent: a, Thread: "chat-" + id.New()[24:]}
	err = r.db.Write(ctx, func(tx *db.Tx) error {
		if err := db.Exec(tx, "chat: forget links", `DELETE FROM chat_link WHERE until <= $1`, tx.NowMs()); err != nil {
			return err
		}
		n, err := db.Change(tx, "chat: make a link", `INSERT INTO chat_link (thread, agent_id, secret_hash, public, until)
			VALUES ($1, $2, $3, $4, $5) ON CONFLICT (secret_hash) DO NOTHING`, talk.Thread, a.ID,
			interaction.TextHash(secret), by.Kind != audit.Person, db.Ms(tx.Now.Add(LinkLife)))
		if err != nil || n == 0 {
			return err
		}
		return r.submit(tx, talk, text, by)
	})
	return secret, err
}

// Say asks on in the conversation that a secret opens. The same question again, while it waits, is one.
func (r *Room) Say(ctx context.Context, secret, text string, by audit.Actor) error {
	text, err := r.mayAsk(text, by)
	if err != nil {
		return err
	}
	t, err := r.Open(ctx, secret)
	if err != nil {
		return err
	}
	if last := t.Turns[len(t.Turns)-1]; last.State == Checking && last.Question == text {
		return nil
	}
	if err := r.Closed(ctx, t); err != nil {
		return err
	}
	return r.db.Write(ctx, func(tx *db.Tx) error {
		if err := db.Exec(tx, "chat: keep a link", `UPDATE chat_link SET until = $1 WHERE thread = $2`,
			db.Ms(tx.Now.Add(LinkLife)), t.Thread); err != nil {
			return err
		}
		return r.submit(tx, t, text, by)
	})
}

// Closed says why nothing more can be asked in a conversation; nil while something can.
func (r *Room) Closed(ctx context.Context, t Talk) error {
	switch {
	case t.Waiting() >= mostOpen:
		return fault.New(fault.Conflict, "Wait for an answer before you write again.")
	case len(t.Turns) >= mostTurns:
		return fault.New(fault.Conflict, "This conversation is full. Start a new one.")
	case !t.Public:
		return nil
	}
	if err := r.public(ctx, t.Agent); !fault.Is(err, fault.NotFound) {
		return err
	}
	return fault.New(fault.Conflict, "This chat takes no new questions. Answers to earlier ones still appear here.")
}

func (r *Room) mayAsk(text string, by audit.Actor) (string, error) {
	text, err := Check(text)
	if err == nil && by.Kind == audit.Person {
		err = r.limits.Take(by.ID, Pace)
	}
	return text, err
}

// submit has the answer to a question drafted and reviewed. What was said before goes with it: the questions, and of
// the answers those that were released.
func (r *Room) submit(tx *db.Tx, t Talk, text string, by audit.Actor) error {
	var said []interaction.Message
	for _, q := range t.Turns {
		said = append(said, interaction.Message{Role: pack.FromCustomer, Text: q.Question, At: q.AskedAt})
		if q.State == Answered {
			said = append(said, interaction.Message{Role: pack.FromAgent, Text: q.Text, At: q.AnsweredAt})
		}
	}
	said, _ = interaction.LastOf(append(said, interaction.Message{Role: pack.FromCustomer, Text: text, At: tx.Now}))
	_, err := r.asked.AdviseTx(tx, interaction.Submission{AgentID: t.Agent.ID, AgentName: t.Agent.Name,
		Origin: interaction.OriginAsk, By: by, Handling: interaction.Handling{Channel: "chat"},
		Consultation: interaction.Consultation{Question: text, Messages: said, Thread: t.Thread,
			// by it the whole conversation is found, to be erased or held
			Customer: interaction.Customer{Extra: map[string]any{"conversation_reference": t.Thread}}}},
		&interaction.Idempotency{Owner: t.Thread, Key: strconv.Itoa(len(t.Turns)) + interaction.TextHash(text)})
	return err
}

// Open reads the conversation that a secret opens. NotFound for any other.
func (r *Room) Open(ctx context.Context, secret string) (t Talk, err error) {
	var found bool
	if err = r.db.Read(ctx, func(tx *db.Tx) error {
		found, err = db.One(tx, "chat: open a link", `SELECT thread, agent_id, public, until FROM chat_link
			WHERE secret_hash = $1 AND until > $2`, interaction.TextHash(secret),
			db.Ms(r.now())).Find(&t.Thread, &t.Agent.ID, &t.Public, db.At(&t.Until))
		return err
	}); err != nil {
		return t, err
	}
	if !found {
		return t, errNoTalk
	}
	page, err := r.asked.List(ctx, interaction.Filter{AgentID: t.Agent.ID, Thread: t.Thread, Limit: 2 * mostTurns})
	if err != nil {
		return t, err
	}
	if t.Turns = replies(page.Items); len(t.Turns) == 0 {
		return t, errNoTalk
	}
	t.Agent.Name = page.Items[0].AgentName
	if t.Waiting() > 0 {
		t.Usual, err = r.asked.UsualWait(ctx, t.Agent.ID)
	}
	return t, err
}

// State tells how far the answers of a conversation are, as StateOf does, from little of each.
func (r *Room) State(ctx context.Context, t Talk) (string, error) {
	list, err := r.asked.Standings(ctx, t.Agent.ID, t.Thread, 2*mostTurns)
	return StateOf(replies(list)), err
}

// StateOf is what a page shows of how far the answers are.
func StateOf(turns []Reply) (state string) {
	for _, r := range turns {
		state += r.ID + string(r.State) + r.AnsweredAt.String()
	}
	return state
}

// replies are the turns of a conversation, oldest first, of its interactions, newest first. What was written anew
// stands where the version before did.
func replies(list []interaction.Interaction) (out []Reply) {
	place := map[string]int{}
	for _, in := range slices.Backward(list) {
		if in.NoText {
			continue // an agent did something, and said nothing
		}
		r := replyOf(&in)
		at, again := place[cmp.Or(in.Revises, in.ID)]
		if !again {
			at, out = len(out), append(out, r)
		}
		r.AskedAt = out[at].AskedAt
		out[at], place[in.ID] = r, at
	}
	return out
}

func replyOf(in *interaction.Interaction) Reply {
	r := Reply{ID: in.ID, Question: in.Consultation.Question, AskedAt: in.CreatedAt, State: Checking}
	switch in.Status {
	case interaction.Released:
		r.State, r.Text, r.AnsweredAt = Answered, in.Delivered(), in.ReleasedAt
	case interaction.Escalated:
		r.State = Declined
	case interaction.Failed:
		r.State = Failed
	case interaction.Expired:
		r.State = Late
	case interaction.Withdrawn, interaction.Closed:
		r.State = Ended
	default:
		if in.Recalled() {
			r.State = TakenBack
		}
	}
	return r
}

// EraseTx forgets the link to a conversation of which nothing is left, and counts it.
func (r *Room) EraseTx(tx *db.Tx, thread string) (int, error) {
	return db.Change(tx, "chat: erase a link", `DELETE FROM chat_link WHERE thread = $1 AND NOT EXISTS (
		SELECT 1 FROM interaction i
		WHERE i.agent_id = chat_link.agent_id AND i.thread = chat_link.thread AND i.thread <> '')`, thread)
}
