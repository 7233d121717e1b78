package learned

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// A file's first line says which copy it is, so that what was deleted is known only from that copy.
const versionMark, versionEnd, given = "<!-- Version ", " -->", "approved-"

// Version names the copy that the document is.
func (d *Document) Version() string {
	sum := sha256.Sum256([]byte(d.String()))
	name := hex.EncodeToString(sum[:8])
	if d.given {
		return given + name
	}
	return name
}

// Versioned is the file, behind its version, with a mark at the entries that wait.
func (d *Document) Versioned(waiting func(e Entry) bool) string {
	return versionMark + d.Version() + versionEnd + "\n" + d.marked(waiting)
}

// OfGiven reports whether the document was made from a copy that an agent was given.
func (d *Document) OfGiven() bool { return strings.HasPrefix(d.Edited, given) }

// cutVersion is the version of the copy that was edited, "" where it tells none, and the file without that line.
func cutVersion(markdown string) (string, string) {
	first, rest, _ := strings.Cut(markdown, "\n")
	of, ok := strings.CutPrefix(strings.TrimPrefix(first, "\ufeff"), versionMark)
	if !ok {
		return "", markdown
	}
	return strings.TrimSuffix(strings.TrimSpace(of), versionEnd), rest
}
