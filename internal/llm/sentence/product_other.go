//go:build !amd64

package sentence

func dot(row []byte, x []int16, sums *[group]int32) { dotPlain(row, x, sums) }
