package knowledge

import (
	"context"
	"net/url"
	"strings"

	reader "preceptor/internal/platform/document"
	"preceptor/internal/platform/fault"
)

// ImportAddresses imports web pages; each is a document that is called by its address.
func (b *Base) ImportAddresses(ctx context.Context, list []string, o ImportOptions) (r ImportReport, err error) {
	r.before = beforeImport(o)
	var docs []*document
	for i, address := range list {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		if o.Progress != nil {
			o.Progress(i, 2*len(list))
		}
		if d := b.readAddress(ctx, address, &r); d != nil {
			docs = append(docs, d)
		}
	}
	return r, b.importAll(ctx, docs, o, &r)
}

// readAddress reads the page at an address. One that can't be read is in the report.
func (b *Base) readAddress(ctx context.Context, address string, r *ImportReport) *document {
	address, _, _ = strings.Cut(strings.TrimSpace(address), "#")
	broken := func(why string) *document {
		r.Skipped = append(r.Skipped, Skipped{File: address, Why: why, Bad: true})
		return nil
	}
	if b.opts.Fetch == nil {
		return broken("web pages aren't read here")
	}
	mediaType, body, err := b.opts.Fetch(ctx, address)
	if err != nil {
		return broken(fault.Message(err))
	}
	name := reader.NameFor(mediaType)
	if u, err := url.Parse(address); name == "" && err == nil && noGuidance(u.Path) == "" {
		name = u.Path // a server that doesn't say what it sends
	}
	if name == "" {
		return broken("it is " + firstOf(oneLine(mediaType), "of no type") + ", which isn't read")
	}
	return r.read(address, name, reader.InUTF8(mediaType, body))
}

// Link is where a section of a web page can be read; "" for what came as a file.
func (c CaseText) Link() string {
	if u, err := url.Parse(c.Path); err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	if c.Place == "" {
		return c.Path
	}
	return c.Path + "#" + url.PathEscape(c.Place)
}

// PageOf is the page of a PDF on which the section begins; "" where there are none.
func (c CaseText) PageOf() string {
	if n, ok := strings.CutPrefix(c.Place, "page="); ok {
		return n
	}
	return ""
}
