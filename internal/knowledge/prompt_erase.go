package knowledge

import (
	"encoding/json"
	"fmt"

	"preceptor/internal/platform/db"
	"preceptor/internal/privacy"
)

// ErasePromptTx takes what was said of an interaction alone out of its prompt: it held a text that is gone.
func (b *Base) ErasePromptTx(tx *db.Tx, interactionID string) (int, error) {
	n, err := changed(tx, `UPDATE knowledge_prompt SET erased_at = $1 WHERE interaction_id = $2 AND erased_at = 0`,
		tx.NowMs(), interactionID)
	if err != nil || n == 0 {
		return n, err
	}
	return n, rewritePrompt(tx, interactionID, func(k *kept) {
		k.eachPart(func(p *Part) {
			if p.Own {
				p.Text = ""
			}
		})
	})
}

// eraseShownTx takes words of a piece of knowledge, or without any all that it says, out of the prompts that it was
// shown in.
func eraseShownTx(tx *db.Tx, itemID string, words []string) error {
	without := func(text string) string {
		if words == nil {
			return ""
		}
		return privacy.Without(text, words...)
	}
	ids, err := db.Column[string](tx, "knowledge: find the prompts", `SELECT interaction_id FROM knowledge_usage
		WHERE item_id = $1 ORDER BY interaction_id`, itemID)
	for _, id := range ids {
		if err == nil {
			err = rewritePrompt(tx, id, func(k *kept) {
				for i := range k.Items {
					if it := &k.Items[i]; it.ID == itemID {
						it.Block = without(it.Block)
					}
				}
				k.eachPart(func(p *Part) {
					var said string
					if p.ItemID == itemID && json.Unmarshal([]byte(p.Text), &said) == nil {
						p.Text = JSONString(without(said))
					}
				})
			})
		}
	}
	return err
}

func (k *kept) eachPart(f func(p *Part)) {
	for _, m := range k.Messages {
		for i := range m.Parts {
			f(&m.Parts[i])
		}
	}
}

// rewritePrompt changes what is kept of a prompt; of an interaction without one it does nothing.
func rewritePrompt(tx *db.Tx, interactionID string, change func(k *kept)) error {
	content, err := db.Maybe[[]byte](tx, "knowledge: read a kept prompt", `SELECT content FROM knowledge_prompt
		WHERE interaction_id = $1`, interactionID)
	if err != nil || content == nil {
		return err
	}
	k, err := unpack(content)
	if err == nil {
		change(&k)
		content, err = k.pack()
	}
	if err != nil {
		return fmt.Errorf("knowledge: rewrite the prompt of %s: %w", interactionID, err)
	}
	return db.Exec(tx, "knowledge: rewrite a prompt", `UPDATE knowledge_prompt SET content = $1
		WHERE interaction_id = $2`, content, interactionID)
}
