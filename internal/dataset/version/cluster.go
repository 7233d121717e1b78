package version

import (
	"cmp"
	"hash/fnv"
	"slices"

	"preceptor/internal/platform/text"
)

// What makes two texts nearly the same. Runs of three words of texts of sixty words that differ in one word are 90 %
// the same; of fifteen words, 60 %. Sixteen bands of four find pairs of 0.5 with a chance of 64 %, of 0.7 with 99 %;
// each pair that is found is compared before it counts.
const (
	shingle   = 3
	bands     = 16
	bandRows  = 4
	sameFrom  = 0.5
	signature = bands * bandRows
)

// sign is a MinHash signature: for each of the hash functions the least value over the runs of words.
type sign [signature]uint32

// seeds of the hash functions: odd multipliers, from the golden ratio on.
var multiply, offset = func() (m, o [signature]uint64) {
	x := uint64(0x9e3779b97f4a7c15)
	next := func() uint64 { // splitmix64
		x += 0x9e3779b97f4a7c15
		z := x
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	for i := range m {
		m[i], o[i] = next()|1, next()
	}
	return m, o
}()

func signOf(said string) (s sign) {
	for i := range s {
		s[i] = 1<<32 - 1
	}
	words := text.Words(said)
	hashes := make([]uint64, len(words))
	for i, w := range words {
		h := fnv.New64a()
		h.Write([]byte(w))
		hashes[i] = h.Sum64()
	}
	for i := 0; i == 0 || i+shingle <= len(hashes); i++ {
		run := uint64(14695981039346656037)
		for _, h := range hashes[i:min(i+shingle, len(hashes))] {
			run = (run ^ h) * 1099511628211
		}
		for k := range s {
			if v := uint32((run*multiply[k] + offset[k]) >> 32); v < s[k] {
				s[k] = v
			}
		}
	}
	return s
}

func (s *sign) like(t *sign) float64 {
	same := 0
	for i := range s {
		if s[i] == t[i] {
			same++
		}
	}
	return float64(same) / signature
}

func (s *sign) band(b int) uint64 {
	h := uint64(14695981039346656037)
	for _, v := range s[b*bandRows : (b+1)*bandRows] {
		h = (h ^ uint64(v)) * 1099511628211
	}
	return h
}

// union is a forest of things that belong together.
type union []int32

func (u union) root(i int32) int32 {
	for u[i] != i {
		u[i] = u[u[i]]
		i = u[i]
	}
	return i
}

// join keeps the smaller root, so that a cluster is named by its first entry.
func (u union) join(a, b int32) {
	a, b = u.root(a), u.root(b)
	u[max(a, b)] = min(a, b)
}

// cluster gives each entry the index of the first entry that it belongs together with.
func cluster(entries []*entry) union {
	u := make(union, len(entries))
	groups := map[string]int32{}
	for i, e := range entries {
		u[i] = int32(i)
		if e.group == "" {
			continue
		}
		if first, ok := groups[e.group]; ok {
			u.join(first, int32(i))
		} else {
			groups[e.group] = int32(i)
		}
	}
	type at struct {
		key   uint64
		entry int32
	}
	order := make([]at, len(entries))
	for b := range bands {
		for i, e := range entries {
			order[i] = at{e.sign.band(b), int32(i)}
		}
		slices.SortFunc(order, func(x, y at) int {
			return cmp.Or(cmp.Compare(x.key, y.key), cmp.Compare(x.entry, y.entry))
		})
		first := 0 // of the run of equal keys
		for i := 1; i < len(order); i++ {
			if order[i].key != order[first].key {
				first = i
				continue
			}
			e := entries[order[i].entry]
			for _, other := range []int32{order[i-1].entry, order[first].entry} {
				if u.root(other) != u.root(order[i].entry) && e.sign.like(&entries[other].sign) >= sameFrom {
					u.join(other, order[i].entry)
				}
			}
		}
	}
	return u
}
