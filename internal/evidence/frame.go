package evidence

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"time"
)

// What the pieces of a pack begin and end with. Customers' words are escaped on the page and in the JSON, so none of
// these can stand within them.
const (
	partOpen     = `<section class="part" id="`
	mainClose    = "</main>\n"
	manifestOpen = `<script type="application/json" id="preceptor-manifest">`
	proofOpen    = `<script type="application/json" id="preceptor-proof">`
	scriptClose  = "</script>\n"
	tail         = "</body>\n</html>\n"
)

//go:embed frame.css
var style string

//go:embed frame.html
var frameText string

var frame = template.Must(template.New("frame").Funcs(template.FuncMap{"when": When}).Parse(frameText))

// framed is what the frame shows.
type framed struct {
	Content
	Manifest Manifest
	Style    template.CSS
	Policy   string // Content-Security-Policy: this style and nothing else
}

func frameOf(c Content, man Manifest) framed {
	h := sha256.Sum256([]byte(style))
	return framed{Content: c, Manifest: man, Style: template.CSS(style),
		Policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(h[:]) +
			"'; base-uri 'none'; form-action 'none'"}
}

// When is a moment as packs write it: in the desk's zone, which it names, to the second.
func When(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2 January 2006, 15:04:05 MST")
}
