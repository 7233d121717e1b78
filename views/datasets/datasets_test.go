package datasets

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"preceptor/internal/dataset"
	"preceptor/internal/dataset/transfer"
	"preceptor/internal/platform/table/imports"
	runs "preceptor/views/imports"
)

func TestCustomerFactsReadLikeWords(t *testing.T) {
	facts := customerFacts(
		json.RawMessage(
			`{"age":58,"literacy":"low","vulnerable":false,"note":null,"pensions":[{"kind":"db","value_gbp":310000},{"kind":"dc","value_gbp":42000.5}],"goals":["a","b"]}`))
	got := ""
	for _, f := range facts {
		got += f.Label + "=" + f.Value + ";"
	}
	want := "age=58;goals=a, b;literacy=low;pensions=kind db, value gbp 310,000\nkind dc, value gbp " +
		"42000.5;vulnerable=no;"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for _, raw := range []string{"", "[]", "{", "null"} {
		if f := customerFacts(json.RawMessage(raw)); len(f) != 0 {
			t.Errorf("%q gives %v", raw, f)
		}
	}
}

func TestAnAnswerAndItsFormSayTheSame(t *testing.T) {
	sure := 0.85
	text := "It’s £310,000 – go."
	a := dataset.Answer{Label: "L", Boundary: "B", Confidence: &sure, Rationale: "r", Notes: "n",
		Issues: []dataset.Issue{{Code: "WHOLE"}, {Code: "A CODE", Start: 5, End: 13}}}
	f := AnswerOf(a, text)
	if f.Confidence != "0.85" || len(f.Codes) != 1 || f.Codes[0] != "WHOLE" || len(f.Spans) != 1 ||
		f.Spans[0].Value() != "A CODE 5 13" || f.Spans[0].Words != "£310,000" {
		t.Errorf("%+v", f)
	}
	if list := confidences(f.Confidence); list[len(list)-1].Label != "85%" {
		t.Errorf("%v", list)
	}
	if Words(text, 5, 99) != "" || Words(text, -1, 2) != "" {
		t.Error("words outside the text")
	}
}

// What a file says beside a label stands on the item's page.
func TestAnItemShowsWhatItsAnswerSays(t *testing.T) {
	var b strings.Builder
	if err := answerFacts(dataset.Answer{Label: "L", Boundary: "DIRECT_ADVICE", Rationale: "it <hints>", Notes: "ask Tom",
		Issues: []dataset.Issue{{Code: "PRESSURE"}}}).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{Name("DIRECT_ADVICE"), Name("PRESSURE"), "it &lt;hints&gt;", "ask Tom", "Notes"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in %s", want, b.String())
		}
	}
}

func TestEveryKeyHasOneMeaning(t *testing.T) {
	taken := map[rune]string{}
	for name, keys := range map[string]string{"labels": labelKeys, "classes": boundaryKeys, "codes": codeKeys,
		"the screen": "fsun", "every page": "cjk/?"} {
		for _, k := range keys {
			if by := taken[k]; by != "" {
				t.Errorf("%c belongs to %s and to %s", k, by, name)
			}
			taken[k] = name
		}
	}
	if keyAt(codeKeys, len(codeKeys)) != "" {
		t.Error("there is a key past the last")
	}
}

func cameIn(rows, duplicates, broken int) string {
	return Files{Run: &imports.Run{},
		Report: transfer.Report{Rows: rows, Duplicates: duplicates, Broken: broken}}.outcome().Line
}

// A remark on a row that came in isn't among those that were refused.
func TestRemarksStandApartFromRefusals(t *testing.T) {
	v := Files{Run: &imports.Run{StartedAt: time.Now(), FinishedAt: time.Now()},
		Report: transfer.Report{Rows: 3, Broken: 1, Noted: 1, Problems: []imports.Problem{{Line: 1, Why: "no text"},
			{Line: 2, Why: "it is already here", Note: true}}}}
	var b strings.Builder
	if err := runs.Run(v.Run, v.outcome(), time.Now()).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	refused, remarks, ok := strings.Cut(b.String(), "Remarks on rows that weren&#39;t refused")
	if !ok || strings.Contains(refused, "already here</td>") || strings.Contains(remarks, "no text") {
		t.Errorf("%s", b.String())
	}
}

func TestCountsAreSentences(t *testing.T) {
	for want, got := range map[string]string{
		"1 row: 1 was already here, 0 could not be imported.":       cameIn(1, 1, 0),
		"1,200 rows: 2 were already here, 1 could not be imported.": cameIn(1200, 2, 1),
		"2 of them got the final label that was missing, ":          labelledLine(2),
		"of 8; 1 needs labels, 2 are waiting for a ruling": restLine(
			dataset.Counts{Items: 10, Checks: 1, Excluded: 1, Open: 1, Final: 5, Labelled: 4, Disputed: 2}),
		"all that can be; ready to freeze": restLine(
			dataset.Counts{Items: 5, Labelled: 5, Final: 5}),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := peopleLine(make([]dataset.Person, 6)); !strings.HasSuffix(got, " and 1 other expert") {
		t.Errorf("%q", got)
	}
}
