package dataset

// Statements are those whose plans a test looks at.
func Statements() map[string]string {
	items, _ := itemsSQL(ItemFilter{DatasetID: "d", State: ItemOpen}, 0, 25, 0)
	all, _ := itemsSQL(ItemFilter{DatasetID: "d"}, 0, 25, 0)
	label, _ := itemsSQL(ItemFilter{DatasetID: "d", Label: "A"}, 0, 25, 0)
	flagged, _ := itemsSQL(ItemFilter{DatasetID: "d", Flagged: true}, 0, 25, 0)
	return map[string]string{"next": nextSQL, "check": checkSQL, "list": openTurns, "waiting": waitingSQL,
		"items": items, "all items": all, "by label": label, "flagged": flagged, "ratings": ratingsSQL}
}
