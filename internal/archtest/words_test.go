package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// wrongWords are phrases that COPY.md has in its column "not": those of three words or more that mean nothing else.
// Lower case.
var wrongWords = []string{
	"item of the desk", "what the advisor knew", "found by meaning (place", "which of these misled",
	"stopped by the check", "passes the check", "held by you",
	"give it back", "assigned to nobody", "why it had to change", "what the advisor should do next time",
	"as a habit and not for this customer", "why you leave it",
	"isn't handed to you again", "you began a revision", "go on with it", "taken back. nothing went out",
	"recalled, to be corrected", "struck through: what went",
	"underlined: what came", "it stays quiet, as it must", "cases that say nothing", "so it surely helps",
	"keep this filter as", "all that wait", "no case here has all of",
	"that isn't yours to do", "go on from here", "that address takes no such", "a supervisor is to read it",
	"this page follows by itself", "the live line is interrupted",
	"what people read before it leaves", "every correction is looked into", "whether it deserves a place",
	"what is wrong with which words", "answer and open the panel",
	"made the ruling", "decided without a ruling", "an expert who is not there", "pass it over",
	"what is given is not enough", "in the middle of the last ones",
	"never changes after, but for", "on a day to come", "look at it again by", "went out unchanged", "doubt this rule",
	"come with preceptor", "how it stands",
	"in what it rests on", "should find, and doesn't", "as they came", "as it came", "within the line",
	"more than chance", "beyond chance", "chance can explain",
	"all that was said", "every comment on it", "the same as a table", "topics that need a look", "worth a talk",
	"nothing needs you now", "today's work shows",
	"share that people read of", "reckon up what", "comes again by itself", "collects by asking",
	"the interval on the way", "the rise that is sought", "hand in guidance",
	"see what became of it", "what you must see to yourselves", "what routes a verdict", "from where on people look",
	"no share of missed violations",
	"customer tells", "case in time", "cases in time", "released by sampling", "had released", "at α =",
	"nobody here can give", "never delivered",
	"what was delivered", "left to settle",
	"what an agent lived through", "faster than reading", "faster than one can read", "passed rightly",
	"flagged rightly", "is to be read", "surely differ",
}

// The column "not" of COPY.md is in no page, help text or message.
func TestNobodyReadsThePhrasesThatCopyReplaces(t *testing.T) {
	root := filepath.Join("..", "..")
	look := func(where, text string) {
		for _, word := range doubled(text) {
			t.Errorf("%s: %q twice", where, word)
		}
		text = strings.ToLower(strings.ReplaceAll(text, "’", "'"))
		for _, phrase := range wrongWords {
			if strings.Contains(text, phrase) {
				t.Errorf("%s: %q", where, phrase)
			}
		}
	}
	for _, dir := range []string{"views", "help", "web", "internal", "cmd"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			name, _ := filepath.Rel(root, path)
			switch {
			case strings.HasSuffix(path, ".templ"), strings.HasSuffix(path, ".md") && dir == "help":
				b, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				for i, line := range strings.Split(string(b), "\n") {
					if !strings.HasPrefix(strings.TrimSpace(line), "//") {
						look(name+":"+strconv.Itoa(i+1), line)
					}
				}
			case strings.HasSuffix(path, ".rules"):
				b, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				for i, line := range strings.Split(string(b), "\n") {
					if why, ok := strings.CutPrefix(strings.TrimSpace(line), "why "); ok {
						look(name+":"+strconv.Itoa(i+1), why)
					}
				}
			case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") &&
				!strings.HasSuffix(path, "_templ.go"):
				return messages(path, func(line int, text string) { look(name+":"+strconv.Itoa(line), text) })
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// doubled are the words that stand twice, as "the the". Two may: "had had" and "that that".
func doubled(text string) (out []string) {
	last := ""
	for _, w := range strings.Split(text, " ") {
		if w == last && len(w) > 1 && w != "had" && w != "that" &&
			strings.Trim(w, "abcdefghijklmnopqrstuvwxyz'’") == "" {
			out = append(out, w)
		}
		last = w
	}
	return out
}

// The rule finds what it is for.
func TestDoubledWordsAreFound(t *testing.T) {
	for text, want := range map[string]int{"the upright mark is the the other days": 1, "it is is not": 1,
		"and and or or": 2, "kind Kind": 0, "bis, bis": 0, "they had had it": 0} {
		if got := len(doubled(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// messages hands on the strings of a Go file, but for SQL.
func messages(path string, give func(line int, text string)) error {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.BasicLit); ok && s.Kind == token.STRING {
			if text, err := strconv.Unquote(s.Value); err == nil && !strings.Contains(text, "SELECT ") {
				give(files.Position(s.Pos()).Line, text)
			}
		}
		return true
	})
	return nil
}

// TestTheReadmeNamesWhatIsThere has every path that the README gives in code exist, so that its table of where to begin
// stays true.
func TestTheReadmeNamesWhatIsThere(t *testing.T) {
	dir, err := root()
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, m := range regexp.MustCompile("`((?:internal|web|views|help|cmd|tools|client|deploy)/[a-z0-9_/.-]+)`").
		FindAllSubmatch(readme, -1) {
		seen++
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(string(m[1])))); err != nil {
			t.Errorf("README.md names %s, which is not there", m[1])
		}
	}
	if seen < 10 {
		t.Errorf("the README names %d paths; the rule would hold of nothing", seen)
	}
}
