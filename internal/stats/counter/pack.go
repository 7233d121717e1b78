package counter

import (
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"
)

// BlockDays is how many days a block has. A year of a figure is read from a dozen rows for it, and a year's histogram
// from a dozen and the days at its ends.
const BlockDays = 1 << blockBits

const blockBits = 5

// Block is the number of the block that a day is in.
func Block(day int) int { return day >> blockBits }

// Blocks is the measure under which a measure's histograms stand by block; their day is the number of the block.
func Blocks(measure string) string { return measure + "/blocks" }

// sums is what something comes to.
type sums struct{ n, sum, sq int64 }

func (s sums) plus(o sums) sums { return sums{s.n + o.n, s.sum + o.sum, s.sq + o.sq} }

// parts are what the parts of a row come to, by their numbers: of a block its days (0 to 31), of a histogram its
// buckets.
type parts map[int]sums

func (p parts) add(part int, v sums) { p[part] = p[part].plus(v) }

// tidy leaves out what comes to nothing.
func (p parts) tidy() { maps.DeleteFunc(p, func(_ int, v sums) bool { return v == sums{} }) }

func (p parts) total() (t sums) {
	for _, v := range p {
		t = t.plus(v)
	}
	return t
}

// pack writes parts one after another in their order, so that the same parts are the same bytes: how many numbers are
// left out before it, twice, and one more if there is a sum; n; and the sum and the squares, if so. All are varints.
func (p parts) pack() (b []byte) {
	next := 0
	for _, i := range slices.Sorted(maps.Keys(p)) {
		v, head := p[i], uint64(i-next)<<1
		if v.sum != 0 || v.sq != 0 {
			head |= 1
		}
		b = binary.AppendVarint(binary.AppendUvarint(b, head), v.n)
		if head&1 == 1 {
			b = binary.AppendVarint(binary.AppendVarint(b, v.sum), v.sq)
		}
		next = i + 1
	}
	return b
}

var errPacked = errors.New("stats: sums that are no sums; make them anew with preceptor stats rebuild")

// Unpack hands visit the parts of a stored row in their order: of stat_block.days each day's place in its block, of
// stat_hist.buckets each bucket; with how many were measured, what they come to, and their squares.
func Unpack(b []byte, visit func(part int, n, sum, sq int64)) error {
	for next := 0; len(b) > 0; next++ {
		head, read := binary.Uvarint(b)
		if read <= 0 || head > math.MaxInt32 {
			return errPacked
		}
		var v [3]int64
		b = b[read:]
		for i := range 1 + 2*int(head&1) {
			if v[i], read = binary.Varint(b); read <= 0 {
				return errPacked
			}
			b = b[read:]
		}
		next += int(head >> 1)
		visit(next, v[0], v[1], v[2])
	}
	return nil
}
