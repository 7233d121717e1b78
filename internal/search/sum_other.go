//go:build !amd64

package search

// sumBlock adds up, for each of a block's 32 rows, the table's entries for its codes.
func sumBlock(codes, table []byte, sums *[32]uint16) { sumPlain(codes, table, sums) }
