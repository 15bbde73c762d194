import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../../test/orders.ts';
import { run } from '../../test/process.ts';
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

const cli = (...args: string[]) =>
  run('cli.ts', args, { DATABASE_URL: server.databaseUrl, DATA_DIR: folder });

describe('devices', () => {
  it('are registered one by one and from a list', async () => {
    expect(await cli('devices', 'add', 'CLI-1', '--name', 'Desk')).toMatchObject({
      code: 0,
      out: 'CLI-1 is registered\n',
    });
    expect((await cli('devices', 'add', 'CLI-1')).out).toBe('CLI-1 was registered already\n');
    const list = path.join(folder, 'devices.csv');
    await writeFile(list, '\uFEFFserial,name\r\nCLI-1,again\r\n"CLI-2",Kitchen\r\n\r\nCLI-3\r\n');
    expect((await cli('devices', 'import', list)).out).toBe('2 registered, 1 were already\n');
    const { out } = await cli('devices', 'list');
    expect(out).toBe('CLI-1\tDesk\tfree\nCLI-2\tKitchen\tfree\nCLI-3\t\tfree\n');
  });
});

describe('user grant', () => {
  it('gives minutes and VIP', async () => {
    const { email, access } = await server.register();
    const minutes = await cli('user', 'grant', email.toUpperCase(), '--minutes', '120');
    expect(minutes).toMatchObject({ code: 0, out: '120 minutes given\n' });
    const once = await cli('user', 'grant', email, '--vip-days', '10');
    expect(once).toMatchObject({ code: 0, err: '' });
    const { out } = await cli('user', 'grant', email, '--vip-days', '10');
    const { data } = await server.call('user/info', {}, { token: access });
    expect(data).toMatchObject({ is_vip: true, vip_plan: 'granted', left_minutes: 1350 });
    expect(out).toBe(`10 days given; VIP until ${data.vip_expires_at}\n`);
    const days = (Date.parse(data.vip_expires_at ?? '') - Date.now()) / 86_400_000;
    // The trial of 14 days goes into them.
    expect(days).toBeGreaterThan(33.9);
    expect(days).toBeLessThan(34.1);
  });

  it('puts days after a membership that was bought', async () => {
    const account = await server.register();
    await buy(server, account, 'vip_monthly');
    const { out } = await cli('user', 'grant', account.email, '--vip-days', '5');
    expect(out).toMatch(/^5 days given, which come after the membership; VIP until /);
    const { data } = await server.call('user/info', {}, { token: account.access });
    expect(data.vip_plan).toBe('monthly');
  });
});

describe('orders refund', () => {
  it('takes back what was bought, once', async () => {
    const account = await server.register();
    const token = { token: account.access };
    const left = async () => (await server.call('user/leftMinute', {}, token)).data.left_minutes;
    const before = await left();
    const id = await buy(server, account, 'package_120');
    expect(await left()).toBe(before + 120);
    const refunded = await cli('orders', 'refund', id);
    expect(refunded).toEqual({ code: 0, out: 'the order is refunded\n', err: '' });
    expect(await left()).toBe(before);
    const { data } = await server.call('user/order', { id }, token);
    expect(data.status).toBe('refunded');
    const again = await cli('orders', 'refund', id);
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.err).not.toContain('    at ');
  });
});

describe('what is wrong', () => {
  it.concurrent.each([
    [['user', 'grant', 'nobody@example.com', '--minutes', '5'], 'there is no account'],
    [['user', 'grant', 'nobody@example.com', '--minutes', '-5'], '--minutes'],
    [['user', 'grant', 'nobody@example.com'], 'either --minutes or --vip-days'],
    [['user', 'grant', 'a@example.com', '--minutes', '5', '--vip-days', '5'], 'either --minutes'],
    [['users', 'grant', 'nobody@example.com', '--minutes', '5'], 'Usage:'],
    [['devices', 'add'], 'a serial number is missing: devices add <serial>'],
    [['devices', 'add', 'A', 'B'], '"B" is too much: devices add <serial>'],
    [['devices', 'add', 'A', '--minutes', '5'], "'--minutes'"],
    [['jobs', 'retry', crypto.randomUUID()], 'no job with this id is dead'],
    [['orders', 'refund', 'nonsense'], 'order'],
    [['jobs', 'retry'], 'either an id or --all'],
    [['devices', 'import', '/no/such/file'], 'no such file'],
    [['devices'], 'devices import <file.csv>'],
    [['nothing'], 'Usage:'],
    [[], 'Usage:'],
  ])('is said of %o', async (args, words) => {
    const { code, err, out } = await cli(...args);
    expect(err).toContain(words);
    expect(err).not.toContain('    at ');
    expect(out).toBe('');
    expect(code).toBe(1);
  });

  it('is said of a database that is not there, and of a bad variable', async () => {
    const absent = { DATABASE_URL: 'postgres://127.0.0.1:1/none', DATA_DIR: folder };
    const { code, err } = await run('cli.ts', ['devices', 'list'], absent);
    expect(err).toMatch(/^connect ECONNREFUSED .*\n$/);
    expect(code).toBe(1);
    const bad = await run('cli.ts', ['devices', 'list'], { ...absent, BILLING: 'cash' });
    expect(bad).toMatchObject({ code: 1, err: expect.stringMatching(/^BILLING is invalid/) });
  });
});

describe('--help', () => {
  it.concurrent.each([[['--help']], [['devices', '--help']], [['-h']]])(
    'after %o lists commands',
    async (args) => {
      const { code, out, err } = await cli(...args);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toContain('devices add <serial> [--name <name>] [--project <code>]');
      expect(out.includes('user grant <e-mail>')).toBe(args[0] !== 'devices');
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

  /** As the queue leaves it when its worker was killed over and over. */
  async function giveUp(taskId: string): Promise<void> {
    const { db, queue } = server;
    const minutes = createMinutes({ unlimited: false, now });
    await createOutcomes({ db, queue, minutes, now }).fail(taskId, 'engineFailed');
    await sql`
      update pgboss.job set state = 'failed', output = '{"message": "the worker died"}'
      where data->>'taskId' = ${taskId}`.execute(server.db);
  }

  it('that wait are listed, and those that are dead with their reason', async () => {
    expect((await cli('jobs', 'list')).out).toBe('no job waits or runs\n');
    expect((await cli('jobs', 'dead')).out).toBe('no job is dead\n');
    const account = await server.register();
    const [waits, dies] = [await newTask(account), await newTask(account)];
    await giveUp(dies);
    const { out: list } = await cli('jobs', 'list');
    expect(list).toContain(`transcribe\twaiting\t`);
    expect(list).toContain(waits);
    expect(list).not.toContain(dies);
    const { out: dead } = await cli('jobs', 'dead');
    expect(dead).toMatch(
      new RegExp(`^[0-9a-f-]{36}\ttranscribe\tdead\t.*${dies}.*\tthe worker died\n$`),
    );
  });

  it('that are dead transcriptions are asked for anew, and the minutes reserved again', async () => {
    const account = await server.register();
    const reserved = async () =>
      (await server.call('user/leftMinute', {}, { token: account.access })).data.reserved_minutes;
    const taskId = await newTask(account);
    await giveUp(taskId);
    expect(await reserved()).toBe(0);
    const [jobId = ''] = (await cli('jobs', 'dead')).out
      .split('\n')
      .filter((line) => line.includes(taskId))
      .map((line) => line.split('\t')[0]);
    const { code, out } = await cli('jobs', 'retry', jobId);
    expect({ code, out }).toEqual({
      code: 0,
      out: `${jobId}\ttranscribe\twill run again, as a new task\n`,
    });
    expect(await reserved()).toBe(1);
    expect((await cli('jobs', 'dead')).out).not.toContain(jobId);
    const { list } = (await server.call('task/index', {}, { token: account.access })).data;
    expect(list[0]).toMatchObject({ status: taskStatus.queued });
  });

  it('are all retried with --all, each with what came of it', async () => {
    const account = await server.register();
    const [gone, again] = [await newTask(account), await newTask(account)];
    await giveUp(gone);
    await giveUp(again);
    await server.db
      .deleteFrom('recordings')
      .where(
        'id',
        'in',
        server.db.selectFrom('tasks').select('recording_id').where('id', '=', gone),
      )
      .execute();
    await server.db.transaction().execute((trx) => server.queue.enqueue(trx, 'housekeeping', {}));
    await sql`update pgboss.job set state = 'failed' where name = 'housekeeping'`.execute(
      server.db,
    );
    const { code, out } = await cli('jobs', 'retry', '--all');
    expect(code).toBe(0);
    expect(out).toContain('transcribe\twill run again, as a new task\n');
    expect(out).toContain('transcribe\tnothing to do: its recording is gone\n');
    expect(out).toContain('housekeeping\twill run again\n');
    expect((await cli('jobs', 'dead')).out).toBe('no job is dead\n');
    expect((await cli('jobs', 'list')).out).toContain('housekeeping\twaiting');
  });
});

describe('feedback', () => {
  it('is listed, the newest first, and gives the log that came with it', async () => {
    expect((await cli('feedback')).out).toBe('nobody wrote anything\n');
    const { email, access } = await server.register();
    await server.call('user/feedback', { content: 'Nice.\nAnd quick.' }, { token: access });
    const { data } = await server.call('site/feedback', {
      ...{ kind: 'problem', content: 'No code arrives.', contact: 'ada@example.org' },
      log: 'asked\nwaited',
    });
    const { out } = await cli('feedback');
    const [first = '', second = ''] = out.split('\n').map((line) => line.split('\t'));
    expect(first).toEqual([
      ...[data.id, expect.any(String), 'problem', 'ada@example.org', 'with a log'],
      '"No code arrives."',
    ]);
    expect(second.slice(2)).toEqual(['other', email, '', '"Nice.\\nAnd quick."']);
    expect((await cli('feedback', '--limit', '1')).out.trim().split('\n')).toHaveLength(1);
    expect((await cli('feedback', 'log', data.id)).out).toBe('asked\nwaited\n');
    expect((await cli('feedback', 'log', second[0] ?? '')).err).toBe('no log came with it\n');
    expect((await cli('feedback', 'log', 'x')).err).toBe('there is no feedback with this id\n');
  });

  it('gives a terminal no orders', async () => {
    const { data } = await server.call('site/feedback', {
      ...{ kind: 'other', content: 'a\u009b2Jb', contact: '\u001b]0;mine\u0007c\n\tReal' },
      log: 'one\r\n\ttwo\u001b[2J\u009b2J\u007f',
    });
    const { out } = await cli('feedback', '--limit', '1');
    expect(out).toContain('\t\ufffd]0;mine\ufffdc\ufffd\ufffdReal\twith a log\t"a\ufffd2Jb"\n');
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

  it('says in a line each how the parts of the server are, and that one fails', async () => {
    const answer = await cli('check');
    const found = lines(answer);
    expect([...found.keys()]).toEqual([
      ...['database', 'store', 'mail', 'speech', 'language model', 'certificate', 'clock'],
      ...['disk', 'public address', 'settings'],
    ]);
    for (const name of ['database', 'store', 'mail', 'speech', 'language model', 'clock']) {
      expect(found.get(name)?.[0], answer.out).toBe('ok');
    }
    // Nothing listens there.
    expect(found.get('public address')).toEqual([
      'failed',
      expect.stringContaining('does not answer'),
    ]);
    expect(answer.code).toBe(1);
  });

  it('is content with a server that answers', async () => {
    const address = await server.app.listen({ host: '127.0.0.1', port: 0 });
    const answer = await run('cli.ts', ['check'], {
      ...{ DATABASE_URL: server.databaseUrl, DATA_DIR: folder },
      PORT: new URL(address).port,
    });
    expect(lines(answer).get('public address')?.[0]).toBe('ok');
    expect(answer, answer.out).toMatchObject({ code: 0, err: '' });
  });

  it('says what an operator has to mend', async () => {
    const answer = await run('cli.ts', ['check'], {
      ...{ DATABASE_URL: server.databaseUrl, DATA_DIR: folder, HOST: '0.0.0.0' },
      ...{ PUBLIC_URL: 'https://127.0.0.1:9', SMTP_URL: 'smtp://127.0.0.1:9' },
      ...{ LLM: 'openai', OPENAI_API_KEY: 'x', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' },
      ASR: 'sherpa',
    });
    const found = lines(answer);
    for (const name of ['mail', 'speech', 'language model', 'public address']) {
      expect(found.get(name)?.[0], answer.out).toBe('failed');
    }
    expect(found.get('settings')).toEqual(['warning', expect.stringContaining('sandbox')]);
    expect(answer.code).toBe(1);
  });
});
