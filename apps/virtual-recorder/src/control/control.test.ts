/** Tests the external interfaces of the recorder: control API, radio over WebSocket, and the process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { writeWave } from '@linnet/audio/wave';
import { openRecorderSession } from '@linnet/device/session';
import { TransportError } from '@linnet/device/transport';
import { createWebSocketFinder, openWebSocket, RADIO_CLOSE } from '@linnet/transports/websocket';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { readConfig } from '../config.ts';
import { type RunningRecorder, startRecorder } from '../start.ts';
import { SteppedClock } from '../testing/stepped-clock.ts';
import { until } from '../testing/wait.ts';
import type { ControlStatus } from './routes.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'linnet-recorder-'));
});
afterEach(async () => {
  await rm(dir, { recursive: true });
});

type Session = ControlStatus['sessions'][number];

const fetchStatus = async (url: string) =>
  (await (await fetch(`${url}/status`)).json()) as ControlStatus;

const tone = (seconds: number, rate: number) =>
  Int16Array.from(
    { length: seconds * rate },
    (_, n) => 8000 * Math.sin((2 * Math.PI * 440 * n) / rate),
  );

describe('control API', () => {
  let running: RunningRecorder;
  beforeEach(async () => {
    const config = { ...readConfig({ RECORDER_PORT: '0', DATA_DIR: dir }), scenesDir: dir };
    running = await startRecorder(config);
  });
  afterEach(() => running.stop());

  const status = () => fetchStatus(running.url);
  const post = (path: string, body: unknown) =>
    fetch(running.url + path, { method: 'POST', body: JSON.stringify(body) });

  /** Uses `node:http`, because `fetch` doesn't allow setting the Host header. */
  function statusWith(headers: Record<string, string>): Promise<number> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(`${running.url}/status`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      request.on('error', reject);
      request.end();
    });
  }

  test('returns identity and status', async () => {
    const { sn } = running.recorder.flash.state;
    expect(await status()).toMatchObject({
      sn,
      recording: 'idle',
      bind: 'unbound',
      connected: false,
      speed: 1,
      sessions: [],
    });
    expect(await (await fetch(`${running.url}/advertisement`)).json()).toMatchObject({
      name: `Linnet ${sn.slice(-4)}`,
      sn,
      extendInfo: { projectCode: 'LNR1', sn, isBind: false, tranVersion: 2 },
    });
    const page = await fetch(running.url);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain('Virtual recorder');
  });

  test('starts and stops recording with a two-second press of the power button', async () => {
    await post('/press', { button: 'power', ms: 500 });
    expect((await status()).recording).toBe('idle');
    await post('/press', { button: 'power', ms: 2000 });
    expect((await status()).recording).toBe('recording');
    await post('/press', { button: 'power', ms: 2000 });
    const { recording, sessions } = await status();
    expect(recording).toBe('idle');
    expect(sessions).toMatchObject([{ sessionId: 1, stillRecording: false }]);
    await post('/faults', { hardware: true });
    const refused = await post('/press', { button: 'power', ms: 2000 });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toEqual({ error: 'hardware_abnormal' });
  });

  test('imports WAV files of any sample rate and returns their packets', async () => {
    const mono = tone(1, 44_100);
    const stereo = Int16Array.from({ length: 2 * mono.length }, (_, n) => mono[n >> 1] ?? 0);
    const wave = writeWave(stereo, 44_100);
    new DataView(wave.buffer).setUint16(22, 2, true);
    const response = await fetch(`${running.url}/sessions?scene=meeting&startTime=1234`, {
      method: 'POST',
      body: wave,
    });
    expect(response.status).toBe(201);
    const created = (await response.json()) as Session;
    expect(created).toMatchObject({
      scene: 'meeting',
      startTime: 1234,
      durationMs: 1000,
      fileSize: 8000,
    });
    const packets = await fetch(`${running.url}/sessions/${created.sessionId}/packets`);
    const bytes = new Uint8Array(await packets.arrayBuffer());
    expect(bytes.length).toBe(8000);

    const session = await openRecorderSession(
      await openWebSocket(`${running.url.replace('http', 'ws')}/ble?payload=495`),
    );
    const parts: Uint8Array[] = [];
    await session.readSession(created.sessionId, 0, {
      onChunk: async (_, chunk) => {
        parts.push(chunk);
      },
    });
    expect(Buffer.concat(parts)).toEqual(Buffer.from(bytes));
    await session.close();
  });

  test.each([
    ['/sessions', 'no wave'],
    ['/press', { button: 'nose', ms: 1 }],
    ['/press', { button: 'power', ms: 'long' }],
    ['/press', []],
    ['/faults', { nonsense: true }],
    ['/faults', { listBusy: -1 }],
    ['/faults', { startRefusal: 'ok' }],
    ['/faults', { updateRefusal: 'toString' }],
    ['/faults', { silentTo: 'unknown' }],
    ['/clock', { speed: 0 }],
    ['/battery', { level: 101 }],
    ['/battery', {}],
    ['/scene', { name: 'nowhere' }],
  ])('rejects %s with %j', async (path, body) => {
    const response = await post(path, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.any(String) });
  });

  test('sets the battery level', async () => {
    const response = await post('/battery', { level: 19 });
    expect(await response.json()).toMatchObject({ battery: { level: 19, charging: false } });
    await post('/battery', { level: 100 });
  });

  test('returns 404 for unknown paths', async () => {
    expect((await fetch(`${running.url}/sessions/77/packets`)).status).toBe(404);
    expect((await fetch(`${running.url}/nothing`)).status).toBe(404);
  });

  test('serves only programs and pages on this machine', async () => {
    expect(await statusWith({})).toBe(200);
    expect(await statusWith({ Origin: 'http://localhost:8080' })).toBe(200);
    expect(await statusWith({ Origin: 'http://[::1]:8080' })).toBe(200);
    expect(await statusWith({ Origin: 'https://example.com' })).toBe(403);
    expect(await statusWith({ Origin: 'null' })).toBe(403);
    expect(await statusWith({ Origin: 'http://localhost.example.com' })).toBe(403);
    expect(await statusWith({ Host: 'rebound.example.com' })).toBe(403);
    const allowed = await fetch(`${running.url}/advertisement`, {
      headers: { Origin: 'http://localhost:8080' },
    });
    expect(allowed.headers.get('access-control-allow-origin')).toBe('http://localhost:8080');
  });

  test('rejects radio connections from pages of other origins', async () => {
    const status = (origin: string, path: string) =>
      new Promise((resolve) => {
        const socket = new WebSocket(running.url.replace('http', 'ws') + path, { origin });
        socket.on('unexpected-response', (_, response) => {
          resolve(response.statusCode);
          response.destroy();
        });
        socket.on('open', () => resolve('open'));
        socket.on('error', () => undefined);
      });
    expect(await status('https://example.com', '/ble')).toBe(403);
    expect(await status('http://localhost:8080', '/other')).toBe(404);
  });

  test('makes the recorder discoverable, and accepts one phone at a time', async () => {
    const finder = createWebSocketFinder({ recorders: [running.url] });
    expect(await finder.availability()).toEqual({ status: 'ready' });
    const [candidate] = await finder.find();
    const transport = await candidate?.connect();
    expect(transport?.deviceId).toBe(running.recorder.flash.state.sn);
    const second = await candidate?.connect().catch((error: unknown) => error);
    expect(second).toBeInstanceOf(TransportError);
    expect((second as TransportError).code).toBe('recorder_busy');
    await transport?.close();
    const remembered = {
      kind: 'websocket',
      deviceId: candidate?.deviceId ?? '',
      name: '',
    } as const;
    const again = await until(
      () => finder.reopen(remembered).catch(() => undefined),
      'the radio is free',
    );
    await again.close();
  });

  test('disconnects a silent phone after ten seconds', async () => {
    const time = new SteppedClock();
    running.recorder.phoneTime = time;
    const [candidate] = await createWebSocketFinder({ recorders: [running.url] }).find();
    const silentPhone = await candidate?.connect();
    const disconnected = new Promise((resolve) => silentPhone?.onClosed(resolve));
    const busyError = await candidate?.connect().catch((error: unknown) => error);
    expect((busyError as TransportError).code).toBe('recorder_busy');
    time.advanceTo(10_000);
    const next = await candidate?.connect();
    expect(await disconnected).toBe('link_lost');
    await next?.close();
  });

  test('rejects phones when told to, and phones with an unsupported payload size', async () => {
    const closeCode = (query: string) =>
      new Promise((resolve) => {
        const socket = new WebSocket(`${running.url.replace('http', 'ws')}/ble${query}`);
        socket.on('close', resolve);
      });
    expect(await closeCode('?payload=21')).toBe(RADIO_CLOSE.badPayload);
    await post('/faults', { refuseConnect: true });
    expect(await closeCode('')).toBe(RADIO_CLOSE.refused);
  });

  test('breaks the link when told to', async () => {
    const transport = await openWebSocket(`${running.url.replace('http', 'ws')}/ble`);
    const disconnected = new Promise((resolve) => transport.onClosed(resolve));
    await post('/faults', { drop: true });
    expect(await disconnected).toBe('link_lost');
  });
});

describe('the process', () => {
  async function start(): Promise<{ child: ChildProcess; url: string }> {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
      env: { ...process.env, RECORDER_PORT: '0', DATA_DIR: dir, RECORDER_SCENES: dir },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(
      createInterface({ input: child.stdout as NodeJS.ReadableStream }),
      'line',
    );
    return { child, url: String(line).replace(/.* on /, '') };
  }
  const hold = (url: string) =>
    fetch(`${url}/press`, { method: 'POST', body: '{"button":"power","ms":2000}' });

  test('keeps the durable part of a recording after SIGKILL', async () => {
    const first = await start();
    await fetch(`${first.url}/clock`, { method: 'POST', body: '{"speed":10}' });
    await hold(first.url);
    const { session, sn } = await until(async () => {
      const now = await fetchStatus(first.url);
      return now.session && now.session.fileSize > 20_000
        ? { ...now, session: now.session }
        : undefined;
    }, 'a recording is in progress');
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');

    const second = await start();
    const after = await fetchStatus(second.url);
    expect(after.sn).toBe(sn);
    expect(after.recording).toBe('idle');
    const [recovered] = after.sessions;
    expect(recovered).toMatchObject({ sessionId: session.sessionId, stillRecording: false });
    expect(recovered?.fileSize).toBeGreaterThanOrEqual(session.fileSize);
    expect((recovered?.fileSize ?? 1) % 160).toBe(0);
    second.child.kill('SIGTERM');
    expect(await once(second.child, 'exit')).toEqual([0, null]);
  });

  test('closes a recording in progress on SIGTERM and exits with 0', async () => {
    const first = await start();
    await hold(first.url);
    first.child.kill('SIGTERM');
    expect(await once(first.child, 'exit')).toEqual([0, null]);
    const second = await start();
    expect((await fetchStatus(second.url)).sessions).toMatchObject([{ stillRecording: false }]);
    second.child.kill('SIGTERM');
    await once(second.child, 'exit');
  });

  test('fails to start with a message that names an invalid variable', async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
      env: { ...process.env, RECORDER_PORT: 'soon', DATA_DIR: dir },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr?.on('data', (data: Buffer) => {
      output += data.toString();
    });
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(output).toContain('RECORDER_PORT must be a port number');
  });
});
