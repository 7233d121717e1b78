package sqlcheck

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// system is what the text says of a geometry's reference system. The zero value says nothing.
type system struct {
	srid  int  // missing: it has none
	globe bool // a geography: degrees on a globe, measured in metres
}

const missing = -1

// degrees are the reference systems in degrees that agents meet: WGS 84, GDA94, GDA2020, NAD83, NAD27, ETRS89,
// CGCS2000, SIRGAS 2000.
var degrees = map[int]bool{4326: true, 4283: true, 7844: true, 4269: true, 4267: true, 4258: true, 4490: true,
	4674: true}

func (s system) inDegrees() bool { return !s.globe && degrees[s.srid] }
func (s system) inMetres() bool  { return s.globe || s.srid > 0 && !degrees[s.srid] }

// never is the place of an argument that a function doesn't have.
const never = 99

// sridAt is which argument says the reference system of what a function makes.
var sridAt = map[string]int{
	"st_setsrid": 1, "st_transform": 1, "st_makepoint": never, "st_point": 2, "st_makeenvelope": 4,
	"st_geomfromtext": 1, "st_geometryfromtext": 1,
	"st_pointfromtext": 1, "st_linefromtext": 1, "st_polygonfromtext": 1, "st_geomfromwkb": 1, "st_geomfromewkt": never,
}

// made are functions whose result has a reference system of its own.
var made = map[string]system{
	"st_geogfromtext": {globe: true}, "st_geographyfromtext": {globe: true}, "st_geogfromwkb": {globe: true},
	"st_geomfromgeojson": {srid: 4326},
	"st_tileenvelope":    {srid: 3857},
}

var inText = regexp.MustCompile(`(?i)^'(?:srid=|epsg:)([0-9]{1,6})`)

// sridOf is the reference system that a number, 'EPSG:28355' or 'SRID=4326;POINT(1 2)' names; 0 for anything else.
func sridOf(n node) (srid int) {
	if m := inText.FindStringSubmatch(n.text); m != nil {
		srid, _ = strconv.Atoi(m[1])
	} else if n.kind == number {
		srid, _ = strconv.Atoi(n.text)
	}
	return srid
}

// typed is a column with its type, as a schema has it: geom geometry(Point,4326).
var typed = regexp.MustCompile(`(?i)["\x60]?(\w+)["\x60]?\s*[:|\s]\s*(?:public\.)?(geometry|geography)\s*\(\s*\w+\s*,\s*([0-9]{1,6})\s*\)`)

// schema learns the reference systems of columns. A name that two tables give different ones says nothing.
func (c *checker) schema(text string) {
	for _, m := range typed.FindAllStringSubmatch(text, -1) {
		srid, _ := strconv.Atoi(m[3])
		is := system{srid: srid}
		if strings.EqualFold(m[2], "geography") {
			is = system{globe: true}
		}
		column := strings.ToLower(m[1])
		if was, known := c.columns[column]; known && was != is {
			is = system{}
		}
		c.columns[column] = is
	}
}

// system is what the statement says of an expression.
func (c *checker) system(e []node) system {
	f, args := call(e)
	at, sets := sridAt[f]
	for i := len(e) - 2; i > 0; i-- {
		if e[i].isMark("::") {
			return c.cast(e[:i], e[i+1:])
		}
	}
	switch {
	case f == "cast":
		if as := slices.IndexFunc(args[0], func(n node) bool { return n.is("as") }); as > 0 {
			return c.cast(args[0][:as], args[0][as+1:])
		}
	case len(e) == 1 && e[0].kind == group:
		return c.system(e[0].in)
	case len(e) == 1 && e[0].kind == literal:
		return system{srid: sridOf(e[0])}
	case len(e) == 1 && e[0].named():
		return c.columns[e[0].low]
	case len(e) == 3 && e[1].isMark("."):
		if of, known := c.columns[e[0].low+"."+e[2].low]; known || c.defined[e[0].low] {
			return of
		}
		return c.columns[e[2].low]
	case made[f] != system{}:
		return made[f]
	case sets && at < len(args) && len(args[at]) == 1:
		return system{srid: sridOf(args[at][0])}
	case sets && at < len(args):
	case sets && args[0][0].kind == literal && sridOf(args[0][0]) != 0:
		return system{srid: sridOf(args[0][0])}
	// a column or a parameter may hold text that says it
	case sets && (args[0][0].kind == literal || !strings.Contains(f, "from")):
		return system{srid: missing}
	case strings.HasPrefix(f, "st_"):
		return c.system(args[0])
	}
	return system{}
}

// cast is an expression as another type.
func (c *checker) cast(e, to []node) system {
	s := c.system(e)
	switch {
	case len(to) == 0 || to[0].low != "geometry" && to[0].low != "geography":
		return system{}
	case to[0].low == "geography":
		return system{globe: true}
	case len(to) == 2 && len(to[1].in) == 3: // geometry(Point, 4326)
		return system{srid: sridOf(to[1].in[2])}
	case s.globe:
		return system{srid: 4326}
	}
	return s
}

// call is the name and the arguments of an expression that is one call; args has one at least, and none is empty.
func call(e []node) (f string, args [][]node) {
	if len(e) == 4 && e[1].isMark(".") {
		e = e[2:]
	}
	if len(e) != 2 || !e[0].named() || e[1].kind != group {
		return "", nil
	}
	args = split(e[1].in, ",")
	if slices.ContainsFunc(args, func(a []node) bool { return len(a) == 0 }) {
		return "", nil
	}
	return e[0].low, args
}

// distanceAt is which argument is a distance in the unit of those before it.
var distanceAt = map[string]int{"st_dwithin": 2, "st_dfullywithin": 2, "st_buffer": 1}

// measures are functions whose result is in the unit of their arguments.
var measures = set("st_distance st_maxdistance st_length st_perimeter st_area")

// inMetres is the remedy for most of what goes wrong.
const inMetres = "Cast the geometry to geography (::geography) or bring it into a reference system in metres with " +
	"ST_Transform"

// spatial checks one call of PostGIS.
func (c *checker) spatial(e []node) {
	f, args := call(e)
	if !strings.HasPrefix(f, "st_") {
		return
	}
	at, distance := distanceAt[f]
	of := []system{c.system(args[0]), {}}
	if len(args) > 1 && !(distance && at == 1) {
		of[1] = c.system(args[1])
	}
	globe := of[0].globe || of[1].globe
	inDegrees := slices.IndexFunc(of, system.inDegrees)
	switch {
	case f == "st_transform":
		if of[0].srid == missing && len(args) == 2 {
			c.add(Wrong, "%s transforms a geometry without a reference system, which fails. Say which one its "+
				"coordinates are in first, as in ST_SetSRID(…, 4326).", quote(e))
		}
	case mixed(of[0], of[1]):
		c.add(Wrong, "%s mixes geometries of two reference systems, or one with none. Bring both into one with "+
			"ST_Transform, or with ST_SetSRID where there is none yet.", quote(e))
	case distance && at < len(args) && inDegrees >= 0 && !globe:
		c.degrees(e, args[at], of[inDegrees].srid)
	case distance && at < len(args) && !globe && slices.ContainsFunc(args[:at], likelyDegrees) &&
		!slices.ContainsFunc(of, system.inMetres) && looksMetric(args[at]):
		c.add(Degrees, "%s measures in the unit of its coordinates, which look like longitude and latitude, so %s "+
			"would be degrees. Say which reference system the point is in with ST_SetSRID(…, 4326). %s, and give the "+
			"distance in metres.", quote(e), quote(args[at]), inMetres)
	case distance && at < len(args) && slices.ContainsFunc(of, system.inMetres):
		if n, err := strconv.ParseFloat(show(args[at]), 64); err == nil && n > 0 && n < 0.1 {
			c.add(Wrong, "%s measures in metres, so %s is less than ten centimetres and looks like degrees. Give the "+
				"distance in metres.", quote(e), quote(args[at]))
		}
	case measures[f] && inDegrees >= 0 && !globe:
		c.add(Degrees, "%s gives its result in degrees, because its geometry is in EPSG:%d. %s.", quote(e),
			of[inDegrees].srid, inMetres)
	case f == "st_distance" && of[0] == system{} && of[1] == system{} &&
		!strings.Contains(strings.ToLower(show(e)), "st_transform"):
		c.add(Warning, "%s gives its result in the unit of the columns' reference system, which may be degrees. %s.",
			quote(e), inMetres)
	}
}

// mixed reports whether PostGIS refuses two geometries of one call.
func mixed(a, b system) bool {
	if a.globe || b.globe {
		return a.inMetres() && b.inMetres() && a != b // a geography takes what is in degrees or has no reference system
	}
	return a.srid != b.srid && a.srid != 0 && b.srid != 0
}

// likelyDegrees reports whether an expression is a point without a reference system whose coordinates may be degrees,
// and are no round metres.
func likelyDegrees(e []node) bool {
	f, args := call(e)
	if f != "st_makepoint" && f != "st_point" || len(args) != 2 {
		return false
	}
	x, err := strconv.ParseFloat(show(args[0]), 64)
	y, err2 := strconv.ParseFloat(show(args[1]), 64)
	return err == nil && err2 == nil && math.Abs(x) <= 180 && math.Abs(y) <= 90 &&
		(x != math.Trunc(x) || y != math.Trunc(y))
}

// looksMetric reports whether a distance is too long for degrees.
func looksMetric(distance []node) bool {
	n, err := strconv.ParseFloat(show(distance), 64)
	return err == nil && n >= 1
}

// degrees says what is wrong with a distance that is taken in degrees.
func (c *checker) degrees(e, distance []node, srid int) {
	if looksMetric(distance) {
		c.add(Degrees, "%s measures in degrees, because its geometry is in EPSG:%d, but %s looks like metres. %s, and "+
			"give the distance in metres.", quote(e), srid, quote(distance), inMetres)
		return
	}
	c.add(Degrees, "%s takes %s as degrees of EPSG:%d, whose length in metres depends on place and direction. %s, and "+
		"give the distance in metres.", quote(e), quote(distance), srid, inMetres)
}
