package stats

// CompliancePage is how the line was kept, and who saw where it was crossed.
type CompliancePage struct {
	Filter Filter
	Drafts Figure // count of drafts with a verdict, by the day they came
	// Rate is compliance_rate: of the drafts, those whose verdict (the newest on the draft's text) is
	// COMPLIANT_GUIDANCE.
	Rate Figure
	// Missed: of drafts that the verdict found compliant, without flags, and people found right or wrong, those that
	// were rejected for a reason of compliance, recalled after delivery, or ruled NON_COMPLIANT. By the day it was
	// found. Right are those approved unchanged, or ruled compliant.
	Missed Figure
	// Otherwise counts the others: revised, sent back, or rejected for another reason. What was wrong isn't known.
	Otherwise Figure
	// FalseAlarms: of drafts that have flags, or weren't found compliant, and that a person decided about,
	// those approved unchanged.
	FalseAlarms Figure
	Borderline  Figure  // count of cases that the panel could not settle, by the day they came
	Open        Figure  // count of those that wait now
	Rulings     Figure  // count
	Labels      []Slice // rulings by label
	Causes      []Slice // borderline cases by cause: dissent, unsure, sent
	Panel       Figure  // of rulings: the panel's label was the experts'
	Judges      []Slice // the same of each judge that voted
	Series      Series  // Rate over time
	Volume      Series  // Borderline over time
	PanelSeries Series  // Panel over time
	Agents      []Slice // Rate by agent
	Tasks       []Slice // Rate by task
}
