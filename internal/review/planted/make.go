package planted

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/interaction"
	"preceptor/internal/phrase"
)

// made is a draft with its variables filled.
type made struct {
	consultation    interaction.Consultation
	guidance        string
	reasoning       string
	absent, present []string
}

// source is a source of chance that gives the same for the same check, so that a job that runs again makes the same
// case.
func source(checkID string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(checkID))
	return rand.New(rand.NewPCG(h.Sum64(), 1))
}

// fill draws the customer and fills the variables. named says whether the customer has a name.
func (d Draft) fill(lot *rand.Rand, named bool) made {
	values := map[string]int{}
	c := interaction.Customer{Literacy: d.Customer.Literacy, Goal: d.Customer.Goal}
	if r := d.Customer.Age; r != (Range{}) {
		age := r.draw(lot, 1)
		c.Age, values["age"] = &age, age
	}
	if d.Customer.Vulnerable {
		yes := true
		c.Vulnerable = &yes
	}
	for _, p := range d.Customer.Pensions {
		pot := interaction.Pension{Kind: p.Kind, Features: p.Features}
		if p.Value != (Range{}) {
			step := 1000
			if p.Value[1]-p.Value[0] < step {
				step = 1
			}
			v := p.Value.draw(lot, step)
			worth := float64(v)
			pot.ValueGBP = &worth
			values[p.Kind] += v
		}
		c.Pensions = append(c.Pensions, pot)
	}
	if len(d.Customer.Extra) > 0 {
		c.Extra = d.Customer.Extra
	}
	if named {
		c.Name = firstNames[lot.IntN(len(firstNames))] + " " + lastNames[lot.IntN(len(lastNames))]
	}
	absent, present := d.patterns()
	return made{
		consultation: interaction.Consultation{Customer: c, Question: replace(d.Question, values, pounds),
			TaskType: d.Task},
		guidance: replace(d.Guidance, values, pounds), reasoning: replace(d.Reasoning, values, pounds),
		absent: replaceAll(absent, values), present: replaceAll(present, values),
	}
}

func (r Range) draw(lot *rand.Rand, step int) int {
	lo, hi := (r[0]+step-1)/step, r[1]/step
	if hi <= lo {
		return r[0]
	}
	return (lo + lot.IntN(hi-lo+1)) * step
}

var variable = regexp.MustCompile(`\{(age|dc|db)(?:-(\d{1,2})|:(\d{1,2}))?\}`)

// braces is what looks like a variable; what the customer of a case would read.
var braces = regexp.MustCompile(`\{[^{}\n]*\p{L}[^{}\n]*\}`)

// replace fills the variables; what has no value stays as it is. write is how pounds are written.
func replace(text string, values map[string]int, write func(int) string) string {
	return variable.ReplaceAllStringFunc(text, func(v string) string {
		m := variable.FindStringSubmatch(v)
		n, ok := values[m[1]]
		switch less, share := m[2], m[3]; {
		case !ok:
			return v
		case m[1] == "age":
			by, _ := strconv.Atoi(less) // digits, or nothing
			return strconv.Itoa(n - by)
		case share == "33": // people who say 33 % mean a third
			n /= 3
		case share != "":
			part, _ := strconv.Atoi(share) // digits
			n = n * part / 100
		}
		return write(n)
	})
}

func replaceAll(patterns []string, values map[string]int) []string {
	out := make([]string, len(patterns))
	for i, p := range patterns {
		out[i] = replace(p, values, func(n int) string {
			// people write sums with and without
			return strings.ReplaceAll(strings.TrimPrefix(pounds(n), "£"), ",", ",?")
		})
	}
	return out
}

// pounds writes £64,000.
func pounds(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return "£" + s
}

var (
	greeting = regexp.MustCompile(`^(?:Hello|Hi|Dear|Good (?:morning|afternoon)|Thank you for)\b`)
	cited    = regexp.MustCompile(`\s*\[\d+\]$`)
)

// dress gives a body the frame of what our own advisor wrote for the same question: its greeting, the marks of its
// sources at the end of paragraphs, and their list. A text without such a frame lends none. The places that tell a
// sentence's source follow.
func dress(written interaction.Draft, body string) interaction.Draft {
	paragraphs := strings.Split(strings.TrimSpace(written.Text), "\n\n")
	var opening []string
	for len(paragraphs) > 0 && len(opening) < 2 && greeting.MatchString(paragraphs[0]) {
		opening, paragraphs = append(opening, paragraphs[0]), paragraphs[1:]
	}
	text := strings.Split(body, "\n\n")
	var sources []string
	if n := len(paragraphs); n > 0 && strings.HasPrefix(paragraphs[n-1], "Sources:") {
		sources = strings.Split(paragraphs[n-1], "\n")
	}
	labels := sourceLabels(written.Marks)
	written.Marks = nil
	at := len(strings.Join(append(slices.Clone(opening), ""), "\n\n"))
	marks := max(0, min(len(sources)-1, len(text)))
	for i := range text[:marks] {
		text[i] = cited.ReplaceAllString(text[i], "")
		if i < len(labels) {
			for _, sp := range phrase.Sentences(text[i]) {
				written.Marks = append(written.Marks,
					interaction.Mark{Start: at + sp.Start, End: at + sp.End, Kind: interaction.MarkSource,
						Label: labels[i]})
			}
		}
		text[i] += fmt.Sprintf(" [%d]", i+1)
		at += len(text[i]) + len("\n\n")
	}
	if marks > 0 {
		text = append(text, strings.Join(sources[:marks+1], "\n"))
	}
	written.Text = strings.Join(append(opening, text...), "\n\n")
	return written
}

// sourceLabels are the sources that marks name, in order.
func sourceLabels(marks []interaction.Mark) (out []string) {
	for _, m := range marks {
		if m.Kind == interaction.MarkSource && !slices.Contains(out, m.Label) {
			out = append(out, m.Label)
		}
	}
	return out
}

// The names of nobody in particular.
var (
	firstNames = strings.Fields("Alan Amina Angela Brian Carol Christine Colin Dawn Deborah Derek Elaine Fiona " +
		"Gareth Geoff Hazel Imran Jacqueline Janet " +
		"Keith Lesley Linda Malcolm Maureen Neil Nisha Pauline Philip Rita Roger Sandra Sheila Stephen Tariq Teresa " +
		"Trevor Wendy")
	lastNames = strings.Fields("Adeyemi Ahmed Barker Begum Birch Chaudhry Clegg Dawson Doyle Fenwick Finch Fletcher " +
		"Gill Grant Greenwood Hartley Hobbs " +
		"Iqbal Jarvis Kaur Lambert Lowe Marsh McKenna Nolan Osborne Parry Pearce Rowley Sharma Slater Thorne Tully " +
		"Vaughan Whitaker Yates")
)

// written is v as JSON; what this package stores always marshals.
func written(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "[]"
	}
	return string(b)
}
