package db

import (
	"strconv"
	"strings"
	"time"
)

// maxArgs keeps IN lists well below the engines' limits; longer lists are asked for in batches.
const maxArgs = 500

// In spells the placeholders of an IN list: In(3, 2) is "$3,$4".
func In(first, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('$')
		b.WriteString(strconv.Itoa(first + i))
	}
	return b.String()
}

// Containing is the pattern of what has s in it, for LIKE $n ESCAPE '\'.
func Containing(s string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(s) + "%"
}

// Batches cuts list into runs short enough for one IN list.
func Batches[T any](list []T) [][]T {
	var out [][]T
	for len(list) > maxArgs {
		out, list = append(out, list[:maxArgs]), list[maxArgs:]
	}
	if len(list) > 0 {
		out = append(out, list)
	}
	return out
}

// Ms is the stored form of a time: milliseconds since 1970; the zero time is 0.
func Ms(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// Time is the inverse of Ms.
func Time(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// Anys is a list as the arguments of a statement.
func Anys[T any](list []T) []any {
	out := make([]any, len(list))
	for i, one := range list {
		out[i] = one
	}
	return out
}
