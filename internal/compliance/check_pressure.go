package compliance

var (
	// pressures hurry or frighten.
	pressures = rx(`\b(?:act|move|decide|sign|apply|transfer|lock in|get (?:it|this|that|the \w+|your \w+)(?: \w+)? (?:in|signed|done|agreed|sorted|moving)) (?:now|today|fast|quickly|soon|this (?:week|month)|before (?:it's too late|the weekend|it is too late|rates|the window|the offer|they|it))\b` +
		`|\b(?:don't|do not|can't afford to|cannot afford to) (?:wait|delay|dither|hang about|hang around|let it drift|leave it (?:too long|any longer|until)|miss (?:out|this)|put it off|sit on)\b` +
		`|\bevery (?:day|week|month) (?:you|that you|spent|of)(?: \w+)? (?:wait|waiting|delay|dither|put|leave|hesitate)` +
		`|\b(?:before|until) it(?:'s| is) too late\b|\bnow or never\b|\btime is (?:running out|short|not on your side|against)|\bthe clock is ticking\b|\bwindow (?:is|may be|will be|won't) (?:closing|close|stay|shut)` +
		`|\b(?:won't|will not) last\b|\b(?:won't|don't|doesn't|will not) (?:hang about|hang around|last (?:long|for ?ever)|wait for|be around|stay this|be repeated|come (?:again|round again))\b` +
		`|\b(?:only|just|mere|matter of) (?:\w+ )?(?:hours|days|weeks) (?:left|to go|to (?:get|act|move|decide|do))|\byou have (?:a matter of|only|just) (?:\w+ )?(?:days|weeks|hours)` +
		`|\b(?:end up|left|finish up|retire) (?:with|in|on) (?:nothing(?: at all)?|poverty|the streets?|the breadline)|\blose (?:everything|the lot|your home)\b[^.]{0,30}\b(?:wait|delay|if you don't)` +
		`|\bthis (?:week|month)'s? (?:the )?(?:last chance|deadline)|\blast chance\b|\bby (?:friday|monday|the weekend|the end of (?:the|this) (?:week|month))\b` +
		`|\bonce it(?:'s| is) gone it(?:'s| is) gone\b|\bregret(?:ted)? it (?:ever since|for the rest|later)|\bsleepwalk|\bat the front of the queue\b|\bwithout (?:any )?delay\b|\bas soon as (?:you can|possible)\b`)
	urgentOnceRE = rx(`\bas soon as (?:you can|possible)\b|without (?:any )?delay|by (?:friday|monday|the weekend|the end of)`)
	pressCalmRE  = rx(`advertis|headline|treat (?:those|that|it|anyone)|scam|fraud|anyone who|if (?:someone|anyone|they|he|she|a firm)|nobody (?:can|should)|no one (?:can|should)|feel pressured|pressure you|hurry you|rush you|don't let (?:anyone|anybody|them)|do not let|beware|report|ring your (?:provider|bank)|samaritans|ambulance|999|police`)
	lawTimeRE    = rx(`deadline|tax return|self assessment|31 january|5 april|hmrc|within (?:\w+ )?(?:days|months|weeks)|time limit|guarantee(?:d)? (?:date|period)|quotation|expires|court|consent order`)
)

// checkPressure finds words that hurry or frighten the customer. Dates that the law sets are facts, and warnings about others who
// hurry are the opposite of pressure.
func checkPressure(d draft, _ told) []finding {
	var out []finding
	for i, s := range d.lower {
		m := pressures.FindStringIndex(s)
		if m == nil || d.r.Sentences[i].Asks || d.quotedAt(i, m) || pressCalmRE.MatchString(s) || declineBefore(s, m[0]) {
			continue
		}
		if urgentOnceRE.MatchString(s[m[0]:m[1]]) && (lawTimeRE.MatchString(s) || ifYouRE.MatchString(s) || !steerObject(s)) {
			continue
		}
		severity := Critical
		if lawTimeRE.MatchString(s) || urgentOnceRE.MatchString(s[m[0]:m[1]]) {
			severity = Major
		}
		sp := d.spans[i]
		out = append(out, finding{code: Pressure, severity: severity, reference: pressureReference, start: sp.Start + m[0], end: sp.Start + m[1],
			why: "It hurries or frightens the customer into a decision."})
	}
	return out
}

var noHurryRE = rx(`\b(?:no need|needn't|not have to|don't have to|no reason|nothing|never|isn't|is not|not a case|no deadline|no rush|rather than|instead of|not)\b[^.;,]{0,30}$`)

func declineBefore(s string, at int) bool { return noHurryRE.MatchString(s[:at]) }
