package evaluator

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"preceptor/internal/platform/text"
)

// Options of notes. The zero value is the seed's, at the time of the newest result.
type Options struct {
	MaxItems int // of each evaluator; 5
	Now      time.Time
}

// rights is how many right results since a note's last time end it: results of the same evaluator that are valid (or
// say nothing of that and have no issue), don't have this issue, and whose SQL, if they have any, uses the function
// that the issue names first.
const rights = 3

// MaxAge is how long after its last time a note counts.
const MaxAge = 30 * 24 * time.Hour

// Note is an issue that an agent is reminded of.
type Note struct {
	Evaluator string    `json:"-"`
	Text      string    `json:"text"` // as it was said last
	Score     *float64  `json:"score" doc:"The worst; null where nobody gave one."`
	Count     int       `json:"count"`
	Last      time.Time `json:"last"`
	Turns     []string  `json:"-"` // where it came, each once; of records without a turn, their times
	Returned  bool      `json:"-"` // it came back after it had expired

	subject string // the function that it names first
	right   int    // right results since then
}

// expired reports whether a note counts no more.
func (n *Note) expired(at time.Time) bool { return n.right >= rights || at.Sub(n.Last) > MaxAge }

// Section is the notes of one evaluator.
type Section struct {
	Evaluator string `json:"evaluator"`
	Header    string `json:"header"`
	Items     []Note `json:"notes"`
}

var (
	inQuotes = regexp.MustCompile("`[^`]*`")
	function = regexp.MustCompile(`(?i)\bST_\w+|\b\w+\(`)
)

// same is an issue without case, blanks, numbers and quotes of one statement: what two reports of one mistake share.
func same(issue string) string {
	words := func(s string) string {
		return strings.Join(text.Words(strings.Map(func(r rune) rune {
			if '0' <= r && r <= '9' {
				return ' '
			}
			return r
		}, s)), " ")
	}
	return cmp.Or(words(inQuotes.ReplaceAllString(issue, " ")), words(issue), issue)
}

// gather makes notes of results, those that expired too, in the order in which they first came.
func gather(results []Result, o *Options) (list []*Note) {
	o.MaxItems = cmp.Or(o.MaxItems, 5)
	results = slices.Clone(results)
	slices.SortStableFunc(results, func(a, b Result) int { return a.At().Compare(b.At()) })
	if len(results) > 0 && o.Now.IsZero() {
		o.Now = results[len(results)-1].At()
	}
	known := map[string]*Note{}
	for _, r := range results {
		has := map[string]bool{}
		for _, issue := range r.Issues {
			key := r.Evaluator + "\x00" + same(issue)
			if has[key] {
				continue
			}
			has[key] = true
			if known[key] == nil {
				known[key] = &Note{Evaluator: r.Evaluator, Last: r.At()}
				list = append(list, known[key])
			}
			known[key].add(r, issue)
		}
		if r.IsValid != nil && !*r.IsValid || r.IsValid == nil && len(r.Issues) > 0 {
			continue
		}
		sql := strings.ToLower(r.SQLQuery)
		for key, n := range known {
			if n.Evaluator == r.Evaluator && !has[key] && (sql == "" || strings.Contains(sql, n.subject)) {
				n.right++
			}
		}
	}
	return list
}

// add counts an issue once more.
func (n *Note) add(r Result, issue string) {
	if n.expired(r.At()) {
		n.Returned, n.Count, n.Score = true, 0, nil
	}
	if r.Score != nil && (n.Score == nil || *r.Score < *n.Score) {
		n.Score = r.Score
	}
	if where := cmp.Or(r.Turn, r.Timestamp); !slices.Contains(n.Turns, where) {
		n.Turns = append(n.Turns, where)
	}
	n.Text, n.Last, n.right = text.Opening(issue, longestIssue), r.At(), 0
	n.subject = strings.ToLower(function.FindString(issue))
	n.Count++
}

// Sections are the notes that count, each evaluator's in the order in which it first had one: the worst first, then the
// newest.
func Sections(results []Result, o Options) (list []Section) {
	for _, n := range gather(results, &o) {
		if n.expired(o.Now) {
			continue
		}
		i := slices.IndexFunc(list, func(s Section) bool { return s.Evaluator == n.Evaluator })
		if i < 0 {
			i, list = len(list),
				append(list, Section{Evaluator: n.Evaluator,
					Header: cmp.Or(headers[n.Evaluator], "Issues found by "+text.Opening(n.Evaluator, 60)+":")})
		}
		list[i].Items = append(list[i].Items, *n)
	}
	for i, s := range list {
		slices.SortStableFunc(s.Items, func(a, b Note) int {
			return cmp.Or(cmp.Compare(a.rank(), b.rank()), b.Last.Compare(a.Last))
		})
		list[i].Items = s.Items[:min(len(s.Items), o.MaxItems)]
	}
	return list
}

// rank is the score; what has none comes after all that do.
func (n Note) rank() float64 {
	if n.Score == nil {
		return 2
	}
	return *n.Score
}

// headers are the seed's.
var headers = map[string]string{SQLValidator: "Previous SQL Errors to Avoid:",
	SQLErrorProfiler: "Previous SQL Error Patterns:"}

// Text is what an agent is given of sections.
func Text(sections []Section) string {
	var blocks []string
	for _, s := range sections {
		lines := []string{s.Header}
		for i, n := range s.Items {
			line := fmt.Sprintf("%d. %s", i+1, n.Text)
			if n.Count > 1 {
				line += fmt.Sprintf(" (×%d)", n.Count)
			}
			lines = append(lines, line)
		}
		blocks = append(blocks, strings.Join(lines, "\n"))
	}
	return strings.Join(blocks, "\n\n")
}

// Returning are the notes that keep coming: in three turns or more, or again after they had expired. A person decides
// what becomes of them.
func Returning(results []Result, o Options) (list []Note) {
	for _, n := range gather(results, &o) {
		if len(n.Turns) >= 3 || n.Returned {
			list = append(list, *n)
		}
	}
	return list
}
