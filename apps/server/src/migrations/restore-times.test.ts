import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Account, TestServer } from '../../test/server.ts';
import { startTestServer } from '../../test/server.ts';
import { createPhone } from '../../test/sync.ts';
import { toneWave, uploadRecording } from '../../test/uploads.ts';
import { setRestoreTimes } from './restore-times.ts';

let server: TestServer;
let owner: Account;
beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
});
afterAll(() => server.close());

it('sets the restore times of recordings restored before the migration', async () => {
  const upload = () => uploadRecording(server, owner, toneWave(1, 8000), { ext: 'wav' });
  const [twice, binned, untouched] = [await upload(), await upload(), await upload()];
  const phone = createPhone(server, owner);
  for (const { client_flag: recording } of [twice, twice, binned]) {
    await phone.applyOne({ type: 'recording.bin', recording });
    if (recording !== binned.client_flag)
      await phone.applyOne({ type: 'recording.recover', recording });
  }
  const restoredAt = async ({ id }: { id: string }) =>
    (
      await server.db
        .selectFrom('recordings')
        .select('restored_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).restored_at;
  const known = await restoredAt(twice);
  await server.db.updateTable('recordings').set({ restored_at: null }).execute();
  await setRestoreTimes(server.db as never);
  const offset = Number(await restoredAt(twice)) - Number(known);
  expect(known).not.toBeNull();
  expect(Math.abs(offset)).toBeLessThan(1000);
  expect([await restoredAt(binned), await restoredAt(untouched)]).toEqual([null, null]);
});
