package knowledge

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
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
	Kind     string
	ID       string
	Number   int
	Label    string
	Version  int
	Current  int // the version that holds now
	Status   string
	Outdated bool // changed at its source, and nobody has reviewed it yet
	Title    string
	Text     string
	Source   string
	Domain   string
	Why      []string
	Score    float64
	Rank     int
	Cited    bool
	At       time.Time

	ErasedAt time.Time // of the version
	Changed  bool      // it says something else now: Now
	Now      string
	Block    string // of a prompt: as it was written there
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
		return fillUsed(tx, list, nil)
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

// fillUsed adds what each item said at its version, and how it is now: one statement for the cases, one for the rules,
// however many there are. also, unless nil, gets each with the case or the rule as it was.
func fillUsed(tx *db.Tx, list []UsedItem, also func(u *UsedItem, c *Case, r *Rule)) error {
	at, ids, versions := map[string]*UsedItem{}, map[string][]any{}, map[string][]any{}
	for i := range list {
		u := &list[i]
		at[u.ID], ids[u.Kind], versions[u.Kind] = u, append(ids[u.Kind], u.ID), append(versions[u.Kind], u.Version)
	}
	filled := 0
	for kind, columns := range map[string]string{search.KindCase: caseAtColumns + `, c.source_changed_at`,
		search.KindRule: ruleColumns + `, 0`} {
		n := len(ids[kind])
		if n == 0 {
			continue
		}
		shown := make([]string, n)
		for i := range shown {
			shown[i] = fmt.Sprintf("v.%s_id = $%d AND v.version = $%d", kind, i+1, n+i+1)
		}
		if err := db.Each(tx, "knowledge: read what was used", func(row db.Row) (err error) {
			var now struct {
				version         int
				status, content string
				outdated, from  int64
			}
			var c *Case
			var r *Rule
			var u *UsedItem
			if row = db.More(row, &now.outdated, &now.version, &now.status, &now.content,
				&now.from); kind == search.KindRule {
				if r, err = scanRule(row); err != nil {
					return err
				}
				u = at[r.ID]
				u.Number, u.Label, u.Title, u.Text, u.Source, u.Domain, u.ErasedAt = r.Number, r.Label(), r.Title,
					r.Principle, r.Label(), r.Domain, r.ErasedAt
			} else {
				if c, err = scanCase(row); err != nil {
					return err
				}
				u = at[c.ID]
				u.Number, u.Label, u.Title, u.Text, u.Source, u.Domain, u.ErasedAt = c.Number, c.Label(), c.Title,
					c.Guidance, c.source(), c.Domain, c.ErasedAt
			}
			u.Outdated = now.outdated > 0
			if u.Current, u.Status = now.version, now.status; u.Current != u.Version {
				var says struct{ Guidance, Principle string }
				err = unmarshalKept(now.content, &says)
				u.Now = bounded(says.Guidance + says.Principle)
				u.Changed = says.Guidance+says.Principle != u.Text && now.from <= tx.NowMs()
			}
			if u.Text = bounded(u.Text); also != nil {
				also(u, c, r)
			}
			filled++
			return err
		}, `SELECT `+columns+`, c.version, n.status, n.content, n.valid_from FROM knowledge_`+kind+`_version v
				JOIN knowledge_`+kind+` c ON c.id = v.`+kind+`_id
				JOIN knowledge_`+kind+`_version n ON n.`+kind+`_id = c.id AND n.version = c.version
			WHERE v.`+kind+`_id IN (`+db.In(1, n)+`) AND (`+strings.Join(shown, " OR ")+`)`,
			append(ids[kind], versions[kind]...)...); err != nil {
			return err
		}
	}
	if filled != len(list) {
		return fmt.Errorf("knowledge: %d of %d items that were used are not there", len(list)-filled, len(list))
	}
	return nil
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
