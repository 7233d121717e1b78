package intake

import (
	"encoding/json"
	"strings"
	"testing"

	"preceptor/internal/compliance"
	"preceptor/internal/platform/fault"
)

func TestCustomersOfAnyShapeAreRead(t *testing.T) {
	for _, c := range []struct {
		customer string
		age      int
		db, dc   float64
		literacy string
		fragile  bool
		says     string // in the free words
	}{
		{`{"age":58,"literacy":"low","vulnerable":true,"pensions":[{"kind":"db","value_gbp":310000,"features":["x"]}]}`,
			58, 310000, 0, "low", true, ""},
		{`{"age":"58 years","pensions":[{"type":"Defined Benefit (final salary)","value":"£310,000"}]}`, 58, 310000, 0,
			"", false, ""},
		{`{"Age":58,"pensions":{"db":310000,"dc":"£42k"}}`, 58, 310000, 42000, "", false, ""},
		{`{"pensions":{"DB":{"value":120000,"scheme":"NHS"},"sipp":{"value":"50k"}}}`, 0, 120000, 50000, "", false, ""},
		{`{"pensions":"final salary pension worth £90,000"}`, 0, 90000, 0, "", false, ""},
		{`{"pensions":["Workplace DC £30,000","DB scheme, £80,000"]}`, 0, 80000, 30000, "", false, ""},
		{`{"has_db_pension":true,"financial_literacy":"Low","vulnerabilities":["recent bereavement"]}`, 0, 0, 0, "low",
			true, "bereavement"},
		{`{"vulnerable":"no","pension_type":"DC","hobbies":{"a":[1,2]}}`, 0, 0, 0, "", false, ""},
		{`"A widow of 71 with a small pot"`, 0, 0, 0, "", false, "widow"},
		{`[1,2]`, 0, 0, 0, "", false, ""},
		{`{"age":-3,"pensions":null,"literacy":7}`, 0, 0, 0, "", false, ""},
	} {
		it, err := Read([]byte(`{"id":"a","customer":` + c.customer + `,"question":null,"guidance":"Text."}`))
		if err != nil {
			t.Errorf("%s: %v", c.customer, err)
			continue
		}
		s := it.Consultation().Situation()
		if s.Age != c.age || s.DBValue != c.db || s.DCValue != c.dc || s.Literacy != c.literacy ||
			s.Vulnerable != c.fragile || !strings.Contains(s.Text, c.says) {
			t.Errorf("%s: %+v", c.customer, s)
		}
	}
}

func TestWhatCannotBeCheckedIsRefused(t *testing.T) {
	for _, line := range []string{"", "x", "null", "[]", `{"id":3}`, `{"id":3,"guidance":" "}`, `{"guidance":null}`} {
		if _, err := Read([]byte(line)); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%q: %v", line, err)
		}
	}
	it, err := Read([]byte(`{"id":{"n":3},"Guidance":[{"text":"One."},{"text":"Two."}],"query":"Why?"}`))
	if err != nil || it.Guidance != "One.\nTwo." || it.Question != "Why?" || string(it.ID) != `{"n":3}` {
		t.Errorf("%+v %v", it, err)
	}
}

// What two readers would read as two texts is refused, says why and what to do, and keeps its id where that is sure.
func TestWhatCanBeReadTwoWaysIsRefused(t *testing.T) {
	for _, c := range []struct{ line, why, do, id string }{
		{`{"id":1,"guidance":"a","guidance":"b"}`, "\"guidance\" twice", "each name once", ""},
		{`{"id":1,"guidance":"a","Guidance":"b"}`, "twice", "in case", ""},
		{`{"id":1,"customer":{"age":1,"AGE":2},"guidance":"a"}`, "\"age\" twice", "each name once", ""},
		{`{"id":1,"Text":"a","TEXT":"b"}`, "twice", "in case", ""},
		{`{"id":1,"guidance":"a\u0000b"}`, "NUL", "send it again", "1"},
		{`{"id":1,"guidance":"a\ud800"}`, "half a character", "send it again", "1"},
		{"{\"id\":1,\"guidance\":\"\xff\"}", "not UTF-8", "in UTF-8", "1"},
		{`{"id":1,"guidance":"a"} {"id":2}`, "behind its end", "a JSON object such as", ""},
		{`7`, "wrong kind", "a JSON object such as", ""}, {`true`, "wrong kind", "a JSON object", ""},
		{`["a"]`, "wrong kind", "a JSON object", ""}, {`"a"`, "wrong kind", "a JSON object", ""},
		{`{"id":1,"guidance":7}`, "not a text", "quotation marks", "1"},
		{`{"id":1,"answer":true}`, "not a text", "one text", "1"},
		{`{"id":1,"guidance":["a"]}`, "not a text", "one text", "1"},
		{`{"id":1,"guidance":[{"text":"a"},"b"]}`, "not a text", "one text", "1"},
		{`{"id":1,"guidance":[]}`, "not a text", "one text", "1"},
		{`{"id":1,"guidance":{"n":1}}`, "not a text", "one text", "1"},
	} {
		it, err := Read([]byte(c.line))
		if fault.KindOf(err) != fault.Invalid || !strings.Contains(fault.Message(err), c.why) ||
			!strings.Contains(fault.Message(err), c.do) || string(it.ID) != c.id {
			t.Errorf("%s: id %s, %v; want %q and %q", c.line, it.ID, err, c.why, c.do)
		}
	}
	for line, want := range map[string]string{`{"guidance":"a\\u0000"}`: `a\u0000`, `{"guidance":{"content":"a"}}`: "a",
		`{"Text":"a","question":7,"x":{"a":1}}`:            "a",
		`{"GUIDANCE":"a","consultation":{"guidance":"b"}}`: "a"} {
		if it, err := Read([]byte(line)); err != nil || it.Guidance != want {
			t.Errorf("%s: %+v, %v", line, it, err)
		}
	}
}

func TestAnswersKeepTheID(t *testing.T) {
	for id, want := range map[string]string{`"x"`: `{"id":"x","passed"`, `7`: `{"id":7,"passed"`,
		``: `{"id":null,"passed"`} {
		b, err := json.Marshal(Answer{ID: json.RawMessage(id), Verdict: compliance.Verdict{ID: "inner"}})
		if err != nil || !strings.HasPrefix(string(b), want) {
			t.Errorf("%s: %s %v", id, b, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"id":1,"customer":{"pensions":[{"kind":"db"}]},"question":"q","guidance":"g"}`)
	f.Add(`{"customer":{"pensions":{"a":{"b":[null,{"value":"1e400"}]}}},"guidance":"g"}`)
	f.Fuzz(func(t *testing.T, line string) {
		if it, err := Read([]byte(line)); err == nil {
			it.Consultation().Situation()
		}
	})
}

func TestAnItemInAConversation(t *testing.T) {
	it, err := Read([]byte(`{"id":1,"messages":[{"role":"user","content":"I have a final salary pension."},
		{"role":"assistant","content":"Go on."},{"role":"user","content":"Shall I move it?"}],"guidance":"No."}`))
	if err != nil || it.Question != "Shall I move it?" || len(it.Consultation().Before()) != 2 ||
		len(it.Unused) != 0 {
		t.Errorf("%+v %v", it, err)
	}
	if it, err = Read([]byte(`{"messages":"none","guidance":"No."}`)); err != nil || len(it.Unused) != 1 {
		t.Errorf("%+v %v", it, err)
	}
}
