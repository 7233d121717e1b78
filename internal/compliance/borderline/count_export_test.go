package borderline

// CountSQL are the statements that count for one expert, which every page runs.
func CountSQL() []string { return []string{sentByMe, doneByMe, oldestOpen} }
