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

/** Advances the clock and returns a rejected action's error code. */
async function errorCode(action: Promise<unknown>, ms = 0): Promise<string> {
  const ended = action.then(
    () => 'none',
    (error: unknown) => (error instanceof DeviceError ? error.code : String(error)),
  );
  await clock.advance(ms);
  return ended;
}

const createItem = (sessionId: number) => ({
  sessionId,
  fileSize: 1600,
  attr: { mode: 'call', scene: 'meeting', hasMarkers: true, stillRecording: false },
  startTime: 1000 + sessionId,
  durationMs: 200,
});

describe('openRecorderSession', () => {
  test('sends handshake, token and time, and returns the information about the recorder', async () => {
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

  test('writes at most 20 bytes at a time before the handshake', async () => {
    await open();
    const sizes = recorder.writes.map(({ size }) => size);
    expect(sizes).toEqual([14, 28, 17]);
    expect(recorder.writes.every(({ withResponse }) => withResponse)).toBe(true);
  });

  test('never exceeds the maximum write size of the transport', async () => {
    recorder.maxWriteSize = 20;
    await open();
    expect(recorder.writes.map(({ size }) => size)).toEqual([14, 20, 8, 17]);
  });

  test('sends commands 300 ms apart', async () => {
    await open();
    const times = recorder.requests.map(({ at }) => at - (recorder.requests[0]?.at ?? 0));
    expect(times).toEqual([0, 300, 600]);
  });

  test.each([
    ['version_unsupported', 'version_unsupported'],
    ['request_malformed', 'request_malformed'],
  ] as const)('closes the link when the handshake is refused with %s', async (reply, code) => {
    recorder.handshake = reply;
    expect(await errorCode(openRecorderSession(recorder, { clock }), 1000)).toBe(code);
    expect(recorder.closed).toBe('closed_by_us');
  });

  test('rejects a version outside the offered range', async () => {
    recorder.handshake = { ...(recorder.handshake as object), version: 2 };
    expect(await errorCode(openRecorderSession(recorder, { clock }), 1000)).toBe(
      'version_unsupported',
    );
  });

  test('closes the link when the token is refused', async () => {
    recorder.token = 'token_refused';
    expect(await errorCode(openRecorderSession(recorder, { clock }), 1000)).toBe('token_refused');
    expect(recorder.closed).toBe('closed_by_us');
  });

  test('can be aborted', async () => {
    recorder.handshake = undefined;
    const controller = new AbortController();
    const opening = openRecorderSession(recorder, { clock, signal: controller.signal });
    await flushTasks();
    controller.abort();
    expect(await errorCode(opening)).toBe('aborted');
    expect(recorder.closed).toBe('closed_by_us');
  });
});

describe('requests', () => {
  test.each(Object.entries(RESULTS).filter(([name]) => name !== 'ok'))(
    'converts result %s to an error with the same code',
    async (name, result) => {
      const session = await open();
      recorder.respond = () => name as never;
      const starting = session.startRecording({ mode: 'normal', scene: 'note' });
      starting.catch(() => undefined);
      await clock.advance(300);
      await expect(starting).rejects.toMatchObject({ code: name, result });
    },
  );

  test('expose the number of an unknown result', async () => {
    const session = await open();
    recorder.respond = (_, sequence) => {
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

  test('reject a malformed response', async () => {
    const session = await open();
    recorder.respond = (_, sequence) => {
      const payload = Uint8Array.of(0, 1);
      const head = { version: 1, flags: 0, kind: 'response', command: 0x11 } as const;
      recorder.send(encodeFrame({ ...head, sequence, payload }));
      return undefined;
    };
    expect(await errorCode(session.stopRecording(), 300)).toBe('reply_malformed');
  });

  test('time out after 5 s and ignore a late response', async () => {
    const session = await open();
    let lateSequence = 0;
    recorder.respond = (_, sequence) => {
      lateSequence = sequence;
      return undefined;
    };
    const stopping = session.stopRecording();
    expect(await errorCode(stopping, 6000)).toBe('timeout');
    recorder.respond = () => ({ sessionId: 9, fileSize: 320 });
    const secondRequest = session.stopRecording();
    recorder.send(encodeResponse('recordEnd', { sessionId: 1, fileSize: 160 }, lateSequence));
    await clock.advance(300);
    expect(await secondRequest).toEqual({ sessionId: 9, fileSize: 320 });
  });

  test('are not delayed when the clock is set back', async () => {
    const session = await open();
    recorder.respond = () => ({ sessionId: 9, fileSize: 320 });
    await clock.advance(1000);
    clock.set(-26 * 3_600_000);
    const stopping = session.stopRecording();
    await clock.advance(300);
    expect(await stopping).toEqual({ sessionId: 9, fileSize: 320 });
  });

  test('run one at a time in call order', async () => {
    const session = await open();
    const before = recorder.requests.length;
    recorder.respond = () => undefined;
    const first = session.stopRecording();
    const secondRequest = session.deleteSession(4);
    first.catch(() => undefined);
    await clock.advance(1000);
    expect(recorder.requests.slice(before).map(({ name }) => name)).toEqual(['recordEnd']);
    recorder.respond = () => ({});
    await clock.advance(6000);
    await secondRequest;
    expect(recorder.requests.slice(before).map(({ name }) => name)).toEqual([
      'recordEnd',
      'deleteRecord',
    ]);
  });

  test('fail when the link is lost, whether they are pending or new', async () => {
    const session = await open();
    const waitingRequest = session.stopRecording();
    const queued = session.status();
    waitingRequest.catch(() => undefined);
    queued.catch(() => undefined);
    await clock.advance(300);
    const closed = new Promise((resolve) => session.onClosed(resolve));
    recorder.disconnect('link_lost');
    expect(await errorCode(waitingRequest)).toBe('link_lost');
    expect(await errorCode(queued)).toBe('link_lost');
    expect(await errorCode(session.unbind())).toBe('link_lost');
    expect(await closed).toBe('link_lost');
  });

  test('receive the next response two seconds after a truncated response', async () => {
    const session = await open();
    const truncated = encodeResponse('recordEnd', { sessionId: 1, fileSize: 160 }, 4).subarray(
      0,
      15,
    );
    recorder.respond = (_, sequence) => {
      recorder.send(truncated);
      recorder.send(encodeRefusal(0x11, 'not_recording', sequence));
      return undefined;
    };
    const stopping = errorCode(session.stopRecording(), 2300);
    expect(await stopping).toBe('not_recording');
  });
});

describe('status and onEvent', () => {
  const defaultStatus = {
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

  test('convert storage to bytes and expose the recording state as a union', async () => {
    const session = await open();
    recorder.respond = () => ({ ...defaultStatus, recording: 'idle' });
    const idleStatus = session.status();
    await clock.advance(300);
    expect(await idleStatus).toMatchObject({
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
    recorder.respond = () => ({
      ...defaultStatus,
      recording: 'recording',
      sessionId: 7,
      elapsedMs: 1500,
    });
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

  test('emit reports until the listener is unsubscribed', async () => {
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
  test('continues each page after its last item', async () => {
    const session = await open();
    const all = Array.from({ length: 16 }, (_, index) => createItem(index + 1));
    recorder.respond = (request) => {
      if (request.name !== 'sessionList') return undefined;
      const laterSessions = all.filter(({ sessionId }) => sessionId > request.value.afterSessionId);
      return { more: laterSessions.length > 7, items: laterSessions.slice(0, 7) };
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

  test('retries a busy recorder after a second', async () => {
    const session = await open();
    const before = recorder.requests.length;
    recorder.respond = () =>
      recorder.requests.length < before + 3 ? 'busy' : { more: false, items: [] };
    const listing = session.listSessions();
    await clock.advance(3000);
    expect(await listing).toEqual([]);
    const times = recorder.requests.slice(before).map(({ at }) => at);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(1000);
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBe(1000);
  });

  test('fails after five attempts', async () => {
    const session = await open();
    const before = recorder.requests.length;
    recorder.respond = () => 'busy';
    expect(await errorCode(session.listSessions(), 10_000)).toBe('busy');
    expect(recorder.requests.length - before).toBe(5);
  });

  test('doesn’t retry other refusals', async () => {
    const session = await open();
    const before = recorder.requests.length;
    recorder.respond = () => 'usb_disk_mode';
    expect(await errorCode(session.listSessions(), 10_000)).toBe('usb_disk_mode');
    expect(recorder.requests.length - before).toBe(1);
  });
});

describe('binding', () => {
  const sendBindReport = (isBind: boolean) =>
    recorder.send(encodeReport('bindChanged', { isBind }, 1));

  test('waits for the confirmation', async () => {
    const session = await open();
    recorder.respond = () => ({ state: 'waiting' });
    let isBound = false;
    const binding = session.bind().then(() => {
      isBound = true;
    });
    await clock.advance(20_000);
    expect(isBound).toBe(false);
    sendBindReport(true);
    await binding;
  });

  test('succeeds without confirmation on a bound recorder', async () => {
    const session = await open();
    recorder.respond = () => ({ state: 'bound' });
    expect(await errorCode(session.bind(), 300)).toBe('none');
  });

  test('fails with bind_refused without a confirmation', async () => {
    const session = await open();
    recorder.respond = () => ({ state: 'waiting' });
    const binding = session.bind();
    binding.catch(() => undefined);
    await clock.advance(60_000);
    sendBindReport(false);
    expect(await errorCode(binding)).toBe('bind_refused');
  });

  test('times out without a report', async () => {
    const session = await open();
    recorder.respond = () => ({ state: 'waiting' });
    expect(await errorCode(session.bind(), 66_000)).toBe('timeout');
  });

  test('can be aborted and fails when the link is lost', async () => {
    const session = await open();
    recorder.respond = () => ({ state: 'waiting' });
    const controller = new AbortController();
    const first = session.bind({ signal: controller.signal });
    first.catch(() => undefined);
    await clock.advance(300);
    controller.abort();
    expect(await errorCode(first)).toBe('aborted');
    const secondBind = session.bind();
    secondBind.catch(() => undefined);
    await clock.advance(300);
    recorder.disconnect('link_lost');
    expect(await errorCode(secondBind)).toBe('link_lost');
  });
});
