package counter

import (
	"bytes"
	"maps"
	"testing"

	"pgregory.net/rapid"
)

func drawParts(t *rapid.T, label string) parts {
	value := rapid.Custom(func(t *rapid.T) sums {
		n := rapid.Int64Range(1, 1<<40).Draw(t, "n")
		return rapid.SampledFrom([]sums{{n: n}, {n, n * 3, 0}, {n, n / 2, n * 7}, {-n, 0, 0}, {n, -n, n}}).Draw(t,
			"value")
	})
	return rapid.MapOfN(rapid.IntRange(0, 400), value, 0, 40).Draw(t, label)
}

func unpacked(t *rapid.T, b []byte) parts {
	out, last := parts{}, -1
	if err := Unpack(b, func(part int, n, sum, sq int64) {
		if part <= last {
			t.Fatalf("part %d comes after %d", part, last)
		}
		last, out[part] = part, sums{n, sum, sq}
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWhatIsPackedComesOutAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawParts(t, "parts")
		packed := p.pack()
		got := unpacked(t, packed)
		if !maps.Equal(got, p) {
			t.Fatalf("%v became %v", p, got)
		}
		if again := got.pack(); !bytes.Equal(again, packed) {
			t.Fatalf("%v is packed as %x and as %x", p, packed, again)
		}
	})
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte{})
	f.Add(parts{3: {n: 2}, 9: {7, 8, 9}}.pack())
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Add([]byte{1, 2})
	f.Fuzz(func(t *testing.T, b []byte) {
		last := -1
		_ = Unpack(b, func(part int, _, _, _ int64) {
			if part <= last {
				t.Fatalf("part %d comes after %d", part, last)
			}
			last = part
		})
	})
}

func TestADayLiesInItsBlock(t *testing.T) {
	for _, day := range []int{-33, -32, -1, 0, 1, 31, 32, 20_415} {
		if place := day - Block(day)*BlockDays; place < 0 || place >= BlockDays {
			t.Errorf("day %d has place %d in block %d", day, place, Block(day))
		}
	}
}
