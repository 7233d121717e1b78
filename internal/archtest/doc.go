// Package archtest holds the rules of the house (DESIGN.md sections 3, 7 and 8) as tests, so that a broken rule is a
// red line with a file name and not an opinion: who may import whom, how large a file may be, that every package says
// what it is for, where SQL of one engine alone may stand, in which order placeholders appear, and what a page may not
// contain.
//
// The rules are data, in rules_test.go; adding an arrow between two domains is a line there, and visible in review. The
// package has no code of its own. What it decided against: a linter with a configuration language of its own.
package archtest
