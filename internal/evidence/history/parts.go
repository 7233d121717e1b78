package history

import (
	"cmp"
	_ "embed"
	"html/template"
	"strconv"
	"strings"

	"preceptor/internal/compliance/borderline"
	"preceptor/internal/evidence"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/text"
)

//go:embed parts.html
var partsText string

var pages = template.Must(template.New("parts").Funcs(template.FuncMap{
	"when": evidence.When, "diff": diffHTML, "match": matchWords, "percent": percent, "yes": yesNo, "number": number,
	"stands": func(state string) string { return cmp.Or(standing[state], state) },
}).Parse(partsText))

// partList are the parts of the page in order; each is a template of parts.html under its id. A part that is left out
// of a pack has nothing to say there.
var partList = []struct {
	id, title string
	shown     func(v *view) bool // nil: always
}{
	{"summary", "In short", nil},
	{"history", "What happened, in order", nil},
	{"question", "The customer and the question", nil},
	{"draft", "The draft", nil},
	{"knowledge", "Sources used", nil},
	{"prompt", "The exact prompt and the model", nil},
	{"verdicts", "Compliance verdicts", nil},
	{"experts", "Compliance experts", func(v *view) bool { return len(v.Experts) > 0 }},
	{"decisions", "Decisions and edits", nil},
	{"remarks", "Skips and comments", func(v *view) bool { return len(v.Skips)+len(v.Comments) > 0 }},
	{"delivery", "What the customer got", nil},
	{"afterwards", "Afterwards", nil},
	{"record", "The record", nil},
}

func (v *view) parts() (list []evidence.Part, err error) {
	for _, p := range partList {
		if p.shown != nil && !p.shown(v) {
			continue
		}
		part, err := evidence.Write(pages, p.id, p.title, v)
		if err != nil {
			return nil, err
		}
		list = append(list, part)
	}
	return list, nil
}

// diffHTML shows both texts at once; the words for screen readers are there because most say nothing at <ins> and
// <del>.
func diffHTML(list []text.Change) template.HTML {
	var b strings.Builder
	for _, c := range list {
		words := template.HTMLEscapeString(c.Text)
		switch c.Op {
		case text.Removed:
			b.WriteString(`<del><span class="sr">[removed: </span>` + words + `<span class="sr">]</span></del>`)
		case text.Added:
			b.WriteString(`<ins><span class="sr">[added: </span>` + words + `<span class="sr">]</span></ins>`)
		default:
			b.WriteString(words)
		}
	}
	return template.HTML(b.String())
}

// standing is how a borderline case without a ruling stands.
var standing = map[string]string{borderline.Waiting: "Waiting for experts",
	borderline.Adjudication: "Experts disagreed", borderline.Overtaken: "A supervisor decided before experts ruled",
	borderline.Unresolved: "Closed without a ruling"}

// matchWords says how something made again compares with what was sent.
func matchWords(match string) string {
	switch match {
	case knowledge.Identical:
		return "made again byte for byte: its hash is the one that was kept"
	case knowledge.Erased:
		return "a part was erased since, so it can’t be compared with its hash"
	case knowledge.Different:
		return "this is NOT what was sent: its hash is another one"
	}
	return "no hash was kept, so it can’t be compared"
}

func percent(f float64) string { return strconv.Itoa(int(f*100+0.5)) + "%" }

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func yesNo(b *bool) string {
	switch {
	case b == nil:
		return "not said"
	case *b:
		return "yes"
	}
	return "no"
}
