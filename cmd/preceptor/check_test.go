package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
)

func TestCheckAnswersEveryLineInOrder(t *testing.T) {
	long := strings.Repeat("In drawdown your money stays invested, so it can fall and may run out. ", 3000)
	in := strings.Join([]string{
		"\xEF\xBB\xBF" +
			`{"id":"a","customer":{"age":"58","pensions":{"db":"£310k"}},"question":"Should I?","guidance":"You should transfer your pension."}` + "\r",
		"nonsense", "", `{"id":7}`,
		`{"id":3,"customer":null,"question":null,"guidance":"` + long + `"}`,
		`{"guidance":"A quarter is usually free of tax. Pension Wise is free."}`,
	}, "\n")
	var out, errs bytes.Buffer
	code := program.Run(context.Background(), []string{"check"}, strings.NewReader(in), &out, &errs)
	if code != 2 {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 5 {
		t.Fatalf("%d lines: %s", len(lines), out.String())
	}
	var got []string
	for _, l := range lines {
		var v map[string]any
		if err := json.Unmarshal([]byte(l), &v); err != nil {
			t.Fatalf("%v: %s", err, l)
		}
		got = append(got, fmt.Sprintf("%v %v %v", v["id"], v["label"], v["line"]))
		if v["error"] != nil {
			continue
		}
		for _, name := range []string{"passed", "source", "confidence", "issues", "judges", "requires_human_review"} {
			if v[name] == nil {
				t.Errorf("no %s in %.200s", name, l)
			}
		}
	}
	if want := "[a NON_COMPLIANT <nil> / <nil> <nil> 2 / 7 <nil> 4]"; fmt.Sprintf("[%s]",
		strings.Join(got[:3], " / ")) != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if !strings.Contains(errs.String(), "line 2:") || !strings.Contains(errs.String(), "line 4:") {
		t.Errorf("said %q", errs.String())
	}
}

// What a line has beside the fields that are read is told once, at the end; a file of known fields gets no such line.
func TestCheckSaysWhichFieldsItUsed(t *testing.T) {
	const known = `{"id":1,"Question":"What is tax free?","guidance":"A quarter is usually free of tax."}`
	for in, want := range map[string]string{known: "", known + "\n" +
		`{"text":"A quarter.","answer":"Nothing.","colour":null,"consultation":{"query":"Why?","depth":2}}`:
	// guidance and text are two spellings of one field: of both in one object the second would be left out
	"fields used: Question, consultation, guidance, id, query, text; not used: answer, colour, depth\n"} {
		var out, errs bytes.Buffer
		if code := program.Run(context.Background(), []string{"check"}, strings.NewReader(in), &out,
			&errs); code != 0 || errs.String() != want {
			t.Errorf("%s: exit code %d, said %q, want %q", in, code, errs.String(), want)
		}
	}
}

func TestCheckFailsOnViolationsWhenAsked(t *testing.T) {
	const german = `{"guidance":"Ihre Rente beginnt mit siebenundsechzig Jahren und wird jeden Monat auf Ihr Konto gezahlt."}`
	const bad = `{"guidance":"You should transfer your pension to us. It is the right choice for you."}`
	const good = `{"question":"How do drawdown and an annuity differ?","guidance":"In drawdown your money stays invested, so it can fall and may run out. ` +
		`An annuity pays an income for life, and you can't change your mind later. Which of them suits you we can't say. A free Pension Wise appointment goes through both."}`
	for _, c := range []struct {
		in   string
		args []string
		want int
	}{
		{german, []string{"--fail-on", "violations"}, 7}, {german, nil, 0},
		{german + "\n" + bad, []string{"--fail-on", "violations"}, 1},
		{good + "\n" + german, []string{"--fail-on", "violations"}, 7},
		{german, []string{"--fail-on", "violations", "--pack", "general"}, 7},
		{`{"guidance":"You should buy the X1. It is the right choice for you, and you must order today."}`,
			[]string{"--fail-on", "violations", "--pack", "general"}, 1},
		{bad, nil, 0}, {good, []string{"--fail-on", "violations"}, 0},
		{good + "\n" + bad, []string{"--fail-on", "violations"}, 1}, {good, []string{"--fail-on", "rain"}, 2},
	} {
		var out, errs bytes.Buffer
		if code := program.Run(context.Background(), append([]string{"check"}, c.args...), strings.NewReader(c.in),
			&out, &errs); code != c.want {
			t.Errorf("%v: exit code %d, want %d: %s", c.args, code, c.want, errs.String())
		}
	}
}

// The command and the API give one text the same answer, field by field.
func TestCheckAnswersAsTheAPIDoes(t *testing.T) {
	site := apptest.Open(t)
	client, token := site.Nobody(t), site.Token(t, account.Submit)
	for _, in := range []string{
		`{"id":"a","customer":{"age":58,"pensions":{"db":"£310k"}},"question":"Should I transfer?","guidance":"You should transfer your pension."}`,
		`{"id":7,"question":"What is tax free?","guidance":"A quarter is usually free of tax. Pension Wise is free."}`,
		`{"guidance":"In drawdown your money stays invested, so it can fall."}`,
	} {
		var out, errs bytes.Buffer
		if code := program.Run(t.Context(), []string{"check"}, strings.NewReader(in), &out, &errs); code != 0 {
			t.Fatalf("exit code %d: %s", code, errs.String())
		}
		r := client.Do(t, "POST", "/api/check", "application/json", in, "Authorization", "Bearer "+token)
		var ours, theirs map[string]any
		if err := json.Unmarshal(out.Bytes(), &ours); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(r.Body), &theirs); err != nil || r.Status != 200 {
			t.Fatalf("%d %s: %v", r.Status, r.Body, err)
		}
		if diff := cmp.Diff(theirs, ours); diff != "" {
			t.Errorf("%s: the API (-) and the command (+) differ: %s", in, diff)
		}
	}
}
