import type { LiveSink } from '@linnet/sync';

/** Discards all packets. */
export const noLiveText: LiveSink = { add: () => {}, end: () => {}, drop: () => {} };
