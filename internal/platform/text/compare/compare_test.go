package compare_test

import (
	"testing"

	"preceptor/internal/platform/text/compare"
)

func TestPlain(t *testing.T) {
	const same, contradicts, differs, excepts = compare.Same, compare.Contradicts, compare.Differs, compare.Excepts
	for _, c := range []struct {
		a, b string
		want compare.Relation
	}{
		{"Please always use bullet points in every answer.", "Please do not use bullet points in your answers.",
			contradicts},
		{"Please always use bullet points in every answer.", "Please do not use bullet points in every answer.",
			contradicts},
		{"Please always include a table of fees.", "Please don't include a table of fees any more.", contradicts},
		{"Please always give examples with numbers.", "Please stop giving examples with numbers.", contradicts},
		{"I prefer long answers with full detail.", "I do not prefer long answers with full detail.", contradicts},
		{"Please do not show tax calculations.", "Please show tax calculations from now on.", contradicts},
		{"I don’t want links in the answers.", "I want links in the answers.", contradicts},
		{"Please always call me by my first name.", "Please never call me by my first name again.", contradicts},
		{"Please always show amounts in euros.", "Please always show amounts in pounds, not euros.", contradicts},
		{"Always answer in formal English please.", "Always answer in informal English please.", contradicts},
		{"You have to report it.", "You do not have to report it.", contradicts},
		{"You can take all of it.", "You cannot take all of it.", contradicts},
		{"You can usually take all of it in one payment, and the first quarter is free of income tax.",
			"You can usually not take all of it in one payment, and the first quarter is not free of income tax.",
			contradicts},
		{"The charge is 20 % of the pot.", "The charge is 25% of the pot.", contradicts},
		{"The limit is £10,000.", "The limit is £30,000.", contradicts},
		{"The limit is £10,000.", "The limit is 10000%.", contradicts},
		{"It ends on 5 April 2027.", "It ends on 2028-04-05.", contradicts},
		{"Transfer it before you retire.", "Retire before you transfer it.", contradicts},
		{"The fee is refundable.", "The fee is nonrefundable.", contradicts},

		{"The limit is £10,000.", "The limit is £10000.", same},
		{"It ends on 5 April 2027.", "It ends on 2027-04-05.", same},
		{"The charge is 20 per cent.", "The charge is 20%.", same},
		{"Use pnpm for this project", "use pnpm for this project!", same},
		{"You can't take all of it.", "You can not take all of it.", same},

		{"I prefer tabs", "I prefer spaces over tabs", contradicts},
		{"Use npm", "Use pnpm instead of npm.", contradicts},
		{"Keep emails", "Keep answers shorter than emails", differs},
		{"Never squash commits", "Always squash commits before merging", excepts},
		{"Never use semicolons", "Always use semicolons at line ends", excepts},
		{"Please do not use the semicolons", "Use semicolons at line ends", excepts},
		{"Always use emojis", "I prefer concise responses without emojis", excepts},
		{"Always check emojis", "I prefer concise responses without emojis", differs},
		{"Never commit", "Commit messages are to be short", differs},
		{"Never use force", "Always use force push", differs},
		{"Never squash commits on main", "Run the tests before you squash commits", differs},
		{"Avoid: write (terse output)", "Avoid: wrote detailed steps (terse output)", differs},
		{"Avoid: write long lines", "Write long lines", contradicts},

		{"Use pnpm instead of npm", "Always use pnpm, not npm", same},
		{"Use yarn rather than npm", "Use yarn, not npm.", same},
		{"I prefer spaces over tabs", "I prefer spaces, not tabs", same},
		{"Use pnpm instead of npm", "Use npm instead of pnpm", contradicts},
		{"Use pnpm instead of npm", "Use npm, not pnpm", contradicts},
		{"Use yarn rather than npm", "Use npm rather than yarn", contradicts},
		{"Always use pnpm, not npm", "Use npm", differs},
		{"I prefer tabs to spaces", "I prefer tabs, not spaces", differs},
		{"Always run the tests before committing", "Never commit without running the tests", differs},
		{"Run the linter before pushing", "Never push without running the linter", differs},
		{"Never deploy before the review", "Deploy after the review", differs},
		{"Never commit unless the tests pass", "Only commit when the tests pass", differs},
		{"Never commit without running the tests", "Commit without running the tests", contradicts},
		{"Always run the tests before committing", "Never run the tests before committing", contradicts},
		{"I want answers without emojis", "I want answers with emojis", contradicts},
		{"I prefer concise answers", "I don't prefer concise answers", contradicts},
		{"I prefer concise answers", "I want short replies", differs},

		{"You must report it.", "You may report it.", differs},
		{"Report it before you transfer.", "Report it after you transfer.", differs},
		{"You can transfer to a UK scheme.", "You can't transfer to a scheme abroad.", differs},
		{"You can take it before 55, but not after 75.", "You can take it.", differs},
		{"Write short answers", "Put dates first", differs},
		{"You can take it as cash or income.", "You can take it as income or cash.", differs},
		{"Report it.", "Report it within 30 days.", differs},
		{"", "", differs},
		{"Oui.", "Non.", differs},
	} {
		if got, back := compare.Plain(c.a, c.b), compare.Plain(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("%q and %q: %d and %d, want %d", c.a, c.b, got, back, c.want)
		}
	}
}

func TestValue(t *testing.T) {
	for _, c := range []struct{ a, b, x, y string }{
		{"Use metric units", "Use imperial units", "metric", "imperial"},
		{"I like dark mode", "I like light mode.", "dark", "light"},
		{"Always answer in English", "Always answer in German", "english", "german"},
		{"Limit replies to 10 lines", "Keep answers to 5 lines", "10", "5"},
		{"I prefer concise answers", "I want short replies", "", ""},
		{"I prefer short answers", "I like short answers", "", ""},
		{"Always use tabs", "I prefer tabs", "", ""},
		{"I'd like short answers", "Give short answers", "", ""},
		{"Never answer in English", "Never answer in German", "", ""},
	} {
		x, y, _, ok := compare.Value(c.a, c.b)
		if ok != (c.x != "") || ok && (x != c.x || y != c.y) {
			t.Errorf("%q and %q: %q and %q, %v", c.a, c.b, x, y, ok)
		}
	}
}

func FuzzPlain(f *testing.F) {
	f.Add("You can't take £1,000 before 5 April 2027.", "not 20 % informal")
	f.Fuzz(func(t *testing.T, a, b string) {
		if compare.Plain(a, b) != compare.Plain(b, a) {
			t.Fatalf("%q and %q are not what %q and %q are", a, b, b, a)
		}
		if compare.Plain(a, a) == compare.Contradicts {
			t.Fatalf("%q contradicts itself", a)
		}
	})
}
