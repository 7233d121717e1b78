package embedded

// counts is how often a section has each concept.
func (t *tables) counts(title, body []token) []float64 {
	counts := make([]float64, len(t.names))
	t.count(title, titleTimes, counts)
	t.count(body, 1, counts)
	return counts
}

// concepts fills v with what a text has of each concept, and of those related to it.
func (t *tables) concepts(counts, v []float64) {
	own := make([]float64, len(counts))
	for i, n := range counts {
		own[i] = t.weights[i] * grow(n)
		v[i] = own[i]
	}
	for i, x := range own {
		for _, r := range t.related[i] {
			v[r.concept] = max(v[r.concept], x*r.part)
		}
	}
}

// count adds the phrases found in tokens to their concepts, each concept once a place.
func (t *tables) count(tokens []token, times float64, counts []float64) {
	at := make(map[int]float64, 4)
	for i := range tokens {
		clear(at)
		for _, p := range t.phrases[tokens[i].stem] {
			if p.matches(tokens[i:]) {
				at[p.concept] = max(at[p.concept], p.strength)
			}
		}
		for concept, strength := range at {
			counts[concept] += times * strength
		}
	}
}

// matches tells whether tokens begin with the phrase.
func (p phrase) matches(tokens []token) bool {
	i := 1
	for _, s := range p.steps[1:] {
		end := i
		if s.gap {
			end = i + maxGap
		}
		for ; i <= end && i < len(tokens) && tokens[i].stem != s.stem; i++ {
		}
		if i > end || i >= len(tokens) {
			return false
		}
		i++
	}
	return true
}

const (
	pairWeight   = 0.4
	pieceWeight  = 0.35
	mendedWeight = 0.8
	plainWord    = 0.5 // a plain word that stands for what was said
)

// words fills v with the text's words, neighbours and pieces of words; plain stand for what a question says.
func (t *tables) words(title, body, plain []token, v []float64) {
	counts := map[string]float64{}
	var order []string // a map's order would change the sums' last bits
	add := func(name string, n float64) {
		if counts[name] == 0 {
			order = append(order, name)
		}
		counts[name] += n
	}
	for _, part := range []struct {
		tokens []token
		times  float64
	}{{title, titleTimes}, {body, 1}, {plain, plainWord}} {
		before := ""
		for _, k := range part.tokens {
			w := t.weight(k)
			if w == 0 {
				continue
			}
			add("w"+k.stem, part.times*w)
			if before != "" {
				add("p"+before+" "+k.stem, part.times*w*pairWeight)
			}
			before = k.stem
			addPieces(k, part.times*w*pieceWeight, add)
		}
	}
	for _, name := range order {
		hashInto(v, name, grow(counts[name]))
	}
}

// addPieces adds the word's runs of four letters, its ends marked.
func addPieces(k token, weight float64, add func(string, float64)) {
	if len(k.word) < 5 {
		return
	}
	s := "<" + k.word + ">"
	n := len(s) - 3
	for i := range n {
		add("c"+s[i:i+4], weight/float64(n)*2)
	}
}

// weight is how much a word tells; 0 for words that tell nothing.
func (t *tables) weight(k token) float64 {
	w, ok := t.terms[k.stem]
	switch {
	case stopStems[k.stem] || len(k.stem) < 2:
		return 0
	case !ok:
		w = 1
	}
	if k.mended {
		w *= mendedWeight
	}
	return w
}

var stopStems = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range split(`a about after all also am an and any are as at be been but by can cant could did do does doing dont for from get
		gets getting go going got had has have having he her here hers him his how i id if ill im in into is isnt it its ive just let
		me more most much my no not now of off on one or our out over own she so some such than that thats the their them then there
		theres these they this those to too up us very was wasnt we well were what whats when where which while who whom why will
		with wont would wouldnt you your youre yours because before being both down during each few same again once only other
		through under until above below between further`) {
		m[w] = true
		m[stem(w)] = true
	}
	return m
}()
