/** The technical name of the file storage, as shown to the user. */
const FILE_STORAGE = 'origin-private file system';

/** Returns the technical names of the required features that this browser does not have. */
export function missingFeatures(): string[] {
  const required: Record<string, boolean> = {
    // A page loaded over plain HTTP from another host has no secure context, and most other features require one.
    'secure context': window.isSecureContext,
    'Web Locks': 'locks' in navigator,
    [FILE_STORAGE]: typeof navigator.storage?.getDirectory === 'function',
    BroadcastChannel: 'BroadcastChannel' in window,
    WebAssembly: 'WebAssembly' in window,
  };
  return Object.keys(required).filter((name) => !required[name]);
}

/**
 * Returns the technical names of the features that this browser has, but does not let the page use. Private windows of
 * Firefox refuse the file storage.
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
