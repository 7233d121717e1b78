package sqlcheck

import (
	"cmp"
	"slices"
	"strings"
)

// query is the clauses of one SELECT by their first word, without what UNION adds to it.
type query map[string][]node

// isQuery tells whether a group holds one.
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
			q, in = query{"select": {}}, n.low
			out = append(out, q)
		case n.kind == word && ends[n.low] && i > 0 && !list[i-1].isMark("."):
			q = nil
		case q == nil:
		case starts:
			in = n.low
			q[in] = []node{}
		default:
			q[in] = append(q[in], n)
		}
	}
	return out
}

// opens tells whether a clause begins at i: not a column of that name, IS DISTINCT FROM or WITHIN GROUP.
func opens(list []node, i int) bool {
	switch n := list[i]; {
	case n.kind != word || i > 0 && list[i-1].isMark("."):
		return false
	case n.low == "group" || n.low == "order":
		return i+1 < len(list) && list[i+1].is("by")
	case n.low == "from":
		return i < 2 || !list[i-1].is("distinct") || !list[i-2].is("is") && !list[i-2].is("not")
	}
	return true
}

// empty looks for clauses without anything in them.
func (c *checker) empty(q query) {
	for _, w := range []string{"select", "from", "where", "having", "limit"} {
		if body, ok := q[w]; ok && len(body) == 0 {
			c.add(Broken, "Nothing follows %s in a SELECT. Complete the clause or leave it out.", strings.ToUpper(w))
		}
	}
}

// source is a table, a subquery or a function of a FROM.
type source struct {
	table string // "" for what is no table
	alias string
	body  []node // as it is written
	comma bool   // it stands after a comma
	needs bool   // a join that takes ON or USING
	on    []node
}

// sources are those of a FROM clause.
func sources(from []node) (list []source) {
	var s source
	for _, n := range from {
		how := s.body // what stands before JOIN: the source before it, or its condition, and how the two are joined
		if s.on != nil {
			how = s.on
		}
		switch {
		case n.isMark(","):
			list = append(list, s.named())
			s = source{comma: true}
		case n.is("join"), n.is("apply"):
			list = append(list, s.named())
			pairs := slices.ContainsFunc(how, func(h node) bool { return h.is("cross") || h.is("natural") })
			s = source{needs: n.is("join") && !pairs}
		case s.on == nil && (n.is("on") || n.is("using")):
			s.on = []node{}
		case s.on != nil:
			s.on = append(s.on, n)
		default:
			s.body = append(s.body, n)
		}
	}
	return append(list, s.named())
}

// noAlias are words that stand behind a source and are not its alias.
var noAlias = set("inner left right full outer cross natural with ordinality tablesample for")

// named finds what a source is and what it is called. A name with its arguments behind it is a function.
func (s source) named() source {
	b := s.body
	for len(b) > 0 && (b[0].is("only") || b[0].is("lateral")) {
		b = b[1:]
	}
	for len(b) > 2 && b[1].isMark(".") {
		b = b[2:]
	}
	if len(b) == 0 {
		return s
	}
	if b[0].named() && (len(b) == 1 || b[1].kind != group) {
		s.table, s.alias = b[0].low, b[0].low
	}
	if b = b[1:]; len(b) > 0 && b[0].kind == group {
		b = b[1:]
	}
	if len(b) > 1 && b[0].is("as") {
		b = b[1:]
	}
	if len(b) > 0 && b[0].named() && !noAlias[b[0].low] {
		s.alias = b[0].low
	}
	return s
}

// manySources are more than a person would join; they are not looked at.
const manySources = 40

// joins looks for tables that nothing joins.
func (c *checker) joins(q query) {
	list := sources(q["from"])
	if len(list) > manySources {
		return
	}
	missing, bare := 0, ""
	for _, s := range list {
		if s.needs {
			missing++
		}
		if s.needs && s.on == nil && bare == "" {
			bare = cmp.Or(s.alias, show(s.body))
		}
	}
	for _, n := range q["from"] {
		if n.is("on") || n.is("using") {
			missing--
		}
	}
	if missing > 0 { // a JOIN b JOIN c ON … ON … misses none
		c.add(Wrong, "JOIN %s has neither ON nor USING, so nothing says which rows belong together. Add ON with the columns that are equal, or write CROSS JOIN if every pair is meant.", quoted(bare))
		return
	}
	of, first := together(list, q["where"]), -1
	for i, s := range list {
		switch {
		case s.table == "" || c.defined[s.table]:
		case first < 0:
			first = i
		case of[i] != of[first]:
			c.add(Wrong, "%s has no condition that joins %s to %s, so every row of one is paired with every row of the other. Write JOIN %s ON with the columns that are equal.",
				quoted("FROM "+show(q["from"])), s.alias, list[first].alias, s.alias)
			return
		}
	}
}

// together numbers the sources so that those that some condition joins have one number. A condition that compares columns without saying
// whose they are may join any.
func together(list []source, where []node) []int {
	of := make([]int, len(list))
	conditions := conjuncts(where)
	for i, s := range list {
		of[i] = i
		if i > 0 && !s.comma {
			of[i] = of[i-1]
		}
		conditions = append(conditions, conjuncts(s.on)...)
	}
	for _, condition := range conditions {
		columns, whose := map[string]bool{}, map[string]bool{}
		mentioned(condition, columns, whose)
		into := -1
		for i, s := range list {
			switch {
			case !whose[s.alias] && !(whose[""] && len(columns) > 1):
			case into < 0:
				into = of[i]
			default:
				for j, from := 0, of[i]; j < len(of); j++ {
					if of[j] == from {
						of[j] = into
					}
				}
			}
		}
	}
	return of
}

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

// noColumns are words of conditions that are no columns.
var noColumns = set(`and or not is null true false in like ilike similar to between exists any all some case when then else end as distinct from
	interval date time timestamp select where group order by limit having on using join left right inner outer escape collate`)

// mentioned gathers the columns of a condition, and the qualifiers that they have; "" for one without.
func mentioned(list []node, columns, whose map[string]bool) {
	for i, n := range list {
		mentioned(n.in, columns, whose)
		var next node
		if i+1 < len(list) {
			next = list[i+1]
		}
		switch {
		case !n.named() || n.kind == word && noColumns[n.low] || i > 0 && list[i-1].isMark("::"):
		case i > 1 && list[i-1].isMark("."):
			columns[list[i-2].low+"."+n.low] = true
			whose[list[i-2].low] = true
		case next.isMark(".") || next.kind == group: // a qualifier, or a function
		default:
			columns[n.low] = true
			whose[""] = true
		}
	}
}

// aggregates make one row of many.
var aggregates = set(`count sum avg min max total group_concat string_agg array_agg json_agg jsonb_agg json_object_agg jsonb_object_agg bool_and bool_or every
	stddev variance percentile_cont percentile_disc mode median st_extent st_union st_collect st_asmvt`)

// aggregated tells whether an aggregate that is no window function is among what is selected.
func aggregated(list []node) bool {
	for i, n := range list {
		window := i+1 < len(list) && list[i+1].is("over")
		if n.kind == group && !window && !isQuery(n.in) && (i > 0 && aggregates[list[i-1].low] || aggregated(n.in)) {
			return true
		}
	}
	return false
}

// unbounded warns of a statement that gives every row of a table.
func (c *checker) unbounded(list []node) {
	if slices.ContainsFunc(list, func(n node) bool {
		return n.kind == word && strings.Contains(" limit offset fetch top into insert update delete merge ", " "+n.low+" ")
	}) {
		return
	}
	for _, q := range queries(list) {
		from, what := q["from"], q["select"]
		if len(from) == 0 || q["where"] != nil || q["group"] != nil || q["having"] != nil || aggregated(what) || len(what) > 0 && what[0].is("distinct") ||
			strings.HasPrefix(from[0].low, "information_schema") || strings.HasPrefix(from[0].low, "pg_") || strings.HasPrefix(from[0].low, "sqlite_") {
			continue
		}
		if slices.ContainsFunc(sources(from), func(s source) bool { return s.table != "" && !c.defined[s.table] }) {
			c.add(Warning, "%s gives every row of the table, because it has no WHERE, LIMIT or aggregate. Add a WHERE for the rows that are needed, or a LIMIT.",
				quoted("SELECT "+show(what)+" FROM "+show(from)))
		}
	}
}
