package sentence

import "golang.org/x/sys/cpu"

// dotAVX2 is dotPlain on processors with AVX2; n is the length of row, a multiple of 16.
//
//go:noescape
func dotAVX2(row *byte, x *int16, n int, sums *[group]int32)

func dot(row []byte, x []int16, sums *[group]int32) {
	if cpu.X86.HasAVX2 && len(row)%16 == 0 && len(row) > 0 {
		_ = x[group*len(row)-1]
		dotAVX2(&row[0], &x[0], len(row), sums)
		return
	}
	dotPlain(row, x, sums)
}
