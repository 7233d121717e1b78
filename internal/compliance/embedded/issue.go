package embedded

import (
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/compliance"
	"preceptor/internal/pack"
	"preceptor/internal/platform/text"
)

// issues names what is likely. An issue of something that is said stands on the sentence whose words carry it most;
// where no sentence does, it isn't named. What is lacking stands at the text's end.
func (m *model) issues(s *compliance.Subject, r *reading, sentences []sentence, violation float64) []compliance.Issue {
	var out []compliance.Issue
	at := worst(r.words)
	end := len(s.Reading().Text)
	for _, code := range m.headOf(s.Situation.Pack).Names {
		from, ok := m.From[code]
		if !ok || r.codes[code] < from || violation < 0.5 {
			continue
		}
		info, _ := compliance.InfoOf(code)
		switch {
		case slices.Contains(m.Lacking, code):
			out = append(out, s.Issue(code, compliance.Major, info.Suspicion, end, end))
		case at >= 0 && r.words[at] >= m.Words:
			said := s.Reading().Text[sentences[at].from:sentences[at].to]
			if code == compliance.InaccurateFact && pack.Facts(s.Situation.At).Confirms(said) {
				continue // the table of facts knows better
			}
			severity := compliance.Major
			sure := violation >= m.Stops.Violation && r.hard >= m.Hard && r.codes[code] >= m.Stops.Code &&
				r.words[at] >= m.Stops.Words
			if sure && info.Severity == compliance.Critical {
				severity = compliance.Critical
			}
			out = append(out, s.Issue(code, severity, info.Suspicion, sentences[at].from, sentences[at].to))
		}
	}
	said := slices.ContainsFunc(out, func(i compliance.Issue) bool { return i.Code == "NOT_ANSWERED" })
	if s.Situation.Question != "" && r.answers < m.Answers && !said &&
		!pack.Of(s.Situation.Pack).Unanswered(s.Reading().Text) {
		info, _ := compliance.InfoOf(compliance.OffTopic)
		out = append(out, s.Issue(compliance.OffTopic, compliance.Minor, info.Suspicion, end, end))
	}
	return out
}

// worst is the place of the largest; -1 of none.
func worst(p []float64) int {
	at := -1
	for i, v := range p {
		if at < 0 || v > p[at] {
			at = i
		}
	}
	return at
}

// standsOut is the probability of its likeliest words from which a sentence is worth pointing at.
const standsOut = 0.2

// reason says why, with the words that weigh most.
func reason(s *compliance.Subject, v compliance.Vote, r *reading, sentences []sentence) string {
	var b strings.Builder
	for _, i := range v.Issues {
		info, _ := compliance.InfoOf(i.Code)
		fmt.Fprintf(&b, "%s: %s ", info.Title, info.Suspicion)
	}
	at := worst(r.words)
	switch {
	case v.Passed && at >= 0 && r.words[at] >= standsOut:
		fmt.Fprintf(&b, "Closest to the line, but still fine: %s.", quoted(s, sentences[at]))
	case v.Passed:
		b.WriteString("No sentence stands out.")
	case at >= 0 && r.words[at] >= standsOut:
		fmt.Fprintf(&b, "%s weighs most.", quoted(s, sentences[at]))
	case b.Len() == 0:
		b.WriteString("No single sentence carries it; read the text as a whole.")
	}
	return strings.TrimSpace(b.String())
}

// quoted is a sentence of the text as it is quoted: on one line, and not too long.
func quoted(s *compliance.Subject, at sentence) string {
	return "“" + text.Opening(s.Reading().Text[at.from:at.to], 160) + "”"
}
