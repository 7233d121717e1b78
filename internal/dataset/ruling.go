package dataset

import "time"

// Ruling is an adjudicator's answer to an item, a row of its own beside the labels.
type Ruling struct {
	ID     string
	ItemID string
	By     Person
	Answer
	Rubric   string
	At       time.Time
	UndoneAt time.Time // zero: it stands
	UndoneBy Person
	UndoWhy  string
}

// RulingInput is a ruling as it comes from the screen. Fields of its faults as of LabelInput, and rationale, which is
// required.
type RulingInput struct {
	ItemID  string
	By      Person
	Version int // of the item that was on the screen
	Answer  Answer
}

// Sides is all that was said about an item, side by side, for who rules on it.
type Sides struct {
	Item    Item
	Labels  []Label  // standing, by time; people first, then external raters
	Before  []Label  // what was revised or taken back
	Skips   []Skip   // who passed it over, and why
	Flags   []Flag   // who flagged it, and why
	Rulings []Ruling // by time; the last may stand
	Settings
}

// Skip is one passing over.
type Skip struct {
	ItemID string
	By     Person
	Reason string
	At     time.Time
}

// Flag is one flag on an item.
type Flag struct {
	ItemID string
	By     Person
	Note   string
}
