package transfer_test

import (
	"slices"
	"strings"
	"testing"

	"preceptor/internal/dataset"
	"preceptor/internal/dataset/transfer"
)

// How the file spells each label is said once and holds in every form in which a file can give one.
func TestLabelsAreMappedInEveryFormat(t *testing.T) {
	const ls = `[{"id":1,"data":{"text":"One."},"predictions":[{"result":[]}],"drafts":[],"annotations":[` +
		`{"completed_by":1,"result":[{"type":"choices","value":{"choices":["Good"]}}]}]}]`
	for name, text := range map[string]string{
		"CSV":               "text,verdict\nOne.,Good\n",
		"lines":             `{"text":"One.","verdict":"Good"}` + "\n",
		"records":           `[{"text":"One.","verdict":{"choices":["Good"]}}]`,
		"Label Studio":      ls,
		"its completions":   strings.Replace(ls, "annotations", "completions", 1),
		"its taxonomy":      strings.Replace(ls, `"choices":["Good"]`, `"taxonomy":[["Good"]]`, 1),
		"a boundary beside": strings.Replace(ls, `"Good"]`, `"Good","PRESSURE"]`, 1),
		"Argilla 2":         `[{"fields":{"text":"One."},"responses":{"l":[{"value":"Good","user_id":"u"}]}}]`,
		"Argilla 2, a list": `[{"fields":{"text":"One."},"suggestions":{"l":{"value":"Bad"}},` +
			`"responses":{"l":[{"value":["Good"],"user_id":"u"}]}}]`,
		"Argilla 1": `[{"fields":{"text":"One."},"responses":[{"user_id":"u","values":{"l":{"value":"Good"}}}]}]`,
		"our export": `{"id":"1","guidance":"One.","labels":[{"by":"Ann","standing":true,` +
			`"answer":{"label":"Good"}}]}` + "\n",
		"Hugging Face": `{"rows":[{"row_idx":0,"row":{"text":"One.","label":"Good"},"truncated_cells":["text"]}]}`,
	} {
		f := open(t)
		p, err := f.Look("x", strings.NewReader(text), &f.set.Settings)
		if err != nil {
			t.Fatal(err)
		}
		if name != "our export" {
			if p.Choose(map[bool]string{true: "verdict", false: p.Guess.Label}[slices.Contains(p.Fields, "verdict")]); !slices.Contains(p.Unlike(&f.set.Settings), "Good") {
				t.Errorf("%s: asks for %q", name, p.Labels)
			}
		}
		rep := f.read(f.set, text, transfer.ImportOptions{Labels: transfer.AsRater,
			Mapping: &transfer.Mapping{Guess: true, Labels: map[string]string{"Good": "COMPLIANT_GUIDANCE"}}})
		page, err := f.sets.Items(ctx, dataset.ItemFilter{DatasetID: f.set.ID}, mo)
		if err != nil || rep.Added != 1 || rep.Broken != 0 || len(page.Items) != 1 {
			t.Errorf("%s: %+v, %v", name, rep, err)
			continue
		}
		out := string(f.write(f.set, transfer.ExportOptions{Format: transfer.JSONL}))
		if !strings.Contains(out, `"label":"COMPLIANT_GUIDANCE"`) || strings.Contains(out, "Good") {
			t.Errorf("%s came in as %s", name, out)
		}
	}
}

// What people answered is the label, and not what they were shown, which is named as unused.
func TestAnAnnotationIsTheLabel(t *testing.T) {
	for _, text := range []string{
		`[{"data":{"text":"One.","label":"NON_COMPLIANT"},"annotations":[{"completed_by":1,"result":[{"type":"choices",` +
			`"value":{"choices":["Compliant"]}}]}]},{"data":{"text":"Two.","label":"NON_COMPLIANT"},"annotations":[]}]`,
		`[{"fields":{"text":"One."},"metadata":{"label":"NON_COMPLIANT"},"responses":{"l":[{"value":"Compliant",` +
			`"user_id":"u"}]}}]`,
	} {
		f := open(t)
		rep := f.read(f.set, text, transfer.ImportOptions{Labels: transfer.AsFinal})
		out := string(f.write(f.set, transfer.ExportOptions{Format: transfer.JSONL}))
		if !slices.Contains(rep.Unused, "label") || strings.Contains(out, "NON_COMPLIANT") ||
			!strings.Contains(out, `"label":"COMPLIANT_GUIDANCE"`) {
			t.Errorf("%+v\n%s", rep, out)
		}
	}
}

// What stands around a row's fields is under what was used, with its labels, or under what wasn't.
func TestWhatIsAroundARowIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		`[{"id":1,"data":{"text":"One."},"annotations":[],"predictions":[{"result":[]}],"drafts":[],"meta":{}}]`: "id, text as guidance | predictions",
		`[{"data":{"text":"One."},"annotations":[{"completed_by":1,"result":[{"type":"choices","value":{"choices":` +
			`["BORDERLINE"]}}]}],"project":3}]`: "annotations, text as guidance | project",
		`[{"fields":{"text":"One."},"responses":{"l":[{"value":"BORDERLINE","user_id":"u"}]},"suggestions":` +
			`{"l":{"value":"x"}},"status":"completed"}]`: "responses, text as guidance | status, suggestions",
	} {
		f := open(t)
		for _, use := range []string{transfer.AsFinal, transfer.Ignored} {
			rep := f.read(f.make(use), text, transfer.ImportOptions{Labels: use})
			slices.Sort(rep.Unused)
			got := strings.Join(rep.Used(), ", ") + " | " + strings.Join(rep.Unused, ", ")
			expected := want
			for _, labels := range []string{"annotations", "responses"} {
				if rest, ok := strings.CutPrefix(want, labels+", "); ok && use == transfer.Ignored {
					used, unused, _ := strings.Cut(rest, " | ")
					list := append(strings.Split(unused, ", "), labels)
					slices.Sort(list)
					expected = used + " | " + strings.Join(list, ", ")
				}
			}
			if got != expected {
				t.Errorf("%s: %s, want %s", use, got, expected)
			}
		}
	}
}
