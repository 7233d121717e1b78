package llm

import "preceptor/internal/platform/id"

// Fence puts what others wrote between two lines that nobody can know before: what stands there can't end the material
// and give orders. mark is such a line, for the sentence that says so.
func Fence(material string) (mark, fenced string) {
	mark = "material-" + id.Secret(12)
	return mark, mark + "\n" + material + "\n" + mark
}
