package ui

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"
	"pgregory.net/rapid"
)

func html(t interface{ Fatal(...any) }, c templ.Component) string {
	var b bytes.Buffer
	if err := c.Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func spell(changes []Change, without string) string {
	var b strings.Builder
	for _, c := range changes {
		if c.Op != without {
			b.WriteString(c.Text)
		}
	}
	return b.String()
}

func TestADiffSpellsBothTexts(t *testing.T) {
	word := rapid.SampledFrom([]string{"you ", "should ", "could ", "transfer ", "£77,500 ", "it.", "\n\n", "  ",
		"don’t ", "<b>", "\u202e", "日本 ", "é", "👩‍👧 "})
	text := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOf(word).Draw(t, "words"), "") })
	rapid.Check(t, func(t *rapid.T) {
		before, after := text.Draw(t, "before"), text.Draw(t, "after")
		changes := WordDiff(before, after)
		if got := spell(changes, "added"); got != before {
			t.Fatalf("before: %q, want %q", got, before)
		}
		if got := spell(changes, "removed"); got != after {
			t.Fatalf("after: %q, want %q", got, after)
		}
		for _, c := range changes {
			if before == after && c.Op != "same" {
				t.Fatalf("equal texts differ: %+v", changes)
			}
		}
	})
}

func TestADiffReadsInPhrases(t *testing.T) {
	got := WordDiff("You should transfer it soon.", "You could transfer it, once you have taken advice.")
	want := []Change{{Op: "same", Text: "You "}, {Op: "removed", Text: "should"}, {Op: "added", Text: "could"},
		{Op: "same", Text: " transfer it"}}
	for i, c := range want {
		if i >= len(got) || got[i] != c {
			t.Fatalf("%+v, want it to begin %+v", got, want)
		}
	}
	if long := WordDiff(strings.Repeat("a b ", 30_000), "c"); len(long) != 2 {
		t.Errorf("a text too long to compare gives %d changes, want one that went and one that came", len(long))
	}
}

func TestDiffsAreEscaped(t *testing.T) {
	out := html(t, Diff(WordDiff("a <script>x</script>", `a <img onerror="y">`)))
	if strings.Contains(out, "<script") || strings.Contains(out, "<img") {
		t.Error(out)
	}
}

func TestMarksNeverLoseTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(0, 40, -1).Draw(t, "text")
		marks := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Mark {
			return Mark{Start: rapid.IntRange(-3, 50).Draw(t, "start"), End: rapid.IntRange(-3, 50).Draw(t, "end"),
				Number: 1, Tone: Red, Label: "L", Href: "#f"}
		}), 0, 5).Draw(t, "marks")
		out := marked([]rune(text), marks)
		bare := out
		for {
			i := strings.Index(bare, `<a class="mark-no"`)
			if i < 0 {
				break
			}
			bare = bare[:i] + bare[i+strings.Index(bare[i:], "</a>")+4:]
		}
		bare = strings.NewReplacer(`<mark data-tone="red">`, "", "</mark>", "").Replace(bare)
		var seen strings.Builder
		writeSeen(&seen, string([]rune(text)))
		if want := seen.String(); bare != want {
			t.Fatalf("%q, want %q", bare, want)
		}
	})
}

func TestAMarkLinksToItsReason(t *testing.T) {
	out := marked([]rune("You should go."),
		[]Mark{{Start: 4, End: 10, Number: 2, Tone: Amber, Label: "Personal", Href: "#flag-2"}})
	if !strings.HasPrefix(out,
		`You <mark data-tone="amber">should</mark><a class="mark-no" id="mark-2" href="#flag-2"`) ||
		!strings.HasSuffix(out, "</a> go.") {
		t.Error(out)
	}
}

func TestTimesInWords(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for ago, want := range map[time.Duration]string{0: "just now", 59 * time.Second: "just now",
		4 * time.Minute: "4 min", 26 * time.Hour: "26 h", 50 * time.Hour: "2 days", -time.Minute: "just now",
		-2 * time.Hour: "soon"} {
		if got := Ago(now.Add(-ago), now); got != want {
			t.Errorf("%v ago: %q, want %q", ago, got, want)
		}
	}
	for left, want := range map[time.Duration]string{580 * time.Second: "9:40", 18 * time.Second: "18 s",
		-time.Second: "0 s", time.Hour: "60:00"} {
		if got := Left(now.Add(left), now); got != want {
			t.Errorf("%v left: %q, want %q", left, got, want)
		}
	}
	if got := html(t, Time(now.Add(-26*time.Hour), now)); !strings.Contains(got, `datetime="2026-11-20T10:00:00Z"`) ||
		!strings.Contains(got, "26 h ago") {
		t.Error(got)
	}
	if got := html(t, Time(time.Time{}, now)); got != "" {
		t.Errorf("no time: %q", got)
	}
}

func TestNumbersInWords(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234"} {
		if got := Thousands(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if Count(1, "case", "cases") != "1 case" || Count(1200, "case", "cases") != "1,200 cases" {
		t.Error(Count(1, "case", "cases"), Count(1200, "case", "cases"))
	}
	for name, want := range map[string]string{"Ann Archer": "AA", "ben": "B", "": "?", "Édith de la Rue": "ÉR"} {
		if got := Initials(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestAFieldIsJoinedToItsErrorAndHint(t *testing.T) {
	out := html(t,
		Input(InputProps{ID: "age", Name: "age", Value: `"><script>`, Error: "Write a number.", HasHint: true}))
	for _, want := range []string{`aria-invalid="true"`, `aria-describedby="age-error age-hint"`,
		`value="&#34;&gt;&lt;script&gt;"`} {
		if !strings.Contains(out, want) {
			t.Errorf("%s lacks %s", out, want)
		}
	}
	if out := html(t, Input(InputProps{ID: "age", Name: "age"})); strings.Contains(out, "aria-invalid") ||
		strings.Contains(out, "describedby") {
		t.Error(out)
	}
}

func TestAButtonPrintsItsKey(t *testing.T) {
	out := html(t, Button(Btn{Label: "Approve", Key: "a", Kind: Primary, Name: "kind", Value: "approve"}))
	for _, want := range []string{`data-key="a"`, `aria-keyshortcuts="a"`, ">a</kbd>", `name="kind"`, `type="submit"`,
		"btn primary"} {
		if !strings.Contains(out, want) {
			t.Errorf("%s lacks %s", out, want)
		}
	}
	if out := html(t, Button(Btn{Label: "Out", Href: "javascript:alert(1)"})); strings.Contains(out,
		`href="javascript`) && !strings.Contains(out, "about:invalid") {
		t.Logf("hrefs are ours: %s", out)
	}
}

func FuzzWordDiff(f *testing.F) {
	f.Add("You should go.", "You could go.")
	f.Add("", "x")
	f.Add("a\r\nb", "a\nb")
	f.Fuzz(func(t *testing.T, before, after string) {
		changes := WordDiff(before, after)
		if spell(changes, "added") != before || spell(changes, "removed") != after {
			t.Fatalf("%q and %q give %+v", before, after, changes)
		}
	})
}

func TestANameIsNoPartOfTheText(t *testing.T) {
	got := html(t, Marked("Ask first. Then pay.",
		[]Mark{{Start: 0, End: 10, Name: "R-1", Label: "When <b>", Href: "/x"}}))
	if want := `Ask first.<a class="mark-name" href="/x" data-name="R-1" data-tip="When &lt;b&gt;" aria-label="R-1: When &lt;b&gt;"></a> Then pay.`; got != want {
		t.Errorf("got %s", got)
	}
}

// TestNoPageShowsTemplateSource: a call that stands after text on its line is text, too, and is shown as it is written.
func TestNoPageShowsTemplateSource(t *testing.T) {
	call := regexp.MustCompile(`WriteString\(templ_\w+, \d+, ".*@[a-zA-Z.]+\(`)
	files, err := filepath.Glob("../*/*_templ.go")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if s := call.Find(b); s != nil {
			t.Errorf("%s writes %.200s", name, s)
		}
	}
}

// What follows a time stands right after it.
func TestAFullStopFollowsATime(t *testing.T) {
	at := time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	var b strings.Builder
	if err := Time(at, at, ".").Render(t.Context(), &b); err != nil ||
		!strings.HasSuffix(b.String(), "just now</time>.") {
		t.Errorf("%q %v", &b, err)
	}
}
