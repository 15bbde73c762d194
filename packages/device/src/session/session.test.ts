import { beforeEach, describe, expect, test } from 'vitest';
import {
  encodeFrame,
  encodeRefusal,
  encodeReport,
  encodeResponse,
  RESULTS,
} from '../codec/index.ts';
import type { RecorderEvent, RecorderSession } from './index.ts';
import { DeviceError, openRecorderSession } from './index.ts';
import { flushTasks, ManualClock, ScriptedRecorder } from './scripted-recorder.ts';

let clock: ManualClock;
let recorder: ScriptedRecorder;

beforeEach(() => {
  clock = new ManualClock();
  recorder = new ScriptedRecorder(clock);
});

async function open(): Promise<RecorderSession> {
  const opening = openRecorderSession(recorder, { clock, timeZoneMinutes: 345 });
  await clock.advance(1000);
  return opening;
}

/** The code of the `DeviceError` that an action ends with, while time passes. */
async function failure(action: Promise<unknown>, ms = 0): Promise<string> {
  const ended = action.then(
    () => 'none',
    (error: unknown) => (error instanceof DeviceError ? error.code : String(error)),
  );
  await clock.advance(ms);
  return ended;
}

const item = (sessionId: number) => ({
  sessionId,
  fileSize: 1600,
  attr: { mode: 'call', scene: 'meeting', hasMarkers: true, stillRecording: false },
  startTime: 1000 + sessionId,
  durationMs: 200,
});

describe('opening', () => {
  test('shakes hands, sends the token and the time, and knows the recorder', async () => {
    const session = await open();
    expect(recorder.requests.map(({ name, value }) => [name, value])).toEqual([
      ['handshake', { minVersion: 1, maxVersion: 1 }],
      ['token', { token: 'LinnetRecorder01' }],
      ['timeSync', { unixTime: 1_795_267_359, timeZone: 23 }],
    ]);
    expect(session.info).toEqual({
      sn: 'LNR100000001',
      projectCode: 'LNR1',
      firmwareVersion: '1.0.0',
      mac: '26:C5:7E:DC:B2:57',
      isBind: true,
      protocolVersion: 1,
      tranVersion: 1,
      payloadSize: 244,
    });
  });

  test('writes 20 bytes at most until the handshake tells more, all with response', async () => {
    await open();
    const sizes = recorder.writes.map(({ size }) => size);
    expect(sizes).toEqual([14, 28, 17]);
    expect(recorder.writes.every(({ withResponse }) => withResponse)).toBe(true);
  });

  test('never writes more than the transport takes', async () => {
    recorder.maxWriteSize = 20;
    await open();
    expect(recorder.writes.map(({ size }) => size)).toEqual([14, 20, 8, 17]);
  });

  test('keeps commands 300 ms apart', async () => {
    await open();
    const times = recorder.requests.map(({ at }) => at - (recorder.requests[0]?.at ?? 0));
    expect(times).toEqual([0, 300, 600]);
  });

  test.each([
    ['version_unsupported', 'version_unsupported'],
    ['request_malformed', 'request_malformed'],
  ] as const)('a handshake refused with %s closes the link', async (reply, code) => {
    recorder.handshake = reply;
    expect(await failure(openRecorderSession(recorder, { clock }), 1000)).toBe(code);
    expect(recorder.closed).toBe('closed_by_us');
  });

  test('a version nobody asked for is not spoken', async () => {
    recorder.handshake = { ...(recorder.handshake as object), version: 2 };
    expect(await failure(openRecorderSession(recorder, { clock }), 1000)).toBe(
      'version_unsupported',
    );
  });

  test('a refused token closes the link', async () => {
    recorder.token = 'token_refused';
    expect(await failure(openRecorderSession(recorder, { clock }), 1000)).toBe('token_refused');
    expect(recorder.closed).toBe('closed_by_us');
  });

  test('can be called off', async () => {
    recorder.handshake = undefined;
    const controller = new AbortController();
    const opening = openRecorderSession(recorder, { clock, signal: controller.signal });
    await flushTasks();
    controller.abort();
    expect(await failure(opening)).toBe('aborted');
    expect(recorder.closed).toBe('closed_by_us');
  });
});

describe('requests', () => {
  test.each(Object.entries(RESULTS).filter(([name]) => name !== 'ok'))(
    'result %s becomes an error of that name',
    async (name, result) => {
      const session = await open();
      recorder.answer = () => name as never;
      const starting = session.startRecording({ mode: 'normal', scene: 'note' });
      starting.catch(() => undefined);
      await clock.advance(300);
      await expect(starting).rejects.toMatchObject({ code: name, result });
    },
  );

  test('a result nobody knows keeps its number', async () => {
    const session = await open();
    recorder.answer = (_, sequence) => {
      recorder.send(
        encodeFrame({
          version: 1,
          flags: 0,
          kind: 'response',
          command: 0x11,
          sequence,
          payload: Uint8Array.of(99),
        }),
      );
      return undefined;
    };
    const stopping = session.stopRecording();
    stopping.catch(() => undefined);
    await clock.advance(300);
    await expect(stopping).rejects.toMatchObject({ code: 'result_unknown', result: 99 });
  });

  test('a reply without the documented layout is malformed', async () => {
    const session = await open();
    recorder.answer = (_, sequence) => {
      const payload = Uint8Array.of(0, 1);
      const head = { version: 1, flags: 0, kind: 'response', command: 0x11 } as const;
      recorder.send(encodeFrame({ ...head, sequence, payload }));
      return undefined;
    };
    expect(await failure(session.stopRecording(), 300)).toBe('reply_malformed');
  });

  test('no answer within 5 s is a time-out; a late one disturbs nobody', async () => {
    const session = await open();
    let late = 0;
    recorder.answer = (_, sequence) => {
      late = sequence;
      return undefined;
    };
    const stopping = session.stopRecording();
    expect(await failure(stopping, 6000)).toBe('timeout');
    recorder.answer = () => ({ sessionId: 9, fileSize: 320 });
    const second = session.stopRecording();
    recorder.send(encodeResponse('recordEnd', { sessionId: 1, fileSize: 160 }, late));
    await clock.advance(300);
    expect(await second).toEqual({ sessionId: 9, fileSize: 320 });
  });

  test('one request at a time, in the order asked', async () => {
    const session = await open();
    const before = recorder.requests.length;
    recorder.answer = () => undefined;
    const first = session.stopRecording();
    const second = session.deleteSession(4);
    first.catch(() => undefined);
    await clock.advance(1000);
    expect(recorder.requests.slice(before).map(({ name }) => name)).toEqual(['recordEnd']);
    recorder.answer = () => ({});
    await clock.advance(6000);
    await second;
    expect(recorder.requests.slice(before).map(({ name }) => name)).toEqual([
      'recordEnd',
      'deleteRecord',
    ]);
  });

  test('a link that breaks fails what waits and what comes', async () => {
    const session = await open();
    const waiting = session.stopRecording();
    const queued = session.status();
    waiting.catch(() => undefined);
    queued.catch(() => undefined);
    await clock.advance(300);
    const told = new Promise((resolve) => session.onClosed(resolve));
    recorder.disconnect('link_lost');
    expect(await failure(waiting)).toBe('link_lost');
    expect(await failure(queued)).toBe('link_lost');
    expect(await failure(session.unbind())).toBe('link_lost');
    expect(await told).toBe('link_lost');
  });

  test('a truncated answer delays the next by two seconds, no more', async () => {
    const session = await open();
    const cut = encodeResponse('recordEnd', { sessionId: 1, fileSize: 160 }, 4).subarray(0, 15);
    recorder.answer = (_, sequence) => {
      recorder.send(cut);
      recorder.send(encodeRefusal(0x11, 'not_recording', sequence));
      return undefined;
    };
    const stopping = failure(session.stopRecording(), 2300);
    expect(await stopping).toBe('not_recording');
  });
});

describe('status and events', () => {
  const quiet = {
    mode: 'normal',
    scene: 'note',
    sessionId: 0,
    elapsedMs: 0,
    isBind: true,
    charging: true,
    level: 80,
    totalSpace: 1000,
    free: 500,
    useRate: 50,
    isFull: false,
    recLedStatus: true,
    recScene: 'meeting',
    recMode: 'call',
    dmicMode: 1,
    micGain: 'high',
    sessionCount: 3,
  };

  test('spaces are bytes and states carry their own data', async () => {
    const session = await open();
    recorder.answer = () => ({ ...quiet, recording: 'idle' });
    const idle = session.status();
    await clock.advance(300);
    expect(await idle).toMatchObject({
      recording: { state: 'idle' },
      battery: { charging: true, level: 80 },
      storage: { totalSpace: 1_024_000, free: 512_000, useRate: 50, isFull: false },
      settings: {
        recLedStatus: true,
        recScene: 'meeting',
        recMode: 'call',
        dmicMode: 1,
        micGain: 'high',
      },
      sessionCount: 3,
    });
    recorder.answer = () => ({ ...quiet, recording: 'recording', sessionId: 7, elapsedMs: 1500 });
    const recording = session.status();
    await clock.advance(300);
    expect((await recording).recording).toEqual({
      state: 'recording',
      isPaused: false,
      sessionId: 7,
      mode: 'normal',
      scene: 'note',
      elapsedMs: 1500,
    });
  });

  test('reports become events until the listener is taken back', async () => {
    const session = await open();
    const events: RecorderEvent[] = [];
    const stop = session.onEvent((event) => events.push(event));
    const started = { sessionId: 5, mode: 'call', scene: 'call', startTime: 77 } as const;
    const ended = { sessionId: 5, fileSize: 480, durationMs: 60, because: 'space_full' } as const;
    recorder.send(encodeReport('recordingStarted', started, 1));
    recorder.send(encodeReport('recordingEnded', ended, 2));
    recorder.send(encodeReport('batteryChanged', { charging: false, level: 9 }, 3));
    stop();
    recorder.send(encodeReport('batteryChanged', { charging: false, level: 8 }, 4));
    expect(events).toEqual([
      { type: 'recording_started', ...started },
      { type: 'recording_ended', ...ended },
      { type: 'battery_changed', charging: false, level: 9 },
    ]);
  });
});

describe('session list', () => {
  test('goes on behind the last of each page', async () => {
    const session = await open();
    const all = Array.from({ length: 16 }, (_, index) => item(index + 1));
    recorder.answer = (request) => {
      if (request.name !== 'sessionList') return undefined;
      const later = all.filter(({ sessionId }) => sessionId > request.value.afterSessionId);
      return { more: later.length > 7, items: later.slice(0, 7) };
    };
    const listing = session.listSessions();
    await clock.advance(2000);
    const listed = await listing;
    expect(listed.map(({ sessionId }) => sessionId)).toEqual(all.map((each) => each.sessionId));
    expect(listed[0]).toEqual({
      sessionId: 1,
      fileSize: 1600,
      mode: 'call',
      scene: 'meeting',
      hasMarkers: true,
      stillRecording: false,
      startTime: 1001,
      durationMs: 200,
    });
  });

  test('a busy recorder is asked again after a second', async () => {
    const session = await open();
    const before = recorder.requests.length;
    recorder.answer = () =>
      recorder.requests.length < before + 3 ? 'busy' : { more: false, items: [] };
    const listing = session.listSessions();
    await clock.advance(3000);
    expect(await listing).toEqual([]);
    const times = recorder.requests.slice(before).map(({ at }) => at);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(1000);
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBe(1000);
  });

  test('a recorder that stays busy is given up after five times', async () => {
    const session = await open();
    const before = recorder.requests.length;
    recorder.answer = () => 'busy';
    expect(await failure(session.listSessions(), 10_000)).toBe('busy');
    expect(recorder.requests.length - before).toBe(5);
  });

  test('any other refusal is not repeated', async () => {
    const session = await open();
    const before = recorder.requests.length;
    recorder.answer = () => 'usb_disk_mode';
    expect(await failure(session.listSessions(), 10_000)).toBe('usb_disk_mode');
    expect(recorder.requests.length - before).toBe(1);
  });
});

describe('binding', () => {
  const report = (isBind: boolean) => recorder.send(encodeReport('bindChanged', { isBind }, 1));

  test('waits for the owner', async () => {
    const session = await open();
    recorder.answer = () => ({ state: 'waiting' });
    let bound = false;
    const binding = session.bind().then(() => {
      bound = true;
    });
    await clock.advance(20_000);
    expect(bound).toBe(false);
    report(true);
    await binding;
  });

  test('a bound recorder is bound at once', async () => {
    const session = await open();
    recorder.answer = () => ({ state: 'bound' });
    expect(await failure(session.bind(), 300)).toBe('none');
  });

  test('an owner who does not confirm refuses', async () => {
    const session = await open();
    recorder.answer = () => ({ state: 'waiting' });
    const binding = session.bind();
    binding.catch(() => undefined);
    await clock.advance(60_000);
    report(false);
    expect(await failure(binding)).toBe('bind_refused');
  });

  test('a recorder that says nothing more is a time-out', async () => {
    const session = await open();
    recorder.answer = () => ({ state: 'waiting' });
    expect(await failure(session.bind(), 66_000)).toBe('timeout');
  });

  test('can be called off, and a broken link ends it', async () => {
    const session = await open();
    recorder.answer = () => ({ state: 'waiting' });
    const controller = new AbortController();
    const first = session.bind({ signal: controller.signal });
    first.catch(() => undefined);
    await clock.advance(300);
    controller.abort();
    expect(await failure(first)).toBe('aborted');
    const second = session.bind();
    second.catch(() => undefined);
    await clock.advance(300);
    recorder.disconnect('link_lost');
    expect(await failure(second)).toBe('link_lost');
  });
});
