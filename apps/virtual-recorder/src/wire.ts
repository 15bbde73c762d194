/** How the recorder's state is told in the protocol. */
import type { ReportOf } from '@linnet/device/codec';
import type { SessionRecord } from './flash/flash.ts';
import type { Recorder } from './recorder.ts';

/** The storage as the protocol tells of it: KiB, so that four bytes name 4 TiB. */
export function storageOnWire({ storage, useRate }: Recorder): ReportOf<'storageChanged'> {
  return {
    totalSpace: Math.floor(storage.total / 1024),
    free: Math.floor(storage.free / 1024),
    useRate,
    isFull: storage.isFull,
  };
}

/** What the protocol tells of a session beside its size. */
export function attrOf({ mode, scene, hasMarkers, closed }: SessionRecord) {
  return { mode, scene, hasMarkers, stillRecording: !closed };
}
