package ui

// LeftOut says what the figures of people on the statistics pages leave out; it follows their name.
const LeftOut = " leaves out approvals that wait for a second, decisions that were undone or decided differently, " +
	"and seeded checks, which have figures of their own. " +
	"Recalled decisions count in times and rapid approvals only."
