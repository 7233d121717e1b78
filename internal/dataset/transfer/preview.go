package transfer

import (
	"cmp"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"preceptor/internal/dataset"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/table/imports"
)

// Preview is what a file looks like, for a page to ask about the mapping.
type Preview struct {
	Format Format
	Fields []string
	Guess  Mapping
	Rows   []map[string]string // the first few, texts cut short
	None   error               // why there are none; Invalid
	Labels []string            // what stands in the label field of these rows, and in annotations; see Choose
	Broken []imports.Problem   // those among them that can't be read

	Note      string   // how the characters of these rows were read, where a person should know
	Annotated []string // what stands in annotations
	words     map[string][]string
	refused   map[string][]imports.Problem // by the field that is the guidance
}

// Refused are those of these rows that can't be imported with this field as the guidance.
func (p Preview) Refused(guidance string) []imports.Problem {
	return slices.SortedStableFunc(slices.Values(slices.Concat(p.Broken, p.refused[guidance])),
		func(a, b imports.Problem) int { return a.Line - b.Line })
}

// Like is how a file was read, for this one: what wasn't in it then is guessed. What was passed over stays so.
func (p Preview) Like(r Report) Mapping {
	for _, guess := range p.Guess.parts() {
		if r.Mapping.has(*guess) || r.Labels != Ignored && slices.Contains(r.Unused, *guess) {
			*guess = ""
		}
	}
	m := r.Mapping
	m.Guess = true
	m = m.or(p.Guess)
	m.Guess = false
	return m
}

// mostWords is how many different words of a field are taken down: one with more holds no labels.
const mostWords = 40

// Choose has Labels follow the field that is chosen for the label.
func (p *Preview) Choose(field string) {
	p.Labels = slices.Clone(p.Annotated)
	for _, w := range p.words[field] {
		p.Labels = add(p.Labels, w)
	}
}

// Unlike are the labels that the set doesn't have, in any spelling that is understood.
func (p Preview) Unlike(set *dataset.Settings) []string {
	return slices.DeleteFunc(slices.Clone(p.Labels), func(w string) bool {
		return slices.Contains(set.Labels, word(w, set.Labels, nil))
	})
}

// add is a list with a word that it may have.
func add(list []string, w string) []string {
	if w == "" || slices.Contains(list, w) {
		return list
	}
	return append(list, w)
}

// Fits reports whether this file can be read as the one that was reported on: it has all the fields that were read
// then.
func (p Preview) Fits(r Report) bool {
	if r.Format != p.Format || r.Mapping.Guidance == "" || r.Labels == "" {
		return false
	}
	for _, into := range r.Mapping.parts() {
		if *into != "" && !slices.ContainsFunc(p.Fields, func(f string) bool {
			return f == *into || strings.HasSuffix(*into, ".") && strings.HasPrefix(f, *into)
		}) {
			return false
		}
	}
	return true
}

// previewText bounds what Look shows of a text.
const previewText = 200

// Look reads the first rows of a file, whole ones only. Invalid when it can't be read at all.
func (s *Service) Look(name string, r io.Reader, set *dataset.Settings) (Preview, error) {
	return s.LookAs(name, r, "", set)
}

// LookAs is Look for a file of a format; "" finds it.
func (s *Service) LookAs(name string, r io.Reader, as Format, set *dataset.Settings) (Preview, error) {
	src, err := openSource(r, name, as)
	if err != nil {
		return Preview{}, err
	}
	rows, err := ahead(src)
	if err != nil && !errors.Is(err, io.EOF) {
		return Preview{}, fault.Wrap(fault.Invalid, err, "The file can't be read: %s.", err)
	}
	p := Preview{Format: src.format, Fields: fieldsOf(src.names, rows), words: map[string][]string{}}
	p.Guess = guessRows(src.names, rows, set)
	p.refused, p.Note = map[string][]imports.Problem{}, src.note()
	in := &importing{o: ImportOptions{Labels: Ignored}, mapping: p.Guess}
	for _, r := range rows {
		for _, in.mapping.Guidance = range p.Fields[:min(mostUnused, len(p.Fields))] {
			if n, err := in.item(&r); r.err == nil && cmp.Or(err, n.Prepare(set)) != nil {
				p.refused[in.mapping.Guidance] = append(p.refused[in.mapping.Guidance],
					imports.Problem{Line: r.line, Why: r.place() + cmp.Or(err, n.Prepare(set)).Error()})
			}
		}
		if r.err != nil {
			p.Broken = append(p.Broken, imports.Problem{Line: r.line, Why: r.place() + r.err.Error()})
			continue
		}
		shown := make(map[string]string, len(r.fields))
		for k, v := range r.fields {
			shown[k] = short(v.text + string(v.json))
			// what has several is told when it is imported
			if one, err := v.word(); err == nil && len(p.words[k]) <= mostWords {
				p.words[k] = add(p.words[k], one)
			}
		}
		p.Rows = append(p.Rows, shown)
		if r.judge != nil {
			r.judge(&r, &p.Guess, set)
		}
		for _, l := range r.labels {
			p.Annotated = add(p.Annotated, l.Answer.Label)
		}
	}
	maps.DeleteFunc(p.words, func(_ string, list []string) bool { return len(list) > mostWords })
	p.Choose(p.Guess.Label)
	if len(p.Rows) == 0 {
		p.None = noRows(src, rows)
	}
	return p, nil
}

// noRows says why there is no row to take: each reason is its own.
func noRows(src *source, rows []row) error {
	switch {
	case len(rows) > 0:
		r := rows[0]
		return fault.New(fault.Invalid, "No row of the file can be read. Line %d: %s%s.", r.line, r.place(), r.err)
	case len(src.names) > 0:
		return fault.New(fault.Invalid, "The file has a header row and no rows below it.")
	}
	return errNoRows
}

func short(s string) string {
	if r := []rune(s); len(r) > previewText {
		return string(r[:previewText]) + "…"
	}
	return s
}
