package scan

import "strings"

// strip blanks the comments and texts of Python or TypeScript; lines and columns stay. It knows no regular expressions
// of TypeScript: a quote in one blanks the rest of its line.
func strip(src string, python bool) string {
	out := []byte(src)
	for i := 0; i < len(src); {
		end := blankTo(src, i, python)
		for j := i; j < end; j++ {
			if src[j] != '\n' {
				out[j] = ' '
			}
		}
		i = max(end, i+1)
	}
	return string(out)
}

// blankTo is where the comment or text ends that begins at i; i where none does. What does not end, ends with its line,
// or with the file where it may have several lines.
func blankTo(src string, i int, python bool) int {
	rest := src[i:]
	to := func(skip int, end string) int {
		if at := strings.Index(rest[skip:], end); at >= 0 {
			return i + skip + at + len(end)
		}
		return len(src)
	}
	quote := src[i]
	switch {
	case python && quote == '#', !python && strings.HasPrefix(rest, "//"):
		return to(0, "\n")
	case !python && strings.HasPrefix(rest, "/*"):
		return to(2, "*/")
	case python && (strings.HasPrefix(rest, `"""`) || strings.HasPrefix(rest, "'''")):
		return to(3, rest[:3])
	case quote == '"' || quote == '\'' || quote == '`' && !python:
		for j := i + 1; j < len(src); j++ {
			switch {
			case src[j] == quote || src[j] == '\n' && quote != '`':
				return j + 1
			case src[j] == '\\':
				j++
			}
		}
		return len(src)
	}
	return i
}
