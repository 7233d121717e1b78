package rule

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"preceptor/internal/pack"
	"preceptor/internal/platform/text/compare"
)

// Overlap says how far two lists of conditions hold for the same customers, as Match adds them up.
type Overlap struct {
	Apart                       bool // no customer meets both
	LeftNarrower, RightNarrower bool // whoever meets it meets the other; both when they hold for the same
}

// Equal reports whether both hold for the same customers.
func (o Overlap) Equal() bool { return o.LeftNarrower && o.RightNarrower }

// Overlaps compares conditions. It is on the safe side: where it can't tell, some customers meet both.
func Overlaps(left, right []Condition) Overlap {
	a, b := apart(left), apart(right)
	for _, g := range a {
		for _, h := range b {
			if !slices.ContainsFunc(g, func(c Condition) bool {
				return slices.ContainsFunc(h, func(d Condition) bool { return !exclude(c, d) })
			}) {
				return Overlap{Apart: true}
			}
		}
	}
	return Overlap{LeftNarrower: covers(b, a), RightNarrower: covers(a, b)}
}

// apart are conditions of which one each has to hold, a value each: none of two values is neither of them.
func apart(when []Condition) (out [][]Condition) {
	for _, g := range groups(when) {
		var ways []Condition
		for _, c := range g {
			ways = append(ways, c.each()...)
		}
		if !g[0].Not {
			out = append(out, ways)
			continue
		}
		for _, one := range ways {
			out = append(out, []Condition{one})
		}
	}
	return out
}

func (c Condition) each() (out []Condition) {
	for _, v := range c.Values {
		one := c
		one.Values = []string{v}
		out = append(out, one)
	}
	if len(out) == 0 {
		out = []Condition{c}
	}
	return out
}

// covers reports whether whoever meets narrow meets wide: each group of wide follows from one of narrow.
func covers(wide, narrow [][]Condition) bool {
	for _, h := range wide {
		if !slices.ContainsFunc(narrow, func(g []Condition) bool {
			return !slices.ContainsFunc(g, func(c Condition) bool {
				return !slices.ContainsFunc(h, func(d Condition) bool { return implies(c, d) })
			})
		}) {
			return false
		}
	}
	return len(narrow) > 0
}

// implies reports whether whoever meets c meets d.
func implies(c, d Condition) bool {
	switch {
	case c.Not && d.Not:
		return impliesPlain(d, c)
	case c.Not:
		return d.Kind == Scope && slices.Contains(d.Values, Universal)
	case d.Not:
		return excludePlain(c, d)
	}
	return impliesPlain(c, d)
}

func impliesPlain(c, d Condition) bool {
	if d.Kind == Scope && slices.Contains(d.Values, Universal) {
		return true
	}
	if c.Kind != d.Kind || c.Draft != d.Draft || !strings.EqualFold(c.Name, d.Name) || c.Wide && !d.Wide {
		return false
	}
	if c.Kind == Field {
		switch {
		case d.Op == Known:
			return true
		case c.Op == Known:
			return false
		case d.Op == Below || d.Op == Above:
			return every(c.Values, func(v string) bool {
				return c.Op != opposite[d.Op] && c.Op != Has &&
					slices.ContainsFunc(d.Values, func(w string) bool { return reaches(v, w, c.Op, d.Op) })
			})
		case c.Op == Below || c.Op == Above:
			return false
		}
	}
	return every(c.Values, func(v string) bool { return has(d.Values, v) })
}

var opposite = map[string]string{Below: Above, Above: Below}

// reaches reports whether a field that is (or is below, above) v is below (above) w.
func reaches(v, w, op, bound string) bool {
	x, err := strconv.ParseFloat(v, 64)
	y, err2 := strconv.ParseFloat(w, 64)
	if err != nil || err2 != nil {
		return false
	}
	if bound == Above {
		x, y = -x, -y
	}
	return x < y || x == y && op != Is
}

// exclude reports whether nobody meets both. A question like one that a rule isn't for may be more like one that it is.
func exclude(c, d Condition) bool {
	switch {
	case c.Not && d.Not, c.Kind == Like && c.Not != d.Not:
		return false
	case c.Not:
		return impliesPlain(d, c)
	case d.Not:
		return impliesPlain(c, d)
	}
	return excludePlain(c, d)
}

func excludePlain(c, d Condition) bool {
	if c.Kind != d.Kind || !strings.EqualFold(c.Name, d.Name) {
		return false
	}
	apart := !slices.ContainsFunc(c.Values, func(v string) bool { return has(d.Values, v) })
	switch c.Kind {
	case Topic:
		return apart
	case Scope:
		return apart && every(append(slices.Clone(c.Values), d.Values...), func(v string) bool {
			return v != Universal && kindOf(v) == kindOf(c.Values[0])
		})
	case Field:
		switch {
		case c.Op == Is && d.Op == Is:
			return apart
		case d.Op == Below || d.Op == Above:
			return beyond(c, d)
		case c.Op == Below || c.Op == Above:
			return beyond(d, c)
		}
	}
	return false
}

// beyond reports whether no value that c allows is within the bounds d, of which one is enough.
func beyond(c, d Condition) bool {
	if c.Op != Is && c.Op != opposite[d.Op] {
		return false
	}
	return every(c.Values, func(v string) bool {
		return every(d.Values, func(w string) bool { return reaches(w, v, d.Op, d.Op) })
	})
}

func kindOf(scope string) string {
	kind, _, _ := strings.Cut(scope, ":")
	return strings.ToLower(kind)
}

func every(list []string, f func(string) bool) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(v string) bool { return !f(v) })
}

func has(list []string, v string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return strings.EqualFold(v, w) })
}

// Within reports whether whoever does b does what a asks for, letter case and punctuation aside.
func Within(a, b Act) bool {
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case Never:
		return every(a.Phrases, func(p string) bool { return has(b.Phrases, p) })
	case Replace:
		return len(a.Swaps) > 0 && !slices.ContainsFunc(a.Swaps, func(s Swap) bool {
			return !slices.ContainsFunc(b.Swaps, func(t Swap) bool {
				return strings.EqualFold(s.Say, t.Say) && strings.EqualFold(s.Avoid, t.Avoid)
			})
		})
	}
	return a.Text != "" && a.Place == b.Place && bare(a.Text) == bare(b.Text)
}

func bare(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r)
	}), " ")
}

// Clash says why no draft can do both; "" when one can. A phrase is looked for in no instruction that only a model or a
// person carries out (Other); texts are compared with each other by c.
func Clash(a, b Act, c compare.Func) string {
	for _, s := range a.Texts() {
		for _, t := range b.Texts() {
			if x, y, ok := c.Against(s, t); ok && a.Kind != Replace && b.Kind != Replace {
				return "One says “" + x + "” and the other “" + y + "”."
			}
		}
	}
	for _, pair := range [][2]Act{{a, b}, {b, a}} {
		x, y := pair[0], pair[1]
		if x.Kind != Never || y.Kind == Other {
			continue
		}
		for _, p := range x.Phrases {
			if slices.ContainsFunc(y.Texts(), func(t string) bool { return pack.HasPhrase(t, p) }) {
				return "One says “" + p + "” and the other never does."
			}
		}
	}
	for _, s := range a.Swaps {
		for _, t := range b.Swaps {
			switch {
			case strings.EqualFold(s.Say, t.Avoid) && strings.EqualFold(s.Avoid, t.Say):
				return "One says “" + s.Say + "” rather than “" + s.Avoid + "”, and the other the opposite."
			case strings.EqualFold(s.Avoid, t.Avoid) && !strings.EqualFold(s.Say, t.Say):
				return "Instead of “" + s.Avoid + "” one says “" + s.Say + "” and the other “" + t.Say + "”."
			}
		}
	}
	return ""
}
