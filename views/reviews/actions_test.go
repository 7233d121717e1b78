package reviews

import (
	"encoding/json"
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
