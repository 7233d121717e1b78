package browsertest

import (
	"encoding/json"
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/dataset"
	"preceptor/internal/dataset/agreement"
	"preceptor/internal/dataset/transfer"
	frozen "preceptor/internal/dataset/version"
	"preceptor/internal/platform/table/imports"
	"preceptor/views/datasets"
	"preceptor/views/layout"
)

func datasetSamples() []Sample {
	wide := func(f layout.Frame) layout.Frame { f.Wide = true; return f }
	return []Sample{
		{"datasets", "Datasets", func(f layout.Frame, w Words) templ.Component {
			return datasets.ListPage(wide(f), setList(w))
		}},
		{"datasets-none", "Datasets, none", func(f layout.Frame, w Words) templ.Component {
			return datasets.ListPage(wide(f), datasets.List{Keeper: true})
		}},
		{"datasets-show", "Dataset, for who keeps it", func(f layout.Frame, w Words) templ.Component {
			return datasets.ShowPage(wide(f), setShow(w))
		}},
		{"datasets-show-labeller", "Dataset, for a labeller", func(f layout.Frame, w Words) templ.Component {
			v := setShow(w)
			v.Keeper, v.Figures = false, nil
			return datasets.ShowPage(wide(f), v)
		}},
		{"datasets-show-empty", "Dataset without items", func(f layout.Frame, w Words) templ.Component {
			return datasets.ShowPage(wide(f), datasets.Show{Head: setHead(w, "")})
		}},
		{"datasets-new", "New dataset, with an error", func(f layout.Frame, w Words) templ.Component {
			v := datasets.FormOf(dataset.DefaultSettings())
			v.New, v.Name, v.Guidelines = true, w.Name, w.Reason
			v.Error, v.Errors = "The dataset can't be saved yet.",
				map[string]string{"overlap": "Choose 1 to 20 labels per item.",
					"labels": "A set needs at least two labels."}
			v.Experts = 3
			return datasets.NewPage(f, v)
		}},
		{"datasets-settings", "Dataset, settings", func(f layout.Frame, w Words) templ.Component {
			h := setHead(w, "settings")
			v := datasets.FormOf(h.Set.Settings)
			v.Head, v.People = h,
				[]dataset.Member{{Person: dataset.Person{ID: me, Name: "Ann Archer"}, Invited: true, Done: 41},
					{Person: dataset.Person{ID: other, Name: w.Name}}}
			return datasets.SettingsPage(wide(f), v)
		}},
		{"datasets-settings-short", "Dataset, settings, too few people", func(f layout.Frame, w Words) templ.Component {
			h := setHead(w, "settings")
			v := datasets.FormOf(h.Set.Settings)
			v.Head, v.Stuck = h, dataset.Stuck{Labeller: 1, Rulers: 1, Needed: 2}
			return datasets.SettingsPage(wide(f), v)
		}},
		{"datasets-item-stuck", "Dataset, an item that nobody can rule on",
			func(f layout.Frame, w Words) templ.Component {
				return datasets.ItemPage(wide(f),
					datasets.Item{Head: setHead(w, "items"), Item: setItems(w)[1], Waits: true})
			}},
		{"datasets-items", "Dataset, items", func(f layout.Frame, w Words) templ.Component {
			return datasets.ItemsPage(wide(f),
				datasets.Items{Head: setHead(w, "items"),
					People: []dataset.Member{{Person: dataset.Person{ID: other, Name: w.Name}}},
					Page:   dataset.ItemPage{Items: append(setItems(w), waitingItem(w)), Next: "more"}})
		}},
		{"datasets-items-none", "Dataset, no item fits", func(f layout.Frame, w Words) templ.Component {
			return datasets.ItemsPage(wide(f),
				datasets.Items{Head: setHead(w, "items"), Filter: dataset.ItemFilter{State: dataset.ItemDisputed}})
		}},
		{"datasets-item", "Dataset, an item", func(f layout.Frame, w Words) templ.Component {
			return datasets.ItemPage(wide(f),
				datasets.Item{Head: setHead(w, "items"), Item: setItems(w)[0], Form: "exclude", Reason: w.Reason})
		}},
		{"datasets-item-new", "Dataset, writing an item", func(f layout.Frame, w Words) templ.Component {
			h := setHead(w, "items")
			h.Error, h.Errors = "This can't be added: there is no guidance text.",
				map[string]string{"guidance": "there is no guidance text"}
			return datasets.NewItemPage(f,
				datasets.NewItem{Head: h, Question: w.Question, Customer: "age: 58\ngoal: " + w.Goal})
		}},
		{"datasets-label", "Labelling", func(f layout.Frame, w Words) templ.Component {
			return datasets.LabelPage(wide(f), labelling(w))
		}},
		{"datasets-label-error", "Labelling, with an error", func(f layout.Frame, w Words) templ.Component {
			v := labelling(w)
			v.Answer = datasets.Answer{Codes: []string{"MISSING_DB_WARNING"},
				Spans:     []datasets.Span{{Code: "PERSONAL_RECOMMENDATION", Start: 4, End: 22, Words: w.Draft}},
				Rationale: w.Reason, Quotes: "PRESSURE: " + w.Goal,
				Message: "The answer can't be saved: Choose a label.",
				Errors:  map[string]string{"label": "Choose one of the labels.", "quotes": "The text does not say it."}}
			return datasets.LabelPage(wide(f), v)
		}},
		{"datasets-label-done", "Labelling, all done", func(f layout.Frame, w Words) templ.Component {
			v := labelling(w)
			v.Task, v.Then, v.Empty = nil, nil, dataset.AllDone
			return datasets.LabelPage(wide(f), v)
		}},
		{"datasets-label-skipped", "Labelling, only what was passed over",
			func(f layout.Frame, w Words) templ.Component {
				v := labelling(w)
				v.Task, v.Then, v.Empty, v.Mine = nil, nil, dataset.OnlySkipped, nil
				return datasets.LabelPage(wide(f), v)
			}},
		{"datasets-adjudicate", "Adjudication, what waits", func(f layout.Frame, w Words) templ.Component {
			return datasets.WaitingPage(wide(f),
				datasets.Waiting{Head: setHead(w, "adjudicate"), State: dataset.ItemDisputed,
					Page: dataset.ItemPage{Items: setItems(w)[1:3]}})
		}},
		{"datasets-adjudicate-stuck", "Adjudication, nobody is left to rule",
			func(f layout.Frame, w Words) templ.Component {
				h := setHead(w, "adjudicate")
				h.Admin = false
				return datasets.WaitingPage(wide(f),
					datasets.Waiting{Head: h, State: dataset.ItemDisputed, Stuck: standing(3)})
			}},
		{"datasets-adjudicate-none", "Adjudication, nothing waits", func(f layout.Frame, w Words) templ.Component {
			return datasets.WaitingPage(wide(f),
				datasets.Waiting{Head: setHead(w, "adjudicate"), State: dataset.ItemDisputed})
		}},
		{"datasets-ruling", "Adjudication, all answers", func(f layout.Frame, w Words) templ.Component {
			return datasets.RulingPage(wide(f), ruling(w, false))
		}},
		{"datasets-ruled", "Adjudication, ruled", func(f layout.Frame, w Words) templ.Component {
			return datasets.RulingPage(wide(f), ruling(w, true))
		}},
		{"datasets-agreement", "Agreement", func(f layout.Frame, w Words) templ.Component {
			return datasets.AgreementPage(wide(f),
				agreeing(w, [][]string{{"A", "A"}, {"B", "B"}, {"A", "C"}, {"C", "C"}, {"B", "A"}, {"A", "A"}}))
		}},
		{"datasets-agreement-undefined", "Agreement, undefined", func(f layout.Frame, w Words) templ.Component {
			return datasets.AgreementPage(wide(f), agreeing(w, [][]string{{"A", "A"}, {"A", "A"}}))
		}},
		{"datasets-agreement-none", "Agreement, nothing to measure", func(f layout.Frame, w Words) templ.Component {
			return datasets.AgreementPage(wide(f),
				datasets.Agreement{Head: setHead(w, "agreement"), Of: dataset.OfLabel,
					Refused: "No item has all its labels yet. Agreement is measured on items that are complete."})
		}},
		{"datasets-versions", "Versions", func(f layout.Frame, w Words) templ.Component {
			return datasets.VersionsPage(wide(f),
				datasets.Versions{Head: setHead(w, "versions"), List: versions(w), Train: "60", Accept: "20",
					Test:  "20",
					Ready: dataset.Ready{Goes: 19, Settling: 2, Disputed: 3, Agreed: 1, Open: 9, Excluded: 1},
					Stuck: standing(3)})
		}},
		{"datasets-versions-none", "Versions, none, with an error", func(f layout.Frame, w Words) templ.Component {
			h := setHead(w, "versions")
			h.Error, h.Errors = "The splits don't add up.", map[string]string{"shares": "They have to add up to 100."}
			return datasets.VersionsPage(wide(f),
				datasets.Versions{Head: h, Note: w.Reason, Train: "60", Accept: "60", Test: "20",
					Ready: dataset.Ready{Goes: 1}})
		}},
		{"datasets-versions-not-yet", "Versions, nothing can be frozen yet",
			func(f layout.Frame, w Words) templ.Component {
				return datasets.VersionsPage(wide(f),
					datasets.Versions{Head: setHead(w, "versions"), Train: "60", Accept: "20", Test: "20",
						Ready: dataset.Ready{Open: 12, Settling: 1}})
			}},
		{"datasets-version", "Version", func(f layout.Frame, w Words) templ.Component {
			return datasets.VersionPage(wide(f), oneVersion(w, nil))
		}},
		{"datasets-version-broken", "Version, tampered with", func(f layout.Frame, w Words) templ.Component {
			return datasets.VersionPage(wide(f),
				oneVersion(w,
					&datasets.Checked{
						Findings: []frozen.Finding{{N: 3, What: "its label is not the one that was frozen"}}}))
		}},
		{"datasets-files", "Import and export", func(f layout.Frame, w Words) templ.Component {
			return datasets.FilesPage(wide(f),
				datasets.Files{Head: setHead(w, "files"), Versions: versions(w), Live: true, Format: "jsonl",
					Run: importRun(w),
					Report: transfer.Report{Rows: 1204, Added: 1188, Duplicates: 12, Broken: 4,
						Problems: []imports.Problem{{Line: 17, Why: "there is no guidance text"},
							{Line: 203, Why: w.Reason}}},
					Gather: datasets.Gather{Source: dataset.FromRuling, Days: "90", Most: "200", Final: true}})
		}},
		{"datasets-files-running", "Import, running", func(f layout.Frame, w Words) templ.Component {
			return datasets.FilesPage(wide(f),
				datasets.Files{Head: setHead(w, "files"), Format: "jsonl",
					Run: &imports.Run{Source: w.Name, Total: 96, Done: 40}})
		}},
		{"datasets-mapping", "Import, which field is what", func(f layout.Frame, w Words) templ.Component {
			return datasets.MappingPage(wide(f), mapping(w))
		}},
	}
}

func setOf(w Words) *dataset.Dataset {
	s := dataset.DefaultSettings()
	s.Name, s.Description, s.Purpose, s.Licence = "DB transfers, autumn", w.Goal, "Measuring the panel", "CC-BY-4.0"
	s.Guidelines = "## The line\n\nWe **guide**, we do not advise.\n\n- A recommendation that rests on the person's " +
		"circumstances is non-compliant.\n- A softened steer is borderline.\n\n" + w.Reason
	return &dataset.Dataset{ID: "d1", Settings: s, State: dataset.Open, Version: 3,
		CreatedAt: w.Now.Add(-200 * time.Hour), By: dataset.Person{ID: other, Name: w.Name},
		Counts: dataset.Counts{Items: 240, Open: 90, Labelled: 96, Disputed: 31, Adjudicated: 13, Excluded: 4,
			Checks: 6, Final: 109, Labels: 310, Wanted: 150}}
}

func setHead(w Words, tab string) datasets.Head {
	return datasets.Head{Set: setOf(w), Tab: tab, Keeper: true, Expert: true, Admin: true, Now: w.Now}
}

func setProgress() dataset.Progress {
	return dataset.Progress{Percent: 67, Mine: dataset.Mine{Done: 104, Skipped: 2, MeanMs: 18_400},
		All: dataset.Overall{Items: 240, Complete: 140, Labels: 310, Wanted: 150}}
}

// standing is two experts, who labelled n items that wait for a ruling.
func standing(n int) dataset.Stuck {
	return dataset.Stuck{Labeller: 2, Rulers: 2, Needed: 2, Unruled: n}
}

func setList(w Words) datasets.List {
	other := *setOf(w)
	other.ID, other.Name, other.State = "d2", w.Name, dataset.Closed
	return datasets.List{Keeper: true, Expert: true,
		Rows: []datasets.Row{{Dataset: *setOf(w), Progress: setProgress()}, {Dataset: other}}}
}

func setShow(w Words) datasets.Show {
	v := datasets.Show{Head: setHead(w, ""), Progress: setProgress(), Invited: true, Stuck: standing(1)}
	v.Figures = []dataset.Figure{{Person: dataset.Person{ID: me, Name: "Ann Archer"}, Done: 104, MeanMs: 18_400,
		MedianMs: 12_000, Checks: 12, Right: 11, LastAt: w.Now.Add(-time.Hour)},
		{Person: dataset.Person{ID: other, Name: w.Name}, Done: 206, Skipped: 3, Flagged: 2, MeanMs: 71_000,
			MedianMs: 64_000, LastAt: w.Now.Add(-50 * time.Hour)}}
	v.Own = v.Figures[0]
	v.Own.Checks, v.Own.Right = 10, 9
	return v
}

func setText(w Words) dataset.Text {
	customer, _ := json.Marshal(map[string]any{"age": 58, "goal": w.Goal,
		"pensions": []any{map[string]any{"kind": "db", "value_gbp": 310_000}}})
	return dataset.Text{Customer: customer, Question: w.Question, Guidance: w.Draft}
}

func setItems(w Words) []dataset.Item {
	base := dataset.Item{ID: "i1", DatasetID: "d1", N: 1, Hash: "9f2c4be01d77", ExternalID: w.Agent, Group: "g1",
		Source: dataset.FromImport, Text: setText(w), State: dataset.ItemLabelled,
		Needs: 2, Has: 2, Flags: 1, AddedAt: w.Now.Add(-90 * time.Hour), AddedBy: dataset.Person{Name: w.Name},
		Final: &dataset.Final{Answer: dataset.Answer{Label: "NON_COMPLIANT"}, Why: dataset.WhyAgreement, By: w.Name,
			At: w.Now}}
	disputed, settling, open, erased := base, base, base, base
	disputed.ID, disputed.N, disputed.State, disputed.Final, disputed.Flags = "i2", 2, dataset.ItemDisputed, nil, 0
	settling.ID, settling.N, settling.State, settling.Final, settling.Settling = "i3", 3, dataset.ItemOpen, nil, true
	open.ID, open.N, open.State, open.Has, open.Final, open.Check, open.Flags = "i4", 4, dataset.ItemOpen, 0, nil, true,
		0
	erased.ID, erased.N, erased.State, erased.Text, erased.Final, erased.ExternalID, erased.Flags = "i5", 5,
		dataset.ItemErased, dataset.Text{}, nil, "", 0
	return []dataset.Item{base, disputed, settling, open, erased}
}

func waitingItem(w Words) dataset.Item {
	it := setItems(w)[3]
	it.ID, it.N, it.Check = "i7", 7, false
	return it
}

func labelling(w Words) datasets.Label {
	v := datasets.Label{Head: setHead(w, "label"), Task: &dataset.Task{ItemID: "i4", DatasetID: "d1", Text: setText(w)},
		Progress: setProgress(), Me: me}
	v.Then = &dataset.Task{ItemID: "i6", Text: dataset.Text{Question: w.Question, Guidance: w.Revised}}
	for i, label := range []string{"NON_COMPLIANT", "BORDERLINE", "COMPLIANT_GUIDANCE"} {
		v.Mine = append(v.Mine,
			dataset.MyLabel{Label: dataset.Label{ItemID: "m" + label, Answer: dataset.Answer{Label: label},
				SpentMs: int64(9_000 + 14_000*i), At: w.Now.Add(-time.Duration(i+1) * time.Minute)},
				Opening: w.Draft, CanUndo: i < 2})
	}
	return v
}

func ruling(w Words, ruled bool) datasets.Ruling {
	sure := 0.9
	v := datasets.Ruling{Head: setHead(w, "adjudicate"), Me: me, Next: "i9"}
	v.Item, v.Settings = setItems(w)[1], v.Set.Settings
	v.Labels = []dataset.Label{
		{ID: "l1", By: dataset.Person{ID: "p1", Name: "Ann Archer"}, SpentMs: 21_000,
			Answer: dataset.Answer{Label: "NON_COMPLIANT", Boundary: "ADVICE", Confidence: &sure, Rationale: w.Reason,
				Issues: []dataset.Issue{{Code: "MISSING_DB_WARNING"},
					{Code: "PERSONAL_RECOMMENDATION", Start: 0, End: 40}}}},
		{ID: "l2", By: dataset.Person{ID: "p2", Name: w.Name}, Revision: 2, SpentMs: 64_000,
			Answer: dataset.Answer{Label: "BORDERLINE", Boundary: "BORDERLINE", Notes: w.Goal,
				Issues: []dataset.Issue{{Code: "MISSING_DB_WARNING"}}}},
	}
	v.Before = []dataset.Label{{By: dataset.Person{Name: w.Name}, Answer: dataset.Answer{Label: "COMPLIANT_GUIDANCE"},
		At: w.Now.Add(-2 * time.Hour)}}
	v.Flags = []dataset.Flag{{By: dataset.Person{Name: w.Name}, Note: w.Reason}}
	v.Skips = []dataset.Skip{{By: dataset.Person{Name: "Bo Ek"}, Reason: w.Goal}}
	if ruled {
		v.Item.State = dataset.ItemAdjudicated
		v.Rulings = []dataset.Ruling{{ID: "r1", By: dataset.Person{ID: me, Name: "Ann Archer"},
			At: w.Now.Add(-time.Hour),
			Answer: dataset.Answer{Label: "NON_COMPLIANT", Boundary: "ADVICE", Rationale: w.Reason,
				Issues: []dataset.Issue{{Code: "MISSING_DB_WARNING"}}}}}
	}
	return v
}

func agreeing(w Words, rows [][]string) datasets.Agreement {
	v := datasets.Agreement{Head: setHead(w, "agreement"), Of: dataset.OfLabel}
	b := agreement.NewBuilder([]string{"Ann Archer", w.Name})
	at := make([]time.Time, len(rows))
	for i, r := range rows {
		_ = b.Add(r...)
		at[i] = w.Now
	}
	t, err := b.Table("A", "B", "C")
	if err != nil {
		return v
	}
	o := agreement.Options{Measures: agreement.UpTo(agreement.LevelOrdinal), Rounds: 100}
	v.Overall = agreement.Over(t, o)
	o.Measures = []agreement.Measure{agreement.Percent, agreement.AlphaNominal, agreement.AC1}
	v.PerLabel, _ = agreement.PerLabel(t, o)
	v.PerPair = agreement.PerPair(t, o)
	v.Months, _ = agreement.OverTime(t, at,
		[]agreement.Window{{Name: w.Now.Format("January 2006"), From: w.Now.AddDate(0, -1, 0),
			To: w.Now.AddDate(0, 1, 0)}}, o)
	return v
}

func versions(w Words) []frozen.Version {
	one := frozen.Version{ID: "v2", DatasetID: "d1", Number: 2, Note: w.Reason, Items: 109,
		Manifest: "4be01d779f2c4be01d779f2c4be01d77", At: w.Now.Add(-3 * time.Hour), By: dataset.Person{Name: w.Name},
		Card: "# Card\n\n" + w.Reason,
		Head: frozen.Head{Labels: setOf(w).Labels, Rubric: "guidance line 1", Seed: "s-1", Clusters: 88,
			Why: map[string]int{dataset.WhyAgreement: 96, dataset.WhyAdjudication: 13},
			Splits: map[string]map[string]int{
				frozen.Train:  {"COMPLIANT_GUIDANCE": 30, "BORDERLINE": 12, "NON_COMPLIANT": 24},
				frozen.Accept: {"COMPLIANT_GUIDANCE": 10, "NON_COMPLIANT": 11},
				frozen.Test:   {"COMPLIANT_GUIDANCE": 9, "BORDERLINE": 4, "NON_COMPLIANT": 9}}}}
	before := one
	before.ID, before.Number, before.Items, before.Note = "v1", 1, 80, ""
	return []frozen.Version{one, before}
}

func oneVersion(w Words, checked *datasets.Checked) datasets.Version {
	list := versions(w)
	v := datasets.Version{Head: setHead(w, "versions"), Version: &list[0], Others: list, With: 1, More: 50,
		Checked: checked}
	v.Rows = []*frozen.Row{{N: 1, ItemID: "i1", Text: setText(w), Split: frozen.Train, Label: "NON_COMPLIANT"},
		{N: 2, ItemID: "i2", Erased: true, Split: frozen.Test, Label: "BORDERLINE"}}
	v.Diff = &frozen.Diff{From: &list[1], To: &list[0], Counts: frozen.Changes{Added: 29, Relabelled: 1, Same: 79},
		Relabelled: []frozen.Change{{ItemID: "i1", Opening: w.Draft, From: "BORDERLINE", To: "NON_COMPLIANT"}},
		Added:      []frozen.Change{{ItemID: "i3", Opening: w.Draft, To: "BORDERLINE"}}}
	return v
}

func importRun(w Words) *imports.Run {
	return &imports.Run{Source: w.Name, By: w.Name, StartedAt: w.Now.Add(-time.Minute), FinishedAt: w.Now}
}

func mapping(w Words) datasets.Mapping {
	h := setHead(w, "files")
	h.Error, h.Errors = "Fill in the marked fields before importing.",
		map[string]string{"guidance": "Choose the field that holds the text to label."}
	return datasets.Mapping{Head: h, Upload: "u1", Name: w.Name, Size: 3 << 20, Labels: transfer.Ignored,
		Format: string(transfer.CSV), Checks: true, Chosen: transfer.Mapping{Question: "query", Label: "verdict"},
		Preview: transfer.Preview{Format: transfer.CSV, Fields: []string{"query", "reply", "verdict"},
			Rows:   []map[string]string{{"query": w.Question, "reply": w.Draft, "verdict": "fail"}},
			Labels: []string{"fail", "pass"}}}
}
