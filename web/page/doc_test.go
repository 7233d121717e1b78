// Package page_test asks for the pages of every room as a browser does, of the whole program with its database.
package page_test
