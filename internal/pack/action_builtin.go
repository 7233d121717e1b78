package pack

// builtin is a known move with the words by which an action names it.
type builtin struct {
	move Move
	re   *Pattern
}

// builtins are tried in order on one clause.
var builtins = []builtin{
	{CheckUnderstanding, ci(`(?:check|verify|confirm|test|ensure|make sure|probe)\w*.{0,40}(?:understand|understood|comprehen|is clear|followed)|explain(?:s|ed)? (?:it|that|this|things?) back|(?:in|using) (?:their|your) own words|paraphras|open[- ]ended|teach[- ]?back|say (?:it )?back|summari[sz]e .{0,30}back`)},
	{Depersonalise, ci(`depersonali[sz]|impersonal|neutral(?:ly)? (?:language|words|wording|phras|terms)|personali[sz]ed (?:language|phras|words|wording|steer)|personal (?:language|phras|recommendation|steer|direction|opinion)|(?:avoid|never|not|don't|without|instead of|rather than)\W.{0,40}(?:recommend|telling (?:them|the customer|customers|people) (?:what|which|to)|steer|directive|advis(?:e|ing) (?:them|the customer)|which option|what (?:to do|they should)|choos(?:e|ing) for)|some people (?:consider|choose)|options include|general terms|third person`)},
	{PlainWords, ci(`plain (?:english|words|language|terms)|simple(?:r)? (?:words|language|terms|english|sentences|wording)|simply\b|short(?:er)? (?:sentences|words)|everyday (?:words|language|terms|english)|jargon|technical (?:terms?|language|words|definitions?|wording)|acronyms?|abbreviations?|layman|easy[- ]to[- ](?:read|understand|follow)|spell out (?:the )?(?:terms|abbreviations)|define (?:\w+ )?terms`)},
	{Analogy, ci(`analog(?:y|ies)|comparison with everyday|everyday (?:examples?|comparisons?)|like a (?:salary|savings|wage)|metaphor`)},
	{ScamWarning, ci(`\bscam|\bfraud|cold[- ]?call|scamsmart|fca (?:register|warning list)|financial services register|report fraud|action fraud`)},
	{SignpostAdvice, ci(`(?:regulated|independent|financial|professional|authorised|fca[- ]authorised|specialist|qualified)[^.;]{0,30}\b(?:advi[cs]e|advis[eo]rs?)|\bifas?\b|(?:speak|talk) to an? advis|pension transfer specialist`)},
	{SignpostGuidance, ci(`pension ?wise|money ?helper|free (?:and impartial |impartial )?guidance|impartial (?:guidance|help)`)},
	{WarnGuarantees, ci(`(?:guarante|safeguarded|\bdb\b|defined[- ]benefit|final[- ]salary|valuable (?:benefit|feature|promise)).{0,120}(?:los[est]|give|giving|warn|worse|value|valuable|risk|protect|can'?t|cannot|irrevers|reversed|transfer|keep|gone|up\b)|(?:los[est]\w*|warn\w*|giv(?:e|ing) up|risk\w*|emphasi[sz]\w*|highlight\w*|explain\w*|mention\w*|stress\w*|includ\w*).{0,80}(?:guarante|safeguarded|db (?:pension )?(?:warning|benefits|protections)|defined[- ]benefit|final[- ]salary)|db warning|worse off by transferring|lose out by transferring`)},
	{CheckFeatures, ci(`(?:check|look|ask|protect|keep|mention|explain|warn|list|identify).{0,60}(?:guaranteed annuity|special features|valuable features|protected tax|features (?:and|or))`)},
	{CheckFees, ci(`(?:exit|transfer|management|annual)? ?(?:fees?|charges?|costs?)\b`)},
	{TaxNote, ci(`(?:income )?tax (?:treatment|consequence|implication|position|bill|due|charge|bracket|band)|taxable|\btaxed\b|how .{0,30}\btax\b|pay (?:income )?tax|emergency tax|\btax\b`)},
	{Risk, ci(`investment risk|risks?\b|go down as well|fall in value|value (?:can|may|could|might) (?:go down|fall)|run(?:ning)? out|downsides?|drawbacks?|disadvantages`)},
	{BalanceOptions, ci(`balanc|pros and cons|advantages and disadvantages|both sides|all (?:the |their |of the )?options|alternatives|other options|list (?:of )?options|options available|range of options`)},
	{Empathy, ci(`empath|sympath|condolence|acknowledge.{0,50}(?:loss|feel|bereave|worr|difficult|distress|situation|illness|upset)|sensitiv|compassion|kind(?:ly|ness)|gentle|offer .{0,20}support|sorry`)},
	{NoPromise, ci(`promis|guarantee(?:d|ing)? (?:returns?|growth|outcomes?)|certain(?:ty)? (?:about|of)|predict|sure thing|projection`)},
}

func findBuiltin(c string) (Move, bool) {
	for _, b := range builtins {
		if b.re.MatchString(c) {
			return b.move, true
		}
	}
	return "", false
}

// coveredByBuiltin tells whether the move's own wording says all that the clause demands, so that nothing of the rule is
// lost by using it: no figure, no name of its own, and few words that the wording lacks.
func coveredByBuiltin(m Move, st step, clause string) bool {
	for _, f := range FindFigures(st.content) {
		if !(f.Value == 30000 && (m == SignpostAdvice || m == WarnGuarantees)) {
			return false
		}
	}
	known := wordingStems(m)
	missing := 0
	for w := range ContentStems(st.content) {
		if !known[w] && !ruleStems[w] {
			missing++
		}
	}
	if st.how == "that" || st.how == "to" {
		return missing <= 1
	}
	return missing <= 3
}

var ruleStems = func() map[string]bool {
	m := map[string]bool{}
	for w := range ruleWords {
		m[stem(w)] = true
	}
	return m
}()
