package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/measure"
	"preceptor/internal/interaction"
	"preceptor/internal/table"
)

// item is one text of an author, labelled or the answer to its question.
type item struct {
	ID       string                         `json:"id"`
	Group    string                         `json:"group"`
	Domain   string                         `json:"domain"`
	Pair     string                         `json:"pair"`
	Customer json.RawMessage                `json:"customer"`
	Question string                         `json:"question"`
	Guidance string                         `json:"guidance"`
	Label    string                         `json:"label"`
	Codes    []string                       `json:"codes"`
	Evidence map[string]string              `json:"evidence"` // by code, the sentence that carries it
	Spans    []struct{ Code, Quote string } // the same, several for a code
	author   string
	consult  interaction.Consultation
}

// load reads the files of a pattern, each named after its author.
func load(pattern string) (out []item, err error) {
	paths, err := filepath.Glob(pattern)
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("there is nothing in %s", pattern)
	}
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		for line, err := range table.NewLines(f, 1<<22).All() {
			it := item{author: strings.TrimSuffix(filepath.Base(path), ".jsonl")}
			if err == nil {
				err = json.Unmarshal(line, &it)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			for code, quote := range it.Evidence {
				it.Spans = append(it.Spans, struct{ Code, Quote string }{code, quote})
			}
			it.consult = interaction.Consultation{Question: it.Question, Customer: interaction.CustomerLoosely(it.Customer)}
			out = append(out, it)
		}
		f.Close()
	}
	return out, err
}

var labels = []compliance.Label{compliance.Compliant, compliance.Borderline, compliance.NonCompliant}

// answered is a verdict beside what the item's author says.
func answered(it item, v compliance.Verdict) measure.Answer {
	a := measure.Answer{Truth: it.Label, Said: string(v.Label), Review: v.RequiresHumanReview, TruthCodes: it.Codes}
	for _, i := range v.Issues {
		a.SaidCodes = append(a.SaidCodes, i.Code)
	}
	return a
}

// report prints what the product is measured by.
func report(name string, answers []measure.Answer) error {
	r, err := measure.Evaluate(answers)
	fmt.Printf("%-6s n %4d macro F1 %.3f codes %.3f missed %d of %d cleared %d of %d\n", name, r.Items, r.MacroF1.Value, r.Issues.Micro.F1.Value,
		r.Missed.Part, r.Missed.Whole, r.FalseAlarm.Whole-r.FalseAlarm.Part, r.FalseAlarm.Whole)
	return err
}
