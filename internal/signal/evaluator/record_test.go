package evaluator_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"preceptor/internal/platform/fault"
	"preceptor/internal/signal/evaluator"
)

// The seed's two records, as we write them.
const records = `{"evaluator_type":"sqlvalidator","query_idx":11,"timestamp":"2025-12-05 17:30:27","issues":["Mixing geographic coordinates with planar distance...","Using ST_DWithin with degrees & <metres>..."],"is_valid":false,"score":0.7,"sql_query":"SELECT * FROM enviro_audit_point WHERE..."}
{"evaluator_type":"sqlerrorprofiler","query_idx":11,"timestamp":"2025-12-05 17:35:00","error_type":"CRS mismatch errors","issues":["Using geometry with meter-based distances...","ST_Transform required for coordinate conversion..."]}
{"evaluator_type":"house style","query_idx":null,"timestamp":"2025-12-05 17:35:00","issues":[]}
`

func TestRecordsRoundTrip(t *testing.T) {
	list, err := evaluator.Read(strings.NewReader(records))
	if err != nil || len(list) != 3 || *list[0].QueryIdx != 11 || *list[0].Score != .7 || *list[0].IsValid ||
		list[1].ErrorType != "CRS mismatch errors" || list[0].At().Minute() != 30 {
		t.Fatalf("%+v, %v", list, err)
	}
	var b bytes.Buffer
	if err := evaluator.Write(&b, list); err != nil || b.String() != records {
		t.Errorf("%v: %s", err, cmp.Diff(records, b.String()))
	}
	// As Python writes them, with blanks.
	spaced := strings.ReplaceAll(strings.ReplaceAll(strings.Split(records, "\n")[0], `":`, `": `), `,"`, `, "`)
	again, err := evaluator.Read(strings.NewReader("\n" + spaced + "\r\n\n"))
	if err != nil || cmp.Diff(again, list[:1]) != "" {
		t.Errorf("%v: %s", err, cmp.Diff(again, list[:1]))
	}
}

func TestRecordsThatAreWrong(t *testing.T) {
	right := strings.Split(records, "\n")[0]
	for line, want := range map[string]string{
		`{`: "Line 2 is cut off.", `[]`: "Line 2 is of the wrong kind", `nothing`: "Line 2 is not valid JSON",
		strings.Replace(right, "11", `"11"`, 1):                        "in the field query_idx",
		strings.Replace(right, `"issues":[`, `"issues":[7,`, 1):        "in the field issues",
		strings.Replace(right, "0.7", "7", 1):                          "in the field score",
		strings.Replace(right, "0.7", "NaN", 1):                        "not valid JSON",
		strings.Replace(right, "17:30:27", "5 pm", 1):                  "in the field timestamp",
		strings.Replace(right, "sqlvalidator", "", 1):                  "no evaluator_type",
		strings.Replace(right, `"issues"`, `"issue"`, 1):               `unknown field "issue"`,
		strings.Replace(right, `"query_idx":11`, `"is_valid":true`, 1): "twice",
		`{"x":"` + strings.Repeat("x", 1<<20) + `"}`:                   "longer than 1 MB",
		"{\"evaluator_type\":\"\xff\"}":                                "UTF-8",
	} {
		_, err := evaluator.Read(strings.NewReader(right + "\n" + line + "\n"))
		if !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "Line 2") {
			t.Errorf("%.80s: %v, want %s", line, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(records))
	f.Add([]byte(
		`{"evaluator_type":"a","timestamp":"2025-12-05 17:35:00","issues":["\ud800","\u2028"],"score":1e-9,"is_valid":null}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		list, err := evaluator.Read(bytes.NewReader(raw))
		if err != nil {
			return
		}
		var once, twice bytes.Buffer
		if err := evaluator.Write(&once, list); err != nil {
			t.Fatal(err)
		}
		again, err := evaluator.Read(bytes.NewReader(once.Bytes()))
		if err != nil {
			t.Fatalf("what was written can't be read: %v\n%s", err, &once)
		}
		if err := evaluator.Write(&twice, again); err != nil || once.String() != twice.String() {
			t.Fatalf("%v\n%s\n%s", err, &once, &twice)
		}
		notes(list, evaluator.Options{})
		evaluator.Returning(list, evaluator.Options{})
	})
}

func TestFileNames(t *testing.T) {
	for _, c := range []struct{ model, task, name string }{
		{"gpt-4", "spatial_qa", "resultdicttojsonl_gpt-4_spatial_qa.jsonl"},
		{"openai/gpt-4.1", "qa", "resultdicttojsonl_gpt-4.1_qa.jsonl"},
		{"bedrock/anthropic.claude-3-5-sonnet-20240620-v1:0", "tool_use",
			"resultdicttojsonl_anthropic.claude-3-5-sonnet-20240620-v1-0_tool_use.jsonl"},
		{"my model_2", "a/b", "resultdicttojsonl_my-model-2_a-b.jsonl"},
	} {
		if got := evaluator.FileName(c.model, c.task); got != c.name {
			t.Errorf("%s, want %s", got, c.name)
		}
	}
}
