/** Returns the code with which a plugin has rejected a call; '' for other errors. */
export function pluginErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
