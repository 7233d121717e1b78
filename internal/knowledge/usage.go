package knowledge

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/search"
)

// Used is one piece of knowledge that a draft was shown.
type Used struct {
	ID      string
	Version int // 0: the one that holds now
	Cited   bool
	Rank    int // 1 is best; 0 unknown
	Score   float64
	Why     []string
}

// UsedItem is a Used with what it said at that version.
type UsedItem struct {
	Kind    string
	ID      string
	Number  int
	Label   string
	Version int
	Current int // the version that holds now
	Status  string
	Changed bool // at its source, and nobody has reviewed it yet
	Title   string
	Text    string
	Source  string
	Domain  string
	Why     []string
	Score   float64
	Rank    int
	Cited   bool
	At      time.Time
}

// Shown turns a recall into ledger rows; cited holds the ids that the draft names.
func (r *Recall) Shown(cited map[string]bool) []Used {
	out := make([]Used, 0, len(r.Items))
	for i, it := range r.Items {
		out = append(out, Used{ID: it.ID, Version: it.Version, Cited: cited[it.ID], Rank: i + 1, Score: it.Score,
			Why: it.Why})
	}
	return out
}

// RecordUsageTx writes what an interaction was shown. Again for the same item adds to what is known (cited, why) and
// never takes away; ids that are unknown, or of another agent's own knowledge, are left out, and the number that was
// written is returned.
func (b *Base) RecordUsageTx(tx *db.Tx, interactionID, agentID string, used []Used) (n int, err error) {
	for _, u := range used {
		kind, version, err := holds(tx, u.ID, agentID)
		if err != nil {
			return n, err
		}
		if kind == "" {
			continue
		}
		if u.Version <= 0 || u.Version > version {
			u.Version = version
		}
		if err := writeUsage(tx, interactionID, kind, u); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// holds finds out what id is and its current version; kind is "" for an id that the agent can't have been given.
func holds(tx *db.Tx, id, agentID string) (kind string, version int, err error) {
	found, err := db.One(tx, "knowledge: look up used knowledge", `SELECT 'case', version FROM knowledge_case
		WHERE id = $1 AND agent_id IN ('', $2)
		UNION ALL SELECT 'rule', version FROM knowledge_rule WHERE id = $1 AND agent_id IN ('', $2)`, id,
		agentID).Find(&kind, &version)
	if err != nil || !found {
		return "", 0, err
	}
	return kind, version, nil
}

func writeUsage(tx *db.Tx, interactionID, kind string, u Used) error {
	why := ""
	if len(u.Why) > 0 {
		b, err := json.Marshal(u.Why)
		if err != nil {
			return fmt.Errorf("knowledge: record usage: %w", err)
		}
		why = string(b)
	}
	return db.Exec(tx, "knowledge: record usage", `INSERT INTO knowledge_usage (interaction_id, kind, item_id, version,
			rank, score, cited, why, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (interaction_id, kind, item_id) DO UPDATE SET
			cited = CASE WHEN excluded.cited > knowledge_usage.cited THEN excluded.cited ELSE knowledge_usage.cited END,
			rank = CASE WHEN knowledge_usage.rank = 0 THEN excluded.rank ELSE knowledge_usage.rank END,
			score = CASE WHEN knowledge_usage.score = 0 THEN excluded.score ELSE knowledge_usage.score END,
			why = CASE WHEN knowledge_usage.why = '' THEN excluded.why ELSE knowledge_usage.why END`,
		interactionID, kind, u.ID, u.Version, u.Rank, u.Score, u.Cited, why, tx.NowMs())
}

// Usage lists what an interaction was shown, cases first, best first, with the text at the version shown.
func (b *Base) Usage(ctx context.Context, interactionID string) (list []UsedItem, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		if list, err = readUsage(tx, interactionID); err != nil {
			return err
		}
		return fillUsed(tx, interactionID, list)
	})
	return list, err
}

func readUsage(tx *db.Tx, interactionID string) (list []UsedItem, err error) {
	return db.List(tx, "knowledge: read usage", func(row db.Row) (u UsedItem, err error) {
		var why string
		if err = row.Scan(&u.Kind, &u.ID, &u.Version, &u.Rank, &u.Score, &u.Cited, &why, db.At(&u.At)); err != nil {
			return u, err
		}
		err = json.Unmarshal([]byte(cmp.Or(why, "null")), &u.Why)
		return u, err
	}, `SELECT kind, item_id, version, rank, score, cited, why, created_at FROM knowledge_usage
		WHERE interaction_id = $1 ORDER BY kind, CASE WHEN rank = 0 THEN 1 ELSE 0 END, rank, item_id`, interactionID)
}

// fillUsed adds what each item said at the version shown, and how it stands now: one statement for the cases, one for
// the rules, however many there are.
func fillUsed(tx *db.Tx, interactionID string, list []UsedItem) error {
	at := map[string]*UsedItem{}
	for i := range list {
		at[list[i].Kind+" "+list[i].ID] = &list[i]
	}
	filled := 0
	err := eachUsed(tx, `SELECT `+caseAtColumns+`, c.version, n.status, c.source_changed_at
		FROM knowledge_usage u JOIN knowledge_case c ON c.id = u.item_id
			JOIN knowledge_case_version v ON v.case_id = c.id AND v.version = u.version
			JOIN knowledge_case_version n ON n.case_id = c.id AND n.version = c.version
		WHERE u.interaction_id = $1 AND u.kind = 'case'`, interactionID, func(row db.Row, now *current) error {
		c, err := scanCase(row)
		if err != nil {
			return err
		}
		u := at[search.KindCase+" "+c.ID]
		u.Number, u.Label, u.Title, u.Text, u.Source, u.Domain = c.Number, c.Label(), c.Title, c.Guidance, c.source(),
			c.Domain
		u.Current, u.Status, u.Changed = now.version, now.status, now.changed > 0
		filled++
		return nil
	})
	if err == nil {
		err = eachUsed(tx, `SELECT `+ruleColumns+`, c.version, n.status, 0
			FROM knowledge_usage u JOIN knowledge_rule c ON c.id = u.item_id
				JOIN knowledge_rule_version v ON v.rule_id = c.id AND v.version = u.version
				JOIN knowledge_rule_version n ON n.rule_id = c.id AND n.version = c.version
			WHERE u.interaction_id = $1 AND u.kind = 'rule'`, interactionID, func(row db.Row, now *current) error {
			r, err := scanRule(row)
			if err != nil {
				return err
			}
			u := at[search.KindRule+" "+r.ID]
			u.Number, u.Label, u.Title, u.Text, u.Source, u.Domain = r.Number, r.Label(), r.Title, r.Principle,
				r.Label(), r.Domain
			u.Current, u.Status = now.version, now.status
			filled++
			return nil
		})
	}
	if err == nil && filled != len(list) {
		err = fmt.Errorf("%d of %d items of %s are not there", len(list)-filled, len(list), interactionID)
	}
	if err != nil {
		return fmt.Errorf("knowledge: read usage: %w", err)
	}
	return nil
}

// eachUsed runs a query whose rows end with the version and the status that hold now.
func eachUsed(tx *db.Tx, query, interactionID string, f func(row db.Row, now *current) error) error {
	return db.Each(tx, "knowledge: each used", func(row db.Row) error {
		var now current
		return f(db.More(row, &now.version, &now.status, &now.changed), &now)
	}, query, interactionID)
}

// current is how an item stands now.
type current struct {
	version int
	status  string
	changed int64 // at its source
}

// ItemUse is one interaction that was shown an item.
type ItemUse struct {
	InteractionID string
	Version       int
	Cited         bool
	At            time.Time
}

// UsesOf lists the interactions that were shown an item, newest first, up to n.
func (b *Base) UsesOf(ctx context.Context, itemID string, n int) ([]ItemUse, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) ([]ItemUse, error) {
		return db.Rows(tx, "knowledge: read uses", func(u *ItemUse) []any {
			return []any{&u.InteractionID, &u.Version, &u.Cited, db.At(&u.At)}
		},
			`SELECT interaction_id, version, cited, created_at FROM knowledge_usage
			WHERE item_id = $1 ORDER BY created_at DESC, interaction_id DESC LIMIT $2`, itemID, n)
	})
}
