import type { Log } from '@linnet/sync';

/** Writes an event to the browser's console: names and numbers, never what was said or by whom. */
export const log: Log = (event, facts = {}) => {
  console.info(event, facts);
};

/** Something that should not have happened. It is shown to whoever looks, never swallowed. */
export function reportError(error: unknown): void {
  console.error(error);
}
