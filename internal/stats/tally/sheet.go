package tally

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"preceptor/internal/db"
)

// entry is one thing that is counted once: in the sets of its agent and topic, and in those of all.
type entry struct {
	Measure string `json:"m"`
	Who     string `json:"w,omitempty"`
	Only    bool   `json:"o,omitempty"` // counted for Who alone
	Day     int    `json:"d"`
	Sum     int64  `json:"s,omitempty"`
	Squares bool   `json:"q,omitempty"` // the squares are kept
	Bucket  int    `json:"b,omitempty"` // of the histogram, raised by one; 0: none
}

// part is an entry of a measure whose sum counts those of n that are so.
func part(measure string, day int, is bool) entry {
	e := entry{Measure: measure, Day: day}
	if is {
		e.Sum = 1
	}
	return e
}

// by is the entry counted for a person, too.
func (e entry) by(who string) entry {
	e.Who = who
	return e
}

// spread is the entry counted in a histogram, too.
func (e entry) spread(bucket int) entry {
	e.Bucket = bucket + 1
	return e
}

type dayKey struct {
	measure, who, agent, topic string
	day                        int
}

// block is the key of the block of days that the day is in.
func (k dayKey) block() dayKey {
	k.measure, k.day = Blocks(k.measure), k.day/BlockDays
	return k
}

type sums struct{ n, sum, sq int64 }

type histKey struct {
	dayKey
	bucket int
}

// sheet collects what is to be added to the tables, so that a rebuild writes each row once for many raw ones.
type sheet struct {
	days  map[dayKey]sums
	hist  map[histKey]int64
	minus bool // something was taken out, so rows may come to nothing
}

func newSheet() *sheet { return &sheet{days: map[dayKey]sums{}, hist: map[histKey]int64{}} }

// add counts an entry times times: 1, or -1 to take it out.
func (s *sheet) add(agent, topic string, e entry, times int64) {
	s.minus = s.minus || times < 0
	var sq int64
	if e.Squares {
		sq = e.Sum * e.Sum
	}
	for _, who := range []string{All, e.Who} {
		if who == All && e.Only {
			continue
		}
		for _, a := range []string{All, One(agent)} {
			for _, t := range []string{All, One(topic)} {
				k := dayKey{e.Measure, who, a, t, e.Day}
				v := s.days[k]
				s.days[k] = sums{v.n + times, v.sum + times*e.Sum, v.sq + times*sq}
				if e.Bucket > 0 {
					s.hist[histKey{k, e.Bucket - 1}] += times
					s.hist[histKey{k.block(), e.Bucket - 1}] += times
				}
			}
		}
		if e.Who == All {
			break
		}
	}
}

// perStatement is how many rows one statement writes; what is left is written with fewer.
var perStatement = []int{32, 8, 1}

// write adds the sheet to the tables. Rows go in the order of their keys, so that neighbours are written together.
func (s *sheet) write(tx *db.Tx) error {
	maps.DeleteFunc(s.days, func(_ dayKey, v sums) bool { return v == sums{} })
	maps.DeleteFunc(s.hist, func(_ histKey, n int64) bool { return n == 0 })
	days := slices.SortedFunc(maps.Keys(s.days), dayKey.compare)
	if err := inRows(days, func(some []dayKey) error {
		args := make([]any, 0, 8*len(some))
		for _, k := range some {
			v := s.days[k]
			args = append(args, k.measure, k.who, k.agent, k.topic, k.day, v.n, v.sum, v.sq)
		}
		_, err := tx.Exec(`INSERT INTO stat_day (measure, who, agent, topic, day, n, sum, sq) VALUES `+values(len(some), 8)+`
			ON CONFLICT (measure, who, agent, topic, day) DO UPDATE SET n = stat_day.n + excluded.n, sum = stat_day.sum + excluded.sum, sq = stat_day.sq + excluded.sq`, args...)
		return err
	}); err != nil {
		return fmt.Errorf("stats: keep the sums: %w", err)
	}
	hist := slices.SortedFunc(maps.Keys(s.hist), func(a, b histKey) int {
		return cmp.Or(a.compare(b.dayKey), cmp.Compare(a.bucket, b.bucket))
	})
	if err := inRows(hist, func(some []histKey) error {
		args := make([]any, 0, 7*len(some))
		for _, k := range some {
			args = append(args, k.measure, k.who, k.agent, k.topic, k.day, k.bucket, s.hist[k])
		}
		_, err := tx.Exec(`INSERT INTO stat_hist (measure, who, agent, topic, day, bucket, n) VALUES `+values(len(some), 7)+`
			ON CONFLICT (measure, who, agent, topic, day, bucket) DO UPDATE SET n = stat_hist.n + excluded.n`, args...)
		return err
	}); err != nil {
		return fmt.Errorf("stats: keep the histograms: %w", err)
	}
	if !s.minus {
		return nil
	}
	return s.sweep(tx, days, hist)
}

// sweep deletes the rows that came to nothing.
func (s *sheet) sweep(tx *db.Tx, days []dayKey, hist []histKey) error {
	for _, k := range days {
		if s.days[k].n < 0 {
			if _, err := tx.Exec(`DELETE FROM stat_day WHERE measure = $1 AND who = $2 AND agent = $3 AND topic = $4 AND day = $5 AND n = 0`,
				k.measure, k.who, k.agent, k.topic, k.day); err != nil {
				return fmt.Errorf("stats: sweep the sums: %w", err)
			}
		}
	}
	for _, k := range hist {
		if s.hist[k] < 0 {
			if _, err := tx.Exec(`DELETE FROM stat_hist WHERE measure = $1 AND who = $2 AND agent = $3 AND topic = $4 AND day = $5 AND bucket = $6 AND n = 0`,
				k.measure, k.who, k.agent, k.topic, k.day, k.bucket); err != nil {
				return fmt.Errorf("stats: sweep the histograms: %w", err)
			}
		}
	}
	return nil
}

func (k dayKey) compare(o dayKey) int {
	return cmp.Or(strings.Compare(k.measure, o.measure), strings.Compare(k.who, o.who), strings.Compare(k.agent, o.agent),
		strings.Compare(k.topic, o.topic), cmp.Compare(k.day, o.day))
}

// inRows hands f the list in pieces of a few lengths, so that there are a few texts of statements.
func inRows[T any](list []T, f func(some []T) error) error {
	for _, n := range perStatement {
		for len(list) >= n {
			if err := f(list[:n]); err != nil {
				return err
			}
			list = list[n:]
		}
	}
	return nil
}

// values spells rows of placeholders: values(2, 2) is "($1,$2),($3,$4)".
func values(rows, columns int) string {
	var b strings.Builder
	for i := range rows {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("(" + db.In(i*columns+1, columns) + ")")
	}
	return b.String()
}
