import { createHash } from 'node:crypto';
import { writable } from '@linnet/base';
import type { FirmwareDescriptor } from '@linnet/contract';
import { crc16 } from '@linnet/device/codec';
import { DeviceError, type RecorderSession, type UpdateOptions } from '@linnet/device/session';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ConnectedRecorder, LinkState } from '../../ports/recorder.ts';
import type { Connection } from './connection.ts';
import { createFirmware } from './firmware.ts';

afterEach(() => vi.unstubAllGlobals());

const IMAGE = new Uint8Array(1000).fill(7);
const NEW = '1.2.0';
const NEW_OF: Readonly<Record<string, string>> = { LNR1: NEW, LNR2: '2.0.0' };
const OLD = '1.0.0';
const A = { sn: 'A', projectCode: 'LNR1' };
const B = { sn: 'B', projectCode: 'LNR1' };
const OTHER_MODEL = { sn: 'C', projectCode: 'LNR2' };

const descriptor = (projectCode: string): FirmwareDescriptor => ({
  version: NEW_OF[projectCode] ?? '',
  project_code: projectCode,
  url: `/static/firmware/${projectCode}/${NEW}.bin`,
  size: IMAGE.length,
  crc16: crc16(IMAGE),
  sha256: createHash('sha256').update(IMAGE).digest('hex'),
  signature: `${'A'.repeat(86)}==`,
  notes: '',
  published_at: '2026-11-22T10:00:00.000Z',
});

/** A server that answers at once, or for a model in `held`, when that promise resolves. */
function serve(held: Readonly<Record<string, Promise<unknown>>> = {}): void {
  vi.stubGlobal('fetch', async (address: string) => {
    const model = /LNR\d/.exec(address)?.[0] ?? '';
    if (address.endsWith('.bin')) return new Response(IMAGE);
    await held[model];
    return Response.json(descriptor(model));
  });
}

/** A connected recorder that accepts an update when the test says so. */
function recorder({ sn, projectCode }: { sn: string; projectCode: string }, firmwareVersion = OLD) {
  const info = { sn, projectCode, firmwareVersion } as ConnectedRecorder['info'];
  const accepted = Promise.withResolvers<void>();
  const sent: string[] = [];
  let report: (percent: number) => void = () => {};
  const session = {
    info,
    async updateFirmware(image: { version: string }, { signal, onProgress }: UpdateOptions) {
      sent.push(image.version);
      report = onProgress ?? report;
      const canceled = Promise.withResolvers<never>();
      signal?.addEventListener('abort', () => canceled.reject(new DeviceError('aborted')));
      await Promise.race([accepted.promise, canceled.promise]);
    },
  } as Partial<RecorderSession> as RecorderSession;
  const view = writable({ info, updated: null } as ConnectedRecorder);
  const says = (percent: number) => report(percent);
  return { connection: { session, view } as Connection, sent, accepted, says };
}

/** The link as pages see it, controlled by the test. */
function setUp() {
  const state = writable<LinkState>({ status: 'none' });
  let current: Connection | null = null;
  const connectRequests: unknown[] = [];
  const firmware = createFirmware({
    server: '',
    link: {
      state,
      current: () => current,
      async connect({ sn }) {
        connectRequests.push(sn);
        return { ok: true, data: null };
      },
    },
    log: () => {},
    onError: (error) => {
      throw error;
    },
  });
  const comes = ({ connection }: { connection: Connection }) => {
    current = connection;
    const view = connection.view.get();
    state.set({ status: 'connected', sn: view.info.sn, name: '', recorder: view });
  };
  return {
    ...{ firmware, connectRequests, comes, ...firmware.service },
    goes(sn: string) {
      current = null;
      state.set({ status: 'reconnecting', why: 'lost', sn, name: '' });
    },
    says(one: { connection: Connection }, updated: ConnectedRecorder['updated']) {
      one.connection.view.set({ ...one.connection.view.get(), updated });
      comes(one);
    },
  };
}
type App = ReturnType<typeof setUp>;

/** An update of A that was accepted, with A now disconnected. */
async function restarting(app: App): Promise<void> {
  const a = recorder(A);
  app.comes(a);
  await app.check();
  const started = app.start();
  await expect.poll(() => app.update.get().status).toBe('sending');
  a.accepted.resolve();
  await started;
  expect(app.update.get().status).toBe('restarting');
  app.goes(A.sn);
}

describe('an update that restarts its recorder', () => {
  it('succeeds when the recorder returns with the new version', async () => {
    serve();
    const app = setUp();
    await restarting(app);
    app.comes(recorder(A, NEW));
    expect(app.update.get()).toEqual({ status: 'done', version: NEW });
  });

  it('fails when the recorder returns with another version', async () => {
    serve();
    const app = setUp();
    await restarting(app);
    app.comes(recorder(A));
    const failure = { kind: 'unchanged' };
    expect(app.update.get()).toEqual({ status: 'failed', sn: A.sn, percent: 99, failure });
  });

  it.each([OLD, NEW])('ignores another recorder, which runs %s', async (version) => {
    serve();
    const app = setUp();
    await restarting(app);
    const b = recorder(B, version);
    app.comes(b);
    app.says(b, { status: 'ok', version: NEW });
    app.says(b, { status: 'flash_failed', version: OLD });
    expect(app.update.get().status).toBe('restarting');
    app.goes(B.sn);
    app.comes(recorder(A, NEW));
    expect(app.update.get()).toEqual({ status: 'done', version: NEW });
  });

  it('searches for the recorder once', async () => {
    serve();
    const app = setUp();
    await restarting(app);
    app.goes(A.sn);
    await expect.poll(() => app.connectRequests).toEqual([A.sn]);
  });

  it('stops waiting when dismissed, but still shows the recorder’s report', async () => {
    serve();
    const app = setUp();
    await restarting(app);
    app.cancel();
    expect(app.update.get().status).toBe('restarting');
    app.dismiss();
    expect(app.update.get()).toEqual({ status: 'idle' });
    const a = recorder(A, NEW);
    app.comes(a);
    expect(app.update.get()).toEqual({ status: 'idle' });
    app.says(a, { status: 'ok', version: NEW });
    expect(app.update.get()).toEqual({ status: 'done', version: NEW });
  });
});

describe('an update being sent', () => {
  it('can be canceled only until everything is sent', async () => {
    serve();
    const app = setUp();
    const a = recorder(A);
    app.comes(a);
    await app.check();
    void app.start();
    await expect.poll(() => app.update.get().status).toBe('sending');
    a.says(98);
    app.cancel();
    expect(app.update.get()).toEqual({ status: 'idle' });
    const again = app.start();
    await expect.poll(() => app.update.get().status).toBe('sending');
    a.says(99);
    app.cancel();
    expect(app.update.get()).toMatchObject({ status: 'sending', percent: 99 });
    a.accepted.resolve();
    await again;
    expect(app.update.get().status).toBe('restarting');
  });
});

describe('an offer', () => {
  it('belongs to the connected recorder', async () => {
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    serve({ LNR1: first.promise, LNR2: second.promise });
    const app = setUp();
    app.comes(recorder(A));
    const ofA = app.check();
    const c = recorder(OTHER_MODEL);
    app.comes(c);
    const ofC = app.check();
    second.resolve();
    await ofC;
    expect(app.offered.get()).toMatchObject({ status: 'found' });
    // The late answer concerns the previous recorder and is ignored.
    first.resolve();
    await ofA;
    const started = app.start();
    await expect.poll(() => c.sent).toEqual(['2.0.0']);
    c.accepted.resolve();
    await started;
  });

  it('is discarded if another recorder has connected', async () => {
    const held = Promise.withResolvers<void>();
    serve({ LNR1: held.promise });
    const app = setUp();
    app.comes(recorder(A));
    const ofA = app.check();
    app.comes(recorder(OTHER_MODEL));
    held.resolve();
    await ofA;
    expect(app.offered.get()).toEqual({ status: 'looking' });
  });

  it('is discarded after everything was forgotten', async () => {
    const held = Promise.withResolvers<void>();
    serve({ LNR1: held.promise });
    const app = setUp();
    app.comes(recorder(A));
    const checked = app.check();
    app.firmware.forget();
    held.resolve();
    await checked;
    expect(app.offered.get()).toEqual({ status: 'unknown' });
  });

  it('is not sent to another model', async () => {
    serve();
    const app = setUp();
    app.comes(recorder(A));
    await app.check();
    const c = recorder(OTHER_MODEL);
    app.comes(c);
    await app.start();
    expect(c.sent).toEqual([]);
    expect(app.update.get()).toEqual({ status: 'idle' });
    // The offer was loaded again for this one.
    const started = app.start();
    await expect.poll(() => c.sent).toEqual(['2.0.0']);
    c.accepted.resolve();
    await started;
  });
});

describe('an update that failed', () => {
  it('is retried only on the same recorder', async () => {
    serve();
    const app = setUp();
    const a = recorder(A);
    app.comes(a);
    await app.check();
    const started = app.start();
    await expect.poll(() => a.sent).toEqual([NEW]);
    a.accepted.reject(new DeviceError('link_lost'));
    await started;
    expect(app.update.get()).toMatchObject({ status: 'failed', sn: A.sn });
    app.goes(A.sn);
    const b = recorder(B);
    app.comes(b);
    await app.start();
    expect(b.sent).toEqual([]);
    const failure = { kind: 'recorder', failure: { kind: 'not-connected' } };
    expect(app.update.get()).toMatchObject({ status: 'failed', sn: A.sn, failure });
    const back = recorder(A);
    app.comes(back);
    const again = app.start();
    await expect.poll(() => back.sent).toEqual([NEW]);
    back.accepted.resolve();
    await again;
    expect(app.update.get().status).toBe('restarting');
  });
});
