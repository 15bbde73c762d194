import type { ConnectedRecorder, RecorderSessionRow } from '../../ports/recorder.ts';

/** What fills a recorder: bytes, and recordings where they are known one by one. */
export type SpacePart = {
  readonly name: 'safe' | 'only' | 'other' | 'free';
  readonly bytes: number;
  /** Null for what is not counted in recordings. */
  readonly recordings: number | null;
};

/** Whether a session is whole on this phone; what was deleted here was whole before. */
function isOnPhone({ onPhone, stillRecording }: RecorderSessionRow): boolean {
  return !stillRecording && onPhone.status === 'whole';
}

/** Where the account has a session still, or wants it no more, once the recorder's copy is gone. */
const elsewhere: readonly RecorderSessionRow['onPhone']['status'][] = ['cloud', 'deleted'];

/** Sessions that are on the recorder alone: unbound now, they do not come to this phone. */
export function onlyThere(sessions: readonly RecorderSessionRow[]): readonly RecorderSessionRow[] {
  return sessions.filter((row) => !isOnPhone(row) && !elsewhere.includes(row.onPhone.status));
}

function held(name: SpacePart['name'], rows: readonly RecorderSessionRow[]) {
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  return { name, bytes, recordings: rows.length };
}

/** What fills the recorder, in the order in which it is drawn; what is not there is left out. */
export function spaceParts({
  storage,
  sessions,
}: Pick<ConnectedRecorder, 'storage' | 'sessions'>): readonly SpacePart[] {
  const listed = sessions ?? [];
  const known = [held('safe', listed.filter(isOnPhone)), held('only', onlyThere(listed))];
  const used = Math.max(0, storage.totalSpace - storage.free);
  const other = Math.max(0, used - known.reduce((sum, { bytes }) => sum + bytes, 0));
  const parts: SpacePart[] = [
    ...known.filter(({ recordings }) => recordings > 0),
    { name: 'other', bytes: other, recordings: null },
    { name: 'free', bytes: storage.free, recordings: null },
  ];
  // The recorder rounds to KiB: what is less than one of a thousand of it is no part of its own.
  return parts.filter(({ name, bytes }) => name !== 'other' || bytes > storage.totalSpace / 1000);
}
