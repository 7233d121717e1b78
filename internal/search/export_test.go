package search

// Encode is the stored form of a vector, for tests that write tables themselves.
func Encode(v []float32) []byte { return encode(v) }

// SetFew makes a base large at n entries.
func (m *Memory) SetFew(n int) { m.few = n }
