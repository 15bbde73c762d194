/** The file storage's technical name, as shown to the user. */
const FILE_STORAGE = 'origin-private file system';

/** Returns the technical names of required features that this browser lacks. */
export function missingFeatures(): string[] {
  const required: Record<string, boolean> = {
    // Most of the features below require a secure context. A page loaded over plain HTTP from another host doesn't have
    // one.
    'secure context': window.isSecureContext,
    'Web Locks': 'locks' in navigator,
    [FILE_STORAGE]: typeof navigator.storage?.getDirectory === 'function',
    BroadcastChannel: 'BroadcastChannel' in window,
    WebAssembly: 'WebAssembly' in window,
  };
  return Object.keys(required).filter((name) => !required[name]);
}

/**
 * Returns the technical names of features that this browser has but doesn't let the page use. Private windows in
 * Firefox refuse file storage.
 */
export async function refusedFeatures(): Promise<string[]> {
  try {
    await navigator.storage.getDirectory();
    return [];
  } catch (error) {
    if (error instanceof DOMException) return [FILE_STORAGE];
    throw error;
  }
}
