/** The recorder itself: what it is doing, what it may do next, and what it tells of it. */
import { EventEmitter } from 'node:events';
import type { OpusModule } from '@linnet/audio/opus';
import {
  type AnyReport,
  type ProtocolVersion,
  REPORTS,
  type RequestOf,
  type ResponseOf,
  type ResultName,
  VERSION_2,
} from '@linnet/device/codec';
import { Battery } from './battery.ts';
import { type Button, deedOf } from './buttons.ts';
import {
  CHUNK_SIZE,
  PACKET_MS,
  PACKET_SIZE,
  type RecordMode,
  type RecordScene,
  type Settings,
} from './device-types.ts';
import { type Faults, noFaults } from './faults.ts';
import type { Firmware, FirmwareStatus } from './flash/firmware.ts';
import type { Flash, SessionRecord } from './flash/flash.ts';
import type { SessionWriter } from './flash/session-writer.ts';
import { Ledger, type Note, type Usage } from './ledger.ts';
import { Ownership, type Viewer } from './ownership.ts';
import type { PacedClock } from './paced-clock.ts';
import { type Occupation, Power } from './power.ts';
import type { FrameLink } from './radio/radio.ts';
import { encodeAll, Microphone } from './sound/microphone.ts';
import type { Scene } from './sound/scenes.ts';
import { Wifi } from './wifi/wifi.ts';
import { attrOf, storageOnWire } from './wire.ts';

/** Real milliseconds between looks at the microphone; two packets at normal speed. */
const LISTEN_MS = 40;
const BATTERY_LOOK_MS = 5000;
const MS_PER_HOUR = 3_600_000;
/** A request confirms itself after this long, unless it waits for the button. */
const BIND_CONFIRM_MS = 500;
/** Specification: one minute of pairing. */
const BIND_PATIENCE_MS = 60_000;
/** Percent below which no firmware is taken unless it charges (PROTOCOL.md, result 38). */
const LEAST_BATTERY = 20;
/** Time in which the last answer leaves before its medium falls silent. */
const LAST_ANSWER_MS = 500;

type Recording = {
  readonly status: 'recording';
  readonly record: SessionRecord;
  readonly writer: SessionWriter;
  readonly microphone: Microphone;
  /** How loud its last moments were, 0 to 1 for each tenth of a second, the newest last. */
  readonly levels: number[];
  /** The recorder's time when it would have begun without pauses, ms. */
  readonly since: number;
  /** The recorder's time when it was paused, ms; null while it listens. */
  readonly pausedAt: number | null;
  readonly listening: NodeJS.Timeout;
};
type RecordingState =
  | { readonly status: 'idle' }
  | { readonly status: 'starting' }
  | Recording
  | { readonly status: 'stopping'; readonly recording: Recording; readonly ended: Promise<Ended> };
type EndReason = Extract<AnyReport, { name: 'recordingEnded' }>['value']['because'];

/** Where a recording stands; `elapsedMs` of sound. */
export interface Moment {
  readonly sessionId: number;
  readonly elapsedMs: number;
}
export interface Ended {
  readonly sessionId: number;
  readonly fileSize: number;
}
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly result: Exclude<ResultName, 'ok'> };

/** A phone, as far as the recorder's sleep and its network depend on it. */
export interface ConnectedPhone {
  readonly medium: FrameLink['medium'];
  /** Whether something moves to or from it. */
  readonly isMoving: boolean;
}

interface RecorderEvents {
  report: [AnyReport];
  /** More bytes of a session are durable, or it was closed or deleted. */
  session: [sessionId: number];
  /** It falls silent: on one medium whose radio is needed for the other, or, restarting, on both. */
  silent: [medium?: 'bluetooth'];
  /** A binding of version 2 came or went: only the phone that had it so stays. */
  rebound: [by: ConnectedPhone | null];
}

export class Recorder extends EventEmitter<RecorderEvents> {
  readonly flash: Flash;
  readonly firmware: Firmware;
  readonly clock: PacedClock;
  readonly faults: Faults = noFaults();
  readonly wifi: Wifi;
  readonly power: Power;
  readonly ownership: Ownership;
  /** The highest version of the protocol that it speaks. */
  readonly protocol: ProtocolVersion;
  /** Phones that are connected. */
  private readonly links = new Set<ConnectedPhone>();
  /** Name of the scene that the microphone hears from its beginning; without one, silence. */
  scene: string | undefined;
  private state: RecordingState = { status: 'idle' };
  /** Whether a claim is being stored: what began now would be the former owner's. */
  private isBeingClaimed = false;
  private clockOffsetMs = 0;
  /** Gives up asking the owner about an older firmware; null while nobody is asked. */
  private cancelAsking: (() => void) | null = null;
  /** Calls off the restart with what was installed; nothing when none is due. */
  private cancelRestart = () => {};
  private readonly ledger: Ledger;
  /** The recorder's time up to which its time awake is counted, ms. */
  private awakeSince: number;
  private readonly cancelHourly: () => void;
  private useRateTold: number;
  private readonly battery: Battery;
  private batteryTold: { readonly charging: boolean; readonly level: number };
  private readonly batteryTimer: NodeJS.Timeout;
  private readonly opus: OpusModule;
  private readonly scenes: readonly Scene[];

  constructor(
    flash: Flash,
    firmware: Firmware,
    clock: PacedClock,
    opus: OpusModule,
    scenes: readonly Scene[],
    protocol: ProtocolVersion = VERSION_2,
  ) {
    super();
    this.protocol = protocol;
    this.flash = flash;
    this.firmware = firmware;
    this.clock = clock;
    this.opus = opus;
    this.scenes = scenes;
    this.wifi = new Wifi(this);
    this.wifi.on('changed', () => this.power.occupied());
    this.wifi.on('changed', (value) => this.report({ name: 'wifiChanged', value }));
    this.ownership = new Ownership(flash);
    this.power = new Power(clock, () => this.occupation);
    this.ledger = new Ledger(flash);
    this.ledger.count('starts');
    this.useRateTold = this.useRate;
    this.note('switchedOn');
    this.awakeSince = clock.elapsed();
    this.cancelHourly = this.everyHour();
    this.battery = new Battery(flash.state.batteryLevel, clock.elapsed());
    this.batteryTold = { charging: this.faults.charging, level: this.battery.level };
    this.batteryTimer = setInterval(() => this.lookAtBattery(), BATTERY_LOOK_MS);
    this.batteryTimer.unref();
  }

  get status(): RecordingState['status'] {
    return this.state.status;
  }

  /** The recording that goes on or is paused; `elapsedMs` of sound, pauses apart. */
  get recording():
    | {
        record: SessionRecord;
        writer: SessionWriter;
        elapsedMs: number;
        isPaused: boolean;
        levels: readonly number[];
      }
    | undefined {
    if (this.state.status !== 'recording') return undefined;
    const { record, writer, levels, since, pausedAt } = this.state;
    const elapsedMs = (pausedAt ?? this.clock.elapsed()) - since;
    return { record, writer, elapsedMs, isPaused: pausedAt !== null, levels };
  }

  get settings(): Settings {
    return this.flash.state.settings;
  }

  get usage(): Usage {
    return this.ledger.usage;
  }

  /** Oldest first. */
  notesAfter(entry: number): readonly Note[] {
    return this.ledger.notesAfter(entry);
  }

  /** Percent of the storage that is used, rounded up. */
  get useRate(): number {
    const { used, total } = this.storage;
    return Math.min(100, Math.ceil((100 * used) / Math.max(1, total)));
  }

  get isBound(): boolean {
    return this.ownership.isBound;
  }

  /** Whether the owner is being asked about a bind. */
  get isAskedToBind(): boolean {
    return this.ownership.isAsking;
  }

  /** Oldest first. Others' sessions are not there at all. */
  sessionsFor(viewer: Viewer): readonly SessionRecord[] {
    return this.flash.sessions().filter(({ owner }) => owner === null || owner === viewer);
  }

  /** Whether a session is there for a phone. */
  shows(sessionId: number, viewer: Viewer): boolean {
    return this.sessionsFor(viewer).some((record) => record.sessionId === sessionId);
  }

  /** Whether the owner is being asked about an older firmware. */
  get isAsking(): boolean {
    return this.cancelAsking !== null;
  }

  get batteryLevel(): number {
    return this.battery.level;
  }

  /** What its battery holds from now on. @param percent 0 to 100 */
  setBattery(percent: number): void {
    this.battery.set(percent, this.clock.elapsed());
    this.lookAtBattery();
  }

  /** Bytes; a session being recorded counts. */
  get storage(): { total: number; free: number; used: number; isFull: boolean } {
    const total = this.faults.storageBytes;
    const used = this.flash.usedBytes() + (this.recording?.writer.size ?? 0);
    const free = Math.max(0, total - used);
    return { total, used, free, isFull: free < CHUNK_SIZE };
  }

  /** Seconds since 1970-01-01 UTC, as set by the last phone. */
  unixTime(): number {
    return Math.floor((Date.now() + this.clockOffsetMs) / 1000);
  }

  setTime(unixTime: number): void {
    this.clockOffsetMs = unixTime * 1000 - Date.now();
  }

  /**
   * A phone may only start what is bound; the button may unless the owner is asked about a first bind. A
   * question about another one is answered by this: no.
   */
  async start(
    request: { mode: RecordMode; scene: RecordScene },
    by: 'phone' | 'button',
  ): Promise<Outcome<{ sessionId: number; startTime: number }>> {
    const obstacle = this.obstacleTo(by);
    if (obstacle) return { ok: false, result: obstacle };
    this.state = { status: 'starting' };
    const startTime = this.unixTime();
    try {
      await this.ownership.answer(false);
      const heard = this.scenes.find(({ name }) => name === this.scene)?.samples;
      const { record, writer } = await this.flash.createSession(
        { startTime, owner: this.ownership.owner, ...request },
        () => this.emit('session', record.sessionId),
      );
      this.state = {
        status: 'recording',
        record,
        writer,
        microphone: new Microphone(this.opus, heard ?? new Int16Array(), this.settings.micGain),
        levels: [],
        since: this.clock.elapsed(),
        pausedAt: null,
        listening: setInterval(() => this.listen(), LISTEN_MS),
      };
      const { sessionId } = record;
      this.ledger.count('recordings');
      this.note('recordingStarted');
      this.power.wake();
      this.report({ name: 'recordingStarted', value: { sessionId, startTime, ...request } });
      return { ok: true, value: { sessionId, startTime } };
    } catch (error) {
      this.state = { status: 'idle' };
      console.error('recording could not start', error);
      return { ok: false, result: 'hardware_abnormal' };
    }
  }

  /** Holds the recording; one that is held stays as it is. */
  pause(): Outcome<Moment> {
    if (this.state.status !== 'recording') return { ok: false, result: 'not_recording' };
    if (this.state.pausedAt === null) {
      this.listen();
      const { since, writer } = this.state;
      // Held at the end of a packet: a part of one would be neither in the session nor after it.
      const pausedAt = since + (writer.size / PACKET_SIZE) * PACKET_MS;
      this.state = { ...this.state, pausedAt };
      this.report({ name: 'recordingPaused', value: this.moment(this.state) });
    }
    return { ok: true, value: this.moment(this.state) };
  }

  /** Goes on with a recording that is held. */
  restore(): Outcome<Moment> {
    if (this.state.status !== 'recording') return { ok: false, result: 'not_recording' };
    const { since, pausedAt } = this.state;
    if (pausedAt !== null) {
      const held = this.clock.elapsed() - pausedAt;
      this.state = { ...this.state, since: since + held, pausedAt: null };
      this.report({ name: 'recordingRestored', value: this.moment(this.state) });
    }
    return { ok: true, value: this.moment(this.state) };
  }

  async set(settings: Settings): Promise<void> {
    await this.flash.saveState({ settings });
    this.note('settingChanged');
    this.report({ name: 'settingsChanged', value: settings });
  }

  /** A phone has made so much of a session durable. @param bytes beyond what it had */
  transferred(bytes: number): void {
    this.ledger.count('transferredKib', bytes / 1024);
  }

  /** Resolves when the session is closed and durable. */
  async stop(because: EndReason = 'none'): Promise<Outcome<Ended>> {
    // What was said since the microphone was last looked at.
    if (because === 'none') this.listen();
    if (this.state.status === 'stopping') return { ok: true, value: await this.state.ended };
    if (this.state.status !== 'recording') return { ok: false, result: 'not_recording' };
    const ended = this.finish(this.state, because);
    this.state = { status: 'stopping', recording: this.state, ended };
    return { ok: true, value: await ended };
  }

  /**
   * Under version 1. Waits for the owner where a bind must be confirmed on the recorder.
   * @returns with its state, how to take the question back that this has asked
   */
  bind(): { readonly state: 'waiting' | 'bound'; readonly takeBack: (() => void) | null } {
    if (this.isBound) return { state: 'bound', takeBack: null };
    if (this.isAskedToBind) return { state: 'waiting', takeBack: null };
    const takeBack = this.askOwner(async (confirmed) => {
      // A claim came first: the flag says less than its key.
      if (!this.ownership.key) await this.settleBind(confirmed);
    });
    return { state: 'waiting', takeBack };
  }

  /**
   * Under version 2: asks the owner, also of a recorder that is bound. Nothing changes by the answer alone.
   * @returns how to take the question back
   */
  askToBind(answered: (confirmed: boolean) => void): Outcome<() => void> {
    if (this.status !== 'idle' || this.isAskedToBind) return { ok: false, result: 'busy' };
    return { ok: true, value: this.askOwner(async (confirmed) => answered(confirmed)) };
  }

  private askOwner(settle: (confirmed: boolean) => Promise<void>): () => void {
    const isAuto = this.faults.bindConfirm === 'auto';
    const patience = (over: () => void) =>
      this.clock.after(isAuto ? BIND_CONFIRM_MS : BIND_PATIENCE_MS, over);
    const takeBack = this.ownership.ask(patience, settle, isAuto);
    this.power.wake();
    return takeBack;
  }

  /**
   * Under version 2: somebody's, whose phone this is. Other phones go, and so does the hotspot. Not while it
   * records: a session is the same owner's from its first packet to its last.
   */
  async claim(
    key: Uint8Array,
    ownerTag: Uint8Array,
    by: ConnectedPhone,
  ): Promise<Outcome<undefined>> {
    if (this.status !== 'idle' || this.isBeingClaimed) return { ok: false, result: 'busy' };
    this.isBeingClaimed = true;
    try {
      await this.ownership.claim(key, ownerTag);
    } finally {
      this.isBeingClaimed = false;
    }
    this.emit('rebound', by);
    await this.wifi.fall();
    this.note('bound');
    return { ok: true, value: undefined };
  }

  /** Tells phones whose it is, or is not. */
  tellBind(): void {
    this.report({ name: 'bindChanged', value: { isBind: this.flash.state.isBind } });
  }

  /**
   * The network goes, too: its token belongs to the binding before.
   * @param by the phone that asks for it; null for the button
   */
  async unbind(by: ConnectedPhone | null = null): Promise<void> {
    const wasSealed = this.ownership.key !== null;
    this.ownership.takeBack();
    await this.settleBind(false);
    if (wasSealed) this.emit('rebound', by);
    if (by?.medium !== 'wifi') return this.wifi.fall();
    // Who is on that network hears the answer first.
    this.clock.after(LAST_ANSWER_MS, () => void this.wifi.fall());
  }

  /** Raises the hotspot; one radio cannot do both, so Bluetooth falls silent. */
  async openHotspot(
    sessions: RequestOf<'wifiOpen'>['sessions'],
    viewer: Viewer,
  ): Promise<Outcome<ResponseOf<'wifiOpen'>>> {
    if (this.state.status !== 'idle') return { ok: false, result: 'session_recording' };
    if (this.faults.usbDisk) return { ok: false, result: 'usb_disk_mode' };
    const known = sessions.every(({ sessionId }) => this.shows(sessionId, viewer));
    if (!known) return { ok: false, result: 'session_unknown' };
    const { token } = await this.wifi.raise(viewer);
    this.clock.after(LAST_ANSWER_MS, () => this.emit('silent', 'bluetooth'));
    return { ok: true, value: { ...this.wifi.credentials, ...this.wifi.place, token } };
  }

  /** Joins a network beside Bluetooth. */
  async joinNetwork(
    { ssid, password }: RequestOf<'wifiConfigure'>,
    viewer: Viewer,
  ): Promise<Outcome<ResponseOf<'wifiConfigure'>>> {
    if (this.state.status !== 'idle') return { ok: false, result: 'session_recording' };
    if (this.faults.usbDisk) return { ok: false, result: 'usb_disk_mode' };
    const { token } = await this.wifi.join(ssid, password, viewer);
    return { ok: true, value: { state: this.wifi.status, token } };
  }

  /** Announces an image. A phone goes on from `nextOffset`. */
  async updateFrom(announced: RequestOf<'otaStart'>): Promise<Outcome<ResponseOf<'otaStart'>>> {
    if (this.isAsking) return { ok: false, result: 'busy' };
    const isLow = this.batteryLevel < LEAST_BATTERY && !this.faults.charging;
    if (isLow) return { ok: false, result: 'battery_low' };
    const status =
      this.obstacleToUpdate(announced.fileSize) ?? (await this.firmware.start(announced));
    return { ok: true, value: { status, nextOffset: this.firmware.nextOffset } };
  }

  /** @param fileSize of the image, bytes */
  private obstacleToUpdate(fileSize: number) {
    if (this.faults.usbDisk) return 'usb_disk_mode';
    if (this.state.status !== 'idle') return 'recording';
    return fileSize > this.storage.free ? 'no_space' : null;
  }

  /** Installs what came and restarts, at once or when the owner confirms that it is older. */
  async finishUpdate(): Promise<Outcome<ResponseOf<'otaFinish'>>> {
    if (this.isAsking) return { ok: false, result: 'busy' };
    // Of an image that came whole it is the end, whatever becomes of it: nothing is to be sent again.
    const { nextOffset } = this.firmware;
    let status = this.state.status === 'idle' ? await this.firmware.check() : 'recording';
    const refusal = this.faults.updateRefusal;
    if (refusal) {
      await this.firmware.drop();
      status = refusal;
    }
    const isWaiting = status === 'ok' && this.firmware.isOlder;
    if (isWaiting) {
      this.cancelAsking?.();
      this.cancelAsking = this.clock.after(
        BIND_PATIENCE_MS,
        () => void this.refuseUpdate('version_mismatch'),
      );
    } else if (status === 'ok') {
      status = await this.firmware.install();
      if (status === 'ok') {
        this.note('updated');
        // The answer is on its way before the radio falls silent.
        this.cancelRestart = this.clock.after(LAST_ANSWER_MS, () => {
          this.restart().catch((error: unknown) => console.error('the restart failed', error));
        });
      }
    }
    return { ok: true, value: { status, isWaiting, nextOffset } };
  }

  private async refuseUpdate(because: FirmwareStatus): Promise<void> {
    this.cancelAsking = null;
    await this.firmware.refuse(because);
    await this.tellFirmware();
  }

  /** Tells what became of an update, once. */
  async tellFirmware(): Promise<void> {
    const status = await this.firmware.tell();
    if (status === null) return;
    this.report({ name: 'firmwareChanged', value: { status, version: this.firmware.version } });
  }

  /** A phone has connected. @returns what to call when it is gone */
  welcome(phone: ConnectedPhone): () => void {
    this.links.add(phone);
    this.power.occupied();
    return () => {
      this.links.delete(phone);
      this.power.occupied();
    };
  }

  get isConnected(): boolean {
    return this.links.size > 0;
  }

  /** Whether a phone that calls is heard: not when it is off, nor while its radio serves the hotspot. */
  get answers(): boolean {
    const isFree = this.wifi.status !== 'hotspot' && this.power.state !== 'off';
    return isFree && !this.faults.refuseConnect;
  }

  private get occupation(): Occupation {
    const isMoving = [...this.links].some((phone) => phone.isMoving);
    if (this.state.status !== 'idle' || this.wifi.status !== 'off' || isMoving) return 'busy';
    if (this.isAskedToBind) return 'pairing';
    return this.isConnected ? 'connected' : 'alone';
  }

  /** A button is held for so long, milliseconds. */
  async press(button: Button, ms: number): Promise<Outcome<undefined>> {
    const deed = deedOf(button, ms, this.power.state === 'off');
    if (deed === 'wake') this.power.switchOn();
    this.power.wake();
    switch (deed) {
      case 'wake':
        await this.pressShortly();
        break;
      case 'record': {
        if (this.state.status === 'recording') {
          await this.stop();
          break;
        }
        const { recMode: mode, recScene: scene } = this.settings;
        const started = await this.start({ mode, scene }, 'button');
        if (!started.ok) return started;
        break;
      }
      case 'force-stop':
        await this.stop();
        break;
      case 'wifi':
        if (this.wifi.status === 'off') return this.raiseHotspot();
        await this.wifi.fall();
        break;
      case 'restart':
        await this.stop();
        await this.wifi.fall();
        await this.restart();
        this.note('switchedOff');
        this.note('switchedOn');
        break;
      case 'switch-off':
        await this.stop();
        await this.wifi.fall();
        await this.restart();
        this.note('switchedOff');
        this.power.switchOff();
        break;
      case 'clear-bindings':
        await this.unbind();
        break;
    }
    return { ok: true, value: undefined };
  }

  /** The button raises the hotspot where nothing stands in the way. */
  private async raiseHotspot(): Promise<Outcome<undefined>> {
    // Nobody is told this token: only a phone may ask for one that serves.
    const raised = await this.openHotspot([], null);
    return raised.ok ? { ok: true, value: undefined } : raised;
  }

  /** A short press: confirms an older firmware, or a bind that waits. */
  async pressShortly(): Promise<void> {
    if (this.cancelAsking) {
      this.cancelAsking();
      this.cancelAsking = null;
      const status = await this.firmware.install();
      if (status !== 'ok') return this.refuseUpdate(status);
      this.note('updated');
      return this.restart();
    }
    await this.ownership.answer(true);
  }

  /** Ends all links, and forgets what does not outlive the power. */
  private async restart(): Promise<void> {
    this.emit('silent');
    await this.forget();
  }

  /** Nobody is asked any more, and no image is on its way. */
  private async forget(): Promise<void> {
    this.ownership.takeBack();
    this.cancelAsking?.();
    this.cancelAsking = null;
    await this.firmware.restart();
  }

  async deleteSession(sessionId: number): Promise<Outcome<undefined>> {
    const record = this.flash.session(sessionId);
    if (!record?.closed) {
      return { ok: false, result: record ? 'session_recording' : 'session_unknown' };
    }
    await this.flash.deleteSession(sessionId);
    this.note('sessionDeleted');
    this.emit('session', sessionId);
    this.tellStorage();
    return { ok: true, value: undefined };
  }

  /** Stores a recording made elsewhere. @param samples 16 kHz mono */
  async addSession(
    samples: Int16Array,
    about: { startTime: number; mode: RecordMode; scene: RecordScene },
  ): Promise<SessionRecord> {
    const { record, writer } = await this.flash.createSession(
      { owner: this.ownership.owner, ...about },
      () => {},
    );
    writer.append(encodeAll(this.opus, samples));
    const closed = await writer.finish();
    await this.flash.closeSession(record.sessionId, closed);
    this.tellSession(record.sessionId);
    this.tellStorage();
    return { ...record, closed };
  }

  /** Bytes of a session that would survive a loss of power now, and whether that is all of it. */
  durable(sessionId: number): { size: number; sha256: string | undefined } | undefined {
    const record = this.flash.session(sessionId);
    if (!record) return undefined;
    if (record.closed) return { size: record.closed.fileSize, sha256: record.closed.sha256 };
    const writing = this.state.status === 'stopping' ? this.state.recording : this.recording;
    const size = writing?.record.sessionId === sessionId ? writing.writer.durableSize : 0;
    return { size, sha256: undefined };
  }

  /** What it says of the length of a session, bytes: the truth, but for {@link Faults}. */
  toldSize(sessionId: number): number {
    const { size, sha256 } = this.durable(sessionId) ?? { size: 0 };
    return sha256 === undefined ? size : Math.max(0, size + this.faults.lengthLie);
  }

  /** An orderly switch-off. */
  async shutDown(): Promise<void> {
    clearInterval(this.batteryTimer);
    this.cancelRestart();
    await this.stop();
    await this.forget();
    await this.wifi.fall();
    this.power.switchOff();
    this.lookAtBattery();
    this.cancelHourly();
    this.countTimeAwake();
    this.note('switchedOff');
    await this.flash.saveState({ batteryLevel: this.battery.exact });
  }

  private obstacleTo(by: 'phone' | 'button'): Exclude<ResultName, 'ok'> | undefined {
    if (this.state.status !== 'idle' || this.isBeingClaimed || this.faults.unavailable)
      return 'busy';
    // Of one that is bound anybody near could ask, and so keep its owner from recording.
    if (!this.isBound && (this.isAskedToBind || by === 'phone')) return 'waiting_for_bind';
    if (this.wifi.status === 'hotspot') return 'wifi_mode';
    if (this.faults.usbDisk) return 'usb_disk_mode';
    if (this.faults.hardware) return 'hardware_abnormal';
    if (this.storage.isFull) return 'space_full';
    return this.faults.startRefusal;
  }

  /** Takes from the microphone what the time since the start has brought. */
  private listen(): void {
    if (this.state.status !== 'recording' || this.state.pausedAt !== null) return;
    const { writer, microphone, levels, since } = this.state;
    const due = Math.floor((this.clock.elapsed() - since) / PACKET_MS);
    const room = Math.floor(this.storage.free / PACKET_SIZE);
    const missing = due - writer.size / PACKET_SIZE;
    const packets = Math.min(missing, room);
    if (packets > 0) {
      writer.append(
        Array.from({ length: packets }, (_, n) => {
          const packet = microphone.nextPacket();
          hear(levels, microphone.level, writer.size / PACKET_SIZE + n);
          return packet;
        }),
      );
    }
    writer.flushed().catch((error: unknown) => {
      console.error('flash cannot be written', error);
      void this.stop('hardware_abnormal');
    });
    if (this.useRate !== this.useRateTold) this.tellStorage();
    if (missing > room) void this.stop('space_full');
  }

  private async finish(recording: Recording, because: EndReason): Promise<Ended> {
    clearInterval(recording.listening);
    const { record, writer, microphone } = recording;
    // The shortest session is one packet: an empty file is none.
    if (writer.size === 0) writer.append([microphone.nextPacket()]);
    microphone.free();
    const { sessionId } = record;
    let reason = because;
    try {
      await this.flash.closeSession(sessionId, await writer.finish());
    } catch (error) {
      console.error('the session could not be closed; what reached the flash is kept', error);
      reason = 'hardware_abnormal';
      await this.salvage(sessionId);
    }
    this.state = { status: 'idle' };
    const fileSize = this.flash.session(sessionId)?.closed?.fileSize ?? 0;
    const durationMs = (fileSize / PACKET_SIZE) * PACKET_MS;
    const ended = { sessionId, fileSize, durationMs, because: reason };
    this.ledger.count('recordedSeconds', durationMs / 1000);
    this.note('recordingEnded', reason);
    this.power.wake();
    this.report({ name: 'recordingEnded', value: ended });
    this.emit('session', sessionId);
    this.tellSession(sessionId);
    this.tellStorage();
    return { sessionId, fileSize };
  }

  /** On a flash that cannot even be repaired now, the next start does it. */
  private async salvage(sessionId: number): Promise<void> {
    await this.flash
      .recover(sessionId)
      .catch((error: unknown) => console.error('the session is left for the next start', error));
  }

  private async settleBind(isBind: boolean): Promise<void> {
    if (isBind) await this.ownership.bind();
    else await this.ownership.clear();
    this.note(isBind ? 'bound' : 'unbound');
    this.tellBind();
  }

  private lookAtBattery(): void {
    const { charging } = this.faults;
    const use = this.state.status === 'recording' ? 'recording' : 'idle';
    this.battery.pass(this.clock.elapsed(), use, charging);
    const { level } = this.battery;
    if (charging && !this.batteryTold.charging) this.ledger.count('charges');
    if (level === this.batteryTold.level && charging === this.batteryTold.charging) return;
    this.batteryTold = { charging, level };
    this.report({ name: 'batteryChanged', value: { charging, level } });
    if (level === 0 && use === 'recording') void this.stop('battery_empty');
  }

  /** Writes down what was done. A note that cannot be stored is no reason to stop. */
  private note(operation: Note['operation'], because: EndReason = 'none'): void {
    this.ledger
      .note(operation, this.unixTime(), REPORTS.recordingEnded.layout.because.values[because])
      .catch((error: unknown) => console.error('a note could not be stored', error));
  }

  /** @returns how to stop it */
  private everyHour(): () => void {
    let cancel = () => {};
    const again = () => {
      cancel = this.clock.after(MS_PER_HOUR, () => {
        this.countTimeAwake();
        this.ledger
          .save()
          .catch((error: unknown) => console.error('the counts could not be stored', error));
        this.report({ name: 'usageChanged', value: this.usage });
        again();
      });
    };
    again();
    return () => cancel();
  }

  private countTimeAwake(): void {
    const now = this.clock.elapsed();
    this.ledger.count('poweredSeconds', (now - this.awakeSince) / 1000);
    this.awakeSince = now;
  }

  private moment({ record }: Recording): Moment {
    return {
      sessionId: record.sessionId,
      elapsedMs: Math.floor(this.recording?.elapsedMs ?? 0),
    };
  }

  private tellStorage(): void {
    this.useRateTold = this.useRate;
    this.report({ name: 'storageChanged', value: storageOnWire(this) });
  }

  private tellSession(sessionId: number): void {
    const record = this.flash.session(sessionId);
    if (!record) return;
    const fileSize = this.durable(sessionId)?.size ?? 0;
    this.report({ name: 'sessionChanged', value: { sessionId, fileSize, attr: attrOf(record) } });
  }

  private report(report: AnyReport): void {
    this.emit('report', report);
  }
}

/** Tenths of a second that the screen draws. */
const LEVELS_SHOWN = 17;
const PACKETS_IN_LEVEL = 100 / PACKET_MS;

/** Adds the level of the packet with this number. */
function hear(levels: number[], level: number, packet: number): void {
  if (packet % PACKETS_IN_LEVEL === 0) levels.push(0);
  levels[levels.length - 1] = Math.max(levels.at(-1) ?? 0, level);
  if (levels.length > LEVELS_SHOWN) levels.shift();
}
