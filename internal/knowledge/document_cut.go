package knowledge

import (
	"fmt"
	"strings"
)

// mostCase is how many bytes of a text one case has and is read with: what is longer is found by none of its words,
// and takes who drafts minutes.
const mostCase = 8000

// cut makes parts of the sections that are too long for a case, and says which can't be cut and are left out.
func (d *document) cut() (whole []string) {
	var list []section
	for _, s := range d.sections {
		parts := pieces(s.text)
		if parts == nil {
			whole = append(whole, s.heading)
		}
		for i, part := range parts {
			one := s
			if one.text = part; len(parts) > 1 {
				one.heading = fmt.Sprintf("%s (part %d)", s.heading, i+1)
			}
			list = append(list, one)
		}
	}
	d.sections = list
	return whole
}

// pieces cuts a text at its paragraphs, else at its lines, sentences or words; nil where it can't be cut.
func pieces(s string) (list []string) {
	for len(s) > mostCase {
		most := min(mostCase, len(s)*3/4) // so that the last is no stray line
		at := -1
		for _, end := range []string{"\n\n", "\n", ". ", " "} {
			if i := strings.LastIndex(s[:most], end); i > most/4 {
				at = i + len(end)
				break
			}
		}
		if at < 0 {
			return nil
		}
		list, s = append(list, strings.Trim(s[:at], "\n ")), strings.TrimLeft(s[at:], "\n ")
	}
	return append(list, s)
}

// Bounded is a case with no more of its texts than is read at once, for one that came whole before it was cut.
func (c Case) Bounded() Case {
	c.Guidance, c.Negative = bounded(c.Guidance), bounded(c.Negative)
	return c
}

func bounded(s string) string {
	if len(s) <= 4*mostCase {
		return s
	}
	return strings.ToValidUTF8(s[:4*mostCase], "") + "…"
}
