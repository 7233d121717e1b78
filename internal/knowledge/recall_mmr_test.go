package knowledge

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestLikenessIsACosine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("tax pension ")), 0, 200, -1)
		a, b := bag(text.Draw(t, "a")), bag(text.Draw(t, "b"))
		if s := alike(a, b); s < 0 || s > 1+1e-9 || math.IsNaN(s) || math.Abs(s-alike(b, a)) > 1e-9 {
			t.Fatalf("%v", s)
		}
		if s := alike(a, a); len(a) > 0 && math.Abs(s-1) > 1e-9 {
			t.Fatalf("a text is %v like itself", s)
		}
	})
}

func TestSettle(t *testing.T) {
	cases := map[string]Case{}
	for id, heading := range map[string]string{"next": "Next steps", "own": "Overview", "other": "Overview"} {
		c := Case{ID: id}
		c.Path, c.Page, c.Heading = "a.md", "Take it all", heading
		if id == "other" {
			c.Path = "b.md"
		}
		cases[id] = c
	}
	for question, first := range map[string]string{"take it all": "own", "what should i ask before i take it": "next"} {
		list := []*candidate{{id: "next", fused: 1}, {id: "own", fused: 0.9}, {id: "other", fused: 0.9}}
		settle(list, cases, question)
		if (list[0].fused > list[1].fused) != (first == "next") {
			t.Errorf("%q: %v and %v", question, list[0].fused, list[1].fused)
		}
		if list[2].fused > list[1].fused+1e-9 {
			t.Errorf("%q: a page that answers less stands first", question)
		}
	}
}
