package encoder

import (
	"strings"
	"testing"
)

func TestBase(t *testing.T) {
	right, of := 0, 0
	for pair := range strings.FieldsSeq("wrote:write ran:run split:split sent:send kept:keep added:add created:create " +
		"made:make planned:plan built:build put:put read:read fixed:fix used:use moved:move took:take gave:give did:do " +
		"grouped:group logged:log wrapped:wrap answered:answer asked:ask explained:explain replied:reply checked:check " +
		"committed:commit pushed:push found:find drew:draw edited:edit deployed:deploy opened:open showed:show listed:list " +
		"sorted:sort copied:copy tried:try stopped:stop told:tell said:say thought:think broke:break cut:cut cited:cite " +
		"quoted:quote bought:buy replaced:replace removed:remove began:begin left:leave chose:choose renamed:rename " +
		"run:run send:send make:make write:write keep:keep begin:begin take:take summary:summary short:short ask:ask") {
		past, want, _ := strings.Cut(pair, ":")
		if of++; BGE().Base(past) == want {
			right++
		} else {
			t.Logf("%s: %s, not %s", past, BGE().Base(past), want)
		}
	}
	t.Logf("%d of %d", right, of)
	if right < of-6 {
		t.Error("that is worse than it was")
	}
	for _, w := range []string{"", "refactored", "Wrote", "日本"} {
		if got := BGE().Base(w); got != w {
			t.Errorf("%q: %q", w, got)
		}
	}
}
