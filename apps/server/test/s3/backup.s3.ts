import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { makeBackup } from '../../src/backup/backup.ts';
import { restoreBackup } from '../../src/backup/restore.ts';
import { openDatabase } from '../../src/db/database.ts';
import { openS3Store } from '../../src/providers/storage/s3/index.ts';
import { createDatabase, startTestServer } from '../server.ts';
import { transcribedRecording } from '../transcripts.ts';
import { makeBucket } from './bucket.ts';

it('a backup moves a server from a folder to a bucket with identical audio', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'linnet-move-'));
  const from = await startTestServer();
  const account = await from.register();
  const { id } = await transcribedRecording(from, account);
  const backup = path.join(folder, 'backup');
  const { config, databaseUrl, store: folderStore, now } = from;
  await makeBackup({ config, url: databaseUrl, store: folderStore, now }, backup);

  const where = await makeBucket();
  const bucketStore = openS3Store(where);
  const { url, drop } = await createDatabase({ empty: true });
  const { db } = openDatabase(url, () => undefined);
  const target = { DATA_DIR: path.join(folder, 'data'), SECRET: undefined };
  const log = pino({ level: 'silent' });
  await restoreBackup({ config: target, url, db, store: bucketStore, log }, backup);
  await db.destroy();

  const restoredServer = await startTestServer({
    DATABASE_URL: url,
    DATA_DIR: target.DATA_DIR,
    STORAGE: 's3',
    S3_ENDPOINT: where.endpoint ?? '',
    S3_REGION: where.region,
    S3_BUCKET: where.bucket,
    S3_ACCESS_KEY_ID: where.accessKeyId,
    S3_SECRET_ACCESS_KEY: where.secretAccessKey,
    S3_FORCE_PATH_STYLE: 'true',
  });
  const token = { token: account.access };
  const [row] = (await restoredServer.call('task/index', {}, token)).data.list;
  expect(row?.id).toBe(id);
  const audio = await fetch(row?.url ?? '');
  expect(audio.status).toBe(200);
  const [before] = (await from.call('task/index', {}, token)).data.list;
  const { pathname, search } = new URL(before?.url ?? '');
  const original = await from.app.inject({ method: 'GET', url: `${pathname}${search}` });
  expect(Buffer.from(await audio.arrayBuffer()).equals(original.rawPayload)).toBe(true);
  await restoredServer.close();
  await from.close();
  await drop();
  await rm(folder, { recursive: true });
});
