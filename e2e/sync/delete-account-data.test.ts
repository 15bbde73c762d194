import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHUNK_BYTES } from '@linnet/audio/format';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { createStores, migrate } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import { deleteAccountData } from '@linnet/sync';
import { expect, it } from 'vitest';
import { openFileAudioStore } from '../support/file-audio-store.ts';

it('deletes the audio of a closed account, including the audio of permanently deleted recordings', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-account-'));
  const database = await openNodeSqlite(':memory:');
  try {
    await migrate(database);
    const audio = openFileAudioStore(folder, await loadOpus(readOpusWasm()));
    const { records, changes } = createStores(database);
    for (const uid of ['closed', 'open']) {
      for (const name of ['kept', 'binned', 'deleted']) {
        const id = `${uid}-${name}`;
        const createDate = '2026-01-01T00:00:00.000Z';
        const seed = { id, uid, sn: 'SN', deviceFileId: 1, createDate, seconds: 1 };
        await records.ensure({
          ...seed,
          source: 'recorder',
          scene: 'note',
          audioBytes: CHUNK_BYTES,
        });
        const packets = await audio.openPackets(id, CHUNK_BYTES);
        await packets.append(new Uint8Array(CHUNK_BYTES));
        await packets.close();
      }
      await changes.edit(uid, { type: 'recording.bin', recording: `${uid}-binned` });
      await changes.edit(uid, { type: 'recording.delete', recording: `${uid}-deleted` });
    }
    await deleteAccountData({ records, changes, audio }, 'closed');
    expect((await readdir(folder)).sort()).toEqual(
      ['binned', 'deleted', 'kept'].map((name) => `open-${name}.packets`),
    );
    expect(await records.summaries('closed')).toEqual([]);
    expect(await changes.orphanedAudio('closed')).toEqual([]);
    expect(await changes.orphanedAudio('open')).toEqual(['open-deleted']);
  } finally {
    await database.close();
    await rm(folder, { recursive: true });
  }
});
