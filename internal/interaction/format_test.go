package interaction_test

import (
	"encoding/json"
	"strings"
	"testing"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/fault"
)

// What a person types is held to the formats of a schema; what the agent wrote otherwise isn't asked of them.
func TestAPersonsArgumentsAreHeldToFormats(t *testing.T) {
	const schema = `{"properties":{"on":{"type":"string","format":"date"},"at":{"type":"string","format":"date-time"},
		"to":{"type":"object","properties":{"email":{"type":"string","format":"email"}}},
		"see":{"anyOf":[{"type":"string","format":"uri"},{"type":"null"}]},
		"either":{"anyOf":[{"type":"string","format":"date"},{"type":"string","format":"date-time"}]},
		"ids":{"type":"array","items":{"type":"string","format":"uuid"}},"ip":{"type":["string","null"],"format":"ipv4"},
		"loose":{"type":"string","format":"date"},"own":{"type":"string","format":"iban"},"n":{"type":"integer"}}}`
	const was = `{"on":"2026-12-01","at":"2026-12-01T10:00:00","to":{"email":"ann@example.org"},"see":null,
		"ids":["123e4567-e89b-12d3-a456-426614174000"],"loose":"1 December","own":"x","n":1}`
	list := interaction.Actions{{Name: "book", Arguments: json.RawMessage(was), Schema: json.RawMessage(schema)}}
	for edit, says := range map[string]string{
		`"on":"2026-12-24"`:                      "",
		`"on":"24 December"`:                     "on: Enter a date such as",
		`"on":"2026-02-30"`:                      "on: Enter a date such as",
		`"at":"tomorrow"`:                        "at: Enter a date and time such as",
		`"at":"2026-12-02T09:30:00+01:00"`:       "",
		`"to":{"email":"ben"}`:                   "to/email: Enter an e-mail address",
		`"to":{"email":"Ben <ben@example.org>"}`: "to/email: Enter an e-mail address",
		`"to":{"email":"ben@example.org"}`:       "",
		`"see":"example.org"`:                    "see: Enter a whole address",
		`"see":"https://example.org/a"`:          "",
		`"either":"2026-12-02T09:30:00Z"`:        "",
		`"either":"2026-12-02"`:                  "",
		`"either":"soon"`:                        "either: Enter a date",
		`"ids":["x"]`:                            "ids/1: Enter an id",
		`"ip":"192.0.2.300"`:                     "ip: Enter an IPv4 address",
		`"ip":null`:                              "",
		`"loose":"24 December"`:                  "", // as the agent writes it
		`"own":"anything"`:                       "", // no format that can be told
		`"n":2`:                                  "",
	} {
		name, _, _ := strings.Cut(edit, ":")
		var object map[string]json.RawMessage
		if err := json.Unmarshal([]byte(was), &object); err != nil {
			t.Fatal(err)
		}
		object[strings.Trim(name, `"`)] = json.RawMessage(edit[len(name)+1:])
		raw, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		_, err = list.With([]json.RawMessage{raw})
		said := ""
		if fields := fault.Fields(err); len(fields) > 0 {
			said = fields[0].Msg
		}
		if says == "" && err != nil || !strings.HasPrefix(said, says) {
			t.Errorf("%s: %v %s", edit, err, said)
		}
	}
}
