/** Tests the command line with real recorders. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { writeWave } from '@linnet/audio/wave';
import type { CheckReport } from '@linnet/device/conformance';
import { openRecorderSession } from '@linnet/device/session';
import { createWebSocketFinder } from '@linnet/transports/websocket';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import type { ControlStatus } from '../control/routes.ts';
import { type RunningRecorder, startRecorder } from '../start.ts';
import { until } from '../testing/wait.ts';

const cli = join(import.meta.dirname, '../cli.ts');
let dir: string;
let running: RunningRecorder;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'linnet-cli-'));
  running = await startRecorder(
    readConfig({ RECORDER_PORT: '0', DATA_DIR: dir, RECORDER_SCENES: dir, RECORDER_SCENE: '' }),
  );
});
afterAll(async () => {
  await running.stop();
  await rm(dir, { recursive: true });
});

type Result = { readonly code: number; readonly out: string; readonly err: string };

function recorder(...words: string[]): Promise<Result> {
  const env = { ...process.env, RECORDER_PORT: new URL(running.url).port };
  return new Promise((resolve) => {
    execFile(process.execPath, [cli, ...words], { env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}

async function status(): Promise<ControlStatus> {
  const { out } = await recorder('status', '--json');
  return JSON.parse(out);
}

describe('a command', () => {
  test('lists all commands without arguments, for an unknown command and for help', async () => {
    const [none, wrong, help, one] = await Promise.all([
      recorder(),
      recorder('fly'),
      recorder('--help'),
      recorder('clock', '--help'),
    ]);
    expect(none.code).toBe(2);
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('Unknown command "fly"') });
    expect(help).toMatchObject({ code: 0, err: '' });
    for (const { code, err, out } of [none, wrong, help]) {
      expect(code === 0 ? out : err).toContain('packets <session> <file>');
    }
    expect(one).toMatchObject({ code: 0, out: expect.stringContaining('clock <times>') });
  });

  test.each([
    [['clock'], 2, 'Usage: clock <times>'],
    [['clock', 'fast'], 2, 'The speed must be a number, not "fast"'],
    [['clock', '--fast'], 2, "Unknown option '--fast'"],
    [['clock', '0'], 1, 'speed must be a number above 0'],
    [['press', 'nose'], 1, 'button must be one of power, wifi, corner'],
    [['charging', 'perhaps'], 2, 'Must be on or off'],
    [['battery', '101'], 1, 'level must be a number from 0 to 100'],
    [['fill', '120'], 2, 'Must be above 0 and at most 100%'],
    [['fault', 'nose', 'on'], 1, 'unknown fault or invalid value: nose'],
    [['fault', '{"drop"'], 2, 'Invalid JSON'],
    [['packets', '77', 'file'], 1, 'session not found'],
    [['add', 'missing.wav'], 1, 'missing.wav'],
    [['join', 'Elsewhere', 'secret'], 1, 'unknown network or wrong password'],
    [['stop'], 1, 'Not recording'],
    [['check', 'ws://127.0.0.1:1', 'name'], 2, 'Only "check bluetooth" takes a name'],
    [['check', '--password', 'secret'], 2, 'Only --network takes a --password'],
    [['check', 'ftp://recorder'], 2, 'Must be a URL such as ws://…, not "ftp://recorder"'],
    [['check', 'ws://127.0.0.1:1/ble'], 1, "Can't connect to ws://127.0.0.1:1/ble: connect_failed"],
    [['status', '--port', 'soon'], 1, 'RECORDER_PORT must be a port number'],
    [['status', '--port', '1'], 1, 'No virtual recorder at http://127.0.0.1:1'],
  ])('%j exits with %d and a message', async (words, code, sentence) => {
    const result = await recorder(...words);
    expect(result).toMatchObject({ code, out: '' });
    expect(result.err).toContain(sentence);
  });

  test('imports a file as a session and exports its packets', async () => {
    const samples = Int16Array.from({ length: 16_000 }, (_, n) => 8000 * Math.sin(n / 9));
    await writeFile(join(dir, 'tone.wav'), writeWave(samples, 16_000));
    const added = await recorder('add', join(dir, 'tone.wav'), '--scene', 'meeting', '--time', '9');
    expect(added).toMatchObject({ code: 0, err: '' });
    const [sessionId = ''] = added.out.split('\t');
    expect((await recorder('sessions')).out).toBe(added.out);
    expect((await status()).sessions).toMatchObject([{ scene: 'meeting', startTime: 9 }]);
    const file = join(dir, 'packets');
    expect((await recorder('packets', sessionId, file)).out).toContain('8000 bytes');
    const bytes = await running.recorder.flash.read(Number(sessionId), 0, 8000);
    expect((await readFile(file)).equals(bytes)).toBe(true);

    expect((await recorder('fill', '80')).out).toContain('8000 of 10000 bytes used');
    expect((await recorder('fill', '100')).out).toContain('storage full');
    expect(await recorder('record')).toMatchObject({
      code: 1,
      err: 'Refused: storage is full.\n',
    });
    await recorder('fault', 'storageBytes', '1000000000');
  });

  test('controls recording, scene, clock, battery and faults', async () => {
    expect((await recorder('record')).out).toContain('Recording session');
    expect((await recorder('record')).err).toContain('Already recording');
    expect((await recorder('stop')).out).toBe('The recorder is idle.\n');
    expect((await recorder('hear', 'silence')).out).toBe('Scene: silence.\n');
    expect((await recorder('clock', '20')).out).toContain('20 times');
    expect((await recorder('battery', '19')).out).toContain('19%');
    expect((await recorder('charging', 'on')).out).toBe('Charging.\n');
    await recorder('fault', '{"refuseConnect": true, "bindConfirm": "button"}');
    expect((await recorder('fault', 'dropAfterBytes', '5')).out).toContain('dropAfterBytes 5');
    expect(await status()).toMatchObject({
      speed: 20,
      scene: null,
      faults: { refuseConnect: true, bindConfirm: 'button', dropAfterBytes: 5 },
    });
    await recorder('fault', 'dropAfterBytes', 'none');
    await recorder('fault', 'refuseConnect', 'off');
    await recorder('fault', 'bindConfirm', 'auto');
    await recorder('charging', 'off');
    expect((await recorder('status')).out).toMatch(/Wi-Fi\s+off/);
    await recorder('clock', '1');
    await recorder('press', 'wifi');
    expect((await recorder('join')).out).toContain('Joined LNR1-9-');
    await recorder('press', 'wifi');
    expect((await recorder('status')).out).toMatch(/storageBytes 1000000000/);
  });
});

describe('check', () => {
  const quickArgs = ['check', '--quick', '--pace', '0'];

  // Speed up the recorder. Otherwise, it would take seconds to record the audio that the check reads.
  beforeAll(() => {
    running.recorder.clock.speed = 20;
  });
  afterAll(() => {
    running.recorder.clock.speed = 1;
  });

  test('prints each clause, and binds nothing without permission', async () => {
    const { code, out, err } = await recorder(...quickArgs);
    expect({ code, err }).toEqual({
      code: 0,
      err: 'The recorder is not bound to this check. Use --bind to bind it.\n',
    });
    expect(out).toMatch(/^kept {8}handshake: /);
    expect(out).toMatch(/^not tested {2}record-start: .+\n {12}.+ result 7 \(waiting_for_bind\)$/m);
    expect(out).toContain('No required clause is violated, but ');
    expect((await status()).bind).toBe('unbound');
  });

  test('fails if a required clause is violated, showing the expected and received values', async () => {
    await recorder('fault', '{"unknownCommands": ["status"]}');
    const [text, json] = [await recorder(...quickArgs), await recorder(...quickArgs, '--json')];
    await recorder('fault', '{"unknownCommands": []}');
    expect([text.code, json.code]).toEqual([1, 1]);
    expect(text.out).toContain(
      `BROKEN      order.before-handshake: refuses every other command before the handshake (34)
            expected: result 34 (out_of_order) to status before the handshake
            received: result 32 (command_unknown)
            PROTOCOL.md#3-a-conversation`,
    );
    const { results } = JSON.parse(json.out) as CheckReport;
    const brokenClauses = results.filter(({ verdict }) => verdict.status === 'broken');
    expect(brokenClauses.map(({ clause }) => clause.id)).toContain('order.before-handshake');
  });

  test('keeps its binding in a file for the next check', async () => {
    await recorder('fault', 'bindConfirm', 'auto');
    const bindings = join(dir, 'bindings.json');
    const bound = await recorder(...quickArgs, '--bind', '--bindings', bindings);
    expect(bound).toMatchObject({ code: 0, err: expect.stringContaining('Press the button') });
    expect((await stat(bindings)).mode & 0o777).toBe(0o600);
    const again = await recorder(...quickArgs, '--unbind', '--bindings', bindings);
    expect(again).toMatchObject({ code: 0, err: '' });
    expect(again.out).toMatch(/^kept {8}unbind/m);
    expect(JSON.parse(await readFile(bindings, 'utf8'))).toEqual({});
  });
});

test('three recorders have separate serial numbers, flash images and phones', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-three-'));
  const three = spawn(
    process.execPath,
    [cli, 'start', '--count', '3', '--port', '0', '--data', folder, '--scene', ''],
    { env: { ...process.env, RECORDER_SCENES: dir }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const lines: string[] = [];
  createInterface({ input: three.stdout }).on('line', (line) => lines.push(line));
  await until(() => lines.length === 3, 'three recorders are running');
  const recorders = lines.map((line) => line.replace(/.* on /, ''));
  const candidates = await createWebSocketFinder({ recorders }).find();
  const serials = candidates.map(({ deviceId }) => deviceId);
  expect(new Set(serials).size).toBe(3);
  expect(new Set(candidates.map(({ advertisement }) => advertisement?.name)).size).toBe(3);

  const phones = await Promise.all(
    candidates.map(async (candidate) => openRecorderSession(await candidate.connect())),
  );
  expect(phones.map(({ info }) => info.sn)).toEqual(serials);
  // Recorders in the factory state wait for their buttons.
  const binds = Promise.all(phones.map((phone) => phone.bind()));
  for (const url of recorders) {
    const isPending = async () =>
      ((await (await fetch(`${url}/status`)).json()) as { bind: string }).bind === 'waiting';
    await until(isPending, 'a bind is pending');
    const { port } = new URL(url);
    expect((await recorder('confirm', '--port', port)).out).toBe('The recorder is idle.\n');
  }
  await binds;
  expect((await recorder('confirm')).err).toContain('No bind is pending');
  const [first] = await Promise.all(
    phones.map((phone) => phone.startRecording({ mode: 'normal', scene: 'note' })),
  );
  await phones[1]?.stopRecording();
  const states = await Promise.all(phones.map(async (phone) => (await phone.status()).recording));
  expect(states.map(({ state }) => state)).toEqual(['recording', 'idle', 'recording']);
  await phones[0]?.stopRecording();
  await phones[0]?.deleteSession(first?.sessionId ?? 0);
  const counts = await Promise.all(
    phones.map(async (phone) => (await phone.listSessions()).length),
  );
  expect(counts).toEqual([0, 1, 1]);
  await Promise.all(phones.map((phone) => phone.close()));

  three.kill('SIGTERM');
  expect(await once(three, 'exit')).toEqual([0, null]);
  for (const [n, name] of ['recorder', 'recorder-2', 'recorder-3'].entries()) {
    const state = JSON.parse(await readFile(join(folder, name, 'state.json'), 'utf8'));
    expect(state.sn).toBe(serials[n]);
  }
  await rm(folder, { recursive: true });
});
