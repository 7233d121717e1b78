package sqlcheck_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"preceptor/internal/signal/evaluator/sqlcheck"
)

// statements and what is said of each: a part of every issue, in order.
var statements = []struct {
	sql  string
	want []string
}{
	// The seed's.
	{`SELECT * FROM enviro_audit_point
		WHERE ST_DWithin(geometry, ST_SetSRID(ST_MakePoint(144.38078, -38.08395), 4326), 100)`,
		[]string{"measures in degrees, because its geometry is in EPSG:4326, but `100` looks like metres"}},
	{`SELECT * FROM enviro_audit_polygon
		WHERE ST_DWithin(geom, ST_SetSRID(ST_MakePoint(144.38078, -38.08395), 4283), 0.001)`,
		[]string{"takes `0.001` as degrees of EPSG:4283"}},

	// Distances that are right.
	{`SELECT id FROM sites
		WHERE ST_DWithin(geom::geography, ST_SetSRID(ST_MakePoint(144.38, -38.08), 4326)::geography, 100)`, nil},
	{`SELECT id FROM sites
		WHERE ST_DWithin(ST_Transform(geom, 28355),
			ST_Transform(ST_SetSRID(ST_MakePoint(144.38, -38.08), 4326), 28355), 100)`, nil},
	{`SELECT id FROM sites
		WHERE ST_DWithin(CAST(geom AS geography), ST_GeogFromText('POINT(144.38 -38.08)'), 100)`, nil},
	{`SELECT id FROM sites WHERE ST_DWithin(geom, $1, 500)`, nil},
	{`SELECT a.id FROM a JOIN b ON ST_DWithin(a.geom, b.geom, 100) WHERE a.id = 1`, nil},
	{`SELECT ST_Distance(ST_Transform(a.geom, 28355), ST_Transform(b.geom, 28355)) FROM a JOIN b USING (id)
		LIMIT 3`, nil},
	{`SELECT ST_Area(geom::geography) FROM lots WHERE id = 3`, nil},
	{`SELECT ST_Buffer(ST_SetSRID(ST_MakePoint(144.38, -38.08), 4326)::geography, 500)::geometry`, nil},
	{`SELECT ST_Intersects(geom, ST_MakeEnvelope(144, -38, 145, -37, 4326)) FROM lots LIMIT 1`, nil},
	{`SELECT ST_AsText(ST_Transform(ST_GeomFromText('POINT(1 2)', 4326), 'EPSG:28355'))`, nil},
	{`SELECT geom FROM sites WHERE ST_DWithin(geom, ST_GeomFromEWKT('SRID=28355;POINT(1 2)'), 50)`, nil},

	{`SELECT id FROM s
		WHERE ST_DWithin(geom, ST_Transform(ST_SetSRID(ST_MakePoint(144, -38), 4326), ST_SRID(geom)), 100)`, nil},
	{`SELECT id FROM s
		WHERE ST_Intersects(geom, ST_Buffer(ST_SetSRID(ST_MakePoint(144, -38), 4326)::geography, 1000)::geometry)`,
		nil},
	{`SELECT ST_Transform(ST_Buffer(ST_Transform(geom::geometry(Point, 4326), 28355), 100), 4326) FROM s
		WHERE id = 1`, nil},
	{`SELECT id FROM s ORDER BY geom <-> 'SRID=4326;POINT(144 -38)'::geometry LIMIT 5`, nil},
	{`SELECT ST_SetSRID(ST_MakeLine(ST_MakePoint(1, 2), ST_MakePoint(3, 4)), 4326)`, nil},

	// Distances that are not.
	{`SELECT ST_Distance(geom, 'SRID=4326;POINT(144 -38)'::geometry) FROM s
		WHERE id = 1`, []string{"gives its result in degrees"}},
	{`SELECT ST_Buffer(ST_SetSRID(ST_MakePoint(144.38, -38.08), 4326), 500)`, []string{"`500` looks like metres"}},
	{`SELECT id FROM s WHERE ST_DWithin(geom, ST_GeomFromText('POINT(144 -38)', 4326), 1000/111320.0)`,
		[]string{"takes `1000/111320.0` as degrees"}},
	{`SELECT id FROM s WHERE ST_DWithin(geom::geography, ST_SetSRID(ST_MakePoint(1, 2), 4326)::geography,
			0.001)`, []string{"less than ten centimetres"}},
	{`SELECT id FROM s WHERE ST_DWithin(ST_Transform(geom, 3857), ST_Transform($1, 3857), 0.005)`,
		[]string{"less than ten centimetres"}},
	{`SELECT ST_Distance(ST_SetSRID(ST_MakePoint(1, 2), 4326),
			ST_GeomFromGeoJSON('{"type":"Point","coordinates":[1,2]}'))`, []string{"gives its result in degrees"}},
	{`SELECT ST_Length(ST_Transform(geom, 4326)) FROM roads WHERE id = 2`, []string{"gives its result in degrees"}},
	{`SELECT ST_Distance(a.geom, b.geom) FROM a JOIN b ON a.id = b.id
		WHERE a.id = 1`, []string{"which may be degrees"}},
	{`SELECT id FROM s
		WHERE st_dwithin(geom, st_setsrid(st_point(144, -38), 4326)::geometry(Point, 4326), 250)`,
		[]string{"`250` looks like metres"}},
	{`WITH p AS (SELECT ST_SetSRID(ST_MakePoint(144.38, -38.08), 4326) AS geom) SELECT s.id FROM sites s, p
		WHERE ST_DWithin(s.geom, p.geom, 500)`, []string{"`500` looks like metres"}},
	{`SELECT public.ST_DWithin(geom, public.ST_SetSRID(pt, 4326), 50) FROM s
		WHERE id = 1`, []string{"`50` looks like metres"}},
	{`SELECT geom FROM sites
		WHERE ST_Intersects(ST_Buffer(ST_PointFromText('POINT(144 -38)', 4326), 200), geom)`,
		[]string{"`200` looks like metres"}},

	// Reference systems that don't fit.
	{`SELECT id FROM s WHERE ST_Intersects(ST_Transform(geom, 28355), ST_SetSRID(ST_MakePoint(1, 2), 4326))`,
		[]string{"mixes geometries of two reference systems"}},
	{`SELECT id FROM s WHERE ST_DWithin(ST_Transform(geom, 28355), ST_MakePoint(1, 2), 100)`,
		[]string{"mixes geometries of two reference systems"}},
	{`SELECT id FROM s WHERE ST_DWithin(geom::geography, ST_Transform(pt, 28355), 100)`,
		[]string{"mixes geometries of two reference systems"}},
	{`SELECT ST_Transform(ST_MakePoint(144, -38), 28355)`, []string{"without a reference system"}},
	{`SELECT ST_Contains(ST_GeomFromText('POLYGON((0 0, 1 1, 1 0, 0 0))', 4283),
			ST_SetSRID(ST_Point(1, 1), 4326))`, []string{"mixes geometries of two reference systems"}},

	// Joins.
	{`SELECT u.name FROM users u, orders o WHERE u.id = o.user_id`, nil},
	{`SELECT u.name FROM users u, orders o WHERE u.city = 'Leeds'`, []string{"joins o,"}},
	{`SELECT * FROM users, orders LIMIT 10`, []string{"joins orders,"}},
	{`SELECT u.name FROM users u, orders o WHERE user_id = u.id`, nil},
	{`SELECT 1 FROM a, b WHERE a.x BETWEEN b.low AND b.high`, nil},
	{`SELECT 1 FROM a, b WHERE a.x BETWEEN 1 AND 2 AND b.y = 3`, []string{"joins b,"}},
	{`SELECT 1 FROM a, b, c WHERE a.id = b.id AND c.x = 'y'`, []string{"joins c,"}},
	{`SELECT 1 FROM a, b WHERE EXISTS (SELECT 1 FROM c WHERE c.a = a.id AND c.b = b.id)`, nil},
	{`SELECT u.name FROM users u JOIN orders o WHERE u.id = 3`, []string{"JOIN `o` has neither ON nor USING"}},
	{`SELECT a.x FROM a JOIN b JOIN c ON b.i = c.i ON a.i = b.i WHERE a.x = 1`, nil},
	{`SELECT u.name FROM users u LEFT OUTER JOIN orders o USING (id) CROSS JOIN sizes s WHERE u.id = 3`, nil},
	{`SELECT s.id, n.d FROM sites s CROSS JOIN LATERAL (SELECT t.d FROM trees t WHERE t.site = s.id LIMIT 1) n
		LIMIT 5`, nil},
	{`SELECT s.id, g.n FROM sites s, generate_series(1, 3) AS g(n) WHERE s.id = 1`, nil},
	{`SELECT m.name, c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'`, nil},
	{`SELECT s.id, x.total FROM sites s, (SELECT count(*) AS total FROM sites) x WHERE s.id = 1`, nil},
	{`SELECT * FROM [dbo].[users] u WITH (NOLOCK), orders o WITH (NOLOCK) WHERE u.id = o.user_id`, nil},
	{"SELECT * FROM `my users` u NATURAL JOIN orders WHERE u.id = 1", nil},

	// Whole tables.
	{`SELECT * FROM sites`, []string{"gives every row"}},
	{`SELECT name, ST_AsText(geom) FROM sites ORDER BY name`, []string{"gives every row"}},
	{`SELECT id, row_number() OVER (PARTITION BY kind ORDER BY made) FROM sites`, []string{"gives every row"}},
	{`SELECT id, sum(size) OVER (ORDER BY made) FROM sites LIMIT 5`, nil},
	{`SELECT round(avg(size), 2) FROM sites`, nil},
	{`SELECT kind, count(*) FROM sites GROUP BY kind`, nil},
	{`SELECT DISTINCT kind FROM sites`, nil},
	{`SELECT TOP 10 * FROM sites`, nil},
	{`SELECT * FROM sites FETCH FIRST 5 ROWS ONLY`, nil},
	{`SELECT table_name FROM information_schema.tables`, nil},
	{`WITH big AS (SELECT id FROM sites WHERE size > 9) SELECT * FROM big`, nil},
	{`SELECT id FROM a WHERE x = 1 UNION ALL SELECT id FROM b`, []string{"`SELECT id FROM b` gives every row"}},
	{`INSERT INTO copy SELECT * FROM sites`, nil},

	// What can't be read.
	{``, []string{"no SQL statement"}},
	{` -- nothing
		;; /* here */`, []string{"no SQL statement"}},
	{`SELECT (1 FROM a`, []string{"never closed"}},
	{`SELECT 1) FROM a`, []string{"closes nothing"}},
	{`SELECT (1]`, []string{"closes nothing"}},
	{`SELECT 'it's' FROM a WHERE x = 1`, []string{"quote or a comment that is never closed"}},
	{`SELECT 1 /* why`, []string{"quote or a comment that is never closed"}},
	{"```sql\nSELECT 1\n```", []string{"Markdown fence"}},
	{`Here is the query: SELECT 1`, []string{"doesn't begin with a word of SQL"}},

	// What is right and looks odd.
	{`SELECT '(' || name || ')' FROM a WHERE note <> 'it''s (not' -- :( `, nil},
	{`SELECT E'it\'s (' AS x, $$a ' ( b$$ AS y, "od)d" FROM a WHERE x = 1`, nil},
	{`SELECT EXTRACT(YEAR FROM made), a.limit, trim(both 'x' from name) FROM a WHERE x IS NOT DISTINCT FROM y`, nil},
	{`SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FROM a`, nil},
	{`SELECT x[1], ARRAY[1, 2], .5, 1e-3, y::numeric(3, 1) FROM a WHERE x = 1`, nil},
	{`WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 9) SELECT n FROM t`, nil},
	{`INSERT INTO a (x) SELECT x FROM b WHERE y = 1
		ON CONFLICT (x) DO UPDATE SET x = 2 WHERE a.x = 1 RETURNING x`, nil},
	{`CREATE TABLE near AS SELECT * FROM a`, nil},
	{`(SELECT id FROM a WHERE x = 1) UNION (SELECT id FROM b WHERE x = 2) ORDER BY 1`, nil},
	{`UPDATE a SET x = b.x FROM b WHERE a.id = b.id; DELETE FROM a WHERE id = 1;`, nil},
}

func TestCheck(t *testing.T) {
	for _, s := range statements {
		got := sqlcheck.Check(s.sql)
		ok := len(got) == len(s.want)
		for i := 0; ok && i < len(got); i++ {
			ok = strings.Contains(got[i].Text, s.want[i])
		}
		if !ok {
			t.Errorf("%s:\n got %+v\nwant %q", s.sql, got, s.want)
		}
	}
}

func TestScores(t *testing.T) {
	for sql, want := range map[string][]float64{
		`SELECT (`: {sqlcheck.Broken}, `SELECT * FROM a`: {sqlcheck.Warning},
		`SELECT ST_Distance(a.g, b.g) FROM a, b`: {sqlcheck.Wrong, sqlcheck.Warning, sqlcheck.Warning},
	} {
		var got []float64
		for _, i := range sqlcheck.Check(sql) {
			got = append(got, i.Score)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", sql, got, want)
		}
	}
}

// Blanks and comments around a statement change nothing, and no issue depends on chance.
func TestWrapping(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		around := rapid.SampledFrom([]string{"", " ", "\n\t", "-- a ( ' comment\n", "/* one */ ", "\u00a0"})
		sql := rapid.SampledFrom(statements).Draw(t, "statement").sql
		if strings.Contains(sql, "```") || strings.HasSuffix(sql, "why") || strings.Contains(sql, "it's") {
			return // what comes after a quote that never ends is in it
		}
		wrapped := around.Draw(t, "before") + around.Draw(t, "more") + sql + "\n" + around.Draw(t, "after")
		if got, want := sqlcheck.Check(wrapped), sqlcheck.Check(sql); !slices.Equal(got, want) {
			t.Fatalf("%q: %v, want %v", wrapped, got, want)
		}
	})
}

// Comments and blanks between tokens change no verdict either, and a quote shows none.
func TestCommentsWithin(t *testing.T) {
	for _, s := range statements {
		if strings.ContainsAny(s.sql, `'"`+"`$-") || len(s.want) == 0 ||
			sqlcheck.Check(s.sql)[0].Score == sqlcheck.Broken {
			continue
		}
		got := sqlcheck.Check(strings.ReplaceAll(s.sql, " ", " /* ' */\n"))
		if !slices.Equal(got, sqlcheck.Check(s.sql)) {
			t.Errorf("%s: %+v", s.sql, got)
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, s := range statements {
		f.Add(s.sql)
	}
	f.Fuzz(func(t *testing.T, sql string) {
		got := sqlcheck.Check(sql)
		if again := sqlcheck.Check(sql); !slices.Equal(got, again) {
			t.Fatalf("%v, then %v", got, again)
		}
		for _, i := range got {
			if i.Score <= 0 || i.Score >= 1 || strings.ContainsAny(i.Text, "\n\r") || len(i.Text) > 1200 {
				t.Fatalf("%+v", i)
			}
		}
	})
}

// A hostile statement of any length costs no more than reading it.
func BenchmarkLongStatements(b *testing.B) {
	for _, sql := range []string{
		"SELECT 1 FROM a WHERE " + strings.Repeat("x = y AND ", 6000) + "z",
		"SELECT 1 FROM a" + strings.Repeat(", a", 20_000) + " WHERE x = y",
		strings.Repeat("(", 60_000), strings.Repeat("SELECT ST_Buffer(", 99) + strings.Repeat("a, ", 10_000) + "b" +
			strings.Repeat(")", 99), strings.Repeat("SELECT (1) FROM a;", 3000),
		"SELECT " + strings.Repeat("ST_Distance(a, b), ", 3000) + "1", strings.Repeat("a AS (SELECT 1) ", 4000),
		"SELECT 1 WHERE " + strings.Repeat("x ", 30_000),
	} {
		b.Run(sql[:20], func(b *testing.B) {
			for b.Loop() {
				sqlcheck.Check(sql)
			}
		})
	}
}
