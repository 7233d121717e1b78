package transfer

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
)

// reader gives a file's lines, without their ends, with their numbers from 1.
type reader struct {
	in  *bufio.Reader
	sum hash.Hash // of everything after the first line
	n   int
	buf []byte
}

func newReader(r io.Reader) *reader {
	return &reader{in: bufio.NewReaderSize(r, 1<<16), sum: sha256.New()}
}

var errLong = fmt.Errorf("the line is longer than %d MB", MaxLine>>20)

// next is io.EOF after the last line.
func (r *reader) next() ([]byte, error) {
	r.buf = r.buf[:0]
	for {
		part, err := r.in.ReadSlice('\n')
		if r.n > 0 {
			r.sum.Write(part)
		}
		r.buf = append(r.buf, part...)
		switch {
		case len(r.buf) > MaxLine:
			r.n++
			return nil, errLong
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (!errors.Is(err, io.EOF) || len(r.buf) == 0):
			return nil, err
		}
		r.n++
		return bytes.TrimSuffix(r.buf, []byte("\n")), nil
	}
}

// content is what a check found.
type content struct {
	agents []string // names, in order
}

// check reads a whole file and fills the report with what is wrong with it.
func check(r io.Reader, rep *Report) (c content, err error) {
	lines := newReader(r)
	first, err := lines.next()
	if err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, errLong) {
			rep.problem(1, "the first line is not the header of an exported base")
			return c, nil
		}
		return c, err
	}
	if rep.Header, err = parseHeader(first); err != nil {
		rep.problem(1, err.Error())
		return c, nil
	}
	seen := newSeen()
	for {
		b, err := lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if errors.Is(err, errLong) {
			rep.problem(lines.n, err.Error())
			return c, nil // what follows can't be told apart
		}
		if err != nil {
			return c, err
		}
		l, err := parseLine(b)
		if err == nil {
			err = seen.add(l)
		}
		if err != nil {
			rep.problem(lines.n, err.Error())
		}
	}
	if rep.Bad == 0 {
		seen.compare(rep, hex.EncodeToString(lines.sum.Sum(nil)))
	}
	for name := range seen.agents {
		c.agents = append(c.agents, name)
	}
	slices.Sort(c.agents)
	return c, nil
}

// seen is what came in a file so far.
type seen struct {
	ids     map[string]bool
	numbers map[string]map[int]bool
	origins map[string]bool
	agents  map[string]bool
	counts  map[string]*[2]int // items and versions by kind
}

func newSeen() *seen {
	return &seen{ids: map[string]bool{}, numbers: map[string]map[int]bool{kindCase: {}, kindRule: {}}, origins: map[string]bool{}, agents: map[string]bool{},
		counts: map[string]*[2]int{kindCase: {}, kindRule: {}}}
}

func (s *seen) add(l *line) error {
	origin := l.Agent + "\x00" + l.Source + "\x00" + l.Origin
	switch {
	case l.Kind == kindCase && s.counts[kindRule][0] > 0:
		return errors.New("cases stand before rules, which name them as evidence")
	case s.ids[l.ID]:
		return errors.New("an item with this id stands further up")
	case s.numbers[l.Kind][l.Number]:
		return fmt.Errorf("%s stands further up", l.label(l.Number))
	case l.Origin != "" && s.origins[origin]:
		return errors.New("a case of the same origin stands further up")
	case len(s.ids) >= MaxItems:
		return fmt.Errorf("a file holds at most %d items", MaxItems)
	}
	s.ids[l.ID], s.numbers[l.Kind][l.Number] = true, true
	if l.Origin != "" {
		s.origins[origin] = true
	}
	if l.Agent != "" {
		s.agents[l.Agent] = true
	}
	s.counts[l.Kind][0]++
	s.counts[l.Kind][1] += len(l.Versions)
	return nil
}

// compare sets the header against what came.
func (s *seen) compare(rep *Report, sum string) {
	h, cases, rules := rep.Header, s.counts[kindCase], s.counts[kindRule]
	if h.Cases != cases[0] || h.CaseVersions != cases[1] || h.Rules != rules[0] || h.RuleVersions != rules[1] {
		rep.problem(1, fmt.Sprintf("the header speaks of %d cases with %d versions and %d rules with %d; the file has %d, %d, %d and %d",
			h.Cases, h.CaseVersions, h.Rules, h.RuleVersions, cases[0], cases[1], rules[0], rules[1]))
		return
	}
	if h.SHA256 != sum {
		rep.problem(1, "the file is not as it was exported: its SHA-256 is another than the header says")
	}
}
