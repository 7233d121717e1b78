package learning

import (
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/pack"
	"preceptor/internal/rule"
)

func TestRegulationLibrary(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range regulation {
		if r.ID == "" || ids[r.ID] || r.Reference == "" || r.Title == "" || len(r.Summary) < 60 ||
			!slices.Contains(Domains, r.Domain) || r.Words == "" {
			t.Errorf("%+v", r)
		}
		ids[r.ID] = true
		for _, day := range []string{r.From, r.To} {
			if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
				t.Errorf("%s: %q is no date", r.ID, day)
			}
		}
		if r.To != "" && len(r.Names) == 0 {
			t.Errorf("%s has ended and has no name by which a rule would be known to speak of it", r.ID)
		}
	}
}

func TestRelevantRegulation(t *testing.T) {
	now := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		rule, domain string
		at           time.Time
		want         string // among what is found
		not          string
	}{
		{"When the customer has a defined benefit pension, warn that transferring it means giving up a guaranteed " +
			"income for life", RiskDisclosure, now, "cobs-19-1", ""},
		{"When giving guidance, use depersonalised wording rather than telling the customer what to do because a " +
			"personal recommendation is regulated advice", RegulatoryCompliance, now, "perg-8-personal", ""},
		{"When the customer has low financial literacy, check understanding with an open question",
			UnderstandingVerification, now, "prin-2a-5", ""},
		{"When giving guidance, don't suggest what people like the customer usually choose because that is targeted " +
			"support", RegulatoryCompliance, now, "targeted-support", ""},
		{"When giving guidance, don't suggest what people like the customer usually choose", RegulatoryCompliance,
			time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), "", "targeted-support"},
		{"When the customer asks about a complaint, mention that the ombudsman can be asked after eight weeks",
			"pension_education", now, "disp-1-6", ""},
		{"When there are signs of a scam, warn about pension scams and point to the FCA register", RiskDisclosure, now,
			"pecr-cold-calls", ""},
		{"When the customer asks about tax, mention that the lifetime allowance is £1,073,100", "pension_education",
			now, "lta", ""},
		{"When the customer asks about tax, mention the lifetime allowance", "pension_education",
			time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), "lta", ""},
		{"When the customer has low financial literacy, use plain words", UnderstandingVerification,
			time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), "", "prin-2a-5"},
	} {
		var ids []string
		for _, r := range RelevantRegulation("", c.rule, c.domain, c.at) {
			ids = append(ids, r.ID)
		}
		if c.want != "" && !slices.Contains(ids, c.want) || slices.Contains(ids, c.not) || len(ids) > mostRegulation {
			t.Errorf("%q: %v", c.rule, ids)
		}
	}
	if got := RelevantRegulation(pack.GeneralName, "warn about pension scams", RiskDisclosure, now); len(got) != 0 {
		t.Errorf("in another domain: %+v", got)
	}
	if got := RelevantRegulation("", "When giving guidance, be kind", "pension_education", now); len(got) != 0 {
		t.Errorf("what bears on nothing: %+v", got)
	}
}

// TestJudgementCitesRegulation: the step's output carries what the judgement was given, with references and dates.
func TestJudgementCitesRegulation(t *testing.T) {
	b := open(t, nil, Policy{})
	dec := b.decide(dbRevision())
	b.drain()
	l := b.lesson(dec)
	out := string(l.Steps[len(l.Steps)-1].Output)
	for _, want := range []string{`"regulation":[`, `"reference":"COBS 19.1"`, `"from":"2015-04-06"`, `"cited":true`} {
		if !strings.Contains(out, want) {
			t.Errorf("the judge's step lacks %s: %s", want, out)
		}
	}
	j, err := NewEmbedded(nil).Judge(t.Context(),
		Candidate{Statement: rule.Statement{When: forDB(),
			Do: rule.Act{Kind: rule.Include, Text: "The lifetime allowance limits what can be saved."}},
			Domain: "pension_education", Regulation: RelevantRegulation("", "mention the lifetime allowance",
				"pension_education", time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC))})
	if err != nil || j.Accept || !strings.Contains(j.Why, "2024-04-06") {
		t.Errorf("a rule on what has ended: %+v %v", j, err)
	}
}
