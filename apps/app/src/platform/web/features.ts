/** Required features that this browser or this address lacks, by their technical names. */
export function missingFeatures(): string[] {
  const needed: Record<string, boolean> = {
    // Absent on plain HTTP outside localhost, like most of the others.
    'secure context': window.isSecureContext,
    'Web Locks': 'locks' in navigator,
    'origin-private file system': typeof navigator.storage?.getDirectory === 'function',
    BroadcastChannel: 'BroadcastChannel' in window,
    WebAssembly: 'WebAssembly' in window,
  };
  return Object.keys(needed).filter((name) => !needed[name]);
}
