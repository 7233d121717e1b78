package feedback

import (
	"context"
	"slices"
	"strings"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
)

// Signs of votes, as a filter takes them.
const (
	Positive = "positive"
	Negative = "negative"
	Neutral  = "neutral"
)

// Signs lists them.
var Signs = []string{Positive, Negative, Neutral}

// Sign is which of them a norm has.
func Sign(norm float64) string {
	switch {
	case norm > .5:
		return Positive
	case norm < .5:
		return Negative
	}
	return Neutral
}

const (
	// lookStep is how many comments are read at a time while some are looked for, lookMost how many at most for one
	// page: rare words make a page that says how far back it looked, and not one that nobody would wait for.
	lookStep = 1_000
	lookMost = 10_000
	// topicsOf is among how many of the latest comments topics are looked for.
	topicsOf = 1_000
	// maxAgents bounds the list of agent types.
	maxAgents = 200
)

// NoTopic is the Topic of a filter for what has none; that of stats.
const NoTopic = "-"

// CommentFilter chooses what users wrote, newest first. The zero value is all of it.
type CommentFilter struct {
	AgentType string    `form:"agent"` // any name of an agent means all that it has or had
	Topic     string    `form:"topic"`
	Sign      string    `form:"sign"` // one of Signs
	Words     string    `form:"q"`    // each of them stands in the comment, in any letter case
	From, To  time.Time // of the comment's last version; To is not in it
	Cursor    string    `form:"cursor"` // CommentPage.Next of the page before
	Limit     int       // 1 to 100; 25 when 0
	agents    []string
}

// CommentPage is a part of a list.
type CommentPage struct {
	Items []Vote    // each says something in words
	Next  string    // empty on the last page
	Back  time.Time // how far back was looked, when the search stopped before the page was full; zero otherwise
}

// Comments reads one page. Only so many comments are looked at for it; Back says where it stopped, and Next goes on
// from there.
func (b *Book) Comments(ctx context.Context, f CommentFilter) (page CommentPage, err error) {
	if f.Limit, err = keyset.Limit(f.Limit); err != nil {
		return page, err
	}
	at := keyset.At(f.To, "")
	if f.Cursor != "" {
		if at, err = keyset.Parse(f.Cursor); err != nil {
			return page, err
		}
	}
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		if f.agents, err = b.namedTx(tx, f.AgentType); err == nil {
			err = page.look(tx, f, at)
		}
		for i := 0; i < len(page.Items) && err == nil; i++ {
			page.Items[i].AgentType, err = b.nowTx(tx, page.Items[i].AgentType)
		}
		return err
	})
	return page, err
}

func (page *CommentPage) look(tx *db.Tx, f CommentFilter, at keyset.Place) error {
	words := strings.Fields(strings.ToLower(f.Words))
	for looked := 0; looked < lookMost; looked += lookStep {
		list, err := commentsTx(tx, f, at, lookStep)
		if err != nil {
			return err
		}
		for i, c := range list {
			at = keyset.At(c.At, c.ID)
			if !f.takes(c, words) {
				continue
			}
			page.Items = append(page.Items, c)
			if len(page.Items) == f.Limit {
				if i < len(list)-1 || len(list) == lookStep {
					page.Next = at.Cursor()
				}
				return nil
			}
		}
		if len(list) < lookStep {
			return nil
		}
	}
	page.Next, page.Back = at.Cursor(), db.Time(at.Ms)
	return nil
}

func (f CommentFilter) takes(c Vote, words []string) bool {
	if f.Topic != "" && c.Topic != f.Topic && (f.Topic != NoTopic || c.Topic != "") ||
		f.Sign != "" && Sign(c.Norm) != f.Sign {
		return false
	}
	text := strings.ToLower(c.Text)
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// commentsTx reads the next comments after a place: by one of two indexes, and nothing but them.
func commentsTx(tx *db.Tx, f CommentFilter, from keyset.Place, limit int) ([]Vote, error) {
	w := keyset.Where{SQL: selectVotes + ` WHERE text <> ''`, Args: db.Anys(f.agents)}
	w.If(len(f.agents) > 0, `agent_type IN (`+db.In(1, len(f.agents))+`)`)
	w.If(!f.From.IsZero(), `at >= ?`, db.Ms(f.From))
	q, args := keyset.Order{At: `at`, ID: `id`}.Page(w.SQL, w.Args, from, limit)
	return votesTx(tx, q, args...)
}

// namedTx are the agent types that a filter means; none where it is empty.
func (b *Book) namedTx(tx *db.Tx, agentType string) ([]string, error) {
	if agentType == "" {
		return nil, nil
	}
	return b.callsTx(tx, agentType)
}

// nowTx is an agent type by the name that its agent has now.
func (b *Book) nowTx(tx *db.Tx, agentType string) (string, error) {
	names, err := b.callsTx(tx, agentType)
	if err != nil {
		return "", err
	}
	return names[len(names)-1], nil
}

// AgentTypes lists the agent types on which somebody voted, by name.
func (b *Book) AgentTypes(ctx context.Context) (list []string, err error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) ([]string, error) {
		// One step through the index for each, however many votes there are.
		list, err := db.Column[string](tx, "feedback: list agent types",
			`WITH RECURSIVE a (name) AS (SELECT min(agent_type) FROM vote
			UNION ALL SELECT (SELECT min(agent_type) FROM vote WHERE agent_type > a.name) FROM a
				WHERE a.name IS NOT NULL)
			SELECT name FROM a WHERE name IS NOT NULL LIMIT $1`, maxAgents)
		for i := 0; i < len(list) && err == nil; i++ {
			list[i], err = b.nowTx(tx, list[i])
		}
		slices.Sort(list)
		return slices.Compact(list), err
	})
}

// CommentTopics lists the topics of the latest comments, by name; of one agent type, or of all when it is empty.
func (b *Book) CommentTopics(ctx context.Context, agentType string) (list []string, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		names, err := b.namedTx(tx, agentType)
		if err != nil {
			return err
		}
		latest, err := commentsTx(tx, CommentFilter{agents: names}, keyset.Place{}, topicsOf)
		for _, c := range latest {
			if c.Topic != "" {
				list = append(list, c.Topic)
			}
		}
		return err
	})
	slices.Sort(list)
	return slices.Compact(list), err
}

// VotesBy finds what a user thinks of some subjects, by subject.
func (b *Book) VotesBy(ctx context.Context, userID string, subjectIDs ...string) (map[string]Vote, error) {
	found := map[string]Vote{}
	err := b.db.Read(ctx, func(tx *db.Tx) error {
		for _, ids := range db.Batches(subjectIDs) {
			args := append([]any{userID}, db.Anys(ids)...)
			list, err := votesTx(tx, selectVotes+` WHERE user_id = $1 AND subject_id IN (`+db.In(2, len(ids))+`)`,
				args...)
			if err != nil {
				return err
			}
			for _, v := range list {
				found[v.SubjectID] = v
			}
		}
		return nil
	})
	return found, err
}

// HasOutcome reports whether this user has said how it went.
func (b *Book) HasOutcome(ctx context.Context, subjectID, userID string) (bool, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) (bool, error) {
		return db.Value[bool](tx, "feedback: look for an outcome", `SELECT EXISTS (SELECT 1
			FROM outcome WHERE subject_id = $1 AND by_id = $2)`, subjectID, userID)
	})
}

// Talk reads what a user and an agent said to each other in one session, oldest first: the last 50 answers.
func (b *Book) Talk(ctx context.Context, agentID, userID, sessionID string) (list []Observation, err error) {
	if sessionID == "" {
		return nil, nil
	}
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		list, err = db.Rows(tx, "feedback: read a talk", func(o *Observation) []any {
			return []any{&o.ID, &o.AgentID, &o.AgentName, &o.AgentType, &o.SessionID, &o.UserID, &o.Query, &o.Response,
				&o.Topic, &o.ResponseMs, db.At(&o.At)}
		}, `SELECT id, agent_id, agent_name, agent_type, session_id, user_id, query, response, topic, response_ms,
			created_at FROM observed
			WHERE session_id = $1 AND user_id = $2 AND agent_id = $3 ORDER BY id DESC LIMIT 50`, sessionID, userID,
			agentID)
		return err
	})
	slices.Reverse(list)
	return list, err
}
