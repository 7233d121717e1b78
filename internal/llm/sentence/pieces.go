package sentence

import (
	"encoding/binary"
	"math"
	"strings"

	unicodenorm "golang.org/x/text/unicode/norm"
)

const (
	unknown  = 0 // the piece for what has none
	reserved = 6 // pieces below are marks of the model's own
	gap      = "▁"
)

// pieces is the model's vocabulary: parts of words with the logarithm of how common each is.
type pieces struct {
	ids     map[string]int32
	scores  []float32
	begins  []bool  // whether a piece begins a word
	longest int     // bytes of the longest piece
	rare    float64 // score of a letter that no piece begins with
}

func readPieces(r *partReader) pieces {
	n := int(binary.LittleEndian.Uint32(r.bytes(4)))
	p := pieces{ids: make(map[string]int32, n), scores: make([]float32, n), begins: make([]bool, n)}
	for id := range n {
		p.scores[id] = r.floats(1)[0]
		text := string(r.bytes(int(r.bytes(1)[0])))
		p.rare = min(p.rare, float64(p.scores[id])-10)
		p.begins[id] = strings.HasPrefix(text, gap)
		if id >= reserved {
			p.ids[text] = int32(id)
			p.longest = max(p.longest, len(text))
		}
	}
	return p
}

// plain is text as the model expects it: compatible characters made one, and each run of spaces a gap before the next word.
func plain(text string) string {
	words := strings.Fields(unicodenorm.NFKC.String(strings.ToValidUTF8(text, "")))
	if len(words) == 0 {
		return ""
	}
	return gap + strings.Join(words, gap)
}

// step is the best way to read the text up to a place: where its last piece begins, and which it is.
type step struct {
	score float64
	from  int
	id    int32
}

// split cuts text into the likeliest pieces (Viterbi over the pieces' scores); neighbouring unknown ones are one.
func (p *pieces) split(text string) []int32 {
	s := plain(text)
	best := make([]step, len(s)+1)
	for i := 1; i <= len(s); i++ {
		best[i].score = math.Inf(-1)
	}
	for at, letter := range s {
		p.extend(s, at, len(string(letter)), best)
	}
	return path(best)
}

// extend tries every piece that begins at a place.
func (p *pieces) extend(s string, at, width int, best []step) {
	from := best[at].score
	if math.IsInf(from, -1) {
		return
	}
	found := false
	for end := at + width; end <= len(s) && end-at <= p.longest; end++ {
		id, ok := p.ids[s[at:end]]
		if !ok {
			continue
		}
		found = true
		if score := from + float64(p.scores[id]); score >= best[end].score {
			best[end] = step{score, at, id}
		}
	}
	if end := at + width; !found && from+p.rare >= best[end].score {
		best[end] = step{from + p.rare, at, unknown}
	}
}

// path walks the best steps back from the end.
func path(best []step) []int32 {
	var back []int32
	for at := len(best) - 1; at > 0; at = best[at].from {
		id := best[at].id
		if id == unknown && len(back) > 0 && back[len(back)-1] == unknown {
			continue
		}
		back = append(back, id)
	}
	for i, j := 0, len(back)-1; i < j; i, j = i+1, j-1 {
		back[i], back[j] = back[j], back[i]
	}
	return back
}

// pass is how many of ids are read at once: up to maxPiece, cut before the last word that begins within them.
func (p *pieces) pass(ids []int32) int {
	if len(ids) <= maxPiece {
		return len(ids)
	}
	for n := maxPiece; n > maxPiece/2; n-- {
		if p.begins[ids[n]] {
			return n
		}
	}
	return maxPiece
}
