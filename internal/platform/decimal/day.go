package decimal

import (
	"errors"
	"strings"
	"time"
)

// ErrDay says how a day is written.
//
//lint:ignore ST1005 people read it as it stands
var ErrDay = errors.New("Enter the date as 1/12/2026, 1 Dec 2026 or 2026-12-01.")

// Day reads a day as people type it in Britain, as its first moment in the zone.
func Day(typed string, zone *time.Location) (time.Time, error) {
	for _, layout := range []string{time.DateOnly, "2/1/2006", "2 Jan 2006", "2 January 2006"} {
		if t, err := time.ParseInLocation(layout, strings.Join(strings.Fields(typed), " "), zone); err == nil &&
			t.Year() < 9999 { // the day after is a date, too
			return t, nil
		}
	}
	return time.Time{}, ErrDay
}
