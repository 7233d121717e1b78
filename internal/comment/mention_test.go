package comment_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"preceptor/internal/comment"
)

func TestWhoAnAtMeans(t *testing.T) {
	for text, want := range map[string]string{
		"@Ann Archer please":             "@Ann Archer=Ann Archer",
		"@ann   archer":                  "@ann   archer=Ann Archer",
		"@ANN.":                          "@ANN=Ann Archer",
		"(@ann)":                         "@ann=Ann Archer",
		"@Ann's view":                    "@Ann=Ann Archer",
		"@ann@example.org, look":         "@ann@example.org=Ann Archer",
		"@ben.carter":                    "@ben.carter=Ben Carter",
		"@ben.":                          "@ben=Ben Carter",
		"@be":                            "@be?Ben Carter,Bea Carter",
		"@Carter":                        "@Carter?Ben Carter,Bea Carter",
		"@Zoë O'Brien-Łuk":               "@Zoë O'Brien-Łuk=Zoë O'Brien-Łuk",
		"@ZOË":                           "@ZOË=Zoë O'Brien-Łuk",
		"@o'brien-łuk":                   "@o'brien-łuk=Zoë O'Brien-Łuk",
		"@zo":                            "@zo=Zoë O'Brien-Łuk",
		"@Annabel":                       "@Annabel?",
		"@Ann Archers":                   "@Ann=Ann Archer",
		"@Ann\nArcher":                   "@Ann=Ann Archer",
		"@Ann@Ben":                       "@Ann=Ann Archer",
		"@Ann, @Ben":                     "@Ann=Ann Archer @Ben=Ben Carter",
		"mail ann@example.org":           "",
		"https://example.org/@ann":       "",
		"at 5 @ the office":              "",
		"@":                              "",
		"@@ann":                          "",
		"@ ann":                          "",
		"@-ann":                          "",
		"@<script>":                      "",
		"ends in @":                      "",
		"@" + strings.Repeat("x", 3_000): "@" + strings.Repeat("x", 3_000) + "?",
	} {
		found, unclear := comment.Parse(text, desk, nil)
		var got []string
		for _, m := range found {
			got = append(got, text[m.Start:m.End]+"="+m.Person.Name)
		}
		for _, u := range unclear {
			var names []string
			for _, p := range u.Who {
				names = append(names, p.Name)
			}
			got = append(got, "@"+u.Word+"?"+strings.Join(names, ","))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%.60q means %.200q, want %.200q", text, s, want)
		}
	}
}

func TestTwoPeopleOfOneName(t *testing.T) {
	twins := []comment.Person{{ID: "1", Name: "Kim Lee", Email: "kim@example.org"},
		{ID: "2", Name: "Kim Lee", Email: "lee@example.org"}}
	_, unclear := comment.Parse("Ask @Kim Lee.", twins, nil)
	if len(unclear) != 1 || len(unclear[0].Who) != 2 {
		t.Fatalf("%+v", unclear)
	}
	found, unclear := comment.Parse("Ask @Kim Lee.", twins, map[string]string{unclear[0].Key: "2"})
	if len(unclear) != 0 || len(found) != 1 || found[0].Person.ID != "2" {
		t.Errorf("%+v, %+v", found, unclear)
	}
	if found, _ := comment.Parse("Ask @kim@example.org.", twins, nil); len(found) != 1 || found[0].Person.ID != "1" {
		t.Errorf("by address: %+v", found)
	}
}

// hold checks what is true of every text.
func hold(t interface{ Errorf(string, ...any) }, text string, people []comment.Person, found []comment.Mention,
	unclear []comment.Unclear) {
	end := 0
	for _, m := range found {
		if m.Start < end || m.End <= m.Start+1 || m.End > len(text) || text[m.Start] != '@' {
			t.Errorf("%q: a mention at %d to %d", text, m.Start, m.End)
			return
		}
		if utf8.ValidString(text) && !utf8.ValidString(text[m.Start:m.End]) {
			t.Errorf("%q: a mention cuts a letter: %q", text, text[m.Start:m.End])
		}
		end = m.End
		known := false
		for _, p := range people {
			known = known || p == m.Person
		}
		if !known {
			t.Errorf("%q means a stranger: %+v", text, m.Person)
		}
	}
	seen := map[string]bool{}
	for _, u := range unclear {
		if u.Word == "" || len(u.Who) == 1 || seen[u.Key] || !strings.Contains(text, "@"+u.Word) {
			t.Errorf("%q asks %+v", text, u)
		}
		seen[u.Key] = true
	}
}

func TestParseHoldsForAnyTextAndNames(t *testing.T) {
	piece := rapid.SampledFrom([]string{"@", "@", "ann", "Ann", " ", "  ", "\n", ".", "'", "’s", "-", "é", "İ", "ſ",
		"ß", "@example.org", "archer", "\u202e", "<b>", "\xff", "_", "/"})
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), "")
		})
		var people []comment.Person
		for i := range rapid.IntRange(0, 4).Draw(t, "people") {
			people = append(people, comment.Person{ID: string(rune('a' + i)), Name: word.Draw(t, "name"),
				Email: word.Draw(t, "email")})
		}
		text := word.Draw(t, "text") + word.Draw(t, "more")
		found, unclear := comment.Parse(text, people, nil)
		hold(t, text, people, found, unclear)

		// Every question that is answered is asked no more, and a text whose questions are all answered has none left.
		answers := map[string]string{}
		for _, u := range unclear {
			answers[u.Key] = comment.Nobody
			if len(u.Who) > 0 {
				answers[u.Key] = u.Who[0].ID
			}
		}
		found, unclear = comment.Parse(text, people, answers)
		hold(t, text, people, found, nil)
		if len(unclear) > 0 {
			t.Fatalf("%q is still unclear: %+v", text, unclear)
		}
	})
}

// A whole name after an @ means its bearer, whatever stands around it.
func TestAWholeNameIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(desk).Draw(t, "person")
		name := p.Name
		if rapid.Bool().Draw(t, "upper") {
			name = strings.ToUpper(name)
		}
		before := rapid.SampledFrom([]string{"", "Hello ", "(", "\n", "See:", "“"}).Draw(t, "before")
		after := rapid.SampledFrom([]string{"", ".", ", and", ")", "\n", "!", "’s"}).Draw(t, "after")
		text := before + "@" + name + after
		found, unclear := comment.Parse(text, desk, nil)
		if len(unclear) > 0 || len(found) != 1 || found[0].Person != p ||
			text[found[0].Start:found[0].End] != "@"+name {
			t.Fatalf("%q: %+v %+v", text, found, unclear)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"@ann", "@Ann Archer's", "a@b.c", "@Zoë", "@\xff", "@İ", "@ann@example.org",
		"@ben.carter."} {
		f.Add(s, "Ann Archer", "ann@example.org")
	}
	f.Fuzz(func(t *testing.T, text, name, email string) {
		people := append([]comment.Person{{ID: "x", Name: name, Email: email}}, desk...)
		found, unclear := comment.Parse(text, people, nil)
		hold(t, text, people, found, unclear)
	})
}
