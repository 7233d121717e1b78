// Package help holds the help for the people who use Preceptor: Markdown files beside this one, embedded, and served at
// /help.
//
// Each file is one page. Its name without the number in front is the page's address, its first heading the title, the
// first paragraph the summary that the list of pages shows. The number orders the list. The text is ours, so it is
// rendered without a sanitiser, but raw HTML in it is dropped: a page must read well as a plain file too.
package help

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
)

//go:embed *.md
var files embed.FS

// Page is one page of help.
type Page struct {
	Slug    string // its address below /help/
	Title   string
	Summary string // one sentence or two
	HTML    string // the body below the title, safe to show as it is
}

var pages = must(load(files))

// Pages lists all pages in reading order.
func Pages() []Page { return pages }

// Find is the page at an address.
func Find(slug string) (Page, bool) {
	for _, p := range pages {
		if p.Slug == slug {
			return p, true
		}
	}
	return Page{}, false
}

func must(list []Page, err error) []Page {
	if err != nil {
		panic(err) // the files are part of the binary; a broken one fails every test
	}
	return list
}

func load(dir fs.FS) ([]Page, error) {
	names, err := fs.Glob(dir, "*.md") // sorted
	if err != nil {
		return nil, err
	}
	md := goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	var out []Page
	for _, name := range names {
		text, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, err
		}
		p, body, err := head(name, string(text))
		if err != nil {
			return nil, err
		}
		var html bytes.Buffer
		if err := md.Convert([]byte(body), &html); err != nil {
			return nil, fmt.Errorf("help: render %s: %w", name, err)
		}
		p.HTML = html.String()
		out = append(out, p)
	}
	return out, nil
}

// head takes the title off a file's text and finds its summary.
func head(name, text string) (Page, string, error) {
	_, slug, ok := strings.Cut(strings.TrimSuffix(name, ".md"), "-")
	title, body, ok2 := strings.Cut(text, "\n")
	title, ok3 := strings.CutPrefix(title, "# ")
	if !ok || !ok2 || !ok3 {
		return Page{}, "", fmt.Errorf("help: %s wants a name such as 10-keys.md and a first line such as # Keys", name)
	}
	summary, _, _ := strings.Cut(strings.TrimSpace(body), "\n\n")
	return Page{Slug: slug, Title: title, Summary: strings.Join(strings.Fields(summary), " ")}, body, nil
}
