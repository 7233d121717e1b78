package stats

import "preceptor/internal/stats/counter"

// ChangesPage is what was put in use around a time, beside what people said before and after: where to look when
// satisfaction falls.
type ChangesPage struct {
	Filter  Filter
	Around  Range    // what stood out
	Dip     Figure   // satisfaction within Around
	Rest    Figure   // satisfaction in the filter's range without Around
	Topics  []Slice  // Dip by topic, most votes first; Before of each is the rest of the filter's range
	Changes []Change // first those whose votes surely differ, the largest difference first; then the newest first
	Quotes  []Row    // the newest negative votes with words within Around, at most 5
}

// Change is documented there.
type Change = counter.Change
