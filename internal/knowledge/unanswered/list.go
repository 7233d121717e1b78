package unanswered

import (
	"cmp"
	"context"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/job"
	"preceptor/internal/platform/text"
)

// Filter narrows List; zero values do not.
type Filter struct {
	AgentID string
	Aside   bool // those that were put aside, in place of the open ones
	Limit   int  // 50 when 0
	Cursor  string
}

const groups = `SELECT g.id, g.agent_id, g.pack, i.question, g.aside_at, g.aside_by, g.aside_why, count(*),
	max(u.asked_at)
	FROM unanswered_group g JOIN unanswered u ON u.group_id = g.id AND u.seq >= 0
		JOIN interaction i ON i.id = g.central_id `

const byGroup = ` GROUP BY g.id, g.agent_id, g.pack, i.question, g.aside_at, g.aside_by, g.aside_why`

func scan(row db.Row) (g Group, err error) {
	err = row.Scan(&g.ID, &g.AgentID, &g.Pack, &g.Question, db.At(&g.AsideAt), &g.AsideBy, &g.AsideWhy, &g.Asked,
		db.At(&g.LastAt))
	return g, err
}

// List gives groups, those asked most often first, where the next page begins, and the totals of the open ones whatever
// the filter's limit.
func (s *Store) List(ctx context.Context, f Filter) (list []Group, next string, t Totals, err error) {
	var asked int
	var last int64
	var id string
	if f.Cursor != "" {
		if err := keyset.Read(f.Cursor, &asked, &last, &id); err != nil {
			return nil, "", t, err
		}
	}
	limit := cmp.Or(f.Limit, 50)
	err = s.d.Read(ctx, func(tx *db.Tx) error {
		query, args := groups+`WHERE g.aside_at = 0`, []any{}
		if f.Aside {
			query = groups + `WHERE g.aside_at > 0`
		}
		if f.AgentID != "" {
			query, args = query+` AND g.agent_id = $1`, append(args, f.AgentID)
		}
		query += byGroup
		if f.Cursor != "" {
			query += ` HAVING (count(*), max(u.asked_at), g.id) < (` + db.In(len(args)+1, 3) + `)`
			args = append(args, asked, last, id)
		}
		args = append(args, limit+1)
		query += ` ORDER BY count(*) DESC, max(u.asked_at) DESC, g.id DESC LIMIT ` + db.In(len(args), 1)
		if list, err = db.List(tx, "unanswered: list groups", scan, query, args...); err != nil {
			return err
		}
		list, next = keyset.Cut(list, limit, func(g *Group) string {
			return keyset.Cursor(g.Asked, db.Ms(g.LastAt), g.ID)
		})
		t, err = totals(tx, f.AgentID)
		return err
	})
	return list, next, t, err
}

// Totals counts what is open.
func (s *Store) Totals(ctx context.Context) (Totals, error) {
	return db.Read(ctx, s.d, func(tx *db.Tx) (Totals, error) { return totals(tx, "") })
}

func totals(tx *db.Tx, agentID string) (t Totals, err error) {
	err = db.One(tx, "unanswered: count", `SELECT count(DISTINCT g.id), count(*)
		FROM unanswered_group g JOIN unanswered u ON u.group_id = g.id AND u.seq >= 0
		WHERE g.aside_at = 0 AND ($1 = '' OR g.agent_id = $1)`, agentID).Scan(&t.Groups, &t.Questions)
	return t, err
}

// Listed is the open group in which a question is; "" for one that isn't on the list.
func (s *Store) Listed(ctx context.Context, interactionID string) (groupID string, err error) {
	return db.Read(ctx, s.d, func(tx *db.Tx) (string, error) { return openOf(tx, interactionID, true) })
}

// listed is how many questions of a group Get gives at most.
const listed = 200

// Get is one group with its questions, the most central one and then the latest first, as many as are listed; NotFound
// once it has none.
func (s *Store) Get(ctx context.Context, groupID string) (g Group, list []Question, err error) {
	err = s.d.Read(ctx, func(tx *db.Tx) error {
		if g, err = getTx(tx, groupID); err != nil {
			return err
		}
		list, err = db.Rows(tx, "unanswered: list the questions of a group", func(q *Question) []any {
			return []any{&q.InteractionID, &q.Text, db.At(&q.At)}
		}, `SELECT u.interaction_id, i.question, u.asked_at
			FROM unanswered u JOIN interaction i ON i.id = u.interaction_id JOIN unanswered_group g ON g.id = u.group_id
			WHERE u.group_id = $1 AND u.seq >= 0
			ORDER BY CASE WHEN u.interaction_id = g.central_id THEN 0 ELSE 1 END, u.asked_at DESC,
				u.interaction_id DESC
			LIMIT $2`, groupID, listed)
		return err
	})
	return g, list, err
}

func getTx(tx *db.Tx, groupID string) (Group, error) {
	g, found, err := db.First(tx, "unanswered: read a group", scan, groups+`WHERE g.id = $1`+byGroup, groupID)
	if err == nil && !found {
		err = notFound()
	}
	return g, err
}

// SetAside takes a group off the list, with what is like it from now on: it isn't the advisor's to answer.
func (s *Store) SetAside(ctx context.Context, groupID, why string, by knowledge.Person) error {
	why, err := text.Reason(why, "reason", "Say why, for people who read the history.")
	if err != nil {
		return err
	}
	return s.decide(ctx, groupID, "aside", why, by)
}

// BringBack puts it on the list again.
func (s *Store) BringBack(ctx context.Context, groupID string, by knowledge.Person) error {
	return s.decide(ctx, groupID, "back", "", by)
}

func (s *Store) decide(ctx context.Context, groupID, what, why string, by knowledge.Person) error {
	if err := by.May("say which questions are ours to answer"); err != nil {
		return err
	}
	return s.d.Write(ctx, func(tx *db.Tx) error {
		if _, err := getTx(tx, groupID); err != nil {
			return err
		}
		at, name := tx.NowMs(), by.Name
		if what == "back" { // it wasn't asked again while it was aside
			at, name = 0, ""
			if err := s.jobs.InsertTx(tx, Again{GroupID: groupID}, job.Unique()); err != nil {
				return err
			}
		}
		err := db.Exec(tx, "unanswered: "+what, `UPDATE unanswered_group SET aside_at = $1, aside_by = $2,
			aside_why = $3
			WHERE id = $4`,
			at, name, why, groupID)
		if err != nil {
			return err
		}
		tx.Touch("knowledge")
		return audit.Note(tx, by.Actor(), "unanswered."+what, "unanswered", groupID, map[string]any{"why": why})
	})
}
