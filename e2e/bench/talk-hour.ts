import type { Measurement } from './measurement.ts';
import { measureLiveText } from './talk-live.ts';

/** Measures the live text of one hour of talk, undisturbed. Takes 25 minutes. */
export const run = (): Promise<Measurement[]> =>
  measureLiveText(60, [{ cuts: 0, kills: 0, compares: false }]);
