package page

import (
	"strings"

	domain "preceptor/internal/pack"
	"preceptor/internal/rule"
)

func particulars(text string, s domain.Situation, known []string) (out []string) {
	for _, k := range known {
		if k != "" && strings.Contains(strings.ToLower(text), strings.ToLower(k)) {
			out = append(out, k)
		}
	}
	return out
}

func suggest(before, after string) (out []rule.Act) {
	split := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return r == '.' || r == '\n' })
	}
	for _, s := range split(after) {
		if s = strings.TrimSpace(s); s != "" && !strings.Contains(before, s) {
			out = append(out, rule.Act{Kind: rule.Include, Text: s + "."})
		}
	}
	for _, s := range split(before) {
		if s = strings.TrimSpace(s); s != "" && !strings.Contains(after, s) {
			out = append(out, rule.Act{Kind: rule.Never, Phrases: []string{s + "."}})
		}
	}
	return out
}

func whom(p *domain.Pack, s domain.Situation) (out []rule.Condition) {
	if s.Task != "" {
		out = append(out, rule.Condition{Kind: rule.Topic, Values: []string{s.Task}})
	}
	if s.HasDB {
		out = append(out, rule.Condition{Kind: rule.Field, Name: "pensions", Op: rule.Has, Values: []string{"db"}})
	}
	if s.Age > 0 {
		out = append(out, rule.Condition{Kind: rule.Field, Name: "age", Op: rule.Above, Values: []string{"55"}})
	}
	return out
}
