package knowledge

import (
	"regexp"
)

var slotRE = regexp.MustCompile(`\{\{\.(\w+)\}\}`)

// fill puts parts in place of a template's slots, as Message.text does with texts: in one pass, and a slot that nothing
// is given for stays.
func fill(template string, arg func(name string) ([]RebuiltPart, bool)) (out []RebuiltPart) {
	at := 0
	for _, m := range slotRE.FindAllStringSubmatchIndex(template, -1) {
		parts, ok := arg(template[m[2]:m[3]])
		if !ok {
			continue
		}
		if m[0] > at {
			out = append(out, RebuiltPart{Text: template[at:m[0]]})
		}
		out = append(out, parts...)
		at = m[1]
	}
	if at < len(template) {
		out = append(out, RebuiltPart{Text: template[at:]})
	}
	return out
}
