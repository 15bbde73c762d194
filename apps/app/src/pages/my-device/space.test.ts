import { describe, expect, it } from 'vitest';
import type { RecorderSessionRow } from '../../ports/recorder.ts';
import { ringShares } from '../../ui/shares.ts';
import { onlyOnRecorder, spaceParts } from './space.ts';

const row = (
  bytes: number,
  status: Exclude<RecorderSessionRow['onPhone']['status'], 'transferring'>,
  stillRecording = false,
): RecorderSessionRow => ({
  sessionId: bytes,
  startedAt: '2026-11-22T10:00:00Z',
  durationMs: 1,
  bytes,
  mode: 'normal',
  scene: 'note',
  stillRecording,
  recordId: `${bytes}`,
  onPhone: { status },
});
const storage = { totalSpace: 1000, free: 400, useRate: 60, isFull: false };

describe('spaceParts', () => {
  const sessions = [
    row(100, 'complete'),
    row(200, 'stopped'),
    row(50, 'waiting'),
    row(30, 'deleted'),
    row(40, 'cloud'),
  ];

  it('splits the storage by the location of copies and adds up to the total', () => {
    const parts = spaceParts({ storage, sessions });
    expect(parts).toEqual([
      { name: 'safe', bytes: 100, recordings: 1 },
      { name: 'only', bytes: 250, recordings: 2 },
      { name: 'other', bytes: 250, recordings: null },
      { name: 'free', bytes: 400, recordings: null },
    ]);
    expect(parts.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(storage.totalSpace);
  });

  it('returns a single used part until sessions are listed', () => {
    expect(spaceParts({ storage, sessions: null }).map(({ name }) => name)).toEqual([
      'other',
      'free',
    ]);
  });

  it('counts a recording in progress as only on the recorder', () => {
    expect(onlyOnRecorder([row(10, 'complete', true), row(20, 'complete')])).toEqual([
      row(10, 'complete', true),
    ]);
  });
});

describe('ringShares', () => {
  const parts = (...bytes: number[]) =>
    bytes.map((each) => ({ name: 'other', bytes: each, recordings: null }) as const);

  it('returns shares proportional to bytes', () => {
    expect(ringShares(parts(250, 750))).toEqual([25, 75]);
  });

  it('enlarges tiny parts and still adds up to 100%', () => {
    const [little, much] = ringShares(parts(1, 999_999));
    expect(little).toBe(2.5);
    expect(much).toBe(97.5);
  });

  it('omits empty parts', () => {
    expect(ringShares(parts(0, 10))).toEqual([0, 100]);
    expect(ringShares(parts(0, 0))).toEqual([0, 0]);
  });
});
