import type { RememberedRecorder } from '@linnet/device/transport';
import type { RecorderFailure } from '../../ports/recorder.ts';
import type { Outcome } from '../../ports/store.ts';

/** Adds a discovered device if it is a recorder made by a particular manufacturer. */
type Add<Kind> = (found: RememberedRecorder) => Promise<Outcome<Kind, RecorderFailure>>;

/** Returns a function that tries the manufacturers in order until one recognizes the device. */
export function addWithFirstMatch<Kind>(adders: readonly [Add<Kind>, ...Add<Kind>[]]): Add<Kind> {
  const [first, ...others] = adders;
  return async (found) => {
    let outcome = await first(found);
    for (const add of others) {
      const { ok } = outcome;
      const isUnknown =
        !ok && outcome.failure.kind === 'device' && outcome.failure.code === 'not_a_recorder';
      if (!isUnknown) break;
      outcome = await add(found);
    }
    return outcome;
  };
}
