package encoder

const (
	// maxTokens is how many tokens are read at once.
	maxTokens = 512
	// maxText is how many of them a text may take beside its pair; the rest of the text isn't read.
	maxText = 192
	// overlap is how many tokens of one window the next one reads again, at least.
	overlap = 128
)

// Window is what one pass reads: [CLS] text [SEP], or [CLS] text [SEP] pair [SEP] with a part of the pair.
type Window struct {
	Tokens []Token
	asked  int // of them, before the last mark, are the question's; see After
}

// Tokenize cuts a text and its pair into windows. Each holds the text, up to its 192nd token, and a stretch of the
// pair; a pair that is too long for one window has several, equally long, of which neighbours share 128 tokens or more.
// A text without a pair is cut the same way.
func (t *Trunk) Tokenize(text, pair string) []Window { return t.TokenizeTo(maxTokens, text, pair) }

// TokenizeTo is Tokenize in windows of at most most tokens (8 or more): in shorter ones a single sentence weighs more.
func (t *Trunk) TokenizeTo(most int, text, pair string) []Window {
	limit := max(min(most, maxTokens, t.head.Positions), 8)
	mark := func(id int32, segment uint8) Token { return Token{ID: id, Segment: segment, Mark: true} }
	before, long := []Token{mark(t.vocabulary.cls, 0)}, t.vocabulary.split(text, 0)
	segment := uint8(0)
	if pair != "" {
		before = append(append(before, long[:min(len(long), maxText, limit/2)]...), mark(t.vocabulary.sep, 0))
		long, segment = t.vocabulary.split(pair, 1), 1
	}
	var out []Window
	for _, w := range cut(len(long), limit-len(before)-1) {
		tokens := append(make([]Token, 0, len(before)+w[1]-w[0]+1), before...)
		out = append(out, Window{Tokens: append(append(tokens, long[w[0]:w[1]]...), mark(t.vocabulary.sep, segment))})
	}
	return out
}

// cut gives stretches of up to room that cover n and overlap.
func cut(n, room int) [][2]int {
	if n <= room {
		return [][2]int{{0, n}}
	}
	shared := min(overlap, room/2)
	count := (n - shared + room - shared - 1) / (room - shared)
	out := make([][2]int, count)
	for i := range out {
		from := (n - room) * i / (count - 1)
		out[i] = [2]int{from, from + room}
	}
	return out
}
