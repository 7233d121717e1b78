package charset_test

import (
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"preceptor/internal/platform/text/charset"
)

// A text that doesn't say how it is written is read where it can be told, and refused where it can't: never read as
// nonsense.
func TestOnlyWhatIsSureIsGuessed(t *testing.T) {
	const english = "Assembly\n\nAssembly costs £45 – or €52 – at your café, “by appointment”. Naïve piñata crème brûlée."
	refused := map[string]bool{"": true}
	for _, c := range []struct {
		enc  encoding.Encoding
		text string
		want string // "" is refused
	}{
		{charmap.Windows1252, english, "Windows-1252"}, {charmap.Macintosh, english, "Mac Roman"},
		{charmap.Windows1252, "Lifts under 90 cm: we charge £30 extra.", "Windows-1252"},
		{charmap.Windows1252, "Größere Möbel holen wir für 39 € ab. Süße Grüße!", "Windows-1252"},
		{charmap.Windows1252, "L’été, c’est déjà créé: où?", "Windows-1252"},
		{charmap.Windows1252, "1½ × 2 m², 20°C, ©2026 Acme®, it’s “fine”…", "Windows-1252"},
		{charmap.ISO8859_15, "La livraison coûte 49 €. Les retours sont gratuits à Orléans.", "ISO-8859-15"},
		{charmap.CodePage850, "Stools cost £12 each, chaises longues £250. Café.", "DOS (code page 850)"},
		{charmap.Windows1251, "Доставка стоит 300 рублей. Возврат в течение 14 дней.", ""},
		{charmap.KOI8R, "Возврат в течение 14 дней.", ""},
		{charmap.Windows1253, "Η παράδοση κοστίζει 20 ευρώ.", ""},
		{charmap.Windows1255, "משלוח חינם מעל 300 שקלים.", ""},
		{charmap.Windows1256, "التوصيل مجاني فوق 300.", ""},
		{charmap.Windows1254, "Teslimat ücreti 49 liradır. Değişim için yazışın, İstanbul dışı ayrıdır.", ""},
		{charmap.Windows1250, "Dostawa kosztuje 49 zł. Łóżka dostarczamy w ciągu dwóch tygodni.", ""},
		{charmap.CodePage037, "Hello shop opening hours are nine to five.", ""},
		{simplifiedchinese.GBK, "我们免费送货到北京。其他地区收费三百元。", ""},
		{traditionalchinese.Big5, "我們免費送貨到台北。其他地區收費三百元。", ""},
		{japanese.ShiftJIS, "本州への配送料は無料です。北海道は3,000円です。", ""},
		{japanese.EUCJP, "本州への配送料は無料です。北海道は三千円です。", ""},
		{korean.EUCKR, "서울은 배송비가 무료입니다. 제주도는 3,000원입니다.", ""},
		{encoding.Nop, "This line is UTF-8: £45.\nThis line is Windows: \xa360 \x96 caf\xe9.\n", "UTF-8"},
		{encoding.Nop, "This costs £45 and \xe2\x82", "UTF-8"},
	} {
		raw, err := c.enc.NewEncoder().String(c.text)
		if c.enc == encoding.Nop {
			raw, err = c.text, nil
		}
		if err != nil {
			t.Fatalf("%s: %v", c.text, err)
		}
		_, name, ok := charset.Guess([]byte(raw))
		if ok == refused[c.want] || ok && name != c.want {
			t.Errorf("%s: %q, %v; want %q", c.text, name, ok, c.want)
		}
	}
}
