package comments

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"preceptor/internal/comment"
)

// part is a piece of a comment: words, a person who is meant, or a link to this server.
type part struct {
	text string
	href string // of a link
	who  string // account that is meant
}

// address finds what could be a link: a case of ours, or any address of the web.
var address = regexp.MustCompile(
	`(?i)https?://[^\s<>"]+|/reviews/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:#comment-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?`)

// parts cuts a comment into pieces; joined, their texts are the comment.
func parts(c *comment.Comment, host string) (out []part) {
	at := 0
	mentions := slices.Clone(c.Mentions)
	slices.SortFunc(mentions, func(a, b comment.Mention) int { return a.Start - b.Start })
	for _, m := range mentions {
		if m.Start < at || m.End > len(c.Text) || m.End <= m.Start {
			continue
		}
		out = append(out, links(c.Text[at:m.Start], host)...)
		out = append(out, part{text: c.Text[m.Start:m.End], who: m.Person.ID})
		at = m.End
	}
	return append(out, links(c.Text[at:], host)...)
}

// links cuts text where addresses of this server stand in it.
func links(text, host string) (out []part) {
	at := 0
	for _, span := range address.FindAllStringIndex(text, -1) {
		start, end := span[0], span[1]
		end = start + len(strings.TrimRight(text[start:end], ".,;:!?)]}'’”"))
		href := local(text[start:end], host)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if href == "" || partOfWord(before) || text[start] == '/' && partOfWord(after) {
			continue
		}
		if start > at {
			out = append(out, part{text: text[at:start]})
		}
		out = append(out, part{text: text[start:end], href: href})
		at = end
	}
	if at < len(text) {
		out = append(out, part{text: text[at:]})
	}
	return out
}

func partOfWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_/-", r))
}

// local is the path that an address has on this server; "" for any other. The host and the scheme are dropped, so that
// what is followed is ours whatever was written.
func local(written, host string) string {
	if strings.HasPrefix(written, "/reviews/") {
		return written
	}
	u, err := url.Parse(written)
	if err != nil || host == "" || !strings.EqualFold(u.Host, host) || u.User != nil || u.Opaque != "" {
		return ""
	}
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") {
		return ""
	}
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	if u.Fragment != "" {
		path += "#" + u.EscapedFragment()
	}
	if strings.Contains(path, "\\") { // which browsers read as a slash
		return ""
	}
	return path
}
