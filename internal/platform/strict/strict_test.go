package strict_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"preceptor/internal/platform/strict"
)

func TestCheck(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}`: "", `{"a":"b","b":"a:"}`: "", `{"a" : "{\"a\"", "x": "\\"}`: "",
		`[]`: "", `"a"`: "", `1`: "", `{"a":1,"A":2}`: "",
		`{"a":1,"a":2}`: "twice", `{"a":1,"\u0061":2}`: "twice", `[{"x":{"y":1,"y":1}}]`: "twice",
		`{"a":1`: "cut off", `{"a":NaN}`: "not valid", `{} {}`: "behind", ``: "cut off", `{"a"`: "cut off",
		`[[[[]]]]`: "deeper",
	} {
		err := strict.Check([]byte(text), 3)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestWhere(t *testing.T) {
	for text, want := range map[string][]string{
		`{"a":1,"b":[0,{"x/y":1,"x/y":2}],"a":2,"a":3}`: {"/b/1/x~1y", "/a"},
		`{"a":[0,[],[[[1]]]]}`:                          {"/a/2/0/0"},
	} {
		err, ok := strict.Check([]byte(text), 4).(*strict.Error)
		if !ok || !slices.Equal(err.At, want) {
			t.Errorf("%s: %+v, want %q", text, err, want)
		}
	}
}

func TestInto(t *testing.T) {
	for text, want := range map[string]string{
		`{"name":"a","deep":{"n":1}}`: "", `{"name":"a\\u0000"}`: "",
		`{"name":"a","Name":"b"}`: "twice", `{"colour":1}`: `unknown field "colour"`, `{"deep":{"n":"1"}}`: "deep.n",
		`{"name":"\u0000"}`:   "NUL",
		"{\"name\":\"\xff\"}": "UTF-8", `{"name":"a"} x`: "behind", `{"name":`: "cut off", `[]`: "of the wrong kind",
	} {
		var v struct {
			Name string `json:"name"`
			Deep struct {
				N int `json:"n"`
			} `json:"deep"`
		}
		err := strict.Into([]byte(text), &v)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, s := range []string{`{"a":1,"a":2}`, `[{"\u0061":"\""}]`, `{"a":{"b":[1,2,{"c":null}]}}`, `{`, `"\`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if err := strict.Check(raw, 32); err == nil && !json.Valid(raw) {
			t.Fatalf("%q goes through", raw)
		}
	})
}
