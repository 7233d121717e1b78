package privacy

import "testing"

// In code numbers are the code's, and in prose a customer's.
func TestNumbersOfCodeAreKept(t *testing.T) {
	p := New()
	for _, kept := range []string{
		"SELECT * FROM site WHERE ST_DWithin(geom, ST_MakePoint(320000,5800000), 10)",
		"SELECT id FROM parcel WHERE parcel_no = 5800000 LIMIT 1000000",
		"select name from tax_band where tax = 50000 and id between 1000000 and 2000000",
		"INSERT INTO point VALUES (320000.5800000, 5800000),\n(320001, 5800001)",
		"UPDATE site SET northing = 5800000 WHERE id IN (1234567, 7654321)",
		`{"query":"SELECT \"geom\", 1 FROM a WHERE n > 5800000"}`,
		"SELECT ST_GeomFromText('POINT(0.1278 51.5074)') FROM a WHERE b = 'POINT(320000 5800000)'",
		"I ran ST_MakePoint(320000, 5800000) on it.",
		"Run this:\n```\nx = 5800000\nf(-1234567)\n```\n",
		"Use `limit = 5800000` there.",
	} {
		if safe, _ := p.Pseudonymise(kept); safe != kept {
			t.Errorf("%s\nbecame\n%s", kept, safe)
		}
	}
	for text, want := range map[string]string{
		"Select policy 12345678 from the list (page 3).":     "Select policy [NUMBER-1] from the list (page 3).",
		"Select my plan, 12345678, from the list.":           "Select my plan, [NUMBER-1], from the list.",
		"My number (12345678) is on it.":                     "My number ([NUMBER-1]) is on it.",
		"```\nx = 5800000\n```\nMy policy, 12345678.":        "```\nx = 5800000\n```\nMy policy, [NUMBER-1].",
		"SELECT * FROM a WHERE ni = 'QQ123456C'":             "SELECT * FROM a WHERE ni = '[NI-1]'",
		"SELECT * FROM a WHERE s = '20-11-43'":               "SELECT * FROM a WHERE s = '[SORTCODE-1]'",
		"SELECT * FROM a WHERE ref = 'AB1234567'":            "SELECT * FROM a WHERE ref = '[NUMBER-1]'",
		"SELECT * FROM a WHERE phone = '07700900123'":        "SELECT * FROM a WHERE phone = '[PHONE-1]'",
		"SELECT * FROM a WHERE id = 5800000; Policy 1234567": "SELECT * FROM a WHERE id = 5800000; Policy [NUMBER-1]",
		`{"q":"SELECT * FROM a WHERE n=1","said":"it is: 1234567"}`: `{"q":"SELECT * FROM a WHERE n=1",` +
			`"said":"it is: [NUMBER-1]"}`,
	} {
		if safe, _ := p.Pseudonymise(text); safe != want {
			t.Errorf("%s\nbecame\n%s\nwant\n%s", text, safe, want)
		}
	}
}
