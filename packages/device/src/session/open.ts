/** Opening a session, and the session itself: each method is one command, or a short story of them. */
import { type Clock, systemClock } from '../clock.ts';
import {
  type AnyReport,
  FIXED_TOKEN,
  PROTOCOL_VERSION,
  type RequestOf,
  type ResponseOf,
} from '../codec/index.ts';
import { DeviceError } from '../errors.ts';
import type { CloseReason, Transport, Unsubscribe } from '../transport.ts';
import { Link } from './link.ts';
import { readSession } from './read-session.ts';
import {
  BIND_CONFIRM_MS,
  BIND_GRACE_MS,
  SESSION_LIST_ATTEMPTS,
  SESSION_LIST_RETRY_MS,
} from './timing.ts';
import type {
  FirmwareImage,
  Hotspot,
  OpenSessionOptions,
  ReadSessionOptions,
  RecorderEvent,
  RecorderInfo,
  RecorderOperation,
  RecorderSession,
  RecorderSettings,
  RecorderStatus,
  RecorderStorage,
  RecorderUsage,
  SessionDigest,
  SessionItem,
  UpdateOptions,
  WifiNetwork,
} from './types.ts';
import { updateFirmware } from './update-firmware.ts';

/** The wire carries the time zone in quarter hours. */
const MINUTES_PER_QUARTER = 15;
const BYTES_PER_KIB = 1024;

/**
 * Handshake, token and time on a fresh link. Closes the link when that fails.
 * @throws {DeviceError} `version_unsupported`, `token_refused`, `timeout`, `link_lost`, `aborted`
 */
export async function openRecorderSession(
  transport: Transport,
  options: OpenSessionOptions = {},
): Promise<RecorderSession> {
  const clock = options.clock ?? systemClock;
  const { signal } = options;
  const link = new Link(transport, clock);
  // What it reports before anybody listens to the session: what became of its firmware, for one.
  const early: AnyReport[] = [];
  const stopEarly = link.onReport((report) => early.push(report));
  const onAbort = () => void link.close();
  signal?.addEventListener('abort', onAbort);
  try {
    if (signal?.aborted) throw new DeviceError('aborted', { cause: signal.reason });
    const versions = { minVersion: PROTOCOL_VERSION, maxVersion: PROTOCOL_VERSION };
    const info = readInfo(await link.request('handshake', versions));
    if (info.protocolVersion !== PROTOCOL_VERSION) throw new DeviceError('version_unsupported');
    link.payloadSize = info.payloadSize;
    await link.request('token', { token: options.token ?? FIXED_TOKEN });
    await link.request('timeSync', timeNow(clock, options.timeZoneMinutes));
    return new Session(transport, link, clock, info, { reports: early, stop: stopEarly });
  } catch (error) {
    await link.close();
    if (signal?.aborted) throw new DeviceError('aborted', { cause: signal.reason });
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

function timeNow(clock: Clock, timeZoneMinutes: number | undefined): RequestOf<'timeSync'> {
  const now = clock.now();
  const minutes = timeZoneMinutes ?? -new Date(now).getTimezoneOffset();
  return {
    unixTime: Math.floor(now / 1000),
    timeZone: Math.round(minutes / MINUTES_PER_QUARTER),
  };
}

function readInfo(response: ResponseOf<'handshake'>): RecorderInfo {
  const mac = hex(response.mac).toUpperCase().match(/../g) ?? [];
  return {
    sn: response.sn,
    projectCode: response.projectCode,
    firmwareVersion: response.firmwareVersion,
    mac: mac.join(':'),
    isBind: response.isBind,
    protocolVersion: response.version,
    tranVersion: response.tranVersion,
    payloadSize: response.payloadSize,
  };
}

function readStatus(response: ResponseOf<'status'>): RecorderStatus {
  const { recording, mode, scene, sessionId, elapsedMs } = response;
  return {
    recording:
      recording === 'recording' || recording === 'paused'
        ? {
            state: 'recording',
            isPaused: recording === 'paused',
            mode,
            scene,
            sessionId,
            elapsedMs,
          }
        : { state: recording },
    isBind: response.isBind,
    battery: { charging: response.charging, level: response.level },
    storage: readStorage(response),
    settings: readSettings(response),
    sessionCount: response.sessionCount,
  };
}

function readStorage(told: ResponseOf<'storageVolume'>): RecorderStorage {
  return {
    totalSpace: told.totalSpace * BYTES_PER_KIB,
    free: told.free * BYTES_PER_KIB,
    useRate: told.useRate,
    isFull: told.isFull,
  };
}

function readSettings(told: RecorderSettings): RecorderSettings {
  const { recLedStatus, recScene, recMode, dmicMode, micGain } = told;
  return { recLedStatus, recScene, recMode, dmicMode, micGain };
}

/** Where the recorder serves HTTP; null where it cannot be reached. */
function originOf(address: Uint8Array, port: number): string | null {
  return port === 0 ? null : `http://${[...address].join('.')}:${port}`;
}

const hex = (bytes: Uint8Array) =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

function readUsage({ transferredKib, ...counts }: ResponseOf<'usageStatistics'>): RecorderUsage {
  return { ...counts, transferredBytes: transferredKib * BYTES_PER_KIB };
}

function readEvent(report: AnyReport): RecorderEvent {
  switch (report.name) {
    case 'recordingStarted':
      return { type: 'recording_started', ...report.value };
    case 'recordingEnded':
      return { type: 'recording_ended', ...report.value };
    case 'bindChanged':
      return { type: 'bind_changed', ...report.value };
    case 'batteryChanged':
      return { type: 'battery_changed', ...report.value };
    case 'recordingPaused':
      return { type: 'recording_paused', ...report.value };
    case 'recordingRestored':
      return { type: 'recording_restored', ...report.value };
    case 'storageChanged':
      return { type: 'storage_changed', ...readStorage(report.value) };
    case 'settingsChanged':
      return { type: 'settings_changed', ...readSettings(report.value) };
    case 'sessionChanged': {
      const { attr, ...session } = report.value;
      return { type: 'session_changed', ...session, ...attr };
    }
    case 'firmwareChanged':
      return { type: 'firmware_changed', ...report.value };
    case 'wifiChanged': {
      const { state, address, port } = report.value;
      return { type: 'wifi_changed', state, origin: originOf(address, port) };
    }
    case 'usageChanged':
      return { type: 'usage_changed', ...readUsage(report.value) };
  }
}

class Session implements RecorderSession {
  readonly info: RecorderInfo;
  readonly kind: Transport['kind'];
  readonly deviceId: string;
  private reading = false;
  private readonly link: Link;
  private readonly clock: Clock;
  /** Reports from before the first listener, which gets them. */
  private readonly early: { readonly reports: AnyReport[]; readonly stop: Unsubscribe };

  constructor(
    transport: Transport,
    link: Link,
    clock: Clock,
    info: RecorderInfo,
    early: { readonly reports: AnyReport[]; readonly stop: Unsubscribe },
  ) {
    this.early = early;
    this.kind = transport.kind;
    this.deviceId = transport.deviceId;
    this.link = link;
    this.clock = clock;
    this.info = info;
  }

  async status(): Promise<RecorderStatus> {
    return readStatus(await this.link.request('status', {}));
  }

  startRecording(request: RequestOf<'recordStart'>): Promise<ResponseOf<'recordStart'>> {
    return this.link.request('recordStart', request);
  }

  stopRecording(): Promise<ResponseOf<'recordEnd'>> {
    return this.link.request('recordEnd', {});
  }

  pauseRecording(): Promise<ResponseOf<'recordPause'>> {
    return this.link.request('recordPause', {});
  }

  restoreRecording(): Promise<ResponseOf<'recordRestore'>> {
    return this.link.request('recordRestore', {});
  }

  async serial(): Promise<string> {
    return (await this.link.request('serial', {})).sn;
  }

  battery(): Promise<RecorderStatus['battery']> {
    return this.link.request('battery', {});
  }

  async storage(): Promise<RecorderStorage> {
    return readStorage(await this.link.request('storageVolume', {}));
  }

  async set(settings: RecorderSettings): Promise<void> {
    await this.link.request('generalSetting', settings);
  }

  async light(): Promise<boolean> {
    return (await this.link.request('ledGet', {})).recLedStatus;
  }

  async setLight(isOn: boolean): Promise<void> {
    await this.link.request('ledSet', { recLedStatus: isOn });
  }

  async openHotspot(sessionIds: readonly number[]): Promise<Hotspot> {
    const sessions = sessionIds.map((sessionId) => ({ sessionId }));
    const told = await this.link.request('wifiOpen', { sessions });
    const { ssid, password, address, port, token } = told;
    return { ssid, password, origin: originOf(address, port) ?? '', token: hex(token) };
  }

  async closeWifi(): Promise<void> {
    await this.link.request('wifiClose', {});
  }

  async searchNetworks(): Promise<readonly WifiNetwork[]> {
    return (await this.link.request('wifiSearch', {})).networks;
  }

  async joinNetwork(network: { ssid: string; password: string }): Promise<{ token: string }> {
    const { token } = await this.link.request('wifiConfigure', network);
    return { token: hex(token) };
  }

  async resetHotspotPassword(): Promise<void> {
    await this.link.request('resetPassword', {});
  }

  async usage(): Promise<RecorderUsage> {
    return readUsage(await this.link.request('usageStatistics', {}));
  }

  async operations(): Promise<readonly RecorderOperation[]> {
    const operations: RecorderOperation[] = [];
    for (;;) {
      const afterEntry = operations.at(-1)?.entry ?? 0;
      const page = await this.link.request('operationData', { afterEntry });
      operations.push(...page.items);
      if (!page.more || page.items.length === 0) return operations;
    }
  }

  async listSessions(): Promise<readonly SessionItem[]> {
    const sessions: SessionItem[] = [];
    for (;;) {
      const page = await this.sessionPage(sessions.at(-1)?.sessionId ?? 0);
      sessions.push(...page.items.map(({ attr, ...item }) => ({ ...item, ...attr })));
      if (!page.more || page.items.length === 0) return sessions;
    }
  }

  async readSession(
    sessionId: number,
    fromChunk: number,
    options: ReadSessionOptions,
  ): Promise<SessionDigest> {
    if (this.reading) throw new DeviceError('transfer_running');
    this.reading = true;
    try {
      return await readSession(this.link, this.clock, sessionId, fromChunk, options);
    } finally {
      this.reading = false;
    }
  }

  updateFirmware(image: FirmwareImage, options?: UpdateOptions): Promise<void> {
    return updateFirmware(this.link, this.clock, image, options);
  }

  async deleteSession(sessionId: number): Promise<void> {
    await this.link.request('deleteRecord', { sessionId });
  }

  async bind(options: { signal?: AbortSignal } = {}): Promise<void> {
    const { signal } = options;
    const confirmed = Promise.withResolvers<void>();
    // Awaited only if the recorder asks its owner; until then a failure must not go unhandled.
    confirmed.promise.catch(() => undefined);
    const onAbort = () => confirmed.reject(new DeviceError('aborted', { cause: signal?.reason }));
    const stop = [
      this.link.onReport((report) => {
        if (report.name !== 'bindChanged') return;
        if (report.value.isBind) confirmed.resolve();
        else confirmed.reject(new DeviceError('bind_refused'));
      }),
      this.link.onClosed(() => confirmed.reject(new DeviceError('link_lost'))),
      this.clock.after(BIND_CONFIRM_MS + BIND_GRACE_MS, () =>
        confirmed.reject(new DeviceError('timeout')),
      ),
    ];
    signal?.addEventListener('abort', onAbort);
    try {
      if (signal?.aborted) throw new DeviceError('aborted', { cause: signal.reason });
      const { state } = await this.link.request('bind', {});
      if (state === 'unbound') throw new DeviceError('bind_refused');
      if (state === 'waiting') await confirmed.promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      for (const end of stop) end();
    }
  }

  async unbind(): Promise<void> {
    await this.link.request('unbind', {});
  }

  onEvent(listener: (event: RecorderEvent) => void): Unsubscribe {
    this.early.stop();
    for (const report of this.early.reports.splice(0)) listener(readEvent(report));
    return this.link.onReport((report) => listener(readEvent(report)));
  }

  onClosed(listener: (reason: CloseReason) => void): Unsubscribe {
    return this.link.onClosed(listener);
  }

  close(): Promise<void> {
    return this.link.close();
  }

  /** One reply of the list; a busy recorder or a lost reply is asked again. */
  private async sessionPage(afterSessionId: number): Promise<ResponseOf<'sessionList'>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.link.request('sessionList', { afterSessionId });
      } catch (error) {
        const passing =
          error instanceof DeviceError && (error.code === 'busy' || error.code === 'timeout');
        if (!passing || attempt === SESSION_LIST_ATTEMPTS) throw error;
      }
      await new Promise<void>((resolve) => this.clock.after(SESSION_LIST_RETRY_MS, resolve));
    }
  }
}
