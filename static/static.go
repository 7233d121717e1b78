// Package static holds what the browser loads beside a page: one style sheet, one script (htmx, its SSE extension and
// our own parts), one font and one icon, all embedded and all served from our own origin.
//
// How to use it: a page names a file by static.Path("app.css"), which answers "/static/app.3f2a9c1b7d04.css"; the
// server mounts Handler at /static/. A name carries a hash of the content, so browsers may keep a file for ever and an
// upgrade is seen at once. Path panics on a name that isn't there: a typo is found by the first test that renders.
//
// The scripts of a page are sent as one, Scripts in their order: htmx starts from a timer, and an extension in a file
// that came later was not there yet on a slow line, so that a page had no live line until it was loaded again.
//
// It decided against a bundler (files joined as they are, no build step), against a foreign host for anything (the
// policy is default-src 'none'; Preceptor must work with no network) and against inline script and style, which that
// policy refuses. vendor/README.md says where the files that we did not write come from.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
)

//go:embed app.css *.js icon.svg vendor/*.js fonts/*.woff2
var files embed.FS

// Prefix is where Handler is mounted.
const Prefix = "/static/"

// Widget is the one file that others name in their pages, so that it has an address without a hash, which browsers ask
// about again after an hour, and may be loaded by any site. It carries no secret: what it shows is a page with a policy
// of its own.
const Widget = "widget.js"

// Script is what every page loads: the files of scripts, one after the other.
const Script = "page.js"

var scripts = []string{"vendor/htmx-4.0.1.min.js", "vendor/hx-sse-4.0.1.min.js", "offline.js", "app.js", "keys.js",
	"palette.js",
	"people.js", "queue.js", "revise.js", "borderline.js", "label.js", "chart.js"}

// asset is one file as it is sent; packed is its gzip form, nil where that would not be smaller.
type asset struct {
	body, packed []byte
	mime, etag   string
}

// set is every asset by its hashed name, and the hashed name of each plain one.
type set struct {
	byHashed map[string]asset
	hashed   map[string]string
}

var load = sync.OnceValue(func() set {
	s := set{byHashed: map[string]asset{}, hashed: map[string]string{}}
	var sheets []string
	err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if path.Ext(name) == ".css" {
			sheets = append(sheets, name)
			return nil
		}
		if slices.Contains(scripts, name) {
			return nil
		}
		return s.add(name, nil, name)
	})
	for _, name := range sheets { // last, because a sheet names fonts by their hashed names
		if err == nil {
			err = s.add(name, s.hashed, name)
		}
	}
	if err == nil {
		err = s.add(Script, nil, scripts...)
	}
	if err != nil {
		panic("static: " + err.Error()) // embedded files can't be missing in a binary that was built
	}
	return s
})

// add joins files, replaces url("x") by the hashed address of x for every x in names, and stores the whole under a
// name.
func (s set) add(name string, names map[string]string, parts ...string) error {
	var list [][]byte
	for _, part := range parts {
		b, err := files.ReadFile(part)
		if err != nil {
			return err
		}
		list = append(list, b)
	}
	body := bytes.Join(list, []byte{'\n'}) // between scripts alone: a font with a byte more is refused
	for plain, hashed := range names {
		body = bytes.ReplaceAll(body, []byte(`url("`+plain+`")`), []byte(`url("`+Prefix+hashed+`")`))
	}
	sum := sha256.Sum256(body)
	tag := hex.EncodeToString(sum[:6])
	ext := path.Ext(name)
	hashed := strings.TrimSuffix(name, ext) + "." + tag + ext
	s.hashed[name] = hashed
	s.byHashed[hashed] = asset{body: body, packed: pack(body, ext), mime: typeOf(ext), etag: `"` + tag + `"`}
	return nil
}

// typeOf doesn't trust the machine's own table alone: a Debian without mime-support knows no woff2.
func typeOf(ext string) string {
	if ext == ".woff2" {
		return "font/woff2"
	}
	return mime.TypeByExtension(ext)
}

func pack(body []byte, ext string) []byte {
	if ext == ".woff2" {
		return nil
	}
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is a valid constant
	_, _ = w.Write(body)                                  // a bytes.Buffer doesn't fail
	_ = w.Close()
	if b.Len() >= len(body) {
		return nil
	}
	return b.Bytes()
}

// Path is the address of a file of this package, hash included: Path("app.css") → "/static/app.<hash>.css".
func Path(name string) string {
	hashed, ok := load().hashed[name]
	if !ok {
		panic("static: no file " + name)
	}
	return Prefix + hashed
}

// Handler serves the files under Prefix. Unhashed and unknown names are 404, but for Widget.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, h := strings.TrimPrefix(r.URL.Path, Prefix), w.Header()
		keep := "public, max-age=31536000, immutable"
		if name == Widget {
			name, keep = load().hashed[Widget], "public, max-age=3600"
			h.Set("Cross-Origin-Resource-Policy", "cross-origin")
			h.Set("Access-Control-Allow-Origin", "*") // for a page that names its hash (integrity)
		}
		a, ok := load().byHashed[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		h.Set("Content-Type", a.mime)
		h.Set("Cache-Control", keep)
		h.Set("ETag", a.etag)
		h.Add("Vary", "Accept-Encoding")
		if r.Header.Get("If-None-Match") == a.etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		body := a.body
		if a.packed != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Encoding", "gzip")
			body = a.packed
		}
		if r.Method != http.MethodHead {
			_, _ = w.Write(body) // a client that went away is no error of ours
		}
	})
}
