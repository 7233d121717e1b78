package config

import (
	"errors"
	"time"
	_ "time/tzdata" // zones are there on every machine
)

// DefaultZone is the zone of a new file.
const DefaultZone = "Europe/London"

// Location finds a time zone by its name; DefaultZone when that is empty. "Local" is none: it would be another on
// another machine.
func Location(name string) (*time.Location, error) {
	switch name {
	case "":
		name = DefaultZone
	case "Local":
		return nil, errors.New("config: the machine's own zone is not the same everywhere")
	}
	return time.LoadLocation(name)
}
