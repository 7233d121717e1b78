package stats

import (
	"cmp"
	"context"
	"slices"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/estimate"
	"preceptor/internal/stats/counter"
)

// Conversations are the figures of conversations and not of their drafts, for drafts whose agent names a thread. A
// conversation counts in a period in which one of its drafts was decided. A customer waits from the first draft that
// nothing was released for, whatever drafts came, went and were withdrawn meanwhile.
type Conversations struct {
	N         Figure // count
	Answered  Figure // of them: the last decision of the period released an answer
	Escalated Figure // of them: a decision of the period handed the customer to a person
	Turns     Figure // median number of the customer's messages until the first release, of those first released then
	Waited    Figure // median seconds that a customer waited for a release
	Satisfied Figure // of those voted on in the period: the last vote that isn't neutral is positive
}

// maxTold bounds how many decided drafts a page reads the conversations of: the newest.
const maxTold = 20_000

// draftOf is a draft of a conversation.
type draftOf struct {
	talk             string // as review calls it
	turn             int
	arrived, decided int64  // decided is 0 for none
	kind             string // of the decision that stands; "" for none
	vote             int64  // the last of the period: twice its time, and 1 if it is positive; 0 for none
}

func (d draftOf) released() bool {
	return d.kind == "approve" || d.kind == "revise" || d.kind == "sampled"
}

// Conversations reads the figures of a filter's range, with those of the period before; none for a team, since a
// conversation is several people's.
func (r *Reader) Conversations(ctx context.Context, f Filter) (c Conversations, err error) {
	if f = r.zoned(f); f.Team != "" {
		return c, nil
	}
	err = r.read(ctx, func(tx *db.Tx) (err error) {
		if c, err = conversations(tx, f); err != nil || f.Plain {
			return err
		}
		f.Range = f.Before()
		then, err := conversations(tx, f)
		was := then.figures()
		for i, now := range c.figures() {
			now.Before = was[i]
		}
		return err
	})
	return c, err
}

func (c *Conversations) figures() []*Figure {
	return []*Figure{&c.N, &c.Answered, &c.Escalated, &c.Turns, &c.Waited, &c.Satisfied}
}

// conversations reads the figures of a range.
func conversations(tx *db.Tx, f Filter) (c Conversations, err error) {
	c = Conversations{N: counting("conversations", 0), Answered: ShareOf("conversations.answered", 0, 0),
		Escalated: ShareOf("conversations.escalated", 0, 0), Turns: Figure{Key: "conversations.turns", Unit: Count},
		Waited:    Figure{Key: "conversations.waited", Unit: Seconds},
		Satisfied: ShareOf("conversations.satisfied", 0, 0)}
	agent, err := agentID(tx, f.Agent)
	topic, ok := f.subject()
	if err != nil || f.Agent != "" && agent == "" || !ok {
		return c, err
	}
	query, args := conversationSQL(agent, topic, f)
	drafts, err := db.Rows(tx, "stats: conversations", func(d *draftOf) []any {
		return []any{&d.talk, &d.turn, &d.arrived, &d.decided, &d.kind, &d.vote}
	}, query, args...)
	c.tell(drafts, db.Ms(f.From), db.Ms(f.To))
	return c, err
}

// conversationSQL reads all drafts of the conversations of a period, conversation by conversation, as they arrived.
func conversationSQL(agent, topic string, f Filter) (query string, args []any) {
	return `SELECT r.talk, r.turn, r.created_at,
			CASE WHEN r.state = 'decided' THEN r.decided_at ELSE 0 END, COALESCE(d.kind, ''),
			COALESCE((SELECT max(2 * v.at + CASE WHEN v.norm > 0.5 THEN 1 ELSE 0 END) FROM vote v
				WHERE v.subject_id = r.id AND v.norm <> 0.5 AND v.at >= $1 AND v.at < $2), 0)
		FROM (SELECT DISTINCT l.talk FROM (SELECT c.talk FROM review c
				WHERE c.state = 'decided' AND c.talk <> '' AND c.decided_at >= $1 AND c.decided_at < $2
					AND c.ended = '' AND c.planted = 0 AND ($3 = '' OR c.agent_id = $3) AND ` +
		isTopic(`c.task`, `$4`) + ` ORDER BY c.decided_at DESC, c.id DESC LIMIT $5) l) t
			JOIN review r ON r.talk = t.talk AND r.talk <> '' AND r.planted = 0
			LEFT JOIN decision d ON d.review_id = r.id AND ` + counter.StandsSQL(`d.state`) + `
		ORDER BY 1, r.created_at, r.id`, []any{db.Ms(f.From), db.Ms(f.To), agent, topic, maxTold}
}

// tell sets the figures from drafts, which come conversation by conversation, as they arrived.
func (c *Conversations) tell(drafts []draftOf, from, to int64) {
	var turns, waits []int64
	n, read, answered, escalated, voted, liked := 0, 0, 0, 0, 0, 0
	for len(drafts) > 0 {
		end := slices.IndexFunc(drafts, func(d draftOf) bool { return d.talk != drafts[0].talk })
		if end < 0 {
			end = len(drafts)
		}
		one := drafts[:end]
		drafts = drafts[end:]
		decided := slices.DeleteFunc(slices.Clone(one), func(d draftOf) bool {
			return d.kind == "" || d.decided == 0 || d.decided >= to
		})
		slices.SortStableFunc(decided, func(a, b draftOf) int { return cmp.Compare(a.decided, b.decided) })
		decidedIn := slices.DeleteFunc(slices.Clone(decided), func(d draftOf) bool { return d.decided < from })
		if len(decidedIn) == 0 {
			continue
		}
		n++
		read += len(decidedIn)
		if last := slices.MaxFunc(one, func(a, b draftOf) int { return cmp.Compare(a.vote, b.vote) }).vote; last > 0 {
			voted, liked = voted+1, liked+int(last%2)
		}
		if decidedIn[len(decidedIn)-1].released() {
			answered++
		}
		if slices.ContainsFunc(decidedIn, func(d draftOf) bool { return d.kind == "reject" }) {
			escalated++
		}
		if i := slices.IndexFunc(decided, draftOf.released); i >= 0 && decided[i].decided >= from {
			first := slices.MinFunc(one, func(a, b draftOf) int { return a.turn - b.turn }).turn
			turns = append(turns, int64(decided[i].turn-first+1))
		}
		waits = append(waits, waitsOf(one, decided, from)...)
	}
	c.N, c.Answered = counting(c.N.Key, n), ShareOf(c.Answered.Key, answered, n)
	c.Escalated = ShareOf(c.Escalated.Key, escalated, n)
	c.Satisfied = ShareOf(c.Satisfied.Key, liked, voted)
	slices.Sort(turns)
	slices.Sort(waits)
	c.Turns = measured(c.Turns.Key, Count, estimate.Quantile(turns, 0.5), len(turns))
	c.Waited = measured(c.Waited.Key, Seconds, estimate.Quantile(waits, 0.5), len(waits))
	for _, f := range c.figures() {
		f.About = f.Known && read >= maxTold // the newest alone were read
	}
}

// waitsOf is how many seconds the customer of a conversation waited for each release since a time. A release answers
// what they wrote up to its turn, and an escalation hands them over.
func waitsOf(drafts, decided []draftOf, since int64) (out []int64) {
	turn := 0 // up to this one everything is answered
	for _, d := range decided {
		if !d.released() && d.kind != "reject" {
			continue
		}
		first := int64(-1)
		for _, a := range drafts {
			if a.turn > turn && a.turn <= d.turn && a.arrived <= d.decided && (first < 0 || a.arrived < first) {
				first = a.arrived
			}
		}
		if turn = max(turn, d.turn); first >= 0 && d.released() && d.decided >= since {
			out = append(out, (d.decided-first)/1000)
		}
	}
	return out
}
