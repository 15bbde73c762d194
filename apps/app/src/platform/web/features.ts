/** Returns the technical names of the required features that this browser does not have. */
export function missingFeatures(): string[] {
  const required: Record<string, boolean> = {
    // A page loaded over plain HTTP from another host has no secure context, and most other features require one.
    'secure context': window.isSecureContext,
    'Web Locks': 'locks' in navigator,
    'origin-private file system': typeof navigator.storage?.getDirectory === 'function',
    BroadcastChannel: 'BroadcastChannel' in window,
    WebAssembly: 'WebAssembly' in window,
  };
  return Object.keys(required).filter((name) => !required[name]);
}
