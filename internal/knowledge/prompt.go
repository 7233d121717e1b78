package knowledge

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha256"
	_ "embed" // usual
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/internal/privacy"
	"preceptor/internal/search"
)

// How a kept text compares with the hash of what was sent.
const (
	Identical = "identical" // byte for byte
	Erased    = "erased"    // a part was erased since, so it can't be compared
	Different = "different" // it is not what was sent, which should never be
	Unknown   = "unknown"   // no hash was kept: an agent of your own, or a draft from before prompts were kept
)

// Prompt is what a past draft was given.
type Prompt struct {
	InteractionID string
	Kept          bool // of a draft of our own advisor, with its hashes
	Drafter       string
	Mode          string
	Embedder      string // that found the knowledge; "" when words alone did
	Budget        int    // in tokens; 0 is unbounded
	Tokens        int
	At            time.Time
	Items         []UsedItem // in the order of the block
	Block         string
	BlockHash     string
	BlockMatch    string // Identical, Erased, Different or Unknown
	Messages      Sent
	PromptHash    string // over all messages; "" when no model was asked
	PromptMatch   string
	OwnErasedAt   time.Time // when the customer's part was erased
}

// Sent is all that a model was sent for a draft: the system prompt, the message, the schema.
type Sent []Message

// Message is one text that a model was sent.
type Message struct {
	Name  string // of the template's file, as advisor/draft.txt
	Hash  string // of the template's text
	Parts []Part
}

// Part is a run of a message.
type Part struct {
	Text   string
	Own    bool   `json:",omitempty"` // of this draft alone: what the customer said, pseudonymised
	ItemID string `json:",omitempty"` // a piece of knowledge, as a JSON string
	Erased bool   `json:"-"`          // Text says so in its place
}

// Text is the whole message.
func (m Message) Text() string {
	var b strings.Builder
	for _, p := range m.Parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// Texts are the messages as they were sent.
func (s Sent) Texts() []string { return lists.Map(s, Message.Text) }

var slotRE = regexp.MustCompile(`\{\{\.(\w+)\}\}`)

// NewMessage puts parts in place of a template's slots, {{.Data}} being args["Data"]: in one pass, and a slot that
// nothing is given for stays.
func NewMessage(name, template string, args map[string][]Part) Message {
	m, at := Message{Name: name, Hash: hashOf(template)}, 0
	for _, slot := range slotRE.FindAllStringSubmatchIndex(template, -1) {
		if parts, ok := args[template[slot[2]:slot[3]]]; ok {
			m.Parts = append(append(m.Parts, Part{Text: template[at:slot[0]]}), parts...)
			at = slot[1]
		}
	}
	m.Parts = append(m.Parts, Part{Text: template[at:]})
	return m
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

// kept is what is kept of a prompt, compressed: the block of each item, and the messages.
type kept struct {
	Items    []keptItem
	Messages Sent `json:",omitempty"`
}

type keptItem struct {
	Kind, ID string
	Version  int
	Block    string
}

// usual is what most prompts say, of which each takes only a reference. What is kept can't be read without it: it
// never changes, also where templates do.
//
//go:embed prompt.dict
var usual []byte

func (k kept) pack() ([]byte, error) {
	var b bytes.Buffer
	w, err := zlib.NewWriterLevelDict(&b, zlib.BestCompression, usual)
	if err == nil {
		err = json.NewEncoder(w).Encode(k)
	}
	if err == nil {
		err = w.Close()
	}
	return b.Bytes(), err
}

// unpack also reads what a migration wrote, which isn't compressed.
func unpack(content []byte) (k kept, err error) {
	if !bytes.HasPrefix(content, []byte("{")) {
		r, err := zlib.NewReaderDict(bytes.NewReader(content), usual)
		if err != nil {
			return k, err
		}
		if content, err = io.ReadAll(r); err != nil {
			return k, err
		}
	}
	return k, json.Unmarshal(content, &k)
}

// RecordPromptTx keeps what a draft was given, word by word. sent is nil when no model was asked. Again for the same
// interaction replaces: a draft that is tried again is made of what it is shown then.
func (b *Base) RecordPromptTx(tx *db.Tx, interactionID, drafter string, r *Recall, sent Sent) error {
	k := kept{Messages: sent, Items: lists.Map(r.Items, func(it Item) keptItem {
		return keptItem{it.Kind, it.ID, it.Version, it.Block}
	})}
	// An advisor may add to what was recalled, so that r.Prompt isn't all.
	given := Prompt{Items: lists.Map(r.Items, func(it Item) UsedItem {
		return UsedItem{Kind: it.Kind, Block: it.Block}
	})}
	given.join()
	promptHash := ""
	if sent != nil {
		promptHash = hashOf(sent.Texts()...)
	}
	content, err := k.pack()
	if err != nil {
		return fmt.Errorf("knowledge: keep a prompt: %w", err)
	}
	return db.Exec(tx, "knowledge: keep a prompt", `INSERT INTO knowledge_prompt (interaction_id, drafter, mode,
			embedder, budget, tokens, block_hash, prompt_hash, content, erased_at, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10)
		ON CONFLICT (interaction_id) DO UPDATE SET drafter = excluded.drafter, mode = excluded.mode,
			embedder = excluded.embedder, budget = excluded.budget, tokens = excluded.tokens,
			block_hash = excluded.block_hash, prompt_hash = excluded.prompt_hash, content = excluded.content,
			erased_at = 0, created_at = excluded.created_at`,
		interactionID, drafter, b.opts.Mode, r.Embedder, r.Budget, r.Tokens, hashOf(given.Block), promptHash, content,
		tx.NowMs())
}

// Prompt reads what a past draft was given; see PromptTx.
func (b *Base) Prompt(ctx context.Context, interactionID string) (*Prompt, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) (*Prompt, error) { return b.PromptTx(tx, interactionID) })
}

// PromptTx reads what a past draft was given, and compares it with the hashes of that moment. What was erased is named
// in its place. Of a draft that brought no record, as an agent's of your own, the block is made from what the ledger
// says it was shown. NotFound when nothing is known of the interaction.
func (b *Base) PromptTx(tx *db.Tx, interactionID string) (*Prompt, error) {
	used, err := readUsage(tx, interactionID)
	if err != nil {
		return nil, err
	}
	p := &Prompt{InteractionID: interactionID, BlockMatch: Unknown, PromptMatch: Unknown}
	var content []byte
	p.Kept, err = db.One(tx, "knowledge: read a kept prompt", `SELECT drafter, mode, embedder, budget, tokens,
			block_hash, prompt_hash, content, erased_at, created_at
		FROM knowledge_prompt WHERE interaction_id = $1`, interactionID).Find(&p.Drafter, &p.Mode, &p.Embedder,
		&p.Budget, &p.Tokens, &p.BlockHash, &p.PromptHash, &content, db.At(&p.OwnErasedAt), db.At(&p.At))
	switch {
	case err != nil:
		return nil, err
	case !p.Kept && len(used) == 0:
		return nil, fault.New(fault.NotFound, "There is no record of which sources this draft used.")
	case !p.Kept:
		p.At, p.Items = used[0].At, used
		return p, p.fromLedger(tx)
	}
	k, err := unpack(content)
	if err != nil {
		return nil, fmt.Errorf("knowledge: read the prompt of %s: %w", interactionID, err)
	}
	for _, it := range k.Items {
		u := UsedItem{Kind: it.Kind, ID: it.ID}
		if i := slices.IndexFunc(used, func(u UsedItem) bool { return u.ID == it.ID }); i >= 0 {
			u = used[i]
		}
		u.Version, u.Block, u.At = it.Version, it.Block, p.At
		p.Items = append(p.Items, u)
	}
	if err := fillUsed(tx, p.Items, nil); err != nil {
		return nil, err
	}
	erased := p.join()
	p.BlockMatch = match(p.BlockHash, hashOf(p.Block), erased)
	for _, m := range k.Messages {
		p.Messages = append(p.Messages, Message{m.Name, m.Hash, lists.Map(m.Parts, p.told)})
	}
	p.PromptMatch = match(p.PromptHash, hashOf(p.Messages.Texts()...), erased || !p.OwnErasedAt.IsZero())
	return p, nil
}

// fromLedger makes the block of what the ledger says was shown.
func (p *Prompt) fromLedger(tx *db.Tx) error {
	rules := map[string]*Rule{}
	err := fillUsed(tx, p.Items, func(u *UsedItem, c *Case, r *Rule) {
		if rules[u.ID] = r; c != nil {
			u.Block = caseBlock(c)
		}
	})
	for i := range p.Items {
		if r := rules[p.Items[i].ID]; r != nil && err == nil {
			var numbers map[string]int
			numbers, err = numbersTx(tx, r.Supporting)
			p.Items[i].Block = ruleBlock(r, evidenceLine(r, numbers))
		}
	}
	p.join()
	p.Tokens = Tokens(p.Block)
	return err
}

// join makes one text of the items' blocks. What was erased says so in its place; erased reports whether a version was,
// or words were taken out of one.
func (p *Prompt) join() (erased bool) {
	var cases, rules []string
	for i := range p.Items {
		it := &p.Items[i]
		if !it.ErasedAt.IsZero() {
			word := "Case #"
			if it.Kind == search.KindRule {
				word = "Rule #"
			}
			it.Title, it.Text = "", ""
			it.Block = fmt.Sprintf("[%s%s, version %d: %s]", word, pad(it.Number), it.Version, erasedOn(it.ErasedAt))
		}
		erased = erased || !it.ErasedAt.IsZero() || privacy.TakenOut(it.Block)
		if it.Kind == search.KindRule {
			rules = append(rules, it.Block)
		} else {
			cases = append(cases, it.Block)
		}
	}
	p.Block = prompt(cases, rules)
	return erased
}

// told is a part with what is said in place of an erased text.
func (p *Prompt) told(part Part) Part {
	i := slices.IndexFunc(p.Items, func(it UsedItem) bool { return it.ID == part.ItemID && !it.ErasedAt.IsZero() })
	switch {
	case part.Own && !p.OwnErasedAt.IsZero():
		part.Text, part.Erased = "["+erasedOn(p.OwnErasedAt)+"]", true
	case i >= 0:
		part.Text, part.Erased = JSONString(p.Items[i].Block), true
	}
	return part
}

func erasedOn(at time.Time) string { return "erased on " + at.In(UK).Format("2 January 2006") }

func match(kept, read string, erased bool) string {
	switch {
	case kept == "":
		return Unknown
	case erased:
		return Erased
	case kept == read:
		return Identical
	}
	return Different
}
