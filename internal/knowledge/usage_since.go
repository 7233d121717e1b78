package knowledge

import (
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/phrase"
	"preceptor/internal/platform/db"
)

// ChangedSince are the items on which a draft rests that say something else now, are in use no more, or changed at
// their source. It rests on what it cites, and on all of which its agent says so.
func ChangedSince(used []UsedItem) (list []UsedItem) {
	for _, u := range used {
		if (u.Cited || u.Score == 0) && u.ErasedAt.IsZero() && (u.Changed || u.Outdated || u.Status != Active) {
			list = append(list, u)
		}
	}
	return list
}

// SinceKey names what changed as it is now; "" for nothing.
func SinceKey(moved []UsedItem) string {
	var b strings.Builder
	for _, u := range moved {
		fmt.Fprintf(&b, "%s.%d.%t ", u.ID, u.Current, u.Outdated)
	}
	return strings.TrimSpace(b.String())
}

// MovedTx is the SinceKey of what an interaction was shown.
func (b *Base) MovedTx(tx *db.Tx, interactionID string) (string, error) {
	any, err := db.Value[bool](tx, "knowledge: look whether what was used changed", `SELECT EXISTS (SELECT 1
			FROM knowledge_usage u JOIN knowledge_case c ON c.id = u.item_id
			WHERE u.interaction_id = $1 AND (c.version <> u.version OR c.source_changed_at > 0))
		OR EXISTS (SELECT 1 FROM knowledge_usage u JOIN knowledge_rule r ON r.id = u.item_id
			WHERE u.interaction_id = $2 AND r.version <> u.version)`, interactionID, interactionID)
	if err != nil || !any {
		return "", err
	}
	used, err := readUsage(tx, interactionID)
	if err == nil {
		err = fillUsed(tx, used, nil)
	}
	return SinceKey(ChangedSince(used)), err
}

// Sentences are those of what an item said that it doesn't say any more, and those that it says instead.
func (u UsedItem) Sentences() (was, now string) {
	return without(u.Text, u.Now), without(u.Now, u.Text)
}

// without are the sentences of a text that another has not.
func without(s, other string) string {
	var out []string
	list := func(s string) (out []string) {
		for _, sp := range phrase.Sentences(s) {
			out = append(out, strings.TrimSpace(sp.In(s)))
		}
		return out
	}
	has := list(other)
	for _, t := range list(s) {
		if !slices.Contains(has, t) {
			out = append(out, t)
		}
	}
	return strings.Join(out, " ")
}
