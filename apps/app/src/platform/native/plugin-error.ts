/** The code with which a plugin of ours refused; '' for what is no refusal. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
