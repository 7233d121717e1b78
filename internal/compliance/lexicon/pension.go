package lexicon

import "sync"

// Pensions is the lexicon of guidance about pensions: the classes that steer, that keep neutral, and that disclose, promise or
// hurry. It is built when it is first asked for.
var Pensions = sync.OnceValue(func() *Lexicon {
	return New(append(append(append(append([]string{}, steerPhrases...), neutralPhrases...), riskPhrases...), topicPhrases...)...)
})
