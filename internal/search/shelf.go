package search

import (
	"cmp"
	"container/heap"
	"slices"

	"gonum.org/v1/gonum/blas/gonum"
)

// blas multiplies by processors' own instructions.
var blas gonum.Implementation

// fewRows is up to how many rows a plain scan of the vectors is as quick as one of their codes.
const fewRows = 256

// shelf holds the vectors of one kind, agent and task side by side, in no order. Codes and vectors lie in slabs, so that a
// growing shelf copies little.
type shelf struct {
	dims, groups int
	slabs        []*slab
	rows         int
}

const (
	slabRows  = 1024
	blockRows = 32 // whose codes lie interleaved
)

type slab struct {
	codes   []byte // block by block, group by group: rows 0 to 15 in the low halves of 16 bytes, 16 to 31 in the high ones
	trust   []trust
	vectors []float32
	entries []int64
	ids     []string
}

func newShelf(dims int) *shelf { return &shelf{dims: dims, groups: groupsOf(dims)} }

func (s *shelf) at(row int) (*slab, int) { return s.slabs[row/slabRows], row % slabRows }

func (s *shelf) vector(row int) []float32 {
	b, i := s.at(row)
	return b.vectors[i*s.dims : (i+1)*s.dims]
}

// add puts a vector of length 1 at the end and tells its row.
func (s *shelf) add(entry int64, id string, v []float32, groups []byte, t trust) int {
	row := s.rows
	if row == len(s.slabs)*slabRows {
		s.slabs = append(s.slabs, &slab{})
	}
	if b, i := s.at(row); i == len(b.entries) {
		b.grow(s)
	}
	s.rows++
	s.put(row, entry, id, v, groups, t)
	return row
}

// grow doubles the room of a slab: an agent's words for a task make many shelves of a row or two, and a whole slab each would
// be most of the memory.
func (b *slab) grow(s *shelf) {
	rows := min(max(2*len(b.entries), blockRows), slabRows)
	bigger := slab{codes: make([]byte, rows/2*s.groups), trust: make([]trust, rows), vectors: make([]float32, rows*s.dims),
		entries: make([]int64, rows), ids: make([]string, rows)}
	copy(bigger.codes, b.codes)
	copy(bigger.trust, b.trust)
	copy(bigger.vectors, b.vectors)
	copy(bigger.entries, b.entries)
	copy(bigger.ids, b.ids)
	clear(b.vectors) // what is left behind tells of texts, too
	*b = bigger
}

func (s *shelf) put(row int, entry int64, id string, v []float32, groups []byte, t trust) {
	b, i := s.at(row)
	copy(b.vectors[i*s.dims:(i+1)*s.dims], v)
	b.trust[i], b.entries[i], b.ids[i] = t, entry, id
	block := b.codes[i/blockRows*16*s.groups:]
	place, shift := i%16, i%blockRows/16*4
	for g, code := range groups {
		at := &block[16*g+place]
		*at = *at&^(15<<shift) | code<<shift
	}
}

// remove takes a row out by putting the last one in its place; moved is the entry that moved, 0 when none did.
func (s *shelf) remove(row int) (moved int64) {
	last := s.rows - 1
	b, i := s.at(last)
	if row != last {
		block := b.codes[i/blockRows*16*s.groups:]
		groups := make([]byte, s.groups)
		for g := range groups {
			groups[g] = block[16*g+i%16] >> (i % blockRows / 16 * 4) & 15
		}
		s.put(row, b.entries[i], b.ids[i], s.vector(last), groups, b.trust[i])
		moved = b.entries[i]
	}
	// A vector tells of its text, and what is erased is gone.
	s.put(last, 0, "", make([]float32, s.dims), make([]byte, s.groups), trust{})
	if s.rows--; s.rows <= (len(s.slabs)-1)*slabRows {
		s.slabs[len(s.slabs)-1] = nil
		s.slabs = s.slabs[:len(s.slabs)-1]
	}
	return moved
}

// near is one answer of a scan.
type near struct {
	cosine float32
	entry  int64
	id     string
}

// best keeps the n nearest, the farthest of them on top.
type best struct {
	list []near
	n    int
}

func (b *best) Len() int           { return len(b.list) }
func (b *best) Less(i, j int) bool { return b.list[i].farther(b.list[j]) }
func (b *best) Swap(i, j int)      { b.list[i], b.list[j] = b.list[j], b.list[i] }
func (b *best) Push(x any)         { b.list = append(b.list, x.(near)) }
func (b *best) Pop() any {
	x := b.list[len(b.list)-1]
	b.list = b.list[:len(b.list)-1]
	return x
}

func (x near) farther(y near) bool {
	return x.cosine < y.cosine || x.cosine == y.cosine && x.entry > y.entry
}

// limit is what a cosine must reach to be among the best; -2 while there is room.
func (b *best) limit() float32 {
	if len(b.list) < b.n {
		return -2
	}
	return b.list[0].cosine
}

func (b *best) offer(x near) {
	switch {
	case len(b.list) < b.n:
		heap.Push(b, x)
	case b.list[0].farther(x):
		b.list[0] = x
		heap.Fix(b, 0)
	}
}

// sorted is the answer, nearest first.
func (b *best) sorted() []near {
	slices.SortFunc(b.list, func(x, y near) int { return cmp.Or(cmp.Compare(y.cosine, x.cosine), cmp.Compare(x.entry, y.entry)) })
	return b.list
}

// scan offers every row that may be among the best. The codes say how near a row is at most; only where that is near
// enough the vector itself is asked, so that every cosine in the answer is exact.
func (s *shelf) scan(a *ask, b *best) {
	plain := s.rows <= fewRows || s.dims < 64
	for at, sl := range s.slabs {
		rows := min(slabRows, s.rows-at*slabRows)
		for i := 0; plain && i < rows; i++ {
			s.rescore(sl, i, a, b)
		}
		for from := 0; !plain && from < rows; from += blockRows {
			s.scanBlock(sl, from, min(blockRows, rows-from), a, b)
		}
	}
}

func (s *shelf) scanBlock(sl *slab, from, rows int, a *ask, b *best) {
	var sums [blockRows]uint16
	at := from / blockRows * 16 * s.groups
	sumBlock(sl.codes[at:at+16*s.groups], a.table, &sums)
	limit := b.limit()
	for i, t := range sl.trust[from : from+rows] {
		if t.scale*(a.base+a.step*float32(sums[i&(blockRows-1)]))+surety*t.miss >= limit {
			s.rescore(sl, from+i, a, b)
			limit = b.limit()
		}
	}
}

func (s *shelf) rescore(sl *slab, i int, a *ask, b *best) {
	v := sl.vectors[i*s.dims : (i+1)*s.dims]
	d := blas.Sdot(s.dims, v, 1, a.vector, 1)
	if d >= b.limit() {
		b.offer(near{d, sl.entries[i], sl.ids[i]})
	}
}

// sumPlain is sumBlock for any processor.
func sumPlain(codes, table []byte, sums *[blockRows]uint16) {
	*sums = [blockRows]uint16{}
	for g := 0; g+16 <= len(table); g += 16 {
		entry := (*[16]byte)(table[g:])
		for i, c := range (*[16]byte)(codes[g:]) {
			sums[i] += uint16(entry[c&15])
			sums[16+i] += uint16(entry[c>>4])
		}
	}
}
