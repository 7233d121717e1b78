package transfer_test

import (
	"strings"
	"testing"

	"preceptor/internal/dataset/transfer"
	"preceptor/internal/platform/fault"
)

// A mapping that is used again is filled with what the file now has, but for what was passed over; every column of the
// file is in the report.
func TestAMappingUsedAgainTakesNewColumns(t *testing.T) {
	f := open(t)
	first := f.read(f.set, "question,answer,label,notes\nMay I?,You may.,BORDERLINE,x\n",
		transfer.ImportOptions{Labels: transfer.AsFinal, Mapping: &transfer.Mapping{Question: "question",
			Guidance: "answer", Label: "label"}})
	const file = "question,answer,label,codes,notes,date\nCan I?,You can.,NON_COMPLIANT,PRESSURE,y,2026\n"
	p, err := f.Look("x.csv", strings.NewReader(file), &f.set.Settings)
	if err != nil || !p.Fits(first) {
		t.Fatal(p, err)
	}
	m := p.Like(first)
	if m.Codes != "codes" || m.Notes != "" || m.Guidance != "answer" {
		t.Errorf("%+v", m)
	}
	rep := f.read(f.set, file, transfer.ImportOptions{Labels: transfer.AsFinal, Mapping: &first.Mapping})
	if used, unused := strings.Join(rep.Used(), ", "), strings.Join(rep.Unused,
		", "); used != "answer as guidance, label, question" || unused != "codes, notes, date" {
		t.Errorf("used %s; not used %s", used, unused)
	}
	rep = f.read(f.set, `{"text":"One.","label":"BORDERLINE","issues":[],"codes":["PRESSURE"],"confidence":0.8}`,
		transfer.ImportOptions{Labels: transfer.AsFinal})
	if used := strings.Join(rep.Used(), ", "); used != "codes, confidence, issues as codes, label, text as guidance" {
		t.Errorf("used %s", used)
	}
}

// The preview says what the import will: a list in .jsonl is read as one, a web page is called that, rows without
// guidance are refused, and another encoding is told.
func TestAPreviewSaysWhatTheImportWill(t *testing.T) {
	f := open(t)
	p, err := f.Look("x.jsonl", strings.NewReader(" [\n{\"text\":\"One.\"},\n{\"text\":\"Two.\"}\n]"), &f.set.Settings)
	if err != nil || p.Format != transfer.Records || len(p.Rows) != 2 || len(p.Refused("text")) != 0 {
		t.Errorf("a list: %+v, %v", p, err)
	}
	for _, page := range []string{"<!DOCTYPE html>\n<html><body>x", "\n<HTML lang=en>", "<?xml version='1.0'?><html>"} {
		if _, err := f.Look("x.csv", strings.NewReader(page), &f.set.Settings); !fault.Is(err, fault.Invalid) ||
			!strings.Contains(fault.Message(err), "web page (HTML)") {
			t.Errorf("%q: %v", page, err)
		}
	}
	p, err = f.Look("x.csv", strings.NewReader("text,other\nOne.,1\n,2\nPay \xa35.,\n"), &f.set.Settings)
	if err != nil || !strings.Contains(p.Note, "Windows-1252") {
		t.Errorf("%q, %v", p.Note, err)
	}
	if list := p.Refused("text"); len(list) != 1 || list[0].Line != 3 || list[0].Why != "there is no guidance text" {
		t.Errorf("%+v", list)
	}
	if list := p.Refused("other"); len(list) != 1 || list[0].Line != 4 {
		t.Errorf("%+v", list)
	}
}
