package practice

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"preceptor/internal/pack"
	"preceptor/internal/platform/strict"
	"preceptor/internal/rule"
)

// wording is a situation's question in the words of one author.
type wording struct {
	Life     string `json:"situation"`
	Author   string `json:"author"`
	Question string `json:"question"`
}

// known are the words by which the judge recognises a need, of an author who saw it in plain words only.
type known struct {
	Need    string   `json:"need"`
	Phrases []string `json:"phrases"` // say it
	Not     []string `json:"not"`     // come near and don't
}

// Spread is how a fact of people is spread, with where the figures come from.
type Spread struct {
	Values map[string]float64 `json:"values"`
	Source string             `json:"source"`
}

// People are a pack's practice people, as its files under data/NAME/practice describe them.
type People struct {
	Pack    string
	Needs   []Need
	Lives   []Life
	Authors []string
	Spreads map[string]Spread
	Wrong   []rule.Statement // rules that are planted to see whether the score falls
	Foreign []rule.Statement // a memory of another domain

	words  map[string]map[string]string // question by life and author
	plain  map[string]string            // features whose name says too little, in plain words
	judged []known
	weight map[string]float64 // of a life, so that the spreads hold

	recognise func() *recogniser
}

var people sync.Map // *People by pack

// Of are a pack's people; an error names what is wrong with their files, and one that has none.
func Of(packName string) (*People, error) {
	if p, ok := people.Load(packName); ok {
		return p.(*People), nil
	}
	p, err := read(packName, pack.PracticeFile)
	if err != nil {
		return nil, err
	}
	kept, _ := people.LoadOrStore(packName, p)
	return kept.(*People), nil
}

// read reads the files of a pack.
func read(packName string, file func(packName, name string) ([]byte, error)) (*People, error) {
	p := &People{Pack: packName, words: map[string]map[string]string{}}
	wordings, err := lines[wording](packName, "wordings.jsonl", file)
	for _, one := range []func() error{
		func() error { return err },
		func() (err error) { p.Needs, err = lines[Need](packName, "needs.jsonl", file); return },
		func() (err error) { p.Lives, err = lines[Life](packName, "situations.jsonl", file); return },
		func() (err error) { p.judged, err = lines[known](packName, "judge.jsonl", file); return },
		func() (err error) { p.Wrong, err = lines[rule.Statement](packName, "wrong.jsonl", file); return },
		func() (err error) { p.Foreign, err = lines[rule.Statement](packName, "foreign.jsonl", file); return },
		func() error { return whole(packName, "distributions.json", file, &p.Spreads) },
		func() error { return whole(packName, "features.json", file, &p.plain) },
	} {
		if err := one(); err != nil {
			return nil, fmt.Errorf("practice: the people of %s: %w", packName, err)
		}
	}
	seen := map[string]bool{}
	for _, w := range wordings {
		if p.words[w.Life] == nil {
			p.words[w.Life] = map[string]string{}
		}
		p.words[w.Life][w.Author] = w.Question
		seen[w.Author] = true
	}
	p.Authors = slices.Sorted(maps.Keys(seen))
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("practice: the people of %s: %w", packName, err)
	}
	p.weight = rake(p.Lives, p.Spreads)
	p.recognise = sync.OnceValue(func() *recogniser { return newRecogniser(p.judged) })
	return p, nil
}

// lines reads a file of JSON lines strictly.
func lines[T any](packName, name string, file func(packName, name string) ([]byte, error)) (out []T, err error) {
	b, err := file(packName, name)
	if err != nil {
		return nil, err
	}
	for i, line := range bytes.Split(bytes.TrimSpace(b), []byte("\n")) {
		var one T
		if err := strict.Into(line, &one); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", name, i+1, err)
		}
		out = append(out, one)
	}
	return out, nil
}

// whole reads a file that is one JSON value.
func whole(packName, name string, file func(packName, name string) ([]byte, error), into any) error {
	b, err := file(packName, name)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, into)
}

// check holds the files against each other.
func (p *People) check() error {
	needs := map[string]bool{}
	for _, n := range p.Needs {
		if needs[n.ID] || n.Plain == "" || n.Statement == "" {
			return fmt.Errorf("the need %q is there twice, or says nothing", n.ID)
		}
		needs[n.ID] = true
	}
	for _, k := range p.judged {
		if !needs[k.Need] || len(k.Phrases) < 2 {
			return fmt.Errorf("the judge's phrases for %q belong to no need, or are fewer than two", k.Need)
		}
		delete(needs, k.Need)
	}
	if len(needs) > 0 {
		return fmt.Errorf("the judge has no phrases for %v", slices.Sorted(maps.Keys(needs)))
	}
	lives := map[string]bool{}
	for _, l := range p.Lives {
		if lives[l.ID] || len(p.words[l.ID]) == 0 {
			return fmt.Errorf("the situation %q is there twice, or nobody worded it", l.ID)
		}
		lives[l.ID] = true
	}
	for _, l := range p.Lives {
		if l.Twin != "" && !lives[l.Twin] {
			return fmt.Errorf("%s is a twin of %q, which is not there", l.ID, l.Twin)
		}
	}
	for id := range p.words {
		if !lives[id] {
			return fmt.Errorf("the wording of %q belongs to no situation", id)
		}
	}
	return nil
}

// Person is a virtual customer.
type Person struct {
	Life
	Author    string
	Question  string
	Needs     []*Need // most weighty first
	Situation pack.Situation
	people    *People // of whom they are one
}

// Trade is whose customers they are.
func (p *People) Trade() string {
	of := pack.Of(p.Pack)
	return cmp.Or(of.Practised, of.Title)
}

// Key names the person: a situation and an author.
func (p *Person) Key() string { return p.ID + "/" + p.Author }

// mostNeeds bounds what one conversation can be about.
const mostNeeds = 7

// person is a life in an author's words.
func (p *People) person(l Life, author string) *Person {
	who := &Person{Life: l, Author: author, Question: p.words[l.ID][author],
		Situation: l.situation(p, p.words[l.ID][author]), people: p}
	for i := range p.Needs {
		if p.Needs[i].of(&l) {
			who.Needs = append(who.Needs, &p.Needs[i])
		}
	}
	slices.SortStableFunc(who.Needs, func(a, b *Need) int { return cmp.Compare(rank(b), rank(a)) })
	who.Needs = who.Needs[:min(mostNeeds, len(who.Needs))]
	return who
}

// rank puts weighty needs first, and of one weight those that hang on more.
func rank(n *Need) float64 {
	of := n.Weight * 10
	if len(n.Topics) > 0 {
		of += 2
	}
	if len(n.When.Features) > 0 {
		of++
	}
	return of
}

// All are the people of a part of a split, each once, in the order of the files.
func (p *People) All(where string, split int) (out []*Person) {
	by := authors(p.Authors, where, split)
	for _, l := range p.Lives {
		if part(&l, split) != where {
			continue
		}
		for _, a := range by {
			if p.words[l.ID][a] != "" {
				out = append(out, p.person(l, a))
			}
		}
	}
	return out
}

// Held are people whom no training of a split has, each of its test situations in the words of every author that no
// training has; at most mostHeld of them.
func (p *People) Held(split int) (out []*Person) {
	by := authors(p.Authors, Train, split)
	for _, a := range p.Authors {
		if slices.Contains(by, a) {
			continue
		}
		for _, l := range p.Lives {
			if part(&l, split) == Test && p.words[l.ID][a] != "" {
				out = append(out, p.person(l, a))
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *Person) int { return cmp.Compare(a.ID, b.ID) })
	return out[:min(mostHeld, len(out))]
}

// mostHeld is how many test customers a comparison has.
const mostHeld = 50

// Questions are what people ask, by Person.Key.
func (p *People) Questions() map[string]string {
	out := map[string]string{}
	for life, by := range p.words {
		for author, question := range by {
			out[life+"/"+author] = question
		}
	}
	return out
}

// Plain are the needs in plain words, by id.
func (p *People) Plain() map[string]string {
	out := map[string]string{}
	for _, n := range p.Needs {
		out[n.ID] = n.Plain
	}
	return out
}
