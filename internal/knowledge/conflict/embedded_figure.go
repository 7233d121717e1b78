package conflict

import (
	"math"
	"strconv"
	"strings"

	"preceptor/internal/pack"
)

// span is what numbers of one kind a demand allows: 25 % is from 25 to 25, "at least three" from 3 upwards.
type span struct{ low, high float64 }

// figures are a demand's, by what they count: money, percent, age, or a word as "sentences".
type figures map[string][]span

var numberWords = map[string]bool{"one": true, "two": true, "three": true, "four": true, "five": true, "six": true, "seven": true, "eight": true, "nine": true, "ten": true}

var numberOf = map[string]float64{"a single": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}

// countRE finds "at least three examples": a bound, a number and what it counts.
var countRE = pack.NewPattern(`(?:\b(at least|at most|no more than|up to|more than|fewer than|less than|over|under|only|exactly) )?\b(a single|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,3}) (?:\w+ing )?(\w{4,})\b`)

func readFigures(text string) figures {
	out := figures{}
	for _, f := range pack.FindFigures(text) {
		kind := f.Kind
		if kind == "date" {
			out.add(kind, boundBefore(text[:f.Start]), dateValue(f.Text))
			continue
		}
		out.add(kind, boundBefore(text[:f.Start]), f.Value)
	}
	for _, m := range countRE.FindAllStringSubmatchIndex(text, 20) {
		bound := ""
		if m[2] >= 0 {
			bound = strings.ToLower(text[m[2]:m[3]])
		}
		n, ok := numberOf[strings.ToLower(text[m[4]:m[5]])]
		if !ok {
			n, _ = strconv.ParseFloat(text[m[4]:m[5]], 64) // digits by the expression
		}
		what := "of " + strings.TrimSuffix(strings.ToLower(text[m[6]:m[7]]), "s")
		out.add(what, bound, n)
	}
	return out
}

// dateValue tells dates apart.
func dateValue(text string) float64 {
	sum := 0.0
	for i, w := range strings.Fields(strings.ToLower(text)) {
		for _, r := range w {
			sum += float64(r) * float64(i*1000+1)
		}
		if n, err := strconv.ParseFloat(strings.TrimRight(w, "stndrh"), 64); err == nil {
			sum += n * 1e6
		}
	}
	return sum
}

func boundBefore(before string) string {
	low := strings.ToLower(strings.TrimRight(before, " "))
	for _, b := range []string{"at least", "at most", "no more than", "up to", "more than", "less than", "over", "under", "above", "below"} {
		if strings.HasSuffix(low, b) {
			return b
		}
	}
	return ""
}

func (f figures) add(kind, bound string, n float64) {
	s := span{n, n}
	switch bound {
	case "at least":
		if strings.HasPrefix(kind, "of ") {
			s.high = math.Inf(1)
		}
	case "at most", "no more than", "up to":
		if strings.HasPrefix(kind, "of ") {
			s.low = 0
		}
	case "more than":
		if strings.HasPrefix(kind, "of ") {
			s = span{n + 1, math.Inf(1)}
		}
	case "fewer than", "less than":
		if strings.HasPrefix(kind, "of ") {
			s = span{0, n - 1}
		}
	}
	f[kind] = append(f[kind], s)
}

func (f figures) any() bool { return len(f) > 0 }

// differ tells whether both give figures of one kind and none of them agree.
func (f figures) differ(g figures) bool {
	for kind, a := range f {
		b := g[kind]
		if len(b) == 0 {
			continue
		}
		agree := false
		for _, x := range a {
			for _, y := range b {
				agree = agree || x.low <= y.high && y.low <= x.high
			}
		}
		if !agree {
			return true
		}
	}
	return false
}
