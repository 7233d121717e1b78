package prompted

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"
	"unicode"
	"unicode/utf16"

	"preceptor/internal/compliance"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/strict"
	"preceptor/internal/privacy"
)

var (
	//go:embed prompt/system.md
	systemPrompt string
	//go:embed prompt/line.md
	shippedLine string
	//go:embed prompt/judge.md.tmpl
	judgePrompt string
	//go:embed prompt/schema.json
	schema json.RawMessage

	judgeTemplate = template.Must(template.New("judge").Parse(judgePrompt))
)

// material is what others wrote, ready to leave: one line of JSON, and what its tokens stand for.
type material struct {
	line string
	key  privacy.Map
}

// materialOf makes the one JSON object of what others wrote. The texts are pseudonymised together, so that one person
// has one token in all of them.
func (j *Judge) materialOf(s compliance.Subject) (material, error) {
	customer, err := plainJSON(s.Customer.Facts())
	if err != nil {
		return material{}, fmt.Errorf("prompted: the customer of a draft: %w", err)
	}
	known := s.Customer.Personal()
	w := walk{known: known}
	w.each(customer)
	before, err := plainJSON(said(s.Situation.Before))
	if err != nil {
		return material{}, fmt.Errorf("prompted: the conversation of a draft: %w", err)
	}
	w.each(before)
	safe, key, err := j.hide(append([]string{s.Situation.Question, s.Text}, w.texts...), known)
	if err != nil {
		return material{}, err
	}
	w.texts = safe[2:]
	shown := map[string]any{"question": safe[0], "draft": safe[1], "customer": w.replaced(customer)}
	if len(s.Situation.Before) > 0 {
		shown["conversation"] = w.replaced(before)
	}
	line, err := json.Marshal(map[string]any{"material": shown})
	if err != nil {
		return material{}, fmt.Errorf("prompted: encode the material: %w", err)
	}
	return material{line: visible(line), key: key}, nil
}

// mostSaid is how many bytes of a conversation a judge is sent, the last ones.
const mostSaid = 12_000

// said is a conversation as lines, the first of which says that earlier ones were left out.
func said(list []pack.Message) (out []string) {
	size := 0
	for _, m := range slices.Backward(list) {
		if size += len(m.Text); size > mostSaid {
			out = append(out, "(what was said before is left out)")
			break
		}
		out = append(out, strings.TrimSpace(m.Role+" "+m.Tool)+": "+m.Text)
	}
	slices.Reverse(out)
	return out
}

// fieldBreak parts texts while they are pseudonymised together. A character of no use in writing keeps it from being
// met.
const fieldBreak = "\n\x1e\n"

func (j *Judge) hide(texts, known []string) ([]string, privacy.Map, error) {
	clean := lists.Map(texts, func(t string) string {
		return strings.ReplaceAll(strings.ToValidUTF8(t, "\uFFFD"), "\x1e", " ")
	})
	safe, key := j.priv.Pseudonymise(strings.Join(clean, fieldBreak), known...)
	parts := strings.Split(safe, fieldBreak)
	if len(parts) != len(texts) {
		return nil, nil, fault.New(fault.Invalid, "The draft has characters that can't be sent to a model.")
	}
	return parts, key, nil
}

// plainJSON is a value as JSON has it, numbers as they were written.
func plainJSON(v any) (out any, err error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	err = strict.Tree(b, &out)
	return out, err
}

// walk goes twice through a JSON value in the same order: once to list its texts, once to put what they became in their
// place. Names of fields count, for they come from an agent too, and so does a number that is somebody's reference.
type walk struct {
	known []string
	texts []string
}

func (w *walk) each(v any) {
	switch v := v.(type) {
	case string:
		w.texts = append(w.texts, v)
	case json.Number:
		if slices.Contains(w.known, v.String()) {
			w.texts = append(w.texts, v.String())
		}
	case []any:
		for _, x := range v {
			w.each(x)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			w.texts = append(w.texts, name)
			w.each(v[name])
		}
	}
}

func (w *walk) take() string {
	s := w.texts[0]
	w.texts = w.texts[1:]
	return s
}

func (w *walk) replaced(v any) any {
	switch v := v.(type) {
	case string:
		return w.take()
	case json.Number:
		if slices.Contains(w.known, v.String()) {
			return w.take()
		}
	case []any:
		return lists.Map(v, w.replaced)
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			safe := w.take()
			out[safe] = w.replaced(v[name])
		}
		return out
	}
	return v
}

// visible escapes what a reader of the line would not see or what reorders it: format characters and the private and
// unassigned ones, which hide text from people and not from models. encoding/json has escaped line ends and angle
// brackets.
func visible(line []byte) string {
	var b strings.Builder
	b.Grow(len(line))
	for _, r := range string(line) {
		if r > 0x7e && (unicode.Is(unicode.Cf, r) || !unicode.IsGraphic(r)) {
			if r > 0xffff {
				hi, lo := utf16.EncodeRune(r)
				fmt.Fprintf(&b, `\u%04x\u%04x`, hi, lo)
				continue
			}
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// tries is how often a boundary is drawn: one that a text contains by chance is not met twice.
const tries = 4

// prompt is the question around the material.
func (j *Judge) prompt(m material, s compliance.Subject) (string, error) {
	r := s.Rubric
	line := strings.TrimSpace(r.Text)
	if line == "" {
		line = strings.TrimSpace(shippedLine)
	}
	for range tries {
		boundary := j.boundary()
		if strings.Contains(m.line, boundary) || strings.Contains(line, boundary) {
			continue
		}
		var b strings.Builder
		err := judgeTemplate.Execute(&b,
			map[string]any{"Domain": pack.Of(s.Situation.Pack).Prompt, "Version": r.Version, "Line": line,
				"Codes": codes(), "Boundary": boundary, "Material": m.line})
		if err != nil {
			return "", fmt.Errorf("prompted: write the prompt: %w", err)
		}
		return b.String(), nil
	}
	return "", fault.New(fault.Invalid,
		"The draft holds every boundary that was drawn for it, so it was not sent to a model.")
}

type code struct{ Code, Means string }

// codes are those of packs with checks: others' texts aren't sent to a model.
func codes() []code {
	var out []code
	for _, c := range compliance.Registry() {
		if c.Pack != pack.GeneralName {
			out = append(out, code{c.Code, c.Description})
		}
	}
	return out
}
