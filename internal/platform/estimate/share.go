package estimate

// Share is part of whole, with its 95 % interval from 0 to 1.
type Share struct {
	Part, Whole int
	Low, High   float64
}

// Value is the share itself; 0 when there is nothing to divide by.
func (s Share) Value() float64 {
	if s.Whole == 0 {
		return 0
	}
	return float64(s.Part) / float64(s.Whole)
}

// Of is part of whole with its Wilson interval.
func Of(part, whole int) Share {
	s := Share{Part: part, Whole: whole}
	if whole > 0 {
		s.Low, s.High = Wilson(part, whole, Z95)
	}
	return s
}
