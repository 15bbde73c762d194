import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { makeFolder } from '../../../test/folder.ts';
import { startTestServer } from '../../../test/server.ts';
import { transcribedRecording } from '../../../test/transcripts.ts';
import { readFiles } from '../../../test/vaults.ts';
import { startWorker, stopWorker } from '../../../test/worker.ts';

it('writes the files of a vault once, with two real workers', async () => {
  const environment = { VAULT_DIR: await makeFolder() };
  const server = await startTestServer(environment);
  try {
    const owner = await server.register();
    const secrets: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      secrets.push((await transcribedRecording(server, owner)).secret);
    }
    // Queue the job now. Otherwise the schedule would queue it in the next minute.
    await server.db.transaction().execute((trx) => server.queue.enqueue(trx, 'update-vaults', {}));
    const workers = await Promise.all([
      startWorker(server, environment),
      startWorker(server, environment),
    ]);
    const files = () => readFiles(path.join(environment.VAULT_DIR, owner.email));
    const vault = () =>
      server.db.selectFrom('vaults').selectAll().where('account_id', '=', owner.id);
    try {
      await vi.waitUntil(async () => (await vault().executeTakeFirst())?.written_at, {
        timeout: 120_000,
        interval: 100,
      });
    } finally {
      await Promise.all(workers.map((worker) => stopWorker(worker)));
    }
    const texts = Object.values(await files());
    expect(texts).toHaveLength(secrets.length);
    for (const secret of secrets) {
      expect(texts.filter((text) => text.includes(secret))).toHaveLength(1);
    }
  } finally {
    await server.close();
  }
});
