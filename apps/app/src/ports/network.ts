/** What carries bytes to the server: `fixed` is WiFi or a cable, `mobile` may cost; `unknown` where nobody says. */
export type NetworkKind = 'fixed' | 'mobile' | 'unknown';
