package preference

import "preceptor/internal/db/keyset"

// Statements are those that pages run on every view, by name; for the test of their plans.
func Statements() map[string]string {
	list, _ := listQuery(Revision, keyset.Place{Ms: 1, ID: "2"})
	return map[string]string{
		"next":   `SELECT p.id` + waits + ` ORDER BY p.answers, p.at, p.id LIMIT 1`,
		"counts": countPairs,
		"list":   columns + list,
		"mine":   myAnswers,
	}
}
