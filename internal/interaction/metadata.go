package interaction

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"preceptor/internal/platform/strict"
)

// mostWords bounds MetadataWords, in bytes.
const mostWords = 4 << 10

// MetadataWords are the values of the metadata, for finding a case by a number or a name of its agent's makers.
func (in *Interaction) MetadataWords() string {
	var b strings.Builder
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			b.WriteString(v + "\n")
		case json.Number:
			b.WriteString(v.String() + "\n")
		case []any:
			for _, one := range v {
				walk(one)
			}
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				walk(v[name])
			}
		}
	}
	var meta any
	if len(in.Metadata) > 0 && strict.Tree(in.Metadata, &meta) == nil {
		walk(meta)
	}
	return strings.ToValidUTF8(b.String()[:min(b.Len(), mostWords)], "")
}
