package sqlcheck

import (
	"regexp"
	"slices"
)

// query is the clauses of one SELECT by their first word, without what UNION adds to it.
type query map[string][]node

// isQuery reports whether a group holds one.
func isQuery(list []node) bool { return len(list) > 0 && (list[0].is("select") || list[0].is("with")) }

var (
	clauses = set("select from where group having order limit")
	// ends are words behind which no clause of the SELECT comes.
	ends = set("union intersect except conflict duplicate returning")
)

// queries are the SELECTs of a list, not those in its groups.
func queries(list []node) (out []query) {
	var q query
	in := ""
	for i, n := range list {
		starts := clauses[n.low] && opens(list, i)
		switch {
		case starts && n.low == "select":
			q, in = query{}, n.low
			out = append(out, q)
		case n.kind == word && ends[n.low] && i > 0 && !list[i-1].isMark("."):
			q = nil
		case q == nil:
		case starts:
			in = n.low
		default:
			q[in] = append(q[in], n)
		}
	}
	return out
}

// opens reports whether a clause begins at i: not a column of that name, IS DISTINCT FROM or WITHIN GROUP.
func opens(list []node, i int) bool {
	switch n := list[i]; {
	case n.kind != word || i > 0 && list[i-1].isMark("."):
		return false
	case n.low == "group":
		return i+1 < len(list) && list[i+1].is("by")
	case n.low == "from":
		return i < 2 || !list[i-1].is("distinct") || !list[i-2].is("is") && !list[i-2].is("not")
	}
	return true
}

// source is a table, a subquery or a function of a FROM, with how it is joined to those before it.
type source struct {
	name  string // the first of its words
	alias string // the last
	table bool   // it is no subquery and no function
	comma bool   // it stands after a comma
	needs bool   // a JOIN that takes ON or USING
	on    []node
}

// notAlias are words that stand behind a source and are not its alias.
var notAlias = set("inner left right full outer cross natural as")

// sources are those of a FROM clause.
func sources(from []node) (list []source) {
	s := source{table: true}
	pairs := false // CROSS or NATURAL was read
	for _, n := range from {
		switch {
		case n.is("cross"), n.is("natural"):
			pairs = true
		case n.isMark(","):
			list = append(list, s)
			s = source{table: true, comma: true}
		case n.is("join"), n.is("apply"):
			list = append(list, s)
			s, pairs = source{table: true, needs: n.is("join") && !pairs}, false
		case s.on == nil && (n.is("on") || n.is("using")):
			s.on = []node{}
		case s.on != nil:
			s.on = append(s.on, n)
		case n.kind == group && n.text == "(":
			s.table = false
		case n.named() && !notAlias[n.low]:
			s.alias = n.low
			if s.name == "" {
				s.name = n.low
			}
		}
	}
	return append(list, s)
}

// Names are the tables that the statements of a text read, and the functions that they call, in small letters and each
// once; none of a text that can't be read.
func Names(sql string) (tables, functions []string) {
	list, problem := read(sql)
	if problem != "" {
		return nil, nil
	}
	c := &checker{defined: map[string]bool{}, columns: map[string]system{}}
	c.learn(list)
	var visit func(list []node)
	visit = func(list []node) {
		for _, q := range queries(list) {
			for _, s := range sources(q["from"]) {
				if c.isTable(s) && plainName.MatchString(s.name) && !slices.Contains(tables, s.name) {
					tables = append(tables, s.name)
				}
			}
		}
		for i, n := range list {
			called := n.kind == group && !n.gap && i > 0 && list[i-1].kind == word
			if called && !slices.Contains(functions, list[i-1].low) {
				functions = append(functions, list[i-1].low)
			}
			visit(n.in)
		}
	}
	visit(list)
	return tables, functions
}

// plainName is a name that is nobody's words.
var plainName = regexp.MustCompile(`^[a-z_][a-z0-9_$]{0,63}$`)

// joins looks for tables that nothing joins. A query of more sources than a person would join is not looked at.
func (c *checker) joins(q query) {
	list, conditions := sources(q["from"]), conjuncts(q["where"])
	if len(list) > 40 {
		return
	}
	short := 0 // JOINs without a condition: none in a JOIN b JOIN c ON … ON …
	for _, s := range list {
		conditions = append(conditions, conjuncts(s.on)...)
		if s.needs {
			short++
		}
	}
	for _, n := range q["from"] {
		if n.is("on") || n.is("using") {
			short--
		}
	}
	for _, s := range list[1:] {
		linked := func(condition []node) bool { return links(condition, s, list) }
		switch {
		case s.needs && s.on == nil && s.table && short > 0:
			c.add(Wrong, "JOIN %s has neither ON nor USING, so nothing says which rows belong together. "+
				"Add ON with the columns that are equal, or write CROSS JOIN if every pair is meant.", quoted(s.alias))
		case s.comma && c.isTable(s) && c.isTable(list[0]) && !slices.ContainsFunc(conditions, linked):
			c.add(Wrong, "%s has no condition that joins %s, so each of its rows is paired with every row of the "+
				"others. Write JOIN %s ON with the columns that are equal.",
				quoted("FROM "+show(q["from"])), s.alias, s.alias)
		}
	}
}

func (c *checker) isTable(s source) bool { return s.table && s.name != "" && !c.defined[s.name] }

// conjuncts are the parts of a condition between its ANDs, apart from that of BETWEEN.
func conjuncts(list []node) (parts [][]node) {
	begin, between := 0, false
	for i, n := range list {
		if n.is("and") && !between {
			parts = append(parts, list[begin:i])
			begin = i + 1
		}
		between = n.is("between") || between && !n.is("and")
	}
	return append(parts, list[begin:])
}

// links reports whether a condition compares a source with another. One that doesn't say whose its columns are may do
// so.
func links(condition []node, s source, list []source) bool {
	columns, whose := map[string]bool{}, map[string]bool{}
	mentioned(condition, columns, whose)
	other := slices.ContainsFunc(list, func(o source) bool { return o.alias != s.alias && whose[o.alias] })
	return whose[s.alias] && other || whose[""] && len(columns) > 1
}

// noColumns are words of conditions that are no columns.
var noColumns = set(
	`and or not is null true false in like ilike similar to between exists any all some case when then else end as distinct from
	interval date time timestamp select where group order by limit having on using join left right inner outer escape collate`)

// mentioned gathers the columns of a condition, and the qualifiers that they have; "" for one without.
func mentioned(list []node, columns, whose map[string]bool) {
	for i, n := range list {
		mentioned(n.in, columns, whose)
		at := func(i int) node { // a mark beyond the ends
			if i < 0 || i >= len(list) {
				return node{kind: mark}
			}
			return list[i]
		}
		switch {
		case !n.named() || n.kind == word && noColumns[n.low] || at(i-1).isMark("::") || at(i+1).isMark(".") ||
			at(i+1).kind == group:
			// no column, or a type, a qualifier or a function
		case at(i - 1).isMark("."):
			columns[at(i-2).low+"."+n.low], whose[at(i-2).low] = true, true
		default:
			columns[n.low], whose[""] = true, true
		}
	}
}

// aggregates make one row of many.
var aggregates = set(
	`count sum avg min max total group_concat string_agg array_agg json_agg jsonb_agg json_object_agg jsonb_object_agg bool_and bool_or every
	stddev variance percentile_cont percentile_disc mode median st_extent st_union st_collect st_asmvt`)

// aggregated reports whether an aggregate that is no window function is among what is selected.
func aggregated(list []node) bool {
	for i, n := range list {
		window := i+1 < len(list) && list[i+1].is("over")
		if n.kind == group && !window && !isQuery(n.in) && (i > 0 && aggregates[list[i-1].low] || aggregated(n.in)) {
			return true
		}
	}
	return false
}

// bounding are words with which a statement does not give every row.
var bounding = set("limit offset fetch top distinct into insert update delete merge")

// unbounded warns of a statement that gives every row of a table.
func (c *checker) unbounded(list []node) {
	if slices.ContainsFunc(list, func(n node) bool { return n.kind == word && bounding[n.low] }) {
		return
	}
	for _, q := range queries(list) {
		from := sources(q["from"])
		if q["where"] == nil && q["group"] == nil && !aggregated(q["select"]) && slices.ContainsFunc(from, c.isTable) &&
			!catalogue.MatchString(from[0].name) {
			c.add(Warning, "%s gives every row of the table, because it has no WHERE, LIMIT or aggregate. Add a "+
				"WHERE for the rows that are needed, or a LIMIT.",
				quoted("SELECT "+show(q["select"])+" FROM "+show(q["from"])))
		}
	}
}

// catalogue is what a database says of itself.
var catalogue = regexp.MustCompile(`^(information_schema$|pg_|sqlite_)`)
