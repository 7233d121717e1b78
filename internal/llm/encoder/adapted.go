package encoder

import (
	"math"
	"slices"

	"preceptor/internal/platform/fault"
)

// Adapted reads the file of a branch whose layers are the trunk's, each matrix plus the product of two narrow ones
// (LoRA: Hu and others 2021, arXiv 2106.09685), and whose last layer moves every token by a constant; heads may follow.
// The merged layers are rounded as the trunk's are and take a third of its memory; tools/encoder's lead.py and talk.py
// write such files.
func (t *Trunk) Adapted(b []byte) (*Branch, error) {
	h, p, err := open(b, "adapter")
	if err != nil {
		return nil, err
	}
	if h.Trunk != t.head.Name || h.Layers != t.head.Layers || h.Rank < 1 || h.Rank > 256 || h.Width != t.head.Width {
		return nil, fault.New(fault.Invalid, "The encoder's adapter %s doesn't fit on %s.", h.Name, t.head.Name)
	}
	out := &Branch{trunk: t, head: h, layers: slices.Clone(t.layers)}
	for i := h.First; i < h.Layers; i++ {
		l := &out.layers[i]
		for _, d := range []*dense{&l.qkv, &l.out, &l.up, &l.down} {
			*d = d.plus(p.narrow(h.Rank, d.in), p.narrow(d.out, h.Rank))
		}
	}
	last := &out.layers[h.Layers-1].afterInner
	last.bias = slices.Clone(last.bias)
	for k, v := range p.floats(h.Width) {
		last.bias[k] += v
	}
	out.heads = p.heads(h.Outputs)
	if err := p.finish(h.Kind); err != nil {
		return nil, err
	}
	return out, nil
}

// narrow is a matrix of bytes, a scale a row, as numbers.
func (p *parts) narrow(rows, columns int) []float32 {
	codes, scale := p.codes(rows*columns), p.floats(rows)
	out := make([]float32, rows*columns)
	if p.short {
		return out
	}
	for i, c := range codes {
		out[i] = float32(c) * scale[i/columns]
	}
	return out
}

// plus is the matrix plus up times down, rounded anew.
func (d *dense) plus(down, up []float32) dense {
	out := *d
	out.codes, out.sums, out.scale = make([]int8, len(d.codes)), make([]int32, d.out), make([]float32, d.out)
	row, rank := make([]float32, d.in), len(down)/d.in
	for o := range d.out {
		from := o / panel * panel * d.in
		at := func(k int) int { return from + k/4*4*panel + o%panel*4 + k%4 }
		most := float32(0)
		for k := range row {
			v := float32(float32(d.codes[at(k)]) * d.scale[o])
			for r := range rank {
				v += float32(up[o*rank+r] * down[r*d.in+k])
			}
			row[k], most = v, max(most, v, -v)
		}
		out.scale[o] = max(most, 1e-12) / 127
		for k, v := range row {
			c := int8(math.RoundToEven(float64(v / out.scale[o])))
			out.codes[at(k)], out.sums[o] = c, out.sums[o]+int32(c)
		}
	}
	return out
}

// After is a window of a question after what was said before it: [CLS] lead before [SEP] question [SEP], of at most
// most tokens. What is too long loses the beginning of what was said, and a question beyond 160 tokens its end.
func (t *Trunk) After(most int, lead, before, question string) Window {
	mark := func(id int32) Token { return Token{ID: id, Mark: true} }
	tokens := append([]Token{mark(t.vocabulary.cls)}, t.vocabulary.split(lead, 0)...)
	asked, said := t.vocabulary.split(question, 0), t.vocabulary.split(before, 0)
	asked = asked[:min(len(asked), mostAsked)]
	said = said[max(0, len(said)-(most-len(tokens)-len(asked)-2)):]
	if len(said) > 0 {
		tokens = append(append(tokens, said...), mark(t.vocabulary.sep))
	}
	return Window{append(append(tokens, asked...), mark(t.vocabulary.sep)), len(asked)}
}

// Ends is a window of the end of what was said and the beginning of a text, so many tokens of each: [CLS] said [SEP]
// text [SEP].
func (t *Trunk) Ends(said, text string, mostSaid, mostText int) Window {
	first, second := t.vocabulary.split(said, 0), t.vocabulary.split(text, 1)
	tokens := append([]Token{{ID: t.vocabulary.cls, Mark: true}}, first[max(0, len(first)-mostSaid):]...)
	tokens = append(append(tokens, Token{ID: t.vocabulary.sep, Mark: true}), second[:min(len(second), mostText)]...)
	return Window{Tokens: append(tokens, Token{ID: t.vocabulary.sep, Mark: true, Segment: 1})}
}

// mostAsked is how many tokens of a question are read after a conversation.
const mostAsked = 160

// Asked is the mean of two means: of all tokens, and of the question's (see After).
func (r Reading) Asked() []float32 {
	out, n := r.Pool(), len(r.Window.Tokens)
	from := n - 1 - r.Window.asked
	for i := from; i < n-1; i++ {
		for k, v := range r.Token(i) {
			out[k] += v / float32(n-1-from)
		}
	}
	return out
}
