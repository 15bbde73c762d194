import { Mutex } from '@linnet/base';
import type { RecorderSettings } from '@linnet/device/session';
import type { RecorderFailure } from '../../ports/recorder.ts';
import type { Outcome } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import { attempt } from './failures.ts';

/**
 * Creates a writer for the recorder's settings. It applies one change at a time: each write contains all settings, so
 * concurrent changes would overwrite each other.
 */
export function createSettingsWriter() {
  const mutex = new Mutex();

  async function apply(
    { session, view, readStatus, runOptional }: Connection,
    change: Partial<RecorderSettings>,
  ): Promise<Outcome<null, RecorderFailure>> {
    const settings = { ...view.get().settings, ...change };
    const changesOnlyLight = Object.keys(change).every((name) => name === 'recLedStatus');
    const outcome = await attempt(async () => {
      await (changesOnlyLight
        ? runOptional('setsLed', () => session.setLight(settings.recLedStatus))
        : runOptional('changesSettings', () => session.set(settings)));
      view.set({ ...view.get(), settings });
      return null;
    });
    // The recorder may have applied the change even if its response was lost.
    if (!outcome.ok) await attempt(readStatus);
    return outcome;
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
