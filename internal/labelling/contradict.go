package labelling

// Contradicts says why a label and a side of the guidance boundary can't both be; "" when they can. Whoever judges a
// text is asked, whatever the page.
func Contradicts(label, boundary string) string {
	if label == "COMPLIANT_GUIDANCE" && boundary == "ADVICE" {
		return "Advice can't be compliant guidance. Choose another side or another verdict."
	}
	return ""
}
