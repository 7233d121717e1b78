package app_test

import "preceptor/internal/app/apptest"

func init() { apptest.HoldCounts = true }
