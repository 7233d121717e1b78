package labelling

// MineSQL is for the test of its plan.
const MineSQL = mineSQL
