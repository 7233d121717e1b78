package interaction

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"preceptor/internal/platform/strict"
	"preceptor/internal/platform/text"
)

// mostWords bounds MetadataWords, in bytes.
const mostWords = 4 << 10

// MetadataWords are the values of the metadata, for finding a case by a number or a name of its agent's makers.
func (in *Interaction) MetadataWords() string {
	var b strings.Builder
	in.eachValue(func(v string) { b.WriteString(v + "\n") })
	return strings.ToValidUTF8(b.String()[:min(b.Len(), mostWords)], "")
}

// eachValue gives the texts and numbers of the metadata, in the order of names.
func (in *Interaction) eachValue(give func(v string)) {
	leaves("", in.meta(), true, func(_, v string) { give(v) })
}

// meta is the metadata; nil where it can't be read.
func (in *Interaction) meta() (meta map[string]any) {
	if len(in.Metadata) == 0 || strict.Tree(in.Metadata, &meta) != nil {
		return nil
	}
	return meta
}

// Field is a short value of the metadata, as lists show it.
type Field struct{ Name, Value string }

// Short is the field for a row of a list, a long value cut.
func (f Field) Short() string { return f.Name + " " + text.Opening(f.Value, shortField) }

// The limits of Fields.
const (
	mostFields   = 30
	MaxFieldName = 60  // bytes, as those of a value
	maxField     = 100 // of a value
	shortField   = 24  // characters
)

// Fields are the short values at the top of the metadata, by name in small letters.
func (in *Interaction) Fields() (list []Field) {
	meta := in.meta()
	for _, name := range slices.Sorted(maps.Keys(meta)) {
		value := ""
		switch v := meta[name].(type) {
		case string:
			value = strings.TrimSpace(v)
		case json.Number, bool:
			value = flatten(v)
		}
		f := Field{strings.ToLower(strings.TrimSpace(name)), strings.ToValidUTF8(value, "")}
		if value == "" || len(value) > maxField || f.Name == "" || len(f.Name) > MaxFieldName ||
			len(list) == mostFields || slices.ContainsFunc(list, func(o Field) bool { return o.Name == f.Name }) {
			continue
		}
		list = append(list, f)
	}
	return list
}
