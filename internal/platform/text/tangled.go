package text

import "strings"

// mostTangled bounds Tangled: some two seconds of a reader's time.
const mostTangled = 200_000_000

// Tangled reports whether reading a text as Markdown takes too long: readers take time with the square of what one
// paragraph may open and close, and of how deep quotes and lists are nested.
func Tangled(s string) bool {
	cost, marks := 0, 0
	for line := range strings.Lines(s) {
		content := strings.TrimLeft(line, " \t>-+*0123456789.)")
		indent, depth := len(line)-len(strings.TrimLeft(line, " \t")), 0
		for i := range len(line) - len(content) {
			if strings.IndexByte(">-+*.)", line[i]) >= 0 {
				depth++
			}
		}
		depth = max(depth, indent/2)
		if strings.TrimSpace(line) == "" || indent < 4 && begins(line[indent:]) {
			marks = 0
		}
		n := 0
		for i := range len(content) {
			if strings.IndexByte("[]*_`", content[i]) >= 0 {
				n++
			}
		}
		cost += depth*depth + (marks+n)*(marks+n) - marks*marks
		if marks += n; cost > mostTangled {
			return true
		}
	}
	return false
}

// begins reports whether a line ends the paragraph before it: a point of a list or a heading does.
func begins(line string) bool {
	mark, rest, ok := strings.Cut(line, " ")
	return ok && strings.TrimSpace(rest) != "" && (mark == "-" || mark == "+" || mark == "*" ||
		mark != "" && len(mark) <= 6 && strings.Trim(mark, "#") == "")
}
