package interaction_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// asking is a submission of one action.
func asking(arguments, schema string) interaction.Submission {
	s := submission()
	s.Actions = interaction.Actions{{Name: "pay", Arguments: json.RawMessage(arguments),
		Schema: json.RawMessage(schema)}}
	return s
}

// An agent sends the schema: what would never end, or take long, is refused before anything is checked with it.
func TestASchemaIsBounded(t *testing.T) {
	d := open(t)
	long := strings.Repeat("1,", 20_000) + "1"
	for _, c := range []struct{ schema, arguments, at, says string }{
		{`{"$ref":"#"}`, `{}`, "schema", "# refers to itself"},
		{`{"properties":{"a":{"$ref":"#/properties/a"}}}`, `{}`, "schema", "refers to itself"},
		{`{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"items":{"$ref":"#/$defs/a"}}},"not":{"$ref":"#/$defs/b"}}`, `{}`,
			"schema", "refers to itself"},
		{`{"not":{"$ref":"#/$defs/none"}}`, `{}`, "schema", "#/$defs/none isn't in it"},
		{`{"not":{"$ref":"https://example.org/a.json"}}`, `{}`, "schema", "only references within the schema"},
		{`{"not":{"$ref":"a"},"$defs":{"a":{"$anchor":"a"}}}`, `{}`, "schema", "isn't in it"},
		{`{"not":{"$dynamicRef":"#a"},"$defs":{"a":{"$anchor":"a"}}}`, `{}`, "schema", "$dynamicRef"},
		{laughs("{}"), `{}`, "schema", "64 kB"},
		{laughs("true"), `{}`, "schema", "64 kB"},
		{`{"$defs":{"a":{"title":"` + strings.Repeat("x", 9_000) + `"}},"allOf":[` +
			strings.Repeat(`{"$ref":"#/$defs/a"},`, 9) + `{}]}`, `{}`, "schema", "64 kB"},
		{`{"properties":{"properties":{"$REF":"#"}}}`, `{}`, "schema", "$REF"},
		{`{"allOf":[{"$dynamicRef":"#x"}],"$dynamicAnchor":"x"}`, `{}`, "schema", "$dynamic"},
		{`{"$Defs":{"a":{}}}`, `{}`, "schema", "$Defs"},
		{`{"Definitions":{"a":{}}}`, `{}`, "schema", "Definitions"},
		{`{"type":"object","type":"array"}`, `{}`, "schema", "twice"},
		{strings.Repeat(`{"not":`, 100) + `{}` + strings.Repeat(`}`, 100), `{}`, "schema", "deeper"},
		{`{"properties":{"a":{"pattern":"` + strings.Repeat("x{1000}", 3_000) + `"}}}`, `{"a":"x"}`, "schema", "1000"},
		{`{"patternProperties":{"` + strings.Repeat("x{99}", 100) + `":{}}}`, `{"a":"x"}`, "schema", "patterns"},
		{`{"enum":[` + long + `]}`, `{}`, "schema", "2000"},
		{`{"properties":{"a":{"items":{"enum":[` + long[:2_000] + `1]}}}}`, `{"a":[` + long + `]}`, "arguments", "large"},
	} {
		began := time.Now()
		_, err := d.Submit(ctx, asking(c.arguments, c.schema), nil)
		fields := fault.Fields(err)
		if len(fields) != 1 || fields[0].Name != "/actions/0/"+c.at || !strings.Contains(fields[0].Msg, c.says) {
			t.Errorf("%.60s: %v", c.schema, err)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("%.60s took %s", c.schema, took)
		}
	}
	// what tools really ask for
	_, err := d.Submit(ctx, asking(`{"iban":"GB33BUKB20201555555555","definitions":"d"}`, `{"$schema":
		"https://json-schema.org/draft/2020-12/schema","required":["iban"],"properties":{"iban":{"type":"string",
		"pattern":"^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$"},"definitions":{"type":"string"}}}`), nil)
	if err != nil {
		t.Error(err, fault.Fields(err))
	}
}

// laughs is a schema whose references double forty times.
func laughs(last string) string {
	s := `{"allOf":[{"$ref":"#/$defs/a0"}],"$defs":{`
	for i := range 40 {
		s += fmt.Sprintf(`"a%d":{"allOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]},`, i, i+1, i+1)
	}
	return s + `"a40":` + last + `}}`
}

// pydantic is a schema as Pydantic 2.13 writes it.
func pydantic(t *testing.T, name string) string {
	t.Helper()
	var all map[string]json.RawMessage
	raw, err := os.ReadFile("testdata/pydantic.json")
	if err == nil {
		err = json.Unmarshal(raw, &all)
	}
	if err != nil || all[name] == nil {
		t.Fatal(err)
	}
	return string(all[name])
}

// A tool that is made from types refers to each of them: what they stand for is checked, and kept in their place.
func TestASchemaOfTypes(t *testing.T) {
	d := open(t)
	const address = `{"street":"1 High St","city":"Leeds","country":"SAVINGS"}`
	fine := `{"amount":5,"to":"SAVINGS","note":null,"payee":{"name":"A","address":` + address +
		`},"lines":[{"what":"fee","pounds":1.5}],"how":{"kind":"card","digits":"1"}}`
	rec, err := d.Submit(ctx, asking(fine, pydantic(t, "pay_out")), nil)
	if err != nil {
		t.Fatal(err, fault.Fields(err))
	}
	in, err := d.Get(ctx, rec.ID)
	if err != nil {
		t.Fatal(err)
	}
	if s := string(in.Actions[0].Schema); strings.Contains(s, `"$`) || !strings.Contains(s,
		`"to":{"description":"Which account.","enum":["SAVINGS","CURRENT"],"type":"string"}`) {
		t.Error(s)
	}
	for was, edit := range map[string]struct{ to, says string }{
		`"SAVINGS","note"`:   {`"NOWHERE","note"`, "to: "},
		`"note":null`:        {`"note":5`, "note: 5 isn't of type string."},
		`"city":"Leeds"`:     {`"city":5`, "payee/address/city: "},
		`"pounds":1.5`:       {`"pounds":1500`, "lines/pounds: 1500 is greater than 1000."},
		`,"digits":"1"`:      {``, "how: none of the forms it may have fits."},
		`{"kind":"card",`:    {`{"kind":"bank","iban":"GB1",`, ""},
		`"payee":{"name":"A`: {`"payee":{"name":"`, "payee/name: "},
	} {
		_, err := in.Actions.With([]json.RawMessage{json.RawMessage(strings.Replace(fine, was, edit.to, 1))})
		msg := ""
		if fields := fault.Fields(err); len(fields) > 0 {
			msg = fields[0].Msg
		}
		if (edit.says == "") != (err == nil) || !strings.Contains(msg, "the schema: "+edit.says) && err != nil ||
			len(msg) > 200 {
			t.Errorf("%s: %q", edit.to, msg)
		}
	}
	_, err = d.Submit(ctx, asking(`{"name":"a"}`, pydantic(t, "tree")), nil)
	if fields := fault.Fields(err); len(fields) != 1 || !strings.Contains(fields[0].Msg, "#/$defs/Node refers to itself") {
		t.Error(err)
	}
}

// What stands beside a reference holds too, and a value that only looks like one is left alone.
func TestWhatStandsBesideAReference(t *testing.T) {
	const schema = `{"$defs":{"n":{"type":"integer","title":"N"},"x/y":{"type":"boolean"}},"properties":{
		"a":{"$ref":"#/$defs/n","minimum":5},"b":{"$ref":"#/$defs/x~1y"},"$ref":{"type":"string"},
		"c":{"$ref":"#/properties/a"}}}`
	list := interaction.Actions{{Name: "pay", Arguments: json.RawMessage(`{}`), Schema: json.RawMessage(schema)}}
	for raw, fits := range map[string]bool{`{"a":5,"b":true,"$ref":"x","c":6}`: true, `{"a":4}`: false,
		`{"a":"x"}`: false, `{"b":1}`: false, `{"$ref":1}`: false, `{"c":4}`: false} {
		if _, err := list.With([]json.RawMessage{json.RawMessage(raw)}); (err == nil) != fits {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

// A submission is checked before it holds up others who write, and not again while it does.
func TestASubmissionIsCheckedOnce(t *testing.T) {
	d := open(t)
	sub := submission()
	d.Read = func(_ string, c interaction.Consultation) interaction.Follow {
		c.Customer.Extra["late"] = strings.Repeat("x", interaction.MaxCustomerBytes) // which a check would refuse
		return func(*db.Tx, *interaction.Interaction) error { return nil }
	}
	if _, err := d.Submit(ctx, sub, nil); err != nil {
		t.Error(fmt.Sprint(err, fault.Fields(err)))
	}
}

// What a reviewer typed is held to what an agent's own arguments are: one reading alone, a size, and the kinds.
func TestEditedArgumentsAreCheckedAsThoseThatCame(t *testing.T) {
	list := interaction.Actions{{Name: "pay", Arguments: json.RawMessage(
		`{"n":5000,"now":true,"to":{"iban":"A"},"rest":null}`)}}
	for raw, says := range map[string]string{
		`{"to":{"iban":"EVIL","iban":"GOOD"}}`: "twice",
		`{"n":"5,000"}`:                        "n was a number, 5000. Give a number again.",
		`{"now":"yes"}`:                        "now was true or false",
		`{"to":"EVIL"}`:                        "to was an object",
		`{"x":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`: "deeper",
		`{"x":"` + strings.Repeat("x", 70_000) + `"}`:                     "",
	} {
		_, err := list.With([]json.RawMessage{json.RawMessage(raw)})
		fields := fault.Fields(err)
		if len(fields) != 1 || fields[0].Name != "actions.0" || !strings.Contains(fields[0].Msg, says) {
			t.Errorf("%.60s: %v", raw, err)
		}
	}
	got, err := list.With([]json.RawMessage{json.RawMessage(`{"n":5001.50,"to":{"iban":"B"},"rest":1,"more":"x"}`)})
	if err != nil || got[0].Object()["n"] != json.Number("5001.50") {
		t.Errorf("%v %v", got, err)
	}
}

// A number is said with what the schema calls it, where its unit is; a figure of the agent's description isn't said of
// arguments that a person edited.
func TestWhatActionsSay(t *testing.T) {
	list := interaction.Actions{{Name: "issue_refund", Does: "Refund £250. It is late.",
		Arguments: json.RawMessage(`{"amount":250,"order_id":7,"why":"late"}`), Schema: json.RawMessage(`{"properties":{
		"amount":{"title":"Amount in £"},"order_id":{"title":"Order Id"},"why":{"title":"The reason"}}}`)}}
	const said = "issue_refund\namount: 250 (Amount in £: 250)\norder_id: 7\nwhy: late"
	if got := list.Text(); got != said+"\nRefund £250. It is late." {
		t.Error(got)
	}
	same, err := list.With([]json.RawMessage{list[0].Arguments})
	edited, err2 := list.With([]json.RawMessage{json.RawMessage(`{"amount":90,"order_id":7,"why":"late"}`)})
	if err != nil || err2 != nil || same[0].Does == "" ||
		edited.Text() != strings.ReplaceAll(said, "250", "90")+"\nRefund …. It is late." {
		t.Error(same, edited.Text(), err, err2)
	}
}

// What doesn't fit is said in words.
func TestWhatDoesNotFitIsSaidInWords(t *testing.T) {
	list := interaction.Actions{{Name: "pay", Arguments: json.RawMessage(`{"n":5000}`), Schema: json.RawMessage(
		`{"properties":{"n":{"type":"integer","minimum":10,"maximum":10000},"x":{"type":"number","maximum":0.5}}}`)}}
	for raw, says := range map[string]string{
		`{"n":20000}`:   "n: 20000 is greater than 10000.",
		`{"n":9}`:       "n: 9 is less than 10.",
		`{"n":"4,000"}`: "n: 4,000 isn't of type integer.",
		`{"x":0.75}`:    "is greater than 0.5.",
	} {
		_, err := list.With([]json.RawMessage{json.RawMessage(raw)})
		if fields := fault.Fields(err); len(fields) != 1 || !strings.HasSuffix(fields[0].Msg, says) {
			t.Errorf("%s: %v", raw, fields)
		}
	}
}
