package reviews

import (
	"encoding/json"
	"maps"
	"os"
	"strings"
	"testing"

	"preceptor/internal/interaction"
)

// Arguments that nobody changed are the agent's own, to the byte, whatever a form makes of line ends, the order of
// names and the writing of numbers.
func TestArgumentsNobodyTouchedStay(t *testing.T) {
	a := interaction.Action{Name: "pay", Arguments: json.RawMessage(`{"z":1e2,"text":"a\r\nb\nc","n":20.0,"list":[2, 1]}`),
		Schema: json.RawMessage(`{"properties":{"n":{"enum":[10,20,30]},"text":{"type":"string"}}}`)}
	form := map[string][]string{}
	for _, f := range ArgumentFields(a) {
		if len(f.Choices) > 0 && f.Value != "20" {
			t.Errorf("no choice of %s is selected: %q", f.Name, f.Value)
		}
		sent := strings.ReplaceAll(strings.ReplaceAll(f.Value, "\r\n", "\n"), "\n", "\r\n") // as browsers do
		form[argumentName(0, f.Name)] = []string{sent}
	}
	if got := Typed(0, a, form); string(got) != string(a.Arguments) {
		t.Errorf("%s", got)
	}
	form[argumentName(0, "n")] = []string{"30"}
	if got := string(Typed(0, a, form)); !strings.Contains(got, `"n":30`) || !strings.Contains(got, `"text":"a\r\nb\nc"`) {
		t.Errorf("%s", got)
	}
}

func TestAnArgumentHasTheNameOfItsSchema(t *testing.T) {
	a := interaction.Action{Name: "pay", Arguments: json.RawMessage(`{"n":1}`), Schema: json.RawMessage(
		`{"properties":{"n":{"type":"integer","title":"Amount in pounds"},"to":{"type":"string"}}}`)}
	if f := ArgumentFields(a); f[0].Label() != "Amount in pounds" || f[1].Label() != "to (optional)" {
		t.Errorf("%+v", f)
	}
}

// typesTool is a tool made from types, as the store keeps it: with what its references stood for in their place.
func typesTool(t *testing.T, arguments string) interaction.Action {
	t.Helper()
	var all map[string]json.RawMessage
	raw, err := os.ReadFile("../../internal/interaction/testdata/pydantic.json")
	if err == nil {
		err = json.Unmarshal(raw, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	list := interaction.Actions{{Name: "pay", Schema: all["pay_out"]}}
	list, err = list.With([]json.RawMessage{json.RawMessage(arguments)})
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

const typedPayee = `{"name":"A","address":{"street":"1 High St","city":"Leeds","country":"SAVINGS"}}`

// Choices, what may be null, objects in objects and lists each have a field that a person can use.
func TestFieldsOfTypes(t *testing.T) {
	a := typesTool(t, `{"amount":5,"to":"SAVINGS","note":null,"payee":`+typedPayee+`,"agent":`+typedPayee+
		`,"lines":[{"what":"fee","pounds":1.5}],"how":{"kind":"card","digits":"1"}}`)
	form, got := map[string][]string{}, map[string]string{}
	for _, f := range ArgumentFields(a) {
		form[argumentName(0, f.Name)] = []string{f.Value}
		got[f.Name] = strings.Join([]string{f.In, f.Label(), f.Kind, strings.Join(f.Choices, " "), f.Value}, "|")
	}
	for name, want := range map[string]string{
		"amount":               `|Amount|integer||5`,
		"to":                   `|to|string|"SAVINGS" "CURRENT"|"SAVINGS"`,
		"speed":                `|speed (optional)|integer|1 2|`,
		"fallback":             `|fallback (optional)|string|"SAVINGS" "CURRENT"|`,
		"note":                 `|Note|string||`,
		"payee/name":           `payee|Name|string||A`,
		"payee/address/city":   `payee – address|Town|string||Leeds`,
		"payee/previous/city":  `payee – previous|Town (optional)|string||`,
		"agent":                `agent|agent|if given|keep|keep`,
		"agent/address/street": `agent – address|Street|string||1 High St`,
		"lines":                "|Lines|||[\n  {\n    \"what\": \"fee\",\n    \"pounds\": 1.5\n  }\n]",
	} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
	if out := Typed(0, a, form); string(out) != string(a.Arguments) {
		t.Errorf("nobody changed it: %s", out)
	}
	for _, c := range []struct{ name, value, want string }{
		{"to", `"CURRENT"`, `"to":"CURRENT"`}, {"note", "x", `"note":"x"`}, {"speed", "2", `"speed":2`},
		{"payee/address/city", "York", `"city":"York"`}, {"payee/previous/city", "York", `"previous":{"city":"York"}`},
		{"agent", "", `"agent":null`}, {"lines", "[]", `"lines":[]`}, {"lines", "[", `"lines":"["`},
	} {
		changed := maps.Clone(form)
		changed["action.0."+c.name] = []string{c.value}
		if out := string(Typed(0, a, changed)); !strings.Contains(out, c.want) {
			t.Errorf("%s: %s has no %s", c.name, out, c.want)
		}
	}
}
