package prompted

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"preceptor/internal/compliance"
	"preceptor/internal/privacy"
)

const maxWhy = 400 // code points of one issue's reason that are kept

// absences are codes for something that is not there, which has no words of its own to quote.
var absences = []string{compliance.MissingDBWarning, compliance.MissingRiskDisclosure, compliance.MissingSignpost,
	compliance.ScamRiskUnflagged, compliance.UnderstandingNotChecked}

// vote is an answer with its evidence looked up in the draft.
func (a answer) vote(draft string, key privacy.Map) compliance.Vote {
	v := compliance.Vote{Passed: a.Passed, Confidence: a.Confidence, Boundary: a.Boundary,
		Reasoning: plain(a.Reasoning), Issues: []compliance.Issue{}}
	for _, c := range a.Issues {
		issue, ok := c.issue(draft, key)
		if ok && !slices.Contains(v.Issues, issue) {
			v.Issues = append(v.Issues, issue)
		}
	}
	return v
}

// issue is a claim with its place; false when the claim is discarded.
func (c claim) issue(draft string, key privacy.Map) (compliance.Issue, bool) {
	info, known := compliance.InfoOf(c.Code)
	if !known {
		return compliance.Issue{}, false
	}
	runes := []rune(strings.ToValidUTF8(draft, "\uFFFD"))
	i := compliance.Issue{Code: c.Code, Severity: c.Severity, Why: short(plain(c.Why), maxWhy),
		Reference: info.Reference}
	if strings.TrimSpace(c.Quote) == "" {
		i.Span = [2]int{len(runes), len(runes)}
		return i, slices.Contains(absences, c.Code)
	}
	span, stands := compliance.Locate(draft, key.Restore(c.Quote))
	if !stands {
		return compliance.Issue{}, false
	}
	i.Span, i.Quote = span, string(runes[span[0]:span[1]])
	return i, true
}

var tokenRE = regexp.MustCompile(`\[([A-Z]+)-\d+\]`)

// plain is what a model says, on one line, without marks that nobody sees and without tokens.
func plain(s string) string {
	s = tokenRE.ReplaceAllStringFunc(s, func(token string) string {
		if strings.HasPrefix(token, "[NAME-") {
			return "the customer"
		}
		return "a detail"
	})
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return strings.Join(strings.Fields(s), " ")
}

func short(s string, most int) string {
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most-1]) + "…"
}
