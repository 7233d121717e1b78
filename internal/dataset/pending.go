package dataset

import (
	"context"

	"preceptor/internal/audit"
	"preceptor/internal/db"
	"preceptor/internal/fault"
)

var errPending = fault.New(fault.Unavailable, "This is not built yet.")

// Create makes an empty set.
func (s *Store) Create(ctx context.Context, set Settings, by Person) (*Dataset, error) {
	return nil, errPending
}

// Update changes the settings; Conflict when version is not the present one.
func (s *Store) Update(ctx context.Context, id string, version int, set Settings, by Person) (*Dataset, error) {
	return nil, errPending
}

// SetState opens or closes a set.
func (s *Store) SetState(ctx context.Context, id string, version int, state string, by Person) (*Dataset, error) {
	return nil, errPending
}

// Get reads a set with its counters.
func (s *Store) Get(ctx context.Context, id string) (*Dataset, error) { return nil, errPending }

// ByName finds a set by its name, whatever the case.
func (s *Store) ByName(ctx context.Context, name string) (*Dataset, error) { return nil, errPending }

// List reads all sets, by name.
func (s *Store) List(ctx context.Context) ([]Dataset, error) { return nil, errPending }

// Members lists who was invited or took part.
func (s *Store) Members(ctx context.Context, datasetID string) ([]Member, error) {
	return nil, errPending
}

// Invite lets people label; with Settings.Invited only they may.
func (s *Store) Invite(ctx context.Context, datasetID string, people []Person, by Person) error {
	return errPending
}

// Uninvite takes an invitation back, and gives what the person had before them to others.
func (s *Store) Uninvite(ctx context.Context, datasetID, personID string, by Person) error {
	return errPending
}

// Assign puts items on the lists of people, before what they would get by themselves. It returns how many turns that made.
func (s *Store) Assign(ctx context.Context, datasetID string, people []Person, itemIDs []string, by Person) (int, error) {
	return 0, errPending
}

// Add puts items into a set; each row has its own outcome.
func (s *Store) Add(ctx context.Context, datasetID string, items []NewItem, by Person) ([]Outcome, error) {
	return nil, errPending
}

// AddTx is Add within a transaction.
func (s *Store) AddTx(tx *db.Tx, datasetID string, items []NewItem, by audit.Actor) ([]Outcome, error) {
	return nil, errPending
}

// Items reads one page of a set.
func (s *Store) Items(ctx context.Context, f ItemFilter) (ItemPage, error) {
	return ItemPage{}, errPending
}

// ItemFilter chooses items of one set.
type ItemFilter struct {
	DatasetID string
	State     string // ItemOpen ...; "": all but erased
	Label     string // of the final label
	Flagged   bool
	Checks    bool // hidden check items only
	Cursor    string
	Limit     int // 1 to 100; 25 when 0
}

// ItemPage is a part of a set, by N.
type ItemPage struct {
	Items []Item
	Next  string
}

// Item reads one item for those who manage the set; Final only once it may be seen.
func (s *Store) Item(ctx context.Context, itemID string) (*Item, error) { return nil, errPending }

// Exclude leaves an item out, with a reason.
func (s *Store) Exclude(ctx context.Context, itemID, why string, by Person) error { return errPending }

// Include takes an excluded item in again.
func (s *Store) Include(ctx context.Context, itemID string, by Person) error { return errPending }

// PlantCheck makes an unlabelled item a hidden check with a known answer; nil makes it an ordinary item again.
func (s *Store) PlantCheck(ctx context.Context, itemID string, known *Answer, by Person) error {
	return errPending
}

// Erase empties an item for good, which the law may demand.
func (s *Store) Erase(ctx context.Context, itemID, why string, by audit.Actor) error {
	return errPending
}

// Next is what a person does next, and the item after it. Reload-safe: the same item until it is answered or passed over.
func (s *Store) Next(ctx context.Context, datasetID string, who Person) (Work, error) {
	return Work{}, errPending
}

// Peek is the item that follows itemID on a person's list, to fetch it ahead; nil when there is none.
func (s *Store) Peek(ctx context.Context, datasetID, itemID string, who Person) (*Task, error) {
	return nil, errPending
}

// Task is an item by its address, for a person who has it or had it; NotFound otherwise.
func (s *Store) Task(ctx context.Context, itemID string, who Person) (*Task, error) {
	return nil, errPending
}

// Label stores an answer.
func (s *Store) Label(ctx context.Context, in LabelInput) (*Label, error) { return nil, errPending }

// Undo takes my answer back: the item is the first on my list again.
func (s *Store) Undo(ctx context.Context, itemID string, who Person) (*Task, error) {
	return nil, errPending
}

// Skip passes an item over; it stays open for others. A reason is required.
func (s *Store) Skip(ctx context.Context, itemID string, who Person, reason string) error {
	return errPending
}

// Unskip puts all that I passed over back on my list; it returns how many.
func (s *Store) Unskip(ctx context.Context, datasetID string, who Person) (int, error) {
	return 0, errPending
}

// Flag marks an item for those who manage the set; an empty note takes the flag off.
func (s *Store) Flag(ctx context.Context, itemID string, who Person, note string) error {
	return errPending
}

// Mine lists my answers in a set, newest first.
func (s *Store) Mine(ctx context.Context, datasetID string, who Person, cursor string, limit int) ([]MyLabel, string, error) {
	return nil, "", errPending
}

// MyLabel is an answer of mine, for the rail of the last ones.
type MyLabel struct {
	Label
	Opening string // of the guidance
	CanUndo bool
}

// Progress is how far the set is, for one person.
func (s *Store) Progress(ctx context.Context, datasetID string, who Person) (Progress, error) {
	return Progress{}, errPending
}

// Figures are those of everybody who took part, for managers.
func (s *Store) Figures(ctx context.Context, datasetID string) ([]Figure, error) {
	return nil, errPending
}

// OwnFigure is one's own.
func (s *Store) OwnFigure(ctx context.Context, datasetID string, who Person) (Figure, error) {
	return Figure{}, errPending
}

// Answers are what others said of an item that I answered, once it is closed, where the set allows it (Settings.Reveal).
func (s *Store) Answers(ctx context.Context, itemID string, who Person) ([]Label, error) {
	return nil, errPending
}

// Waiting lists what waits for a ruling of this person: disputed items first, then labelled ones that are not final.
func (s *Store) Waiting(ctx context.Context, datasetID string, who Person, cursor string, limit int) (ItemPage, error) {
	return ItemPage{}, errPending
}

// Sides opens an item for adjudication: all answers side by side. From then on no label on it is taken back, and this person
// never labels it. Denied to who labelled it.
func (s *Store) Sides(ctx context.Context, itemID string, who Person) (*Sides, error) {
	return nil, errPending
}

// Adjudicate rules on an item.
func (s *Store) Adjudicate(ctx context.Context, in RulingInput) (*Ruling, error) {
	return nil, errPending
}

// UndoRuling takes a ruling of one's own back, with a reason: the item waits for a ruling again.
func (s *Store) UndoRuling(ctx context.Context, rulingID string, who Person, why string) error {
	return errPending
}

// What a rating tells of an answer.
const (
	OfLabel    = "label"
	OfBoundary = "boundary"
	OfCode     = "code" // whether the answer names RatingQuery.Code: yes or no
)

// RatingQuery chooses the ratings of one set.
type RatingQuery struct {
	DatasetID     string
	Of            string // OfLabel when empty
	Code          string
	From, To      int64 // ms; when the labels were given; To exclusive; 0: open
	PeopleOnly    bool  // without raters of imports
	IncludeChecks bool
}

// Ratings is a table for the agreement figures: a row per item with at least one first label, a column per rater; "" is missing.
type Ratings struct {
	Items  []string // ids, in the order of the set
	Raters []Person
	Cells  [][]string
	Order  []string // the categories in order, for the weighted figures
}

// Ratings reads the first, pre-adjudication labels.
func (s *Store) Ratings(ctx context.Context, q RatingQuery) (Ratings, error) {
	return Ratings{}, errPending
}
