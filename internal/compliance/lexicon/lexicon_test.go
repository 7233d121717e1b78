package lexicon

import (
	"strings"
	"testing"
)

func TestTokensUndoContractions(t *testing.T) {
	var got []string
	for _, tok := range Tokens("You'd have £1,250.50 (25%), can't you? It's Mum's 2nd.", 0) {
		got = append(got, tok.Text)
	}
	if s := strings.Join(got, " "); s != "you would have £# #% can not you it is mum #" {
		t.Error(s)
	}
}

func TestPhrases(t *testing.T) {
	l := New("a: move|transfer* (it|them)? now; not .. far", "b: _ best; £#")
	for text, want := range map[string]string{
		"Move now":                        "a",
		"transferring it now":             "a",
		"move the lot now":                "",
		"It's not so very far":            "a",
		"not one two three four five far": "",
		"the best":                        "b",
		"best":                            "",
		"costs £5":                        "b",
	} {
		got := ""
		for _, m := range l.Read(Tokens(text, 0)) {
			got += l.Name(m.Class)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("You'd £5% — can't '' ü")
	l := New("a: b .. c; _ .. d", "n: not")
	f.Fuzz(func(t *testing.T, s string) {
		toks := Tokens(s, 0)
		for _, k := range toks {
			if k.Start < 0 || k.End > len(s) || k.Start >= k.End {
				t.Fatalf("%+v of %q", k, s)
			}
		}
		for _, m := range l.Read(toks) {
			if m.First > m.Last || m.Last >= len(toks) {
				t.Fatalf("%+v", m)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	s := "With a husband ten years younger and no other savings to speak of, the pension belongs where it is."
	l := Pensions()
	for b.Loop() {
		l.Read(Tokens(s, 0))
	}
}

func BenchmarkBuild(b *testing.B) {
	for b.Loop() {
		New(steerPhrases...)
	}
}
