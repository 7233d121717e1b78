package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestJudgeList(t *testing.T) {
	b := Base{LLM: LLM{Provider: "openai", BaseURL: "http://127.0.0.1:1/v1"}}
	b.Judge = []string{"strict=openai/qwen3:8b; far = anthropic/claude-x,key-file=/k",
		`[{"name":"other","provider":"openai","model":"a/b","base_url":"http://h/v1"}]`}
	got, err := b.JudgeList()
	want := "[{strict openai qwen3:8b http://127.0.0.1:1/v1 } {far anthropic claude-x  /k} {other openai a/b " +
		"http://h/v1 }]"
	if err != nil || fmt.Sprint(got) != want {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"strict", "strict=openai", "strict=oracle/x", "=openai/x", "Strict=openai/x",
		"a=openai/", "a=openai/x;a=openai/y",
		"a=openai/x,speed=1", "a=openai/x,base-url=host", "[{]",
		`[{"name":"a","provider":"openai","model":"x","colour":1}]`} {
		b.Judge = []string{bad}
		if list, err := b.JudgeList(); err == nil {
			t.Errorf("%q is read as %v", bad, list)
		}
	}
}

func TestJudgesFromTheEnvironment(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte("own-key\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PRECEPTOR_JUDGES", "a=openai/x,base-url=http://127.0.0.1:2/v1,key-file="+file+
		";b=openai/y,base-url=http://127.0.0.1:3/v1;c=openai/z")
	t.Setenv("PRECEPTOR_LLM_PROVIDER", "openai")
	t.Setenv("PRECEPTOR_LLM_MODEL", "m")
	t.Setenv("PRECEPTOR_LLM_API_KEY", "the-key")
	c := valid(t)
	list, err := c.JudgeList()
	if err != nil || len(list) != 3 {
		t.Fatal(list, err)
	}
	keys := ""
	for _, j := range list {
		keys += j.Name + "=" + c.JudgeKey(j).Reveal() + " "
	}
	if keys != "a=own-key b= c=the-key " {
		t.Errorf("keys: %s: one was sent to a server that it was not given for, or is missing", keys)
	}
	if shown := fmt.Sprintf("%v %+v %#v", c, c, c.JudgeKeys); strings.Contains(shown, "own-key") {
		t.Error("a judge's key is printed")
	}
}

func TestAJudgeNeedsAKeyOrAServer(t *testing.T) {
	c := valid(t)
	c.Judge = []string{"a=openai/x"}
	if err := c.Check(); err == nil || !strings.Contains(err.Error(), "needs a key") {
		t.Error(err)
	}
}
