package reply_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review/reply"
)

func TestRepliesAreOnesOwnOrShared(t *testing.T) {
	ctx, b := context.Background(), reply.New(dbtest.New(t))
	save := func(owner, name, text string, shared bool) error {
		return b.Save(ctx, reply.Reply{OwnerID: owner, OwnerName: strings.ToUpper(owner), Name: name, Text: text,
			Shared: shared})
	}
	for _, err := range []error{save("ann", "  Closing  words ", "Ask us\r\nagain. ", true),
		save("ann", "Mine", "x", false), save("zoe", "Code", "Write `{name}` to {{name}}, and {\"a\": 1}.", false),
		save("ben", "mine", "y", false)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	list := func(who string) (names string, first reply.Reply) {
		t.Helper()
		got, err := b.List(ctx, who)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range got {
			names += fmt.Sprintf("%s=%q ", r.Name, r.Text)
		}
		return names, got[0]
	}
	names, closing := list("ann")
	if names != `Closing words="Ask us\nagain." Mine="x" ` {
		t.Error(names)
	}
	if names, _ = list("ben"); names != `Closing words="Ask us\nagain." mine="y" ` || closing.OwnerName != "ANN" {
		t.Errorf("%s of %+v", names, closing)
	}
	for field, err := range map[string]error{"name": save("ann", "MINE", "z", false),
		"name ": save("ann", " ", "z", false), "text": save("ann", "Empty", " \n", true),
		"text  ":   save("ann", "Braces", "Dear {name}, thank you.", true),
		"text   ":  save("ann", "Braces", "{{name}}, about { pension scheme }", false),
		"text    ": save("ann", "Braces", "Dear {{ }}, thank you.", false),
		" text":    save("ann", "Braces", "About {{your scheme: ask us.", true),
		"text ":    save("ann", "Long", strings.Repeat("z", 8_001), false),
		"name  ":   save("ann", strings.Repeat("n", 61), "z", false)} {
		if f := fault.Fields(err); len(f) != 1 || f[0].Name != strings.TrimSpace(field) {
			t.Errorf("%q: %v", field, err)
		}
	}
	closing.OwnerID = "ben" // he may use it, and not change it
	if err := b.Save(ctx, closing); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	closing.OwnerID, closing.Shared, closing.Text = "ann", false, "Ask again."
	if err := b.Save(ctx, closing); err != nil {
		t.Fatal(err)
	}
	if names, _ := list("ben"); names != `mine="y" ` {
		t.Errorf("no longer shared, and Ben has %s", names)
	}
	_, bens := list("ben")
	for _, admin := range []bool{false, true} { // not hers, and not shared
		if err := b.Delete(ctx, "ann", bens.ID, admin); err != nil {
			t.Fatal(err)
		}
	}
	if names, _ := list("ben"); names == "" {
		t.Error("Ann deleted what is Ben's own")
	}
	bens.Shared = true
	if err := b.Save(ctx, bens); err != nil {
		t.Fatal(err)
	}
	if err := b.Delete(ctx, "ann", bens.ID, true); err != nil {
		t.Fatal(err)
	}
	if got, err := b.List(ctx, "ben"); err != nil || len(got) != 0 {
		t.Errorf("%v, %v: an administrator deletes what is shared", got, err)
	}
}

// A reply's sentence is found with anything in its places, wherever it stands, and never in part of another. What the
// draft says too is no reply's.
func TestWhatComesFromAReplyIsLeftOut(t *testing.T) {
	list := []reply.Reply{{Text: "You are {{age}} and have a {{DC pension}} pot. Your reference is {{reference}}. Ring " +
		"{{provider}}.\nWe answer within {{days}} days\n\nKind regards, {{my name}}"}, {Text: "{{name}}"},
		{Text: "I wait. It is usually free."}}
	for body, want := range map[string]string{
		"It is usually free. You are 58 and have a £90,000.50 pot. Your reference is AB-77. Now this is mine.": "It is " +
			"usually free. Now this is mine.|£90,000.50 AB-77",
		"Ring St. James's Place.\n- We answer within 10 days.\nMine.\nkind  regards, Sam Okafor": "\n\nMine." +
			"\n|St. James's Place Sam Okafor",
		"In a well-known case I wait. Kind regards to you.": "In a well-known case I wait. Kind regards to you.|",
		"Please say your reference is AB-77.":               "Please say your reference is AB-77.|",
	} {
		own, private := reply.Without(list, body, "It is usually free. Ask.")
		own = strings.Join(strings.FieldsFunc(own, func(r rune) bool { return r == ' ' }), " ")
		if got := own + "|" + strings.Join(private, " "); got != want {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
	}
}
