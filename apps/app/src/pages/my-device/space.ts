import type { ConnectedRecorder, RecorderSessionRow } from '../../ports/recorder.ts';

/** A part of the recorder's storage: its bytes and, where known, its number of sessions. */
export type SpacePart = {
  readonly name: 'safe' | 'only' | 'other' | 'free';
  readonly bytes: number;
  /** Null for parts that don't consist of sessions. */
  readonly recordings: number | null;
};

/** Returns whether the phone has a complete, verified copy of the session. */
function isOnPhone({ onPhone, stillRecording }: RecorderSessionRow): boolean {
  return !stillRecording && onPhone.status === 'complete';
}

/**
 * States of sessions that are safe in the cloud or were deleted on purpose. Unbinding the recorder doesn't lose these.
 */
const safeStatuses: readonly RecorderSessionRow['onPhone']['status'][] = ['cloud', 'deleted'];

/** Returns the sessions that exist only on the recorder. Once it is unbound, they can no longer be transferred. */
export function onlyOnRecorder(
  sessions: readonly RecorderSessionRow[],
): readonly RecorderSessionRow[] {
  return sessions.filter((row) => !isOnPhone(row) && !safeStatuses.includes(row.onPhone.status));
}

function spacePart(name: SpacePart['name'], rows: readonly RecorderSessionRow[]) {
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  return { name, bytes, recordings: rows.length };
}

/** Returns the parts of the recorder's storage in display order. Omits empty parts except free space. */
export function spaceParts({
  storage,
  sessions,
}: Pick<ConnectedRecorder, 'storage' | 'sessions'>): readonly SpacePart[] {
  const listed = sessions ?? [];
  const sessionParts = [
    spacePart('safe', listed.filter(isOnPhone)),
    spacePart('only', onlyOnRecorder(listed)),
  ];
  const usedBytes = Math.max(0, storage.totalSpace - storage.free);
  const other = Math.max(0, usedBytes - sessionParts.reduce((sum, { bytes }) => sum + bytes, 0));
  const parts: SpacePart[] = [
    ...sessionParts.filter(({ recordings }) => recordings > 0),
    { name: 'other', bytes: other, recordings: null },
    { name: 'free', bytes: storage.free, recordings: null },
  ];
  // The recorder rounds to KiB, so ignore a remainder below a thousandth of the total.
  return parts.filter(({ name, bytes }) => name !== 'other' || bytes > storage.totalSpace / 1000);
}
