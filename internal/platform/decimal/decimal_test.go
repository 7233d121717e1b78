package decimal

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for s, want := range map[string]float64{"75": 75, " 7.5 ": 7.5, "7.": 7, ".5": .5, "+3": 3, "-0.25": -.25, "007": 7,
		"-0": 0} {
		if got, err := Parse(s); err != nil || got != want || math.Signbit(got) != math.Signbit(want) {
			t.Errorf("%q is %v, %v; want %v", s, got, err, want)
		}
	}
	for s, want := range map[string]error{
		"": ErrNumber, ".": ErrNumber, "-": ErrNumber, "0x1p3": ErrNumber, "0x10": ErrNumber, "1e3": ErrNumber,
		"1_000": ErrNumber, "0b11": ErrNumber, "0o7": ErrNumber,
		"inf": ErrNumber, "+Infinity": ErrNumber, "NaN": ErrNumber, "٧": ErrNumber, "７": ErrNumber, "7 5": ErrNumber,
		"7.5.1": ErrNumber, "ten": ErrNumber, "7%": ErrNumber,
		"7,5": ErrComma, "1,250": ErrComma, "-0,5": ErrComma, "1,250,000": ErrNumber, "1,5e3": ErrNumber,
		"7,": ErrNumber, strings.Repeat("9", 41): ErrNumber,
	} {
		if got, err := Parse(s); !errors.Is(err, want) {
			t.Errorf("%q is %v, %v; want %v", s, got, err, want)
		}
	}
}

func TestPercentAndAmount(t *testing.T) {
	for s, want := range map[string]float64{"75": 75, "75%": 75, " 7.5 % ": 7.5} {
		if got, err := Percent(s); err != nil || got != want {
			t.Errorf("%q is %v, %v; want %v", s, got, err, want)
		}
	}
	if _, err := Percent("7,5 %"); !errors.Is(err, ErrComma) {
		t.Errorf("7,5 %%: %v", err)
	}
	for s, want := range map[string]float64{"42000": 42000, "£42,000": 42000, "£ 1,073,100": 1073100, "42 000": 42000,
		"310,000.50": 310000.5, "0": 0} {
		if got, err := Amount(s); err != nil || got != want {
			t.Errorf("%q is %v, %v; want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"42,5", "4,20,000", "42,0000", ",5", "£", "£0x1p3", "1,000e3", "42k"} {
		if got, err := Amount(s); err == nil {
			t.Errorf("%q is %v", s, got)
		}
	}
}

func TestData(t *testing.T) {
	for s, want := range map[string]float64{"0.85": .85, "1e-3": .001, "-2.5E+2": -250, "-0": 0} {
		if got, ok := Data(s); !ok || got != want {
			t.Errorf("%q is %v, %v", s, got, ok)
		}
	}
	for _, s := range []string{"", " 1", "0x1p-1", "nan", "1e999", "1_0", "e5", "."} {
		if got, ok := Data(s); ok {
			t.Errorf("%q is %v", s, got)
		}
	}
}

// Whatever is taken is what strconv makes of the same digits, and what nobody writes is refused, whatever it is made
// of.
func TestOnlyDecimals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune("0123456789.,+-eExXpPinfa_ %£"))).Draw(t, "s")
		v, err := Parse(s)
		if err != nil {
			return
		}
		if strings.ContainsAny(s, "eExXpPinfa_%£,") || math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatalf("%q is %v", s, v)
		}
		if want, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err != nil || want != v {
			t.Fatalf("%q is %v, and %v, %v", s, v, want, err)
		}
	})
}

// What a form is filled with is read again as it is.
func TestShownNumbersAreReadAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := math.Round(rapid.Float64Range(-1e9, 1e9).Draw(t, "v")*1e6) / 1e6
		if got, err := Parse(strconv.FormatFloat(want, 'f', -1, 64)); err != nil || got != want {
			t.Fatalf("%v is %v, %v", want, got, err)
		}
	})
}

func TestPercentOfIsRounded(t *testing.T) {
	for _, c := range [][3]int{{1, 38, 3}, {121, 3058, 4}, {0, 0, 0}, {1, 1, 100}, {1, 3, 33}} {
		if got := PercentOf(c[0], c[1]); got != c[2] {
			t.Errorf("%d of %d: %d%%, want %d%%", c[0], c[1], got, c[2])
		}
	}
}
