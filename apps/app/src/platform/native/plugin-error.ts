/** The error code of a plugin's rejection; '' for other errors. */
export function pluginErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
