import type { Measurement } from './measurement.ts';
import { measureLiveText } from './talk-live.ts';

/** Measures the live text of one hour of talk, undisturbed. Takes about half an hour. */
export const run = (): Promise<Measurement[]> => measureLiveText(60, [{ cuts: 0, kills: 0 }]);
