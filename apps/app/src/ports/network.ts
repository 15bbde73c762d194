/** The network in use: `fixed` is Wi-Fi or a cable, `mobile` may be metered, `unknown` if not reported. */
export type NetworkKind = 'fixed' | 'mobile' | 'unknown';
