package preference

// Statements are those that pages run on every view, by name; for the test of their plans.
func Statements() map[string]string {
	return map[string]string{
		"next":   `SELECT p.id` + waits + ` ORDER BY p.answers, p.at, p.id LIMIT 1`,
		"counts": countPairs,
		"list":   columns + listPairs,
		"mine":   myAnswers,
	}
}
