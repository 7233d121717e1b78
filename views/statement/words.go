package statement

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/pack"
	"preceptor/internal/rule"
	"preceptor/views/ui"
)

// label is what a row says before its text.
func label(a rule.Act) string {
	switch {
	case a.Kind == rule.Include && a.Place == rule.AtStart:
		return "Say this first"
	case a.Kind == rule.Include && a.Place == rule.AtEnd:
		return "Say this last"
	}
	return kindLabels[a.Kind]
}

var kindLabels = map[string]string{rule.Include: "Include this", rule.Never: "Never say this", rule.Replace: "Say",
	rule.Ask: "Ask", rule.Point: "Point to", rule.Other: "Something else"}

// addLabels are the buttons that add a row.
var addLabels = map[string]string{rule.Include: "Include …", rule.Never: "Never say …",
	rule.Replace: "Say … rather than …", rule.Ask: "Ask …", rule.Point: "Point to …", rule.Other: "Something else"}

// textLabels names the control of a row's text to who doesn't see what stands around it.
var textLabels = map[string]string{rule.Include: "Text to include", rule.Never: "Words never to say, one per line",
	rule.Ask: "Question to ask", rule.Point: "Where to point the customer, as a sentence", rule.Other: "What to do"}

// hints stand under an added row.
var hints = map[string]string{
	rule.Never: "One per line. Whole words, in any form.",
	rule.Point: "A sentence for the customer, such as “Our helpline answers from 9 to 5 on 0800 138 7777.”",
	rule.Ask:   "The question as the customer reads it.",
	rule.Other: "Supervisors see this beside the draft, and models and agents get it. The advisor can't apply it " +
		"without a model.",
}

func kindOptions() []ui.Option {
	out := make([]ui.Option, len(Kinds))
	for i, k := range Kinds {
		out[i] = ui.Option{Value: k, Label: addLabels[k]}
	}
	return out
}

var placeOptions = []ui.Option{{Value: rule.AtTopic, Label: "Beside the text on the same topic"},
	{Value: rule.AtStart, Label: "First"}, {Value: rule.AtEnd, Label: "Last"}}

// body is an act's text as one control holds it.
func body(a rule.Act) string {
	if a.Kind == rule.Never {
		return strings.Join(a.Phrases, "\n")
	}
	return a.Text
}

// belongs names the words of one customer.
func belongs(words []string) string {
	return "About one person only: “" + strings.Join(words, "”, “") + "”. Make it general or remove it."
}

// How is a condition's comparison as one field holds it: "is", "not below", "draft", "not question", "wide".
func How(c rule.Condition) string {
	how := c.Op
	switch {
	case c.Kind == rule.Mentions && c.Draft:
		how = "draft"
	case c.Kind == rule.Mentions:
		how = "question"
	case c.Also:
		how = "also"
	case c.Kind == rule.Like && c.Wide:
		how = "wide"
	case c.Kind == rule.Like:
		how = "near"
	}
	if c.Not {
		return strings.TrimSpace("not " + how)
	}
	return how
}

// SetHow is the way back from How.
func SetHow(c rule.Condition, how string) rule.Condition {
	how, not := strings.CutPrefix(" "+strings.TrimSpace(how), " not")
	how = strings.TrimSpace(how)
	c.Not, c.Draft, c.Wide = not, c.Kind == rule.Mentions && how == "draft", c.Kind == rule.Like && how == "wide"
	c.Also = c.Kind == rule.Like && how == "also"
	if c.Kind == rule.Field {
		c.Op = how
	}
	return c
}

var fieldHow = []ui.Option{{Value: "is", Label: "is"}, {Value: "not is", Label: "is not"},
	{Value: "below", Label: "is below"}, {Value: "above", Label: "is above"},
	{Value: "has", Label: "includes"}, {Value: "not has", Label: "does not include"},
	{Value: "known", Label: "is known"}, {Value: "not known", Label: "is not known"}}

var mentionsHow = []ui.Option{{Value: "question", Label: "The question mentions"},
	{Value: "not question", Label: "The question does not mention"},
	{Value: "draft", Label: "The draft mentions"}, {Value: "not draft", Label: "The draft does not mention"}}

var likeHow = []ui.Option{{Value: "near", Label: "The question is like"},
	{Value: "wide", Label: "The question is broadly like"}, {Value: "not near", Label: "The question is not like"},
	{Value: "not wide", Label: "The question is not even broadly like"},
	{Value: "also", Label: "Also questions like"}}

// hows are the comparisons of a kind, with one that is not among them (a negated bound) as it stands.
func hows(c rule.Condition) []ui.Option {
	list := map[string][]ui.Option{rule.Field: fieldHow, rule.Mentions: mentionsHow, rule.Like: likeHow}[c.Kind]
	now := How(c)
	for _, o := range list {
		if o.Value == now {
			return list
		}
	}
	if now == "" {
		return list
	}
	return append(list[:len(list):len(list)],
		ui.Option{Value: now, Label: strings.NewReplacer("not ", "is not ").Replace(now)})
}

// separators between the values of a condition in one control.
func joined(c rule.Condition) string {
	if c.Kind == rule.Field {
		return strings.Join(c.Values, "; ")
	}
	return strings.Join(c.Values, "\n")
}

// numeric reports whether a pill has a number that one may change.
func numeric(c rule.Condition) bool {
	return c.Kind == rule.Field && (c.Op == rule.Below || c.Op == rule.Above) && len(c.Values) == 1
}

func (v Editor) legend() string {
	if v.Legend != "" {
		return v.Legend
	}
	return "What should change next time?"
}

// pillWords is a condition on its pill.
func (v Editor) pillWords(c rule.Condition) string {
	if everybody(c) {
		return "Everyone"
	}
	if c.Kind == rule.Topic && !c.Not {
		return strings.TrimPrefix(c.Words(v.Pack), "the topic is ")
	}
	if numeric(c) {
		c.Values = nil
		return pack.Upper(strings.TrimSpace(c.Words(v.Pack)))
	}
	return pack.Upper(c.Words(v.Pack))
}

// typed are the rows of More conditions: those that say something, and an empty one of each kind. Each with its number
// among all.
func (v Editor) typed() (out []numbered) {
	for i, w := range v.When {
		if w.Typed {
			out = append(out, numbered{i, w})
		}
	}
	n := len(v.When)
	for _, kind := range []string{rule.Field, rule.Mentions, rule.Like} {
		out = append(out, numbered{n, When{Condition: rule.Condition{Kind: kind}, On: true, Typed: true}})
		n++
	}
	return out
}

// offered are the pills.
func (v Editor) offered() (out []numbered) {
	for i, w := range v.When {
		if !w.Typed {
			out = append(out, numbered{i, w})
		}
	}
	return out
}

type numbered struct {
	N int
	When
}

func (v Editor) typedOpen() bool {
	for _, w := range v.When {
		if w.Typed {
			return true
		}
	}
	return false
}

// fieldOptions are the fields, with one that a condition names and the pack doesn't.
func (v Editor) fieldOptions(now string) []ui.Option {
	out := append([]ui.Option{{Value: "", Label: "Choose a field"}}, v.Fields...)
	for _, o := range out {
		if strings.EqualFold(o.Value, now) {
			return out
		}
	}
	return append(out, ui.Option{Value: now, Label: now})
}

// FieldsOf are the fields that a condition may name: the pack's, then what else this customer's profile carries.
func FieldsOf(p *pack.Pack, s pack.Situation) (out []ui.Option) {
	for _, f := range p.Fields {
		out = append(out, ui.Option{Value: f.Name, Label: pack.Upper(f.Label)})
	}
	for _, name := range slices.Sorted(maps.Keys(s.Fields)) {
		if _, ok := p.Field(name); !ok {
			out = append(out, ui.Option{Value: name, Label: pack.Upper(p.FieldLabel(name))})
		}
	}
	return out
}

func at(n int, name string) string { return "teach." + strconv.Itoa(n) + "." + name }

func whenAt(n int, name string) string { return "when." + strconv.Itoa(n) + "." + name }

// id is a control's, of a row.
func id(n int, name string) string { return "teach-" + strconv.Itoa(n) + "-" + name }

func whenID(n int, name string) string { return "when-" + strconv.Itoa(n) + "-" + name }

// told is what is stated, in a few words.
func (v Editor) told() string {
	list := v.Statements()
	switch {
	case v.Only:
		return "Only this customer"
	case len(list) == 0 && v.TextID == "": // nothing was changed
		return "Nothing stated"
	case len(list) == 0 && v.Lent != "":
		return v.Lent
	case len(list) == 0 && len(v.Rows) > 0:
		return "None of " + ui.Count(len(v.Rows), "change") + " chosen; a rule may be suggested from them"
	case len(list) == 0:
		return "Nothing stated; a rule may be suggested from your changes"
	case len(list) > 1:
		return pack.Upper(list[0].Do.Words()) + ", and " + strconv.Itoa(len(list)-1) + " more"
	}
	return pack.Upper(list[0].Do.Words())
}
