package transfer

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/table"
)

// check reads a whole file and fills the report with what is wrong with it. It returns the names of the file's agents,
// in order.
func check(r io.ReadSeeker, rep *Report) ([]string, error) {
	lines := table.NewLines(r, MaxLine)
	first, err := lines.Next()
	if errors.Is(err, io.EOF) || errors.Is(err, table.ErrLong) {
		rep.problem(1, "the first line is not the header of an exported base")
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if rep.Header, err = parseHeader(first); err != nil {
		rep.problem(1, err.Error())
		return nil, nil
	}
	seen := newSeen()
	for {
		b, err := lines.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if errors.Is(err, table.ErrLong) {
			rep.problem(lines.N, fmt.Sprintf("the line is longer than %d MB", MaxLine>>20))
			continue
		}
		if err != nil {
			return nil, err
		}
		l, err := parseLine(b)
		if err == nil {
			err = seen.add(l)
		}
		if err != nil {
			rep.problem(lines.N, err.Error())
		}
	}
	if rep.Bad == 0 {
		sum, err := sumOf(r)
		if err != nil {
			return nil, err
		}
		seen.compare(rep, sum)
	}
	return slices.Sorted(maps.Keys(seen.agents)), nil
}

// sumOf is the SHA-256 of everything after the first line.
func sumOf(r io.ReadSeeker) (string, error) {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	body, sum := bufio.NewReader(r), sha256.New()
	_, err := body.ReadBytes('\n')
	if err == nil {
		_, err = io.Copy(sum, body)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
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
	return &seen{ids: map[string]bool{},
		numbers: map[string]map[int]bool{knowledge.KindCase: {}, knowledge.KindRule: {}}, origins: map[string]bool{},
		agents: map[string]bool{},
		counts: map[string]*[2]int{knowledge.KindCase: {}, knowledge.KindRule: {}}}
}

func (s *seen) add(l knowledge.Stored) error {
	origin := l.AgentID + "\x00" + l.Source + "\x00" + l.Origin
	switch {
	case l.Kind == knowledge.KindCase && s.counts[knowledge.KindRule][0] > 0:
		return errors.New("cases stand before rules, which name them as evidence")
	case s.ids[l.ID]:
		return errors.New("an item with this id stands further up in the file")
	case s.numbers[l.Kind][l.Number]:
		return fmt.Errorf("%s stands further up", labelOf(l.Kind, l.Number))
	case l.Origin != "" && s.origins[origin]:
		return errors.New("a case of the same origin stands further up in the file")
	case len(s.ids) >= MaxItems:
		return fmt.Errorf("a file holds at most %d items", MaxItems)
	}
	s.ids[l.ID], s.numbers[l.Kind][l.Number] = true, true
	if l.Origin != "" {
		s.origins[origin] = true
	}
	if l.AgentID != "" {
		s.agents[l.AgentID] = true
	}
	s.counts[l.Kind][0]++
	s.counts[l.Kind][1] += len(l.Versions)
	return nil
}

// compare sets the header against what came.
func (s *seen) compare(rep *Report, sum string) {
	h, cases, rules := rep.Header, s.counts[knowledge.KindCase], s.counts[knowledge.KindRule]
	if h.Cases != cases[0] || h.CaseVersions != cases[1] || h.Rules != rules[0] || h.RuleVersions != rules[1] {
		rep.problem(1,
			fmt.Sprintf("the header says there are %d cases with %d versions and %d rules with %d; the file has %d, "+
				"%d, %d and %d",
				h.Cases, h.CaseVersions, h.Rules, h.RuleVersions, cases[0], cases[1], rules[0], rules[1]))
		return
	}
	if h.SHA256 != sum {
		rep.problem(1, "the file has changed since it was exported: its SHA-256 differs from the header's")
	}
}
