/** The recorder's core: checks which operations are allowed, reports state changes, and connects the modules. */
import { EventEmitter } from 'node:events';
import type { OpusModule } from '@linnet/audio/opus';
import { type Clock, systemClock } from '@linnet/device/clock';
import { type AnyReport, type ProtocolVersion, VERSION_2 } from '@linnet/device/codec';
import { BatteryGauge } from './battery-gauge.ts';
import { Binding } from './binding.ts';
import { type Button, CONFIRM_HOLD_MS, pressAction, SHORT_PRESS_MS } from './buttons.ts';
import {
  Capture,
  type CurrentRecording,
  type EndedRecording,
  type RecordingPosition,
} from './capture.ts';
import type { EndReason, RecordMode, RecordScene, Settings } from './device-types.ts';
import { type Faults, noFaults } from './faults.ts';
import { FirmwareUpdate } from './firmware-update.ts';
import type { Firmware } from './flash/firmware.ts';
import type { Flash, SessionRecord } from './flash/flash.ts';
import { type Outcome, type Refusal, refused, succeeded } from './outcome.ts';
import { Ownership } from './ownership.ts';
import type { PacedClock } from './paced-clock.ts';
import { type Occupation, Power } from './power.ts';
import type { ConnectedPhone } from './radio/radio.ts';
import { Sessions } from './sessions.ts';
import { encodeAll, Microphone } from './sound/microphone.ts';
import type { Scene } from './sound/scenes.ts';
import { type LogEntry, type Usage, UsageLog } from './usage-log.ts';
import { Wifi } from './wifi/wifi.ts';

interface RecorderEvents {
  report: [AnyReport];
  /** More bytes of a session are durable, or the session was closed or deleted. */
  session: [sessionId: number];
  /** Drops links: on Bluetooth when the hotspot needs the radio, and on all media during a restart. */
  silent: [medium?: 'bluetooth'];
  /** A version 2 binding was added or removed. Drops all links except the link used by `by`. */
  rebound: [by: ConnectedPhone | null];
}

export class Recorder extends EventEmitter<RecorderEvents> {
  readonly flash: Flash;
  readonly firmware: Firmware;
  readonly clock: PacedClock;
  /** The clock for phone timeouts, which runs in real time regardless of the recorder's speed. */
  phoneTime: Pick<Clock, 'after'> = systemClock;
  readonly faults: Faults = noFaults();
  readonly wifi: Wifi;
  readonly power: Power;
  readonly battery: BatteryGauge;
  readonly ownership: Ownership;
  readonly binding: Binding;
  readonly sessions: Sessions;
  readonly update: FirmwareUpdate;
  /** The highest supported protocol version. */
  readonly protocol: ProtocolVersion;
  /** The connected phones. */
  private readonly phones = new Set<ConnectedPhone>();
  /** The name of the scene that the microphone picks up during recordings, or undefined for silence. */
  scene: string | undefined;
  private clockOffsetMs = 0;
  private readonly opus: OpusModule;
  private readonly capture: Capture;
  private readonly usageLog: UsageLog;
  private readonly isIdle = () => this.status === 'idle';
  private readonly isRecording = () => this.status === 'recording';

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
    const { faults } = this;
    const openMicrophone = () => {
      const scene = scenes.find(({ name }) => name === this.scene) ?? { samples: new Int16Array() };
      return new Microphone(opus, scene, this.settings.micGain);
    };
    this.capture = new Capture(flash, clock, openMicrophone, () => this.sessions.storage.free);
    this.sessions = new Sessions(flash, faults, this.capture);
    this.wifi = new Wifi(this);
    this.ownership = new Ownership(flash);
    this.binding = new Binding(this.ownership, clock, faults, {
      isIdle: this.isIdle,
      leaveNetwork: () => this.wifi.stop(),
    });
    this.update = new FirmwareUpdate(firmware, clock, faults, {
      isIdle: this.isIdle,
      batteryLevel: () => this.battery.level,
      freeBytes: () => this.sessions.storage.free,
      restart: () => this.restart(),
    });
    this.power = new Power(clock, () => this.occupation);
    this.usageLog = new UsageLog(flash, clock, () => this.unixTime());
    this.battery = new BatteryGauge(flash.state.batteryLevel, clock, faults, this.isRecording);
    this.connectModules();
    this.usageLog.count('starts');
    this.usageLog.log('switchedOn');
  }

  /** Wires module events to the usage log, power management and reports. Handler order matters. */
  private connectModules(): void {
    const { binding, usageLog, power, sessions } = this;
    this.capture.on('started', (value) => {
      usageLog.count('recordings');
      usageLog.log('recordingStarted');
      power.wake();
      this.report({ name: 'recordingStarted', value });
    });
    this.capture.on('paused', (value) => this.report({ name: 'recordingPaused', value }));
    this.capture.on('restored', (value) => this.report({ name: 'recordingRestored', value }));
    this.capture.on('captured', () => sessions.reportGrowth());
    this.capture.on('durable', (sessionId) => this.emit('session', sessionId));
    this.capture.on('ended', (value) => {
      usageLog.count('recordedSeconds', value.durationMs / 1000);
      usageLog.log('recordingEnded', value.because);
      power.wake();
      this.report({ name: 'recordingEnded', value });
      this.emit('session', value.sessionId);
      sessions.reportSession(value.sessionId);
      sessions.reportStorage();
    });
    sessions.on('deleted', (sessionId) => {
      usageLog.log('sessionDeleted');
      this.emit('session', sessionId);
    });
    sessions.on('changed', (value) => this.report({ name: 'sessionChanged', value }));
    sessions.on('storage', (value) => this.report({ name: 'storageChanged', value }));
    binding.on('requested', () => power.wake());
    binding.on('settled', (as) => usageLog.log(as));
    binding.on('report', (value) => this.report({ name: 'bindChanged', value }));
    binding.on('rebound', (by) => this.emit('rebound', by));
    this.update.on('installed', () => usageLog.log('updated'));
    this.update.on('report', (value) => this.report({ name: 'firmwareChanged', value }));
    this.battery.on('charges', () => usageLog.count('charges'));
    this.battery.on('changed', (value) => {
      this.report({ name: 'batteryChanged', value });
      if (value.level === 0 && this.isRecording()) void this.stop('battery_empty');
    });
    usageLog.on('hour', (value) => this.report({ name: 'usageChanged', value }));
    this.wifi.on('changed', (value) => {
      power.updateOccupation();
      this.report({ name: 'wifiChanged', value });
    });
    this.wifi.on('radioAcquired', () => this.emit('silent', 'bluetooth'));
  }

  get status(): Capture['status'] {
    return this.capture.status;
  }

  /** The active or paused recording. */
  get recording(): CurrentRecording | undefined {
    return this.capture.current;
  }

  get settings(): Settings {
    return this.flash.state.settings;
  }

  get usage(): Usage {
    return this.usageLog.usage;
  }

  /** Returns the log entries after the given number, oldest first. */
  entriesAfter(entry: number): readonly LogEntry[] {
    return this.usageLog.entriesAfter(entry);
  }

  get isBound(): boolean {
    return this.ownership.isBound;
  }

  /** Whether a bind is waiting for confirmation. */
  get isBindPending(): boolean {
    return this.binding.isPending;
  }

  /** How long the power button must be held to confirm the pending bind, in ms, or null if no bind is pending. */
  get confirmMs(): number | null {
    if (!this.isBindPending) return null;
    return this.isBound ? CONFIRM_HOLD_MS : SHORT_PRESS_MS;
  }

  /**
   * Imports a recording.
   * @param audio 16 kHz mono samples, or packets in the recorder's format
   */
  async addSession(
    audio: Int16Array | readonly Uint8Array[],
    metadata: { startTime: number; mode: RecordMode; scene: RecordScene },
  ): Promise<SessionRecord> {
    const { owner } = this.ownership;
    const packets = audio instanceof Int16Array ? encodeAll(this.opus, audio) : audio;
    return this.sessions.add({ owner, ...metadata }, packets);
  }

  /**
   * Records transfer progress.
   * @param bytes number of bytes that have just become durable on the phone
   */
  countTransferred(bytes: number): void {
    this.usageLog.count('transferredKib', bytes / 1024);
  }

  /** Returns the time in seconds since 1970-01-01 UTC, according to the clock last set by a phone. */
  unixTime(): number {
    return Math.floor((Date.now() + this.clockOffsetMs) / 1000);
  }

  setTime(unixTime: number): void {
    this.clockOffsetMs = unixTime * 1000 - Date.now();
  }

  async set(settings: Settings): Promise<void> {
    await this.flash.saveState({ settings });
    this.usageLog.log('settingChanged');
    this.report({ name: 'settingsChanged', value: settings });
  }

  /**
   * Starts a recording. A phone can do so only on a bound recorder; the button works unless a first bind is pending.
   * Any other pending bind is rejected.
   */
  async start(
    request: { mode: RecordMode; scene: RecordScene },
    by: 'phone' | 'button',
  ): Promise<Outcome<{ sessionId: number; startTime: number }>> {
    const refusal = this.findStartRefusal(by);
    if (refusal) return refused(refusal);
    return this.capture.start({ startTime: this.unixTime(), ...request }, async () => {
      await this.binding.decide(false);
      return this.ownership.owner;
    });
  }

  private findStartRefusal(by: 'phone' | 'button'): Refusal | undefined {
    if (this.status !== 'idle' || this.binding.isClaiming || this.faults.unavailable) return 'busy';
    // On a bound recorder, a pending bind must not block recording, because any phone nearby can request a bind.
    if (!this.isBound && (this.isBindPending || by === 'phone')) return 'waiting_for_bind';
    if (this.wifi.status === 'hotspot') return 'wifi_mode';
    if (this.faults.usbDisk) return 'usb_disk_mode';
    if (this.faults.hardware) return 'hardware_abnormal';
    if (this.sessions.storage.isFull) return 'space_full';
    return this.faults.startRefusal;
  }

  /** Pauses the recording. Has no effect if the recording is already paused. */
  pause(): Outcome<RecordingPosition> {
    return this.capture.pause();
  }

  /** Resumes a paused recording. */
  restore(): Outcome<RecordingPosition> {
    return this.capture.restore();
  }

  /** Resolves when the session is closed and durable. */
  stop(because?: EndReason): Promise<Outcome<EndedRecording>> {
    return this.capture.stop(because);
  }

  /**
   * Registers a connected phone.
   * @returns a function to call when the phone disconnects
   */
  register(phone: ConnectedPhone): () => void {
    this.phones.add(phone);
    this.power.updateOccupation();
    return () => {
      this.phones.delete(phone);
      this.power.updateOccupation();
    };
  }

  get isConnected(): boolean {
    return this.phones.size > 0;
  }

  /** Whether connections are accepted: not while the recorder is off or the hotspot uses the radio. */
  get acceptsConnections(): boolean {
    const isFree = this.wifi.status !== 'hotspot' && this.power.state !== 'off';
    return isFree && !this.faults.refuseConnect;
  }

  private get occupation(): Occupation {
    const isTransferring = [...this.phones].some((phone) => phone.isTransferring);
    if (this.status !== 'idle' || this.wifi.status !== 'off' || isTransferring) return 'busy';
    if (this.isBindPending) return 'pairing';
    return this.isConnected ? 'connected' : 'disconnected';
  }

  /**
   * Handles a button press.
   * @param ms the hold time in milliseconds
   */
  async press(button: Button, ms: number): Promise<Outcome<undefined>> {
    const action = pressAction(button, ms, this.power.state === 'off');
    if (action === 'wake') this.power.switchOn();
    this.power.wake();
    switch (action) {
      case 'wake':
        await this.shortPress();
        break;
      case 'confirm':
        if (await this.binding.decide(true)) break;
        return this.toggleRecording();
      case 'record':
        return this.toggleRecording();
      case 'force-stop':
        await this.stop();
        break;
      case 'wifi':
        if (this.wifi.status === 'off') {
          // The token is discarded, because only a phone can request a usable token.
          const opened = await this.wifi.open([], null);
          return opened.ok ? succeeded(undefined) : opened;
        }
        await this.wifi.stop();
        break;
      case 'restart':
      case 'switch-off':
        await this.stop();
        await this.wifi.stop();
        await this.restart();
        this.usageLog.log('switchedOff');
        if (action === 'restart') this.usageLog.log('switchedOn');
        else this.power.switchOff();
        break;
      case 'clear-bindings':
        await this.binding.unbind();
        break;
    }
    return succeeded(undefined);
  }

  private async toggleRecording(): Promise<Outcome<undefined>> {
    if (this.isRecording()) {
      await this.stop();
      return succeeded(undefined);
    }
    const { recMode: mode, recScene: scene } = this.settings;
    const started = await this.start({ mode, scene }, 'button');
    return started.ok ? succeeded(undefined) : started;
  }

  /** Confirms a downgrade or a first bind. Later binds require {@link CONFIRM_HOLD_MS}. */
  async shortPress(): Promise<void> {
    if (this.update.isPending) return this.update.confirm();
    if (!this.isBound) await this.binding.decide(true);
  }

  /** Drops all links and clears volatile state. */
  private async restart(): Promise<void> {
    this.emit('silent');
    await this.resetVolatileState();
  }

  /** Cancels the pending bind and the firmware update. */
  private async resetVolatileState(): Promise<void> {
    this.binding.cancel();
    await this.update.reset();
  }

  /** Shuts down cleanly. */
  async shutDown(): Promise<void> {
    this.battery.stop();
    this.update.cancelRestart();
    await this.stop();
    await this.resetVolatileState();
    await this.wifi.stop();
    this.power.switchOff();
    this.battery.poll();
    this.usageLog.stop();
    this.usageLog.log('switchedOff');
    await this.flash.saveState({ batteryLevel: this.battery.exact });
  }

  private report(report: AnyReport): void {
    this.emit('report', report);
  }
}
