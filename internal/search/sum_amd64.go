package search

import "golang.org/x/sys/cpu"

// sumAVX2 is sumPlain on processors with AVX2; pairs of groups, at least one.
//
//go:noescape
func sumAVX2(codes, table *byte, pairs int, sums *[32]uint16)

// sumBlock adds up, for each of a block's 32 rows, the table's entries for its codes.
func sumBlock(codes, table []byte, sums *[32]uint16) {
	if cpu.X86.HasAVX2 {
		_ = codes[len(table)-1]
		sumAVX2(&codes[0], &table[0], len(table)/32, sums)
		return
	}
	sumPlain(codes, table, sums)
}
