package knowledge

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/privacy"
	"preceptor/internal/search"
)

// How a rebuilt text compares with what was sent.
const (
	Identical = "identical" // byte for byte, by its hash
	Erased    = "erased"    // a part was erased since, so it can't be compared
	Different = "different" // it is not what was sent, which should never be
	Unknown   = "unknown"   // no hash was kept: an agent of your own, or a draft from before prompts were kept
)

// Rebuilt is the prompt of a past draft, made again of what is kept.
type Rebuilt struct {
	InteractionID string
	Kept          bool // of a draft of our own advisor, with its hashes
	Drafter       string
	Mode          string
	Embedder      string // that found the knowledge; "" when words alone did
	Budget        int    // in tokens; 0 is unbounded
	Tokens        int
	At            time.Time
	Items         []RebuiltItem // in the order of the block
	Block         string
	BlockHash     string
	BlockMatch    string // Identical, Erased, Different or Unknown
	Messages      []RebuiltMessage
	PromptHash    string // over all messages; "" when no model was asked
	PromptMatch   string
	OwnErasedAt   time.Time // when the customer's part was erased
}

// RebuiltItem is one item of it.
type RebuiltItem struct {
	UsedItem
	Block    string
	ErasedAt time.Time // of the version shown
	Changed  bool      // it says something else now
}

// RebuiltMessage is one text that a model was sent.
type RebuiltMessage struct {
	Name  string // of its template
	Hash  string // of the template's text
	Parts []RebuiltPart
}

// RebuiltPart is a run of a message.
type RebuiltPart struct {
	Text   string
	Own    bool   // of this draft alone: what the customer said, pseudonymised
	ItemID string // a piece of knowledge
	Erased bool   // Text says so in its place
}

// Text is the whole message.
func (m RebuiltMessage) Text() string {
	var b strings.Builder
	for _, p := range m.Parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// Rebuild makes the prompt of a past draft again; see RebuildTx.
func (b *Base) Rebuild(ctx context.Context, interactionID string) (*Rebuilt, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) (*Rebuilt, error) { return b.RebuildTx(tx, interactionID) })
}

// RebuildTx makes the prompt of a past draft again, from the ledger, the versions and the texts of the templates, and
// compares it with the hashes that were kept. What was erased is named in its place. Of a draft that brought no record,
// as an agent's of your own, the block is made from what the ledger says it was shown. NotFound when nothing is known
// of the interaction.
func (b *Base) RebuildTx(tx *db.Tx, interactionID string) (*Rebuilt, error) {
	used, err := readUsage(tx, interactionID)
	if err != nil {
		return nil, err
	}
	r := &Rebuilt{InteractionID: interactionID, BlockMatch: Unknown, PromptMatch: Unknown}
	kept, format, messages, own, err := r.read(tx)
	if err != nil {
		return nil, err
	}
	if !r.Kept {
		if len(used) == 0 {
			return nil, fault.New(fault.NotFound, "There is no record of which sources this draft used.")
		}
		for _, u := range used {
			kept = append(kept, keptItem{Kind: u.Kind, ID: u.ID, Version: u.Version})
		}
		format, r.At = blockFormat, used[0].At
	}
	texts, err := b.rebuildItems(tx, r, kept, used, format)
	if err != nil {
		return nil, err
	}
	if r.Kept {
		r.BlockMatch = match(r.BlockHash, hashOf(r.Block), r.anyErased())
	}
	return r, r.rebuildMessages(tx, messages, own, texts)
}

// read fills in what was kept; Kept is false when nothing was.
func (r *Rebuilt) read(tx *db.Tx) (items []keptItem, format int, messages []keptMessage, own []string, err error) {
	var itemsJSON, partsJSON, ownJSON string
	var erased int64
	found, err := db.One(tx, "knowledge: read a kept prompt", `SELECT drafter, mode, embedder, budget, tokens, format,
		block_hash, items, prompt_hash, parts, own, erased_at, created_at
		FROM knowledge_prompt WHERE interaction_id = $1`, r.InteractionID).Find(&r.Drafter, &r.Mode, &r.Embedder,
		&r.Budget, &r.Tokens, &format, &r.BlockHash,
		&itemsJSON, &r.PromptHash, &partsJSON, &ownJSON, &erased, db.At(&r.At))
	if err == nil && !found {
		return nil, 0, nil, nil, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(itemsJSON), &items)
	}
	if err == nil {
		err = json.Unmarshal([]byte(partsJSON), &messages)
	}
	if err == nil && erased == 0 {
		err = json.Unmarshal([]byte(ownJSON), &own)
	}
	if err != nil {
		return nil, 0, nil, nil, fmt.Errorf("knowledge: read the prompt of %s: %w", r.InteractionID, err)
	}
	r.Kept, r.OwnErasedAt = true, db.Time(erased)
	return items, format, messages, own, nil
}

// rebuildItems makes the blocks of the items, and the block of all; it returns what each says, for the messages.
func (b *Base) rebuildItems(tx *db.Tx, r *Rebuilt, kept []keptItem, used []UsedItem,
	format int) (map[string]RebuiltItem, error) {
	write, ok := renderers[format]
	if !ok {
		return nil, fmt.Errorf("knowledge: the prompt of %s has format %d, which this program does not know",
			r.InteractionID, format)
	}
	texts := map[string]RebuiltItem{}
	var cases, rules []Item
	for _, k := range kept {
		it := RebuiltItem{UsedItem: UsedItem{Kind: k.Kind, ID: k.ID, Version: k.Version, At: r.At}}
		if i := slices.IndexFunc(used, func(u UsedItem) bool { return u.Kind == k.Kind && u.ID == k.ID }); i >= 0 {
			it.Why, it.Score, it.Rank, it.Cited = used[i].Why, used[i].Score, used[i].Rank, used[i].Cited
		}
		if k.Kind == search.KindRule {
			rule, err := ruleAtTx(tx, k.ID, k.Version)
			if err != nil {
				return nil, err
			}
			if !r.Kept {
				numbers, err := numbersTx(tx, rule.Supporting)
				if err != nil {
					return nil, err
				}
				k.Evidence = numbered(rule, numbers)
			}
			it.ofRule(rule)
			it.Block = write.ofRule(rule, k.Evidence)
		} else {
			c, err := caseAtTx(tx, k.ID, k.Version)
			if err != nil {
				return nil, err
			}
			it.ofCase(c)
			it.Block = write.ofCase(c)
		}
		if err := it.since(tx); err != nil {
			return nil, err
		}
		r.Items = append(r.Items, it)
		texts[it.ID] = it
		if k.Kind == search.KindRule {
			rules = append(rules, Item{Block: it.Block})
		} else {
			cases = append(cases, Item{Block: it.Block})
		}
	}
	r.Block = write.join(cases, rules)
	if !r.Kept {
		r.Tokens = Tokens(r.Block)
	}
	return texts, nil
}

func (it *RebuiltItem) ofRule(r *Rule) {
	it.Number, it.Label, it.Title, it.Text, it.Source, it.Domain, it.ErasedAt = r.Number, r.Label(), r.Title,
		r.Principle, r.Label(), r.Domain, r.ErasedAt
}

func (it *RebuiltItem) ofCase(c *Case) {
	it.Number, it.Label, it.Title, it.Text, it.Source, it.Domain, it.ErasedAt = c.Number, c.Label(), c.Title,
		c.Guidance, c.source(), c.Domain, c.ErasedAt
}

// since adds how the item stands now. What was erased says so in its place.
func (it *RebuiltItem) since(tx *db.Tx) error {
	var text string
	switch it.Kind {
	case search.KindRule:
		now, err := scanRule(db.One(tx, "knowledge: read a rule",
			`SELECT `+ruleColumns+ruleFrom+`AND v.version = c.version WHERE c.id = $1`, it.ID))
		if err != nil {
			return err
		}
		it.Current, it.Status, text = now.Version, now.Status, now.Principle
	default:
		now, err := oneCase(db.One(tx, "knowledge: read a case", `SELECT `+caseColumns+caseFrom+`WHERE c.id = $1`,
			it.ID))
		if err != nil {
			return err
		}
		it.Current, it.Status, text = now.Version, now.Status, now.Guidance
	}
	it.Changed = text != it.Text
	if !it.ErasedAt.IsZero() {
		it.Title, it.Text = "", ""
		it.Block = "[" + kindWord(it.Kind, it.Number) + ", version " + fmt.Sprint(it.Version) + ": erased on " +
			it.ErasedAt.In(UK).Format("2 January 2006") + "]"
	}
	return nil
}

// anyErased reports whether a version was erased, or words were taken out of one.
func (r *Rebuilt) anyErased() bool {
	return slices.ContainsFunc(r.Items, func(it RebuiltItem) bool {
		return !it.ErasedAt.IsZero() || privacy.TakenOut(it.Block)
	})
}

func match(kept, made string, erased bool) string {
	switch {
	case kept == "":
		return Unknown
	case erased:
		return Erased
	case kept == made:
		return Identical
	}
	return Different
}

// rebuildMessages fills the templates as they were then.
func (r *Rebuilt) rebuildMessages(tx *db.Tx, messages []keptMessage, own []string, items map[string]RebuiltItem) error {
	var texts []string
	for _, k := range messages {
		m := RebuiltMessage{Name: k.Name, Hash: k.Hash}
		var template string
		if err := db.One(tx, "knowledge: read a text", `SELECT content FROM knowledge_prompt_text
			WHERE hash = $1`, k.Hash).Scan(&template); err != nil {
			return fmt.Errorf("knowledge: read the template %s: %w", k.Name, err)
		}
		m.Parts = fill(template, func(name string) (parts []RebuiltPart, ok bool) {
			pieces, ok := k.Args[name]
			for _, p := range pieces {
				parts = append(parts, r.part(p, own, items))
			}
			return parts, ok
		})
		r.Messages = append(r.Messages, m)
		texts = append(texts, m.Text())
	}
	r.PromptMatch = match(r.PromptHash, hashOf(texts...), r.anyErased() || !r.OwnErasedAt.IsZero())
	return nil
}

func (r *Rebuilt) part(p keptPiece, own []string, items map[string]RebuiltItem) RebuiltPart {
	switch {
	case p.Own != nil && *p.Own < len(own):
		return RebuiltPart{Text: own[*p.Own], Own: true}
	case p.Own != nil:
		return RebuiltPart{Text: "[erased on " + r.OwnErasedAt.In(UK).Format("2 January 2006") + "]", Own: true,
			Erased: true}
	}
	it := items[p.Item]
	if !it.ErasedAt.IsZero() {
		return RebuiltPart{Text: JSONString(it.Block), ItemID: p.Item, Erased: true}
	}
	return RebuiltPart{Text: JSONString(it.Text), ItemID: p.Item}
}
