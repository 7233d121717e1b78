package table_test

import (
	"encoding/json"
	"strings"
	"testing"

	"preceptor/internal/table"
)

func TestCheckJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}`: "", `{"a":"b","b":"a:"}`: "", `{"a" : "{\"a\"", "x": "\\"}`: "", `[]`: "", `"a"`: "", `1`: "",
		`{"a":1,"a":2}`: "twice", `{"a":1,"\u0061":2}`: "twice", `[{"x":{"y":1,"y":1}}]`: "twice",
		`{"a":1`: "cut off", `{"a":NaN}`: "not valid", `{} {}`: "behind", ``: "cut off", `{"a"`: "cut off", `[[[[]]]]`: "deeper",
	} {
		err := table.CheckJSON([]byte(text), 3)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func FuzzCheckJSON(f *testing.F) {
	for _, s := range []string{`{"a":1,"a":2}`, `[{"\u0061":"\""}]`, `{"a":{"b":[1,2,{"c":null}]}}`, `{`, `"\`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		err := table.CheckJSON(raw, 32)
		if err == nil && !json.Valid(raw) {
			t.Fatalf("%q goes through", raw)
		}
	})
}
