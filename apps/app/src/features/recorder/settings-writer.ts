import { Mutex } from '@linnet/base';
import type { RecorderSettings } from '@linnet/device/session';
import type { RecorderFailure } from '../../ports/recorder.ts';
import type { Outcome } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import { attempt } from './failures.ts';

/**
 * Changes the recorder's settings. They are written all together, so changes are serialized; two changes
 * based on the same settings would overwrite each other.
 */
export function createSettingsWriter() {
  const mutex = new Mutex();

  async function apply(
    { session, view, readStatus }: Connection,
    change: Partial<RecorderSettings>,
  ): Promise<Outcome<null, RecorderFailure>> {
    const next = { ...view.get().settings, ...change };
    const isLightAlone = Object.keys(change).every((name) => name === 'recLedStatus');
    const set = await attempt(async () => {
      await (isLightAlone ? session.setLight(next.recLedStatus) : session.set(next));
      view.set({ ...view.get(), settings: next });
      return null;
    });
    // After a lost answer, it is unknown whether the recorder applied the change.
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
