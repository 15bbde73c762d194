/** Returns the error code of a rejected plugin call; '' for other errors. */
export function pluginErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
