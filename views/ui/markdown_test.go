package ui

import (
	"regexp"
	"strings"
	"testing"
)

func TestMarkdownOfPeopleRunsNothing(t *testing.T) {
	got := html(t,
		Markdown(
			"# A\n\n<script>alert(1)</script>\n\n[x](javascript:alert(2)) <img src=x onerror=alert(3)>\n\n**bold**"))
	for _, bad := range []string{"<script", "javascript:", "<img", "onerror"} {
		if strings.Contains(got, bad) {
			t.Errorf("%q is in %s", bad, got)
		}
	}
	if !strings.Contains(got, "<strong>bold</strong>") {
		t.Error(got)
	}
}

func TestHeadingsStandBelowThoseOfThePage(t *testing.T) {
	for text, want := range map[string]string{
		"# A\n\n## B\n\n# C":          "3 4 3",
		"## A\n\n### B":               "3 4",
		"### A\n\n# B\n\n###### C":    "3 3 4",
		"# A\n\n#### B\n\n#### C":     "3 4 5",
		"no heading":                  "",
		"#### A\n\n##### B\n\n#### C": "3 4 3",
	} {
		var levels []string
		for _, m := range regexp.MustCompile(`<h(\d)`).FindAllStringSubmatch(html(t, Markdown(text)), -1) {
			levels = append(levels, m[1])
		}
		if got := strings.Join(levels, " "); got != want {
			t.Errorf("%q has the levels %s, want %s", text, got, want)
		}
	}
}

// TestATextAsTheCustomerSeesIt: what lays a text out is there, what runs or loads something is not, and each block has
// the direction of its own script.
func TestATextAsTheCustomerSeesIt(t *testing.T) {
	for text, want := range map[string]string{
		"# Fees\n\n| Fund | Fee |\n|---|--:|\n| A | 0.4% |": `<h3 dir="auto">Fees</h3><table dir="auto"><thead dir="auto"><tr><th dir="auto">Fund</th><th align="right" dir="auto">Fee</th></tr></thead>` +
			`<tbody><tr dir="auto"><td dir="auto">A</td><td align="right" dir="auto">0.4%</td></tr></tbody></table>`,
		"Two lines\nstay two":            `<p dir="auto">Two lines<br>stay two</p>`,
		"- one\n- <b>two</b>\n":          `<ul dir="auto"><li dir="auto">one</li><li dir="auto"><b>two</b></li></ul>`,
		"שלום\n\nHello":                  `<p dir="auto">שלום</p><p dir="auto">Hello</p>`,
		"[Ask](javascript:alert(1))":     `<p dir="auto">Ask</p>`,
		"See https://moneyhelper.org.uk": `<p dir="auto">See <a href="https://moneyhelper.org.uk" rel="nofollow noreferrer noopener" target="_blank">https://moneyhelper.org.uk</a></p>`,
		"![A chart](https://x.example/c.png)<img src=x onerror=alert(1)>":                                           `<p dir="auto"><a href="https://x.example/c.png" rel="nofollow noreferrer noopener" target="_blank">Picture: A chart</a></p>`,
		"<script>alert(1)</script>\n\n<p style=\"position:fixed\" onclick=\"x()\">seen</p>\n\n<form><input></form>": `<p>seen</p>`,
	} {
		if got := strings.ReplaceAll(html(t, AsSent(text)), "\n", ""); got != want {
			t.Errorf("%q is\n%s, want\n%s", text, got, want)
		}
	}
}

// A text that would keep its reader busy is shown as it was written.
func TestATangledTextIsShownAsWritten(t *testing.T) {
	text := "<b>" + strings.Repeat("[a](", 50_000)
	if got := html(t, AsSent(text)); got != `<pre dir="auto">&lt;b&gt;`+text[3:]+"</pre>" {
		t.Errorf("%.100s", got)
	}
}
