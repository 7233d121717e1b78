package backup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// layout is a copy's name. The zone is not in it: an hour that a clock goes through twice makes two names by the
// minute, or waits one.
const layout = "preceptor-2006-01-02-1504.db"

// prune removes the copies of a folder that the plan's rule keeps no longer, with their checksums. It touches nothing
// else.
func (p Plan) prune() error {
	found, err := filepath.Glob(filepath.Join(p.Folder, "preceptor-*.db"))
	var made []time.Time
	for _, name := range found {
		if at, perr := time.Parse(layout, filepath.Base(name)); perr == nil {
			made = append(made, at)
		}
	}
	for _, at := range p.expired(made) {
		name := filepath.Join(p.Folder, at.Format(layout))
		err = errors.Join(err, os.Remove(name), os.Remove(name+".sha256"))
	}
	return err
}

// expired are the copies that are not the last of one of the newest days, weeks or months that have any.
func (p Plan) expired(made []time.Time) (out []time.Time) {
	slices.SortFunc(made, func(a, b time.Time) int { return b.Compare(a) })
	kept := map[time.Time]bool{}
	for _, rule := range []struct {
		n  int
		of func(time.Time) string
	}{
		{p.Days, func(t time.Time) string { return t.Format("2006-01-02") }},
		{p.Weeks, func(t time.Time) string { y, w := t.ISOWeek(); return fmt.Sprint(y, "-", w) }},
		{p.Months, func(t time.Time) string { return t.Format("2006-01") }},
	} {
		last, n := "", 0
		for _, at := range made {
			if of := rule.of(at); of != last && n < rule.n {
				last, n, kept[at] = of, n+1, true
			}
		}
	}
	for _, at := range made {
		if !kept[at] {
			out = append(out, at)
		}
	}
	return out
}
