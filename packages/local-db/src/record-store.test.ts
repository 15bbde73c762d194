import { describe, expect, it } from 'vitest';
import { openNodeSqlite } from './adapters/node-sqlite.ts';
import { migrate } from './migrations.ts';
import { createStores } from './stores.ts';

describe('a recording from a file', () => {
  it('is whole on the phone, unread, and next to be uploaded', async () => {
    const database = await openNodeSqlite(':memory:');
    await migrate(database);
    const { records } = createStores(database);
    let told = 0;
    records.subscribe(() => {
      told += 1;
    });
    const id = '01936f7e-0000-7000-8000-000000000001';
    const peaks = Uint8Array.of(1, 2, 3);
    await records.add({
      id,
      uid: 'owner',
      title: 'Choir practice',
      createDate: '2026-02-03T04:05:06.000Z',
      audio: { sha256: 'ab', bytes: 1600, seconds: 61.6, peaks, localfile: 'linnet/audio/x.wav' },
    });
    expect(told).toBe(1);
    expect(await records.detail(id)).toMatchObject({
      title: 'Choir practice',
      create_date: '2026-02-03T04:05:06.000Z',
      record_time: 62,
      localfile: 'linnet/audio/x.wav',
      local_noise_file: '',
      sn: '',
      device_file_id: null,
      rec_source: 1,
      is_new: 0,
      is_local: 0,
      is_trans: 0,
      audioBytes: 1600,
      peaks,
      copies: {
        recorder: { status: 'absent' },
        phone: { status: 'verified', bytes: 1600, sha256: 'ab' },
        cloud: { status: 'absent' },
      },
    });
    expect((await records.queue('owner')).map((queued) => queued.id)).toEqual([id]);
    expect(await records.summaries('another')).toEqual([]);
    expect(await records.unfinished('owner')).toEqual([]);
  });
});
