package checkbook

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"preceptor/internal/compliance"
)

// cost is how large the program of an expression is. RE2 takes time in proportion to the text and to this; an expression of a few
// letters, such as (.{0,90}){9}, can become a program of thousands of steps. Most steps wait for one letter and cost next to
// nothing; wide ones take almost any letter, and can all be under way at every place of a text.
// walk is what that comes to on the worst of several made-up texts, per letter.
type cost struct{ steps, wide, walk int }

// Bounds of a cost. The hardest check that is taken, on 5,000 letters without a full stop, took 160 ms on a machine with ten times
// more to do than it could, and ordinary ones half a millisecond (BenchmarkWorst).
var (
	mostOfOne = cost{1000, 200, 150}
	mostOfAll = cost{20_000, 1000, 600}
)

func (c cost) plus(o cost) cost   { return cost{c.steps + o.steps, c.wide + o.wide, c.walk + o.walk} }
func (c cost) within(o cost) bool { return c.steps <= o.steps && c.wide <= o.wide && c.walk <= o.walk }

// heavy tells whether a check alone takes more than half of what one may: it is taken, and a trial warns.
func (c cost) heavy() bool { return 2*c.walk > mostOfOne.walk }

func costOf(prog *syntax.Prog) (c cost) {
	for i := range prog.Inst {
		in := &prog.Inst[i]
		c.steps++
		if in.Op == syntax.InstRuneAny || in.Op == syntax.InstRuneAnyNotNL || in.Op == syntax.InstRune && in.MatchRune('e') && in.MatchRune('t') {
			c.wide++
		}
	}
	return c
}

// compile tells what is wrong with an expression, as it was typed, and what it costs.
func compile(source string) (c cost, p *Problem) {
	whole := func(format string, args ...any) *Problem {
		return &Problem{0, utf8.RuneCountInString(source), fmt.Sprintf(format, args...)}
	}
	switch n := utf8.RuneCountInString(source); {
	case strings.TrimSpace(source) == "":
		return c, whole("Write the expression that it looks for.")
	case n > compliance.MaxPattern:
		return c, whole("It is %d characters long; at most %d are taken. Split the check.", n, compliance.MaxPattern)
	}
	tree, err := syntax.Parse(`(?i)`+source, syntax.Perl)
	if err != nil {
		return c, problemOf(source, err)
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return c, problemOf(source, err)
	}
	switch c = costOf(prog); {
	case c.steps > mostOfOne.steps:
		return c, whole("It makes %d steps, and at most %d are taken, so that no text waits for it. Split the check.", c.steps, mostOfOne.steps)
	case c.wide > mostOfOne.wide:
		return c, whole("It makes %d steps that take any letter, and at most %d are taken, so that no text waits for it. Make counts such as {0,90} smaller, or write * or +.", c.wide, mostOfOne.wide)
	}
	c = costOf(prog)
	if c.walk = walk(prog, source, mostOfOne.walk); c.walk > mostOfOne.walk {
		return c, whole("On a long text it would look at more than %d places of itself at every letter, and drafts would wait for it. Take out what may be repeated within a repetition, make counts such as {0,90} smaller, or split the check.", mostOfOne.walk)
	}
	return c, nil
}

// problemOf says in plain words what the parser says, and finds the place.
func problemOf(source string, err error) *Problem {
	var e *syntax.Error
	if !errors.As(err, &e) {
		return &Problem{0, utf8.RuneCountInString(source), "The expression can't be read."}
	}
	expr := strings.TrimPrefix(e.Expr, `(?i)`)
	msg := explained[e.Code]
	if strings.HasPrefix(expr, "(?=") || strings.HasPrefix(expr, "(?!") || strings.HasPrefix(expr, "(?<") {
		msg = "Looking ahead or behind, such as (?= or (?!, is not available, since it can take for ever. Write out what stands there."
	} else if e.Code == syntax.ErrInvalidEscape && len(expr) == 2 && expr[1] >= '1' && expr[1] <= '9' {
		msg = "Going back to an earlier part, such as \\1, is not available, since it can take for ever."
	}
	if msg == "" {
		msg = "The expression can't be read here."
	}
	at := strings.Index(source, expr)
	if at < 0 || expr == "" {
		return &Problem{0, utf8.RuneCountInString(source), msg}
	}
	start := utf8.RuneCountInString(source[:at])
	return &Problem{start, min(start+utf8.RuneCountInString(expr), utf8.RuneCountInString(source)), msg}
}

var explained = map[syntax.ErrorCode]string{
	syntax.ErrMissingParen:          "A bracket ( that opens is never closed, or one that closes was never opened.",
	syntax.ErrUnexpectedParen:       "This ) closes nothing. To find the sign itself, write \\).",
	syntax.ErrMissingBracket:        "This [ is never closed. To find the sign itself, write \\[.",
	syntax.ErrInvalidCharRange:      "This range goes backwards: write the lower sign first, as a-z.",
	syntax.ErrInvalidCharClass:      "This class of signs can't be read.",
	syntax.ErrInvalidEscape:         "This is no sign that a backslash can stand before.",
	syntax.ErrInvalidNamedCapture:   "This name of a group can't be read. Groups need no names here.",
	syntax.ErrInvalidPerlOp:         "This kind of group is not available. Use (?:...) to group.",
	syntax.ErrInvalidRepeatOp:       "Two signs of repetition stand side by side. Keep one.",
	syntax.ErrInvalidRepeatSize:     "This count is too large, or goes backwards.",
	syntax.ErrInvalidUTF8:           "There are signs in it that are no text.",
	syntax.ErrMissingRepeatArgument: "There is nothing before this sign that could be repeated. To find the sign itself, write a backslash before it.",
	syntax.ErrTrailingBackslash:     "A backslash at the end stands before nothing.",
	syntax.ErrNestingDepth:          "Brackets stand in brackets too often. Make it simpler.",
	syntax.ErrLarge:                 "It becomes too large. Counts such as {0,500} cost most: make them smaller, or split the check.",
}
