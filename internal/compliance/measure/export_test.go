package measure

// HorizonP is horizon, for its test.
var HorizonP = horizon
