// Package home draws the pages that belong to nobody's work in particular: help.
package home

import (
	"github.com/a-h/templ"

	"preceptor/help"
)

// body is the page's HTML. It was rendered from our own Markdown, embedded in the binary; nothing a user wrote is in
// it.
func body(p help.Page) templ.Component { return templ.Raw(p.HTML) }
