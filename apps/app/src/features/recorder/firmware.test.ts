import { createHash } from 'node:crypto';
import { writable } from '@linnet/base';
import type { FirmwareDescriptor } from '@linnet/contract';
import { crc16 } from '@linnet/device/codec';
import {
  DeviceError,
  FIRMWARE_ERROR_CODES,
  FirmwareError,
  type RecorderSession,
  type UpdateOptions,
} from '@linnet/device/session';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ConnectedRecorder, LinkState } from '../../ports/recorder.ts';
import type { Connection } from './connection.ts';
import { createFirmware } from './firmware.ts';

afterEach(() => vi.unstubAllGlobals());

const IMAGE = new Uint8Array(1000).fill(7);
const OLD_VERSION = '1.0.0';
const NEW_VERSION = '1.2.0';
const publishedVersions: Readonly<Record<string, string>> = { LNR1: NEW_VERSION, LNR2: '2.0.0' };
const RECORDER_A = { sn: 'A', projectCode: 'LNR1' };
const RECORDER_B = { sn: 'B', projectCode: 'LNR1' };
const OTHER_MODEL = { sn: 'C', projectCode: 'LNR2' };

const descriptor = (projectCode: string): FirmwareDescriptor => ({
  version: publishedVersions[projectCode] ?? '',
  project_code: projectCode,
  url: `/static/firmware/${projectCode}/${NEW_VERSION}.bin`,
  size: IMAGE.length,
  crc16: crc16(IMAGE),
  sha256: createHash('sha256').update(IMAGE).digest('hex'),
  signature: `${'A'.repeat(86)}==`,
  notes: '',
  published_at: '2026-11-22T10:00:00.000Z',
});

/**
 * Stubs `fetch` with a server that publishes firmware.
 * @param delays promises that delay responses, keyed by model
 * @param image the image that the server sends
 */
function stubServer(
  delays: Readonly<Record<string, Promise<unknown>>> = {},
  image: BodyInit = IMAGE,
): void {
  vi.stubGlobal('fetch', async (address: string) => {
    const model = /LNR\d/.exec(address)?.[0] ?? '';
    if (address.endsWith('.bin')) return new Response(image);
    await delays[model];
    return Response.json(descriptor(model));
  });
}

/** Returns a connected recorder that accepts an update once the test resolves `accepted`. */
function createFakeRecorder(
  { sn, projectCode }: { sn: string; projectCode: string },
  firmwareVersion = OLD_VERSION,
) {
  const info = { sn, projectCode, firmwareVersion } as ConnectedRecorder['info'];
  const accepted = Promise.withResolvers<void>();
  const sentVersions: string[] = [];
  let reportProgress: (percent: number) => void = () => {};
  const session = {
    info,
    async updateFirmware(image: { version: string }, { signal, onProgress }: UpdateOptions) {
      sentVersions.push(image.version);
      reportProgress = onProgress ?? reportProgress;
      const canceled = Promise.withResolvers<never>();
      signal?.addEventListener('abort', () => canceled.reject(new DeviceError('aborted')));
      await Promise.race([accepted.promise, canceled.promise]);
    },
  } as Partial<RecorderSession> as RecorderSession;
  const view = writable({ info, updated: null } as ConnectedRecorder);
  return {
    connection: { session, view, runOptional: (_name, run) => run() } as Connection,
    sentVersions,
    accepted,
    reportProgress: (percent: number) => reportProgress(percent),
  };
}

/** Creates the firmware service with a link that the test controls. */
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
  const connect = ({ connection }: { connection: Connection }) => {
    current = connection;
    const view = connection.view.get();
    state.set({ status: 'connected', sn: view.info.sn, name: '', recorder: view });
  };
  return {
    firmware,
    connectRequests,
    connect,
    ...firmware.service,
    disconnect(sn: string) {
      current = null;
      state.set({ status: 'reconnecting', reason: 'lost', sn, name: '' });
    },
    report(recorder: { connection: Connection }, updated: ConnectedRecorder['updated']) {
      const { view } = recorder.connection;
      view.set({ ...view.get(), updated });
      connect(recorder);
    },
  };
}
type App = ReturnType<typeof setUp>;

/** Runs an update of recorder A up to the point where it has accepted the image and disconnects to restart. */
async function updateUntilRestart(app: App): Promise<void> {
  const a = createFakeRecorder(RECORDER_A);
  app.connect(a);
  await app.check();
  const started = app.start();
  await expect.poll(() => app.update.get().status).toBe('sending');
  a.accepted.resolve();
  await started;
  expect(app.update.get().status).toBe('restarting');
  app.disconnect(RECORDER_A.sn);
}

describe('an update that restarts its recorder', () => {
  it('succeeds when the recorder reconnects with the new version', async () => {
    stubServer();
    const app = setUp();
    await updateUntilRestart(app);
    app.connect(createFakeRecorder(RECORDER_A, NEW_VERSION));
    expect(app.update.get()).toEqual({ status: 'done', version: NEW_VERSION });
  });

  it('fails when the recorder reconnects with a different version', async () => {
    stubServer();
    const app = setUp();
    await updateUntilRestart(app);
    app.connect(createFakeRecorder(RECORDER_A));
    const failure = { kind: 'unchanged' };
    expect(app.update.get()).toEqual({ status: 'failed', sn: RECORDER_A.sn, percent: 99, failure });
  });

  it.each([OLD_VERSION, NEW_VERSION])(
    'ignores another recorder with version %s',
    async (version) => {
      stubServer();
      const app = setUp();
      await updateUntilRestart(app);
      const b = createFakeRecorder(RECORDER_B, version);
      app.connect(b);
      app.report(b, { status: 'ok', version: NEW_VERSION });
      app.report(b, { status: 'flash_failed', version: OLD_VERSION });
      expect(app.update.get().status).toBe('restarting');
      app.disconnect(RECORDER_B.sn);
      app.connect(createFakeRecorder(RECORDER_A, NEW_VERSION));
      expect(app.update.get()).toEqual({ status: 'done', version: NEW_VERSION });
    },
  );

  it('searches for the recorder once', async () => {
    stubServer();
    const app = setUp();
    await updateUntilRestart(app);
    app.disconnect(RECORDER_A.sn);
    await expect.poll(() => app.connectRequests).toEqual([RECORDER_A.sn]);
  });

  it("is idle after dismissal, but still shows the recorder's report", async () => {
    stubServer();
    const app = setUp();
    await updateUntilRestart(app);
    app.cancel();
    expect(app.update.get().status).toBe('restarting');
    app.dismiss();
    expect(app.update.get()).toEqual({ status: 'idle' });
    const a = createFakeRecorder(RECORDER_A, NEW_VERSION);
    app.connect(a);
    expect(app.update.get()).toEqual({ status: 'idle' });
    app.report(a, { status: 'ok', version: NEW_VERSION });
    expect(app.update.get()).toEqual({ status: 'done', version: NEW_VERSION });
  });
});

describe('an update being sent', () => {
  it('can be canceled only until everything is sent', async () => {
    stubServer();
    const app = setUp();
    const a = createFakeRecorder(RECORDER_A);
    app.connect(a);
    await app.check();
    void app.start();
    await expect.poll(() => app.update.get().status).toBe('sending');
    a.reportProgress(98);
    app.cancel();
    expect(app.update.get()).toEqual({ status: 'idle' });
    const restarted = app.start();
    await expect.poll(() => app.update.get().status).toBe('sending');
    a.reportProgress(99);
    app.cancel();
    expect(app.update.get()).toMatchObject({ status: 'sending', percent: 99 });
    a.accepted.resolve();
    await restarted;
    expect(app.update.get().status).toBe('restarting');
  });
});

describe('an offer', () => {
  it('is for the connected recorder, even if an earlier check completes later', async () => {
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    stubServer({ LNR1: first.promise, LNR2: second.promise });
    const app = setUp();
    app.connect(createFakeRecorder(RECORDER_A));
    const checkA = app.check();
    const c = createFakeRecorder(OTHER_MODEL);
    app.connect(c);
    const checkC = app.check();
    second.resolve();
    await checkC;
    expect(app.offered.get()).toMatchObject({ status: 'found' });
    // The late response is for the previous recorder, so it is ignored.
    first.resolve();
    await checkA;
    const started = app.start();
    await expect.poll(() => c.sentVersions).toEqual(['2.0.0']);
    c.accepted.resolve();
    await started;
  });

  it('is discarded if another recorder has connected', async () => {
    const response = Promise.withResolvers<void>();
    stubServer({ LNR1: response.promise });
    const app = setUp();
    app.connect(createFakeRecorder(RECORDER_A));
    const checkA = app.check();
    app.connect(createFakeRecorder(OTHER_MODEL));
    response.resolve();
    await checkA;
    expect(app.offered.get()).toEqual({ status: 'checking' });
  });

  it('is discarded if the state is cleared during the check', async () => {
    const response = Promise.withResolvers<void>();
    stubServer({ LNR1: response.promise });
    const app = setUp();
    app.connect(createFakeRecorder(RECORDER_A));
    const checked = app.check();
    app.firmware.forget();
    response.resolve();
    await checked;
    expect(app.offered.get()).toEqual({ status: 'unknown' });
  });

  it('is not sent to a recorder of a different model', async () => {
    stubServer();
    const app = setUp();
    app.connect(createFakeRecorder(RECORDER_A));
    await app.check();
    const c = createFakeRecorder(OTHER_MODEL);
    app.connect(c);
    await app.start();
    expect(c.sentVersions).toEqual([]);
    expect(app.update.get()).toEqual({ status: 'idle' });
    // `start` has loaded the offer for this model instead.
    const started = app.start();
    await expect.poll(() => c.sentVersions).toEqual(['2.0.0']);
    c.accepted.resolve();
    await started;
  });
});

describe('an update that failed', () => {
  it.each(FIRMWARE_ERROR_CODES)(
    'has the code and number of the recorder’s error %s',
    async (code) => {
      stubServer();
      const app = setUp();
      const a = createFakeRecorder(RECORDER_A);
      app.connect(a);
      await app.check();
      const started = app.start();
      await expect.poll(() => a.sentVersions).toEqual([NEW_VERSION]);
      const error = new FirmwareError(code);
      a.accepted.reject(error);
      await started;
      const failure = { kind: 'refused', code, number: error.number };
      expect(app.update.get()).toMatchObject({ status: 'failed', sn: RECORDER_A.sn, failure });
      app.dismiss();
      expect(app.update.get()).toEqual({ status: 'idle' });
    },
  );

  it('has sent nothing if the image does not match its published hash', async () => {
    const damaged = IMAGE.slice();
    damaged[500] = 8;
    stubServer({}, damaged);
    const app = setUp();
    const a = createFakeRecorder(RECORDER_A);
    app.connect(a);
    await app.check();
    await app.start();
    expect(app.update.get()).toMatchObject({ status: 'failed', failure: { kind: 'damaged' } });
    expect(a.sentVersions).toEqual([]);
  });

  it('is retried only on the same recorder', async () => {
    stubServer();
    const app = setUp();
    const a = createFakeRecorder(RECORDER_A);
    app.connect(a);
    await app.check();
    const started = app.start();
    await expect.poll(() => a.sentVersions).toEqual([NEW_VERSION]);
    a.accepted.reject(new DeviceError('link_lost'));
    await started;
    expect(app.update.get()).toMatchObject({ status: 'failed', sn: RECORDER_A.sn });
    app.disconnect(RECORDER_A.sn);
    const b = createFakeRecorder(RECORDER_B);
    app.connect(b);
    await app.start();
    expect(b.sentVersions).toEqual([]);
    const failure = { kind: 'recorder', failure: { kind: 'not-connected' } };
    expect(app.update.get()).toMatchObject({ status: 'failed', sn: RECORDER_A.sn, failure });
    const reconnected = createFakeRecorder(RECORDER_A);
    app.connect(reconnected);
    const retried = app.start();
    await expect.poll(() => reconnected.sentVersions).toEqual([NEW_VERSION]);
    reconnected.accepted.resolve();
    await retried;
    expect(app.update.get().status).toBe('restarting');
  });
});
