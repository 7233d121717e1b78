package agreement

// Binomial is binomial, for its test.
var Binomial = binomial
