/** Returns the technical names of required features that this browser lacks. */
export function missingFeatures(): string[] {
  const required: Record<string, boolean> = {
    // Plain HTTP outside localhost lacks it, and with it most of the others.
    'secure context': window.isSecureContext,
    'Web Locks': 'locks' in navigator,
    'origin-private file system': typeof navigator.storage?.getDirectory === 'function',
    BroadcastChannel: 'BroadcastChannel' in window,
    WebAssembly: 'WebAssembly' in window,
  };
  return Object.keys(required).filter((name) => !required[name]);
}
