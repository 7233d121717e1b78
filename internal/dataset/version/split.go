package version

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// bunch is a cluster while it is given a split.
type bunch struct {
	entries []*entry
	labels  map[string]int
	order   string // hash of the seed and the least content
	split   string
}

// split gives every entry its split and the name of its cluster. before tells the split that an item had in the version
// before.
func split(entries []*entry, before map[string]string, shares Shares, seed string) (clusters, largest int) {
	u := cluster(entries)
	byRoot := map[int32]*bunch{}
	var all []*bunch
	for i, e := range entries {
		root := u.root(int32(i))
		b := byRoot[root]
		if b == nil {
			b = &bunch{labels: map[string]int{}}
			byRoot[root], all = b, append(all, b)
		}
		b.entries = append(b.entries, e)
		b.labels[e.label]++
		if was := before[e.itemID]; guard(was) > guard(b.split) {
			b.split = was
		}
	}
	total := map[string]int{}
	for i, b := range all {
		least := b.entries[0].content
		for _, e := range b.entries {
			least = min(least, e.content)
			e.cluster = i + 1
		}
		sum := sha256.Sum256([]byte(seed + "\x00" + least))
		b.order = hex.EncodeToString(sum[:])
		for l, n := range b.labels {
			total[l] += n
		}
		largest = max(largest, len(b.entries))
	}
	// The large ones first, while there is room; among equals the seed decides.
	slices.SortFunc(all, func(a, b *bunch) int {
		return cmp.Or(cmp.Compare(guard(b.split), guard(a.split)), cmp.Compare(len(b.entries), len(a.entries)),
			strings.Compare(a.order, b.order))
	})
	have := map[string]map[string]int{Train: {}, Accept: {}, Test: {}}
	for _, b := range all {
		if b.split == "" {
			b.split = b.best(shares, total, have)
		}
		for l, n := range b.labels {
			have[b.split][l] += n
		}
		for _, e := range b.entries {
			e.split = b.split
		}
	}
	return len(all), largest
}

// guard orders the splits by how much harm a leak from them does.
func guard(split string) int {
	switch split {
	case Test:
		return 3
	case Accept:
		return 2
	case Train:
		return 1
	}
	return 0
}

// best is the split that lacks most of what the cluster has, label by label.
func (b *bunch) best(shares Shares, total map[string]int, have map[string]map[string]int) string {
	best, most := "", 0.0
	labels := make([]string, 0, len(b.labels))
	for l := range b.labels {
		labels = append(labels, l)
	}
	slices.Sort(labels) // sums of floats depend on their order
	for _, s := range Splits {
		share := shares.of(s)
		if share == 0 {
			continue
		}
		lack := 0.0
		for _, l := range labels {
			target := float64(share) / 100 * float64(total[l])
			lack += float64(b.labels[l]) * (target - float64(have[s][l])) / float64(total[l])
		}
		if best == "" || lack > most {
			best, most = s, lack
		}
	}
	return best
}
