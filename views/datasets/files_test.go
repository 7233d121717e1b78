package datasets

import (
	"testing"

	"preceptor/internal/dataset/transfer"
	run "preceptor/internal/platform/table/imports"
)

func TestTheTitleOfAnImportIsWhatItDid(t *testing.T) {
	for want, r := range map[string]transfer.Report{
		"2 items imported":              {Added: 2, Labelled: 1},
		"6 items got their final label": {Labelled: 6, Duplicates: 6},
		"0 items imported":              {Duplicates: 6},
	} {
		if got := (Files{Run: &run.Run{}, Report: r}).outcome().Title; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
