import { Mutex } from '@linnet/base';
import type { RecorderSettings } from '@linnet/device/session';
import type { RecorderFailure } from '../../ports/recorder.ts';
import type { Outcome } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import { attempt } from './failures.ts';

/**
 * Changes the recorder's settings, one change at a time: each write contains all settings, so concurrent
 * changes would overwrite each other.
 */
export function createSettingsWriter() {
  const mutex = new Mutex();

  async function apply(
    { session, view, readStatus }: Connection,
    change: Partial<RecorderSettings>,
  ): Promise<Outcome<null, RecorderFailure>> {
    const next = { ...view.get().settings, ...change };
    const isOnlyLight = Object.keys(change).every((name) => name === 'recLedStatus');
    const set = await attempt(async () => {
      await (isOnlyLight ? session.setLight(next.recLedStatus) : session.set(next));
      view.set({ ...view.get(), settings: next });
      return null;
    });
    // After a lost response, reads the settings that the recorder applied.
    if (!set.ok) await attempt(readStatus);
    return set;
  }

  return {
    change(
      connection: Connection,
      change: Partial<RecorderSettings>,
    ): Promise<Outcome<null, RecorderFailure>> {
      return mutex.run(() => apply(connection, change));
    },
  };
}
