import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeOpenAiKey, startOpenAi } from '../../test/openai/service.ts';
import { buy } from '../../test/orders.ts';
import { run } from '../../test/process.ts';
import { runCliHere } from '../../test/run-cli.ts';
import type { Account, TestServer } from '../../test/server.ts';
import { startTestServer } from '../../test/server.ts';
import { toneWave, uploadRecording } from '../../test/uploads.ts';
import { createMinutes } from '../modules/minutes/service.ts';
import { createOutcomes } from '../modules/task/outcome.ts';

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startTestServer();
  folder = await mkdtemp(path.join(tmpdir(), 'linnet-cli-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** Environment variables for every command. */
const variables = () => ({
  ...{ DATABASE_URL: server.databaseUrl, DATA_DIR: folder },
  // Don't download models, as in other tests with separate processes.
  MODELS: 'off',
});

/** Runs a command in a separate process, to check its exit and exit code. */
const spawnCli = (...args: string[]) => run('cli.ts', args, variables());

/** Runs a command in this process. */
const cli = (...args: string[]) => runCliHere(args, variables());

describe('devices', () => {
  it('registers recorders individually and from a CSV file', async () => {
    expect(await spawnCli('devices', 'add', 'CLI-1', '--name', 'Desk')).toMatchObject({
      code: 0,
      out: 'CLI-1 is registered\n',
    });
    expect((await cli('devices', 'add', 'CLI-1')).out).toBe('CLI-1 was already registered\n');
    const list = path.join(folder, 'devices.csv');
    await writeFile(list, '\uFEFFserial,name\r\nCLI-1,again\r\n"CLI-2",Kitchen\r\n\r\nCLI-3\r\n');
    expect((await cli('devices', 'import', list)).out).toBe(
      '2 registered, 1 were already registered\n',
    );
    const rows = [
      'CLI-4,"Müller, Anna",LN1',
      'CLI-5;"the ""big"" one";LN1',
      '"CLI-6" , "Shelf; low"',
    ];
    await writeFile(list, rows.join('\n'));
    expect((await cli('devices', 'import', list)).out).toMatch(/^3 registered/);
    const imported = await server.db
      .selectFrom('devices')
      .select(['sn', 'name', 'project_code'])
      .where('sn', 'in', ['CLI-4', 'CLI-5', 'CLI-6'])
      .orderBy('sn')
      .execute();
    expect(imported).toEqual([
      { sn: 'CLI-4', name: 'Müller, Anna', project_code: 'LN1' },
      { sn: 'CLI-5', name: 'the "big" one', project_code: 'LN1' },
      { sn: 'CLI-6', name: 'Shelf; low', project_code: '' },
    ]);
    await server.db.deleteFrom('devices').where('sn', 'in', ['CLI-4', 'CLI-5', 'CLI-6']).execute();
    const { out } = await cli('devices', 'list');
    expect(out).toBe('CLI-1\tDesk\tfree\nCLI-2\tKitchen\tfree\nCLI-3\t\tfree\n');
  });
});

describe('import', () => {
  it('imports a folder once, and names the files that it cannot import', async () => {
    const { email, access } = await server.register();
    const source = path.join(folder, 'dictations');
    await mkdir(source);
    const files = { 'Tone.wav': toneWave(2), 'Talk.mp3': Buffer.from('ID3\x04'.padEnd(40)) };
    for (const [name, bytes] of Object.entries(files)) {
      await writeFile(path.join(source, name), bytes);
      await utimes(path.join(source, name), 1_770_000_000, 1_770_000_000);
    }
    const first = await cli('import', source, '--account', email);
    expect(first.code).toBe(1);
    expect(first.out).toMatch(/^not imported: Talk\.mp3: .+\nimported: Tone\.wav\n$/);
    expect(first.err).toContain(
      '1 imported, 0 already there, 0 deleted earlier, 0 still being written, 1',
    );
    const { data } = await server.call('task/index', { limit: 10, page: 1 }, { token: access });
    expect(data.list).toMatchObject([{ name: 'Tone', recorded_at: '2026-02-02T02:40:00.000Z' }]);
    await rm(path.join(source, 'Talk.mp3'));
    const secondImport = await cli('import', source, '--account', email.toUpperCase());
    expect(secondImport).toMatchObject({ code: 0 });
    expect(secondImport.out).toContain('already there: Tone.wav\n0 imported, 1 already there');
  });

  it('rejects an unknown account or folder', async () => {
    const { email } = await server.register();
    for (const args of [
      [folder],
      [folder, '--account', 'unknown@example.org'],
      [path.join(folder, 'missing'), '--account', email],
    ]) {
      const { code, err } = await cli('import', ...args);
      expect([code, err]).toEqual([1, expect.stringMatching(/account|can't read/)]);
    }
  });
});

describe('user grant', () => {
  it('grants minutes and VIP', async () => {
    const { email, access } = await server.register();
    const minutes = await cli('user', 'grant', email.toUpperCase(), '--minutes', '120');
    expect(minutes).toMatchObject({ code: 0, out: '120 minutes granted\n' });
    const firstGrant = await cli('user', 'grant', email, '--vip-days', '10');
    expect(firstGrant).toMatchObject({ code: 0, err: '' });
    const { out } = await cli('user', 'grant', email, '--vip-days', '10');
    const { data } = await server.call('user/info', {}, { token: access });
    expect(data).toMatchObject({ is_vip: true, vip_plan: 'granted', left_minutes: 1350 });
    expect(out).toBe(`10 days granted; VIP until ${data.vip_expires_at}\n`);
    const days = (Date.parse(data.vip_expires_at ?? '') - Date.now()) / 86_400_000;
    // This includes the trial's 14 days.
    expect(days).toBeGreaterThan(33.9);
    expect(days).toBeLessThan(34.1);
  });

  it('grants days that start after a purchased membership', async () => {
    const account = await server.register();
    await buy(server, account, 'vip_monthly');
    const { out } = await cli('user', 'grant', account.email, '--vip-days', '5');
    expect(out).toMatch(/^5 days granted, which begin after the membership; VIP until /);
    const { data } = await server.call('user/info', {}, { token: account.access });
    expect(data.vip_plan).toBe('monthly');
  });
});

describe('orders refund', () => {
  it('revokes purchased minutes only once', async () => {
    const account = await server.register();
    const token = { token: account.access };
    const fetchLeftMinutes = async () =>
      (await server.call('user/leftMinute', {}, token)).data.left_minutes;
    const before = await fetchLeftMinutes();
    const id = await buy(server, account, 'package_120');
    expect(await fetchLeftMinutes()).toBe(before + 120);
    const refunded = await cli('orders', 'refund', id);
    expect(refunded).toEqual({ code: 0, out: 'the order is refunded\n', err: '' });
    expect(await fetchLeftMinutes()).toBe(before);
    const { data } = await server.call('user/order', { id }, token);
    expect(data.status).toBe('refunded');
    const secondRefund = await cli('orders', 'refund', id);
    expect(secondRefund).toMatchObject({ code: 1, out: '' });
    expect(secondRefund.err).not.toContain('    at ');
  });
});

describe('invalid input', () => {
  it.concurrent.each([
    [['user', 'grant', 'nobody@example.com', '--minutes', '5'], 'there is no account'],
    [['user', 'grant', 'nobody@example.com', '--minutes', '-5'], '--minutes'],
    [['user', 'grant', 'nobody@example.com'], 'specify either --minutes or --vip-days'],
    [
      ['user', 'grant', 'a@example.com', '--minutes', '5', '--vip-days', '5'],
      'specify either --minutes',
    ],
    [['users', 'grant', 'nobody@example.com', '--minutes', '5'], 'Usage:'],
    [['devices', 'add'], 'the serial number is missing: devices add <serial>'],
    [['devices', 'add', 'A', 'B'], 'unexpected argument "B": devices add <serial>'],
    [['devices', 'add', 'A', '--minutes', '5'], "'--minutes'"],
    [['jobs', 'retry', crypto.randomUUID()], 'there is no dead job with this ID'],
    [['orders', 'refund', 'nonsense'], 'order'],
    [['jobs', 'retry'], 'specify either a job ID or --all'],
    [['devices', 'import', '/no/such/file'], 'no such file'],
    [['devices'], 'devices import <file.csv>'],
    [['nothing'], 'Usage:'],
    [[], 'Usage:'],
  ])('is reported for %o', async (args, expectedText) => {
    const { code, err, out } = await cli(...args);
    expect(err).toContain(expectedText);
    expect(err).not.toContain('    at ');
    expect(out).toBe('');
    expect(code).toBe(1);
  });

  it('is reported for an unreachable database and an invalid variable', async () => {
    const absentDatabase = { DATABASE_URL: 'postgres://127.0.0.1:1/none', DATA_DIR: folder };
    const { code, err } = await runCliHere(['devices', 'list'], absentDatabase);
    expect(err).toMatch(/^connect ECONNREFUSED .*\n$/);
    expect(code).toBe(1);
    const invalidResult = await runCliHere(['devices', 'list'], {
      ...absentDatabase,
      BILLING: 'cash',
    });
    expect(invalidResult).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^BILLING is invalid/),
    });
  });
});

describe('--help', () => {
  it.concurrent.each([[['--help']], [['devices', '--help']], [['-h']]])(
    'lists commands: %o',
    async (args) => {
      const { code, out, err } = await cli(...args);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toContain('devices add <serial> [--name <name>] [--project <code>]');
      expect(out.includes('user grant <email>')).toBe(args[0] !== 'devices');
    },
  );
});

describe('jobs', () => {
  const now = () => new Date();

  async function newTask(account: Account): Promise<string> {
    const { id } = await uploadRecording(server, account, toneWave(3), { ext: 'wav' });
    const body = { id, language: 'en' };
    return (await server.call('task/create', body, { token: account.access })).data.id;
  }

  /** Simulates a job that has no retries left. */
  async function giveUp(taskId: string): Promise<void> {
    const { db, queue } = server;
    const minutes = createMinutes({ unlimited: false, now });
    await createOutcomes({ db, queue, minutes, now }).fail(taskId, 'engineFailed');
    await sql`
      update pgboss.job set state = 'failed', output = '{"message": "the worker died"}'
      where data->>'taskId' = ${taskId}`.execute(server.db);
  }

  it('lists waiting jobs, and dead jobs with their reasons', async () => {
    expect((await cli('jobs', 'list')).out).toBe('no waiting or running jobs\n');
    expect((await cli('jobs', 'dead')).out).toBe('no dead jobs\n');
    const account = await server.register();
    const [waitingTask, deadTask] = [await newTask(account), await newTask(account)];
    await giveUp(deadTask);
    const { out: list } = await cli('jobs', 'list');
    expect(list).toContain(`transcribe\twaiting\t`);
    expect(list).toContain(waitingTask);
    expect(list).not.toContain(deadTask);
    const { out: deadJobs } = await cli('jobs', 'dead');
    expect(deadJobs).toMatch(
      new RegExp(`^[0-9a-f-]{36}\ttranscribe\tdead\t.*${deadTask}.*\tthe worker died\n$`),
    );
  });

  it('retries a dead transcription as a new task with newly reserved minutes', async () => {
    const account = await server.register();
    const fetchReserved = async () =>
      (await server.call('user/leftMinute', {}, { token: account.access })).data.reserved_minutes;
    const taskId = await newTask(account);
    await giveUp(taskId);
    expect(await fetchReserved()).toBe(0);
    const [jobId = ''] = (await cli('jobs', 'dead')).out
      .split('\n')
      .filter((line) => line.includes(taskId))
      .map((line) => line.split('\t')[0]);
    const { code, out } = await cli('jobs', 'retry', jobId);
    expect({ code, out }).toEqual({
      code: 0,
      out: `${jobId}\ttranscribe\twill run again, as a new task\n`,
    });
    expect(await fetchReserved()).toBe(1);
    expect((await cli('jobs', 'dead')).out).not.toContain(jobId);
    const { list } = (await server.call('task/index', {}, { token: account.access })).data;
    expect(list[0]).toMatchObject({ status: taskStatus.queued });
  });

  it('retries all dead jobs with --all and reports each result', async () => {
    const account = await server.register();
    const [deleted, retried] = [await newTask(account), await newTask(account)];
    await giveUp(deleted);
    await giveUp(retried);
    await server.db
      .deleteFrom('recordings')
      .where(
        'id',
        'in',
        server.db.selectFrom('tasks').select('recording_id').where('id', '=', deleted),
      )
      .execute();
    await server.db.transaction().execute((trx) => server.queue.enqueue(trx, 'housekeeping', {}));
    await sql`update pgboss.job set state = 'failed' where name = 'housekeeping'`.execute(
      server.db,
    );
    const { code, out } = await cli('jobs', 'retry', '--all');
    expect(code).toBe(0);
    expect(out).toContain('transcribe\twill run again, as a new task\n');
    expect(out).toContain('transcribe\tnothing to do: its recording was deleted\n');
    expect(out).toContain('housekeeping\twill run again\n');
    expect((await cli('jobs', 'dead')).out).toBe('no dead jobs\n');
    expect((await cli('jobs', 'list')).out).toContain('housekeeping\twaiting');
  });
});

describe('feedback', () => {
  it('lists feedback, newest first, and prints an attached log', async () => {
    expect((await cli('feedback')).out).toBe('no feedback\n');
    const { email, access } = await server.register();
    await server.call('user/feedback', { content: 'Nice.\nAnd quick.' }, { token: access });
    const { data } = await server.call('site/feedback', {
      ...{ kind: 'problem', content: 'No code arrives.', contact: 'ada@example.org' },
      log: 'requested\nwaited',
    });
    const { out } = await cli('feedback');
    const [first = '', second = ''] = out.split('\n').map((line) => line.split('\t'));
    expect(first).toEqual([
      ...[data.id, expect.any(String), 'problem', 'ada@example.org', 'has log'],
      '"No code arrives."',
    ]);
    expect(second.slice(2)).toEqual(['other', email, '', '"Nice.\\nAnd quick."']);
    expect((await cli('feedback', '--limit', '1')).out.trim().split('\n')).toHaveLength(1);
    expect((await cli('feedback', 'log', data.id)).out).toBe('requested\nwaited\n');
    expect((await cli('feedback', 'log', second[0] ?? '')).err).toBe('this feedback has no log\n');
    expect((await cli('feedback', 'log', 'x')).err).toBe('there is no feedback with this ID\n');
  });

  it('replaces control characters', async () => {
    const { data } = await server.call('site/feedback', {
      ...{ kind: 'other', content: 'a\u009b2Jb', contact: '\u001b]0;mine\u0007c\n\tReal' },
      log: 'one\r\n\ttwo\u001b[2J\u009b2J\u007f',
    });
    const { out } = await cli('feedback', '--limit', '1');
    expect(out).toContain('\t\ufffd]0;mine\ufffdc\ufffd\ufffdReal\thas log\t"a\ufffd2Jb"\n');
    expect((await cli('feedback', 'log', data.id)).out).toBe(
      'one\ufffd\n\ttwo\ufffd[2J\ufffd2J\ufffd\n',
    );
  });
});
describe('check', () => {
  const lines = ({ out }: { out: string }) =>
    new Map(
      out
        .trimEnd()
        .split('\n')
        .map((line) => {
          const [, state = '', name = '', text = ''] = /^(\w+) +([\w ]+): (.*)$/.exec(line) ?? [];
          return [name, [state, text] as const];
        }),
    );

  it('reports each part of the server and a failure', async () => {
    const result = await spawnCli('check');
    const found = lines(result);
    expect([...found.keys()]).toEqual([
      ...[
        'database',
        'store',
        'mail',
        'speech',
        'audio decoder',
        'language model',
        'embeddings',
        'certificate',
        'clock',
      ],
      ...['disk', 'public address', 'settings'],
    ]);
    for (const name of [
      'database',
      'store',
      'mail',
      'speech',
      'language model',
      'embeddings',
      'clock',
    ]) {
      expect(found.get(name)?.[0], result.out).toBe('ok');
    }
    // No server is listening.
    expect(found.get('public address')).toEqual([
      'failed',
      expect.stringContaining('does not respond'),
    ]);
    expect(result.code).toBe(1);
  });

  it('succeeds for a running server', async () => {
    const address = await server.app.listen({ host: '127.0.0.1', port: 0 });
    const result = await runCliHere(['check'], {
      ...variables(),
      PORT: new URL(address).port,
    });
    expect(lines(result).get('public address')?.[0]).toBe('ok');
    expect(result, result.out).toMatchObject({ code: 0, err: '' });
  });

  it('sends a request to the services, and reports a wrong key', async () => {
    const service = await startOpenAi();
    try {
      const check = (key: string) =>
        runCliHere(['check'], {
          ...variables(),
          ...{ ASR: 'openai', LLM: 'openai', OPENAI_BASE_URL: service.url, OPENAI_API_KEY: key },
        });
      const wrongKeyResults = lines(await check('sk-wrong'));
      for (const name of ['speech', 'language model']) {
        expect(wrongKeyResults.get(name)).toEqual([
          'failed',
          'access-refused: 401 invalid_api_key',
        ]);
      }
      expect(service.requests.toSorted()).toEqual([
        '/v1/audio/transcriptions',
        '/v1/chat/completions',
      ]);
      const rightKeyResults = lines(await check(fakeOpenAiKey));
      for (const name of ['speech', 'language model']) {
        expect(rightKeyResults.get(name)).toEqual(['ok', 'openai works']);
      }
    } finally {
      await service.close();
    }
  });

  it('reports what the operator has to fix', async () => {
    const result = await runCliHere(['check'], {
      ...{ ...variables(), HOST: '0.0.0.0' },
      ...{ PUBLIC_URL: 'https://127.0.0.1:9', SMTP_URL: 'smtp://127.0.0.1:9' },
      ...{ LLM: 'openai', OPENAI_API_KEY: 'x', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' },
      ASR: 'sherpa',
    });
    const found = lines(result);
    for (const name of ['mail', 'speech', 'language model', 'public address']) {
      expect(found.get(name)?.[0], result.out).toBe('failed');
    }
    expect(found.get('settings')).toEqual(['warning', expect.stringContaining('sandbox')]);
    expect(result.code).toBe(1);
  });
});
