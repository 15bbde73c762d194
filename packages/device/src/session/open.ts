/** Opening a session, and the session itself: each method is one command, or a short story of them. */
import { toHex } from '@linnet/base';
import { type Clock, systemClock } from '../clock.ts';
import {
  type AnyReport,
  FIXED_TOKEN,
  type RequestOf,
  type ResponseOf,
  VERSION_1,
  VERSION_2,
} from '../codec/index.ts';
import { DeviceError } from '../errors.ts';
import type { CloseReason, Transport, Unsubscribe } from '../transport.ts';
import { confirmedByOwner } from './confirmation.ts';
import { Link } from './link.ts';
import { agreeKey, BOTH_VERSIONS, openChannel } from './open-channel.ts';
import { readSession } from './read-session.ts';
import { SESSION_LIST_ATTEMPTS, SESSION_LIST_RETRY_MS } from './timing.ts';
import type {
  Binding,
  BindOptions,
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
  WifiAccess,
  WifiNetwork,
} from './types.ts';
import { updateFirmware } from './update-firmware.ts';

/** The wire carries the time zone in quarter hours. */
const MINUTES_PER_QUARTER = 15;
const BYTES_PER_KIB = 1024;

/** What a phone offers that knows nothing of a recorder. */
const VERSION_1_ONLY = { minVersion: VERSION_1, maxVersion: VERSION_1 } as const;

/**
 * Handshake, token or channel, and time on a fresh link. Closes the link when that fails.
 * @throws {DeviceError} `version_unsupported`, `token_refused`, `binding_unknown`, `timeout`, `link_lost`,
 *   `aborted`
 */
export async function openRecorderSession(
  transport: Transport,
  options: OpenSessionOptions = {},
): Promise<RecorderSession> {
  const clock = options.clock ?? systemClock;
  const { signal, binding } = options;
  const link = new Link(transport, clock);
  // What it reports before anybody listens to the session: what became of its firmware, for one.
  const early: AnyReport[] = [];
  const stopEarly = link.onReport((report) => early.push(report));
  const onAbort = () => void link.close();
  const setTime = async () => {
    await link.request('timeSync', timeNow(clock, options.timeZoneMinutes));
  };
  signal?.addEventListener('abort', onAbort);
  try {
    if (signal?.aborted) throw new DeviceError('aborted', { cause: signal.reason });
    const info = readInfo(
      await link.request('handshake', binding ? BOTH_VERSIONS : VERSION_1_ONLY),
    );
    mustBeSpoken(info, binding);
    link.payloadSize = info.payloadSize;
    const isSealed = info.protocolVersion === VERSION_2;
    if (!isSealed) await link.request('token', { token: options.token ?? FIXED_TOKEN });
    else if (binding?.status === 'bound') await openChannel(link, binding.key, info.sn);
    // Who is about to bind has no channel yet: `bind` opens it.
    if (!isSealed || binding?.status === 'bound') await setTime();
    return new Session(transport, link, clock, info, setTime, { reports: early, stop: stopEarly });
  } catch (error) {
    await link.close();
    if (signal?.aborted) throw new DeviceError('aborted', { cause: signal.reason });
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

/**
 * Nobody talks a phone down to version 1 that has a key, or that meets a recorder of version 2.
 * @throws {DeviceError} `version_unsupported`
 */
function mustBeSpoken(
  { protocolVersion, tranVersion }: RecorderInfo,
  binding: OpenSessionOptions['binding'],
): void {
  const mayBeOld = !binding || (binding.status === 'new' && tranVersion < VERSION_2);
  const wanted = mayBeOld ? VERSION_1 : VERSION_2;
  if (protocolVersion !== wanted) throw new DeviceError('version_unsupported');
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
  const mac = toHex(response.mac).toUpperCase().match(/../g) ?? [];
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
  private readonly setTime: () => Promise<void>;
  /** Reports from before the first listener, which gets them. */
  private readonly early: { readonly reports: AnyReport[]; readonly stop: Unsubscribe };

  constructor(
    transport: Transport,
    link: Link,
    clock: Clock,
    info: RecorderInfo,
    setTime: () => Promise<void>,
    early: { readonly reports: AnyReport[]; readonly stop: Unsubscribe },
  ) {
    this.early = early;
    this.setTime = setTime;
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
    return { ssid, password, origin: originOf(address, port) ?? '', ...this.wifiAccess(token) };
  }

  async closeWifi(): Promise<void> {
    await this.link.request('wifiClose', {});
  }

  async searchNetworks(): Promise<readonly WifiNetwork[]> {
    return (await this.link.request('wifiSearch', {})).networks;
  }

  async joinNetwork(network: { ssid: string; password: string }): Promise<WifiAccess> {
    const { token } = await this.link.request('wifiConfigure', network);
    return this.wifiAccess(token);
  }

  private wifiAccess(token: Uint8Array): WifiAccess {
    return this.info.protocolVersion === VERSION_2
      ? { version: 2, secret: toHex(token) }
      : { version: 1, token: toHex(token) };
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

  async bind(options: BindOptions = {}): Promise<Binding> {
    const { signal, knownKey } = options;
    if (this.info.protocolVersion === VERSION_1) {
      const ask = async () => (await this.link.request('bind', {})).state;
      const isWaiting = (state: string) => state === 'waiting';
      const state = await confirmedByOwner(this.link, this.clock, signal, ask, isWaiting);
      if (state === 'unbound') throw new DeviceError('bind_refused');
      return { version: 1 };
    }
    const stillHolds = knownKey !== undefined && (await this.opensWith(knownKey));
    const key = stillHolds ? knownKey : await this.agree(signal);
    await this.setTime();
    return { version: 2, key };
  }

  async claim(ownerTag: Uint8Array): Promise<void> {
    await this.link.request('claim', { ownerTag });
  }

  async attest(ownerTag: Uint8Array, challenge: Uint8Array): Promise<Uint8Array> {
    return (await this.link.request('attest', { ownerTag, challenge })).signature;
  }

  /** Agrees on a key that the owner confirms, and opens the channel with it. */
  private async agree(signal: AbortSignal | undefined): Promise<Uint8Array> {
    const { link, clock, info } = this;
    const ask = () => agreeKey(link, info.sn);
    const key = await confirmedByOwner(link, clock, signal, ask, () => true);
    await openChannel(link, key, info.sn);
    return key;
  }

  /** Opens the channel with a key. @returns false when the recorder does not have it */
  private async opensWith(key: Uint8Array): Promise<boolean> {
    try {
      await openChannel(this.link, key, this.info.sn);
      return true;
    } catch (error) {
      if (error instanceof DeviceError && error.code === 'binding_unknown') return false;
      throw error;
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
