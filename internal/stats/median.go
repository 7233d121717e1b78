package stats

import (
	"math"
	"slices"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/estimate"
	"preceptor/internal/stats/counter"
)

// exactMost is up to how many values a median is the rows' own. Of more the histogram says about what it is.
const exactMost = 2_000

// values are those that the rows of a figure show, sorted, by who did it; under "" everybody's, of a team its members'.
// Without any the histograms have to serve: n is how many there are.
func (s scope) values(tx *db.Tx, f Filter, key string, n int) (map[string][]float64, error) {
	if n > exactMost && !f.Exact {
		return nil, nil
	}
	out := map[string][]float64{}
	_, _, err := sources[key].walk(tx, f, "", keyset.At(f.To, ""), math.MaxInt,
		func(_ Row, who string, value *float64) error {
			if slices.Contains(s.who, who) || slices.Contains(s.who, counter.All) {
				out[who], out[""] = append(out[who], *value), append(out[""], *value)
			}
			return nil
		})
	for _, list := range out {
		slices.Sort(list)
	}
	return out, err
}

// quantile is the figure of a quantile: of the values where they were read, of their histogram where not.
func quantile(key string, values []float64, h counter.Hist, q float64) Figure {
	if len(values) > 0 {
		return measured(key, Seconds, estimate.Quantile(values, q), len(values))
	}
	v, n := h.Quantile(q)
	f := measured(key, Seconds, v, n)
	f.About = f.Known
	return f
}
