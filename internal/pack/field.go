package pack

import (
	"strconv"
	"strings"
)

// Field is what the profile says of a field, by its name, letter case aside; false when it says nothing.
func (s Situation) Field(name string) (values []string, known bool) {
	name = strings.ToLower(name)
	for have, list := range s.Fields {
		if strings.ToLower(have) == name {
			return list, len(list) > 0
		}
	}
	switch name {
	case "age":
		return number64(float64(s.Age))
	case "literacy":
		return one(s.Literacy)
	case "goal":
		return one(s.Goal)
	case "features":
		return s.Features, len(s.Features) > 0
	case "vulnerable":
		if s.Vulnerable {
			return one("yes")
		}
	case "db_value":
		return number64(s.DBValue)
	case "dc_value":
		return number64(s.DCValue)
	case "pensions":
		for _, k := range []struct {
			has  bool
			name string
		}{{s.HasDB, "db"}, {s.HasDC, "dc"}, {s.HasState, "state"}} {
			if k.has {
				values = append(values, k.name)
			}
		}
		return values, len(values) > 0
	}
	return nil, false
}

func one(v string) ([]string, bool) {
	if v == "" {
		return nil, false
	}
	return []string{v}, true
}

func number64(v float64) ([]string, bool) {
	if v == 0 {
		return nil, false
	}
	return []string{strconv.FormatFloat(v, 'f', -1, 64)}, true
}
