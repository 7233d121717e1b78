package evidence

// WithLinks bounds the links of a maker's packs.
func (m *Maker) WithLinks(most int64) *Maker { m.most = most; return m }

// Runs is runs, by numbers.
func Runs(must []int64, most int64) (out [][2]int64) {
	for _, r := range runs(must, most) {
		out = append(out, [2]int64{r.first, r.last})
	}
	return out
}
