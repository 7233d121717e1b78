package knowledge

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
	"preceptor/internal/search"
)

// Which renderer writes recall blocks now, for packs with compliance checks and for those without. A change of what
// render.go writes is a new number and a new renderer beside the old ones, or what was written before can't be rebuilt.
const (
	blockFormat     = 2
	uncheckedFormat = 3
)

// formatFor is the format for a pack.
func formatFor(p *pack.Pack) int {
	if p.Checks {
		return blockFormat
	}
	return uncheckedFormat
}

// renderers write an item's block, by format.
var renderers = map[int]struct {
	ofCase func(*Case) string
	ofRule func(r *Rule, evidence []int) string
	join   func(cases, rules []Item) string
}{
	1:               {caseBlock, ruleBlock1, prompt},
	blockFormat:     {caseBlock, ruleBlock, prompt},
	uncheckedFormat: {caseBlock, uncheckedBlock, prompt},
}

// Piece is a part of a text that a model was sent: words of this draft alone, or the text of a piece of knowledge as a
// JSON string.
type Piece struct {
	Own    string
	ItemID string
}

// Message is one text that a model was sent: a template with its arguments.
type Message struct {
	Name     string // of the template's file, as advisor/draft.txt
	Template string
	Args     map[string][]Piece // by name: {{.Data}} is Args["Data"]
}

// Sent is all that a model was sent for a draft: the system prompt, the message, the schema.
type Sent []Message

// Texts are the messages as they were sent; text gives the text of a piece of knowledge.
func (s Sent) Texts(text func(itemID string) string) []string {
	return lists.Map(s, func(m Message) string { return m.text(text) })
}

// text fills the template as Rebuild does.
func (m Message) text(text func(itemID string) string) string {
	return RebuiltMessage{Parts: fill(m.Template, func(name string) (parts []RebuiltPart, ok bool) {
		pieces, ok := m.Args[name]
		for _, p := range pieces {
			if p.ItemID != "" {
				p.Own = JSONString(text(p.ItemID))
			}
			parts = append(parts, RebuiltPart{Text: p.Own})
		}
		return parts, ok
	})}.Text()
}

// JSONString is a text as a JSON string, with <, > and & as they are.
func JSONString(text string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		panic(err) // a string
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func hashOf(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d\n", len(t)) // so that no two lists share an encoding
		h.Write([]byte(t))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// keptItem is one item of a recall block as it is kept.
type keptItem struct {
	Kind     string `json:"kind"`
	ID       string `json:"id"`
	Version  int    `json:"version"`
	Evidence []int  `json:"evidence,omitempty"` // numbers of the cases that the block names
}

// keptPiece is a Piece as it is kept: Own is its place in the list of texts of this draft alone.
type keptPiece struct {
	Own  *int   `json:"own,omitempty"`
	Item string `json:"item,omitempty"`
}

type keptMessage struct {
	Name string                 `json:"name"`
	Hash string                 `json:"hash"`
	Args map[string][]keptPiece `json:"args,omitempty"`
}

// RecordPromptTx keeps how the prompt of a draft was made, so that Rebuild can make it again. sent is nil when no model
// was asked. Again for the same interaction replaces: a draft that is tried again is made of what it is shown then.
func (b *Base) RecordPromptTx(tx *db.Tx, interactionID, drafter string, r *Recall, sent Sent) error {
	items := make([]keptItem, 0, len(r.Items))
	texts := map[string]string{}
	for _, it := range r.Items {
		items = append(items, keptItem{Kind: it.Kind, ID: it.ID, Version: it.Version, Evidence: it.Evidence})
		texts[it.ID] = it.Text
	}
	promptHash := ""
	if sent != nil {
		promptHash = hashOf(sent.Texts(func(id string) string { return texts[id] })...)
	}
	messages, own, err := keepMessages(tx, sent)
	if err != nil {
		return err
	}
	itemsJSON, err := json.Marshal(items)
	if err != nil {
		return fmt.Errorf("knowledge: keep a prompt: %w", err)
	}
	partsJSON, err := json.Marshal(messages)
	if err != nil {
		return fmt.Errorf("knowledge: keep a prompt: %w", err)
	}
	ownJSON, err := json.Marshal(own)
	if err != nil {
		return fmt.Errorf("knowledge: keep a prompt: %w", err)
	}
	return db.Exec(tx, "knowledge: keep a prompt", `INSERT INTO knowledge_prompt (interaction_id, drafter, mode,
			embedder, budget, tokens, format, block_hash, items, prompt_hash, parts, own, erased_at, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 0, $13)
		ON CONFLICT (interaction_id) DO UPDATE SET drafter = excluded.drafter, mode = excluded.mode,
			embedder = excluded.embedder, budget = excluded.budget,
			tokens = excluded.tokens, format = excluded.format, block_hash = excluded.block_hash,
				items = excluded.items, prompt_hash = excluded.prompt_hash,
			parts = excluded.parts, own = excluded.own, erased_at = 0, created_at = excluded.created_at`,
		interactionID, drafter, b.opts.Mode, r.Embedder, r.Budget, r.Tokens, cmp.Or(r.format, blockFormat),
		hashOf(r.Prompt), string(itemsJSON), promptHash, string(partsJSON), string(ownJSON), tx.NowMs())
}

// keepMessages keeps each template's text once, by its hash, and parts what is of this draft alone from what is not.
func keepMessages(tx *db.Tx, sent Sent) (messages []keptMessage, own []string, err error) {
	messages, own = []keptMessage{}, []string{}
	for _, m := range sent {
		k := keptMessage{Name: m.Name, Hash: hashOf(m.Template), Args: map[string][]keptPiece{}}
		for name, pieces := range m.Args {
			for _, p := range pieces {
				if p.ItemID != "" {
					k.Args[name] = append(k.Args[name], keptPiece{Item: p.ItemID})
					continue
				}
				n := len(own)
				own = append(own, p.Own)
				k.Args[name] = append(k.Args[name], keptPiece{Own: &n})
			}
		}
		messages = append(messages, k)
		if err := db.Exec(tx, "knowledge: keep a template",
			`INSERT INTO knowledge_prompt_text (hash, name, content, created_at) VALUES ($1, $2, $3, $4)
				ON CONFLICT (hash) DO NOTHING`,
			k.Hash, m.Name, m.Template, tx.NowMs()); err != nil {
			return nil, nil, err
		}
	}
	return messages, own, nil
}

// kindWord is a kind's name before a number, for what is said in place of an erased text.
func kindWord(kind string, number int) string {
	if kind == search.KindRule {
		return "Rule #" + pad(number)
	}
	return "Case #" + pad(number)
}
