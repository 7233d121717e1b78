package interaction_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/fault"
)

func TestCustomerRefusals(t *testing.T) {
	for body, at := range map[string][]string{
		`[]`:                {""},
		`"x"`:               {""},
		`{"age":"58"}`:      {"/age"},
		`{"age":58.5}`:      {"/age"},
		`{"age":-1}`:        {"/age"},
		`{"age":121}`:       {"/age"},
		`{"age":1e99}`:      {"/age"},
		`{"literacy":"x"}`:  {"/literacy"},
		`{"literacy":3}`:    {"/literacy"},
		`{"vulnerable":1}`:  {"/vulnerable"},
		`{"goal":[]}`:       {"/goal"},
		`{"name":{}}`:       {"/name"},
		`{"pensions":{}}`:   {"/pensions"},
		`{"pensions":[7]}`:  {"/pensions/0"},
		`{"pensions":[{}]}`: {"/pensions/0/kind"},
		`{"pensions":[{"kind":"db"},{"kind":"isa"}]}`:     {"/pensions/1/kind"},
		`{"pensions":[{"kind":"db","value_gbp":"1"}]}`:    {"/pensions/0/value_gbp"},
		`{"pensions":[{"kind":"db","value_gbp":-1}]}`:     {"/pensions/0/value_gbp"},
		`{"pensions":[{"kind":"db","value_gbp":1e400}]}`:  {"/pensions/0/value_gbp"},
		`{"pensions":[{"kind":"db","features":"x"}]}`:     {"/pensions/0/features"},
		`{"pensions":[{"kind":"db","features":["a",2]}]}`: {"/pensions/0/features/1"},
		`{"pensions":[{"kind":"db","a/b~c":2}]}`:          {"/pensions/0/a~1b~0c"},
		`{"age":"x","literacy":"y","pensions":[{"kind":"z","value":1}]}`: {"/age", "/pensions/0/kind",
			"/pensions/0/value", "/literacy"},
		`{"goal":"` + strings.Repeat("x", 5001) + `"}`: {"/goal"},
	} {
		var c interaction.Customer
		err := json.Unmarshal([]byte(body), &c)
		var got []string
		for _, f := range fault.Fields(err) {
			got = append(got, f.Name)
			if f.Msg == "" {
				t.Errorf("%s: no message at %s", body, f.Name)
			}
		}
		if diff := cmp.Diff(at, got); diff != "" {
			t.Errorf("%.80s: %v\n%s", body, err, diff)
		}
	}
}

func TestCustomerKeepsFreeFields(t *testing.T) {
	body := `{"age":61,"big":12345678901234567890,"literacy":null,"notes":["a",{"b":null}],"pensions":[{"kind":"dc","value_gbp":80000.5}],"vulnerable":true}`
	var c interaction.Customer
	if err := json.Unmarshal([]byte(body), &c); err != nil {
		t.Fatal(err)
	}
	if *c.Age != 61 || !*c.Vulnerable || c.Literacy != "" || *c.Pensions[0].ValueGBP != 80000.5 {
		t.Errorf("c = %+v", c)
	}
	out, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"age":61,"big":12345678901234567890,"notes":["a",{"b":null}],"pensions":[{"kind":"dc","value_gbp":80000.5}],"vulnerable":true}`; string(out) != want {
		t.Errorf("came back as %s", out)
	}
}

func TestNullCustomerIsNobody(t *testing.T) {
	var c struct{ Customer interaction.Customer }
	if err := json.Unmarshal([]byte(`{"Customer":null}`), &c); err != nil {
		t.Fatal(err)
	}
	if out, err := json.Marshal(c.Customer); err != nil || string(out) != "{}" {
		t.Errorf("%s, %v", out, err)
	}
}

func TestSituation(t *testing.T) {
	s := submission().Consultation.Situation()
	if !s.HasDB || s.HasDC || s.DBValue != 310_000 || s.Age != 58 || s.Literacy != "low" ||
		s.Features[0] != "bridging pension" {
		t.Errorf("situation = %+v", s)
	}
	if s.Text != "retire at 60\nmarried: yes" {
		t.Errorf("text = %q", s.Text)
	}
	var c interaction.Customer
	if err := json.Unmarshal(
		[]byte(
			`{"pensions":[{"kind":"dc","value_gbp":1},{"kind":"dc","value_gbp":2},{"kind":"state"},{"kind":"unknown","value_gbp":9}],
		"home_life":{"b":"own house","a":[1,false]},"none":null}`), &c); err != nil {
		t.Fatal(err)
	}
	s = interaction.Consultation{Customer: c}.Situation()
	if s.HasDB || !s.HasDC || !s.HasState || s.DCValue != 3 {
		t.Errorf("situation = %+v", s)
	}
	if s.Text != "home life: a 1, no, b own house" {
		t.Errorf("text = %q", s.Text)
	}
}

func TestWho(t *testing.T) {
	for body, want := range map[string]string{
		`{}`: "",
		`{"age":58,"pensions":[{"kind":"db","value_gbp":310000},{"kind":"dc"}],"literacy":"low"}`:                           "58, DB £310k + DC, literacy low",
		`{"vulnerable":true,"pensions":[{"kind":"dc","value_gbp":1250000},{"kind":"dc","value_gbp":800}]}`:                  "DC £1.2m + DC £800, vulnerable",
		`{"pensions":[{"kind":"dc"},{"kind":"dc"},{"kind":"dc"},{"kind":"dc"},{"kind":"state"}],"vulnerable":false}`:        "DC + DC + DC + 2 more",
		`{"os":"Windows 11","office_floor":3,"employee_id":"E1","note":"a text that is far too long to stand for anybody"}`: "office floor 3, os Windows 11",
		`{"age":31,"os":"macOS"}`:                         "31",
		`{"pensions":[{"kind":"dc","value_gbp":999999}]}`: "DC £1m",
	} {
		var c interaction.Customer
		if err := json.Unmarshal([]byte(body), &c); err != nil {
			t.Fatal(err)
		}
		if got := c.Who(); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

func TestUsedIsAnIDOrAnObject(t *testing.T) {
	var list []interaction.Used
	if err := json.Unmarshal([]byte(`["a",{"id":"b","version":2}]`), &list); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]interaction.Used{{ID: "a"}, {ID: "b", Version: 2}}, list); diff != "" {
		t.Error(diff)
	}
	if err := json.Unmarshal([]byte(`[3]`), &list); err == nil {
		t.Error("a number is no id")
	}
}

// Whatever comes in, reading a customer ends in a fault with fields or in a customer that survives being stored.
func FuzzCustomer(f *testing.F) {
	for _, s := range []string{`{}`, `null`,
		`{"age":58,"pensions":[{"kind":"db","value_gbp":1.5,"features":["x"]}],"x":{"y":[1]}}`, `{"age":1e2}`,
		`{"literacy":"low","literacy":3}`, "{\"goal\":\"\\u202e\\u0000\"}", `{"a":`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var c interaction.Customer
		if err := c.UnmarshalJSON(body); err != nil {
			if e, ok := errors.AsType[*fault.Error](err); !ok || e.Kind != fault.Invalid || len(e.Fields) == 0 {
				t.Fatalf("%q: %v is not a fault with fields", body, err)
			}
			return
		}
		out, err := json.Marshal(c)
		if err != nil {
			t.Fatalf("%q was read and can't be written: %v", body, err)
		}
		var again interaction.Customer
		if err := json.Unmarshal(out, &again); err != nil {
			t.Fatalf("%q became %q, which can't be read: %v", body, out, err)
		}
		if twice, err := json.Marshal(again); err != nil || string(twice) != string(out) {
			t.Fatalf("%q changes when it is stored: %q, then %q", body, out, twice)
		}
		interaction.Consultation{Customer: c}.Situation()
		_ = c.Who()
	})
}

func TestWhatACustomerHasNotIsNotReadAsHad(t *testing.T) {
	for _, no := range []string{`false`, `"no"`, `"None"`} {
		c := interaction.CustomerLoosely([]byte(`{"has_db":` + no + `,"occupation":"nurse"}`))
		if s := (interaction.Consultation{Customer: c}).Situation(); strings.Contains(strings.ToLower(s.Text), "db") ||
			!strings.Contains(s.Text, "nurse") {
			t.Errorf("%s: %q", no, s.Text)
		}
	}
}
