package knowledge

import "preceptor/internal/pack"

func carried(text RuleText, p *pack.Pack) RuleText { return text }
