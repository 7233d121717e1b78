package export

// Change is one step from a text to another, in words: '=' keeps, '-' takes out, '+' puts in.
type Change struct {
	Op   byte
	Text string
}

// Changes are the steps from before to after. Taking '=' and '-' gives before, taking '=' and '+' gives after; none when both are
// empty.
func Changes(before, after string) (list []Change) {
	for _, o := range diff(before, after) {
		list = append(list, Change{o.kind, o.text})
	}
	return list
}
