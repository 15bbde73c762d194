/** Waiting for conditions instead of for time. */

const PATIENCE_MS = 60_000;
const LOOK_MS = 10;

/** Resolves with the first value that is not undefined, null or false. */
export async function until<T>(
  look: () => T | Promise<T>,
  what: string,
): Promise<Exclude<T, undefined | null | false>> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== null && value !== false) {
      return value as Exclude<T, undefined | null | false>;
    }
    if (performance.now() > end) throw new Error(`did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
