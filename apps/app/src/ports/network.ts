/** The kind of network in use: `fixed` is Wi-Fi or a cable; `mobile` may be metered. */
export type NetworkKind = 'fixed' | 'mobile' | 'unknown';
