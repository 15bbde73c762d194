/** Implements an open session. Most methods send a single command; some send a short sequence. */
import { toHex } from '@linnet/base';
import type { Clock } from '../clock.ts';
import {
  type AnyReport,
  type RequestOf,
  type ResponseOf,
  VERSION_1,
  VERSION_2,
} from '../codec/index.ts';
import { DeviceError } from '../errors.ts';
import type { CloseReason, Transport, Unsubscribe } from '../transport.ts';
import { requestWithConfirmation } from './confirmation.ts';
import type { Link } from './link.ts';
import { agreeBindingKey, openChannel } from './open-channel.ts';
import { readSession } from './read-session.ts';
import { httpOrigin, readEvent, readStatus, readStorage, readUsage } from './response-mapping.ts';
import { SESSION_LIST_ATTEMPTS, SESSION_LIST_RETRY_MS } from './timing.ts';
import type {
  Binding,
  BindOptions,
  FirmwareImage,
  Hotspot,
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

/** Reports that arrive before the first event listener is added. They're passed to that listener. */
export interface EarlyReports {
  readonly reports: AnyReport[];
  readonly stop: Unsubscribe;
}

export class Session implements RecorderSession {
  readonly info: RecorderInfo;
  readonly kind: Transport['kind'];
  readonly deviceId: string;
  private isReading = false;
  private readonly link: Link;
  private readonly clock: Clock;
  private readonly setTime: () => Promise<void>;
  private readonly earlyReports: EarlyReports;

  constructor(
    transport: Transport,
    link: Link,
    clock: Clock,
    info: RecorderInfo,
    setTime: () => Promise<void>,
    earlyReports: EarlyReports,
  ) {
    this.earlyReports = earlyReports;
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
    const response = await this.link.request('wifiOpen', { sessions });
    const { ssid, password, address, port, token } = response;
    return { ssid, password, origin: httpOrigin(address, port) ?? '', ...this.wifiAccess(token) };
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
      const page = await this.requestSessionPage(sessions.at(-1)?.sessionId ?? 0);
      sessions.push(...page.items.map(({ attr, ...item }) => ({ ...item, ...attr })));
      if (!page.more || page.items.length === 0) return sessions;
    }
  }

  async readSession(
    sessionId: number,
    fromChunk: number,
    options: ReadSessionOptions,
  ): Promise<SessionDigest> {
    if (this.isReading) throw new DeviceError('transfer_running');
    this.isReading = true;
    try {
      return await readSession(this.link, this.clock, sessionId, fromChunk, options);
    } finally {
      this.isReading = false;
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
      const send = async () => (await this.link.request('bind', {})).state;
      const isWaiting = (state: string) => state === 'waiting';
      const state = await requestWithConfirmation(this.link, this.clock, signal, send, isWaiting);
      if (state === 'unbound') throw new DeviceError('bind_refused');
      return { version: 1 };
    }
    const isAccepted = knownKey !== undefined && (await this.tryOpenChannel(knownKey));
    const key = isAccepted ? knownKey : await this.agreeKey(signal);
    await this.setTime();
    return { version: 2, key };
  }

  async claim(ownerTag: Uint8Array): Promise<void> {
    await this.link.request('claim', { ownerTag });
  }

  async attest(ownerTag: Uint8Array, challenge: Uint8Array): Promise<Uint8Array> {
    return (await this.link.request('attest', { ownerTag, challenge })).signature;
  }

  /** Agrees on a key with the recorder, waits for the user's confirmation, and opens the channel. */
  private async agreeKey(signal: AbortSignal | undefined): Promise<Uint8Array> {
    const { link, clock, info } = this;
    const send = () => agreeBindingKey(link, info.sn);
    const key = await requestWithConfirmation(link, clock, signal, send, () => true);
    await openChannel(link, key, info.sn);
    return key;
  }

  /** Opens the channel with a key. @returns false if the recorder doesn't have it */
  private async tryOpenChannel(key: Uint8Array): Promise<boolean> {
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
    this.earlyReports.stop();
    for (const report of this.earlyReports.reports.splice(0)) listener(readEvent(report));
    return this.link.onReport((report) => listener(readEvent(report)));
  }

  onClosed(listener: (reason: CloseReason) => void): Unsubscribe {
    return this.link.onClosed(listener);
  }

  close(): Promise<void> {
    return this.link.close();
  }

  /** Requests a page of the list. Retries if the recorder is busy or the response was lost. */
  private async requestSessionPage(afterSessionId: number): Promise<ResponseOf<'sessionList'>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.link.request('sessionList', { afterSessionId });
      } catch (error) {
        const isTransient =
          error instanceof DeviceError && (error.code === 'busy' || error.code === 'timeout');
        if (!isTransient || attempt === SESSION_LIST_ATTEMPTS) throw error;
      }
      await new Promise<void>((resolve) => this.clock.after(SESSION_LIST_RETRY_MS, resolve));
    }
  }
}
