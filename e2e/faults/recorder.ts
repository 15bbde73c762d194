/** The recorder of a history: the virtual recorder, with sessions whose speech is known. */
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { PACKET_SAMPLES } from '@linnet/audio/format';
import type { OpusModule } from '@linnet/audio/opus';
import type { Clock } from '@linnet/device/clock';
import { OWNER_TAG_LENGTH } from '@linnet/device/codec';
import { DeviceError, openRecorderSession, type RecorderSession } from '@linnet/device/session';
import { type SpokenWord, synthesizeScript, WORD_SECONDS } from '@linnet/server/testing/tones';
import { recordingId, type Sha256, sha256From } from '@linnet/sync';
import { openWifi } from '@linnet/transports/wifi';
import { type Config, readConfig } from '@linnet/virtual-recorder/config';
import type { Scene } from '@linnet/virtual-recorder/scene';
import { type RunningRecorder, startRecorder } from '@linnet/virtual-recorder/start';
import { openMemoryLink } from '@linnet/virtual-recorder/testing';
import { createCommandClock } from '@linnet/virtual-recorder/testing/phone-clock';
import { FirmwarePublisher } from './firmware.ts';

/** The recorder's speed as a multiple of real time. */
const SPEED = 100;
/** The speed during recordings that were started with the button, which would be very long on a busy machine. */
const RECORDING_SPEED = 10;
const PAYLOAD = 495;
const STORAGE_BYTES = 2 ** 30;

/** All words that can be spoken. A recording consists of some of them, each in its place. */
const vocabulary = [
  ...['harbour', 'lantern', 'meadow', 'seven', 'river', 'quiet', 'morning', 'garden', 'copper'],
  ...['winter', 'market', 'bridge', 'paper', 'silver', 'northern', 'heron'],
];
export const script: readonly SpokenWord[] = vocabulary.map((text, index) => ({
  text,
  start: 0.5 + index * (WORD_SECONDS + 0.12),
  endsSentence: index === vocabulary.length - 1,
}));

/** Returns whether each word of the vocabulary is among the selected ones. */
function spoken(words: number): boolean[] {
  return vocabulary.map((_, index) => ((words >> index) & 1) === 1);
}

const selected = (words: number) => vocabulary.filter((_, index) => spoken(words)[index]);

/** A session that was recorded and stopped. */
export type Source = {
  readonly id: string;
  readonly sessionId: number;
  /** The digest of its packets. */
  readonly sha256: Sha256;
  readonly words: readonly string[];
  /** Whether the recording lasted as long as the words, not as long as the test took. */
  readonly isExact: boolean;
};

/** A link between a phone and the recorder. */
export type RecorderLink = { readonly session: RecorderSession; drop(): void };

/** The version that recorders leave the factory with. */
const FACTORY_VERSION = '1.0.0';
/** Battery levels in percent. Updates need 20. */
const battery = { full: 90, low: 5 } as const;

export class FaultRecorder {
  readonly firmware: FirmwarePublisher;
  readonly #config: Config;
  #running: RunningRecorder;
  readonly #opus: OpusModule;
  /** The scenes that can be played to the microphone. */
  readonly #scenes: Scene[];
  /** The words of the recording in progress. */
  #pressed: { readonly sessionId: number; readonly words: readonly string[] } | null = null;
  #key: Uint8Array | null = null;
  #link: { drop(): void } | null = null;

  private constructor(
    running: RunningRecorder,
    { config, firmware }: { config: Config; firmware: FirmwarePublisher },
    scenes: Scene[],
    opus: OpusModule,
  ) {
    this.#running = running;
    this.#config = config;
    this.firmware = firmware;
    this.#scenes = scenes;
    this.#opus = opus;
  }

  static async start(folder: string, opus: OpusModule): Promise<FaultRecorder> {
    await mkdir(folder, { recursive: true });
    const env = { RECORDER_PORT: '0', RECORDER_CONFIRM: 'auto', DATA_DIR: folder };
    const firmware = new FirmwarePublisher();
    const config = readConfig({
      ...{ ...env, RECORDER_SCENES: folder, RECORDER_SCENE: '' },
      RECORDER_FIRMWARE_KEY: firmware.key,
    });
    const scenes: Scene[] = [];
    const running = await switchOn(config, scenes);
    return new FaultRecorder(running, { config, firmware }, scenes, opus);
  }

  get sn(): string {
    return this.#running.recorder.flash.state.sn;
  }

  /**
   * Records a session.
   * @param words bits that select words of the vocabulary
   * @returns null if the recorder refuses, because it is full
   */
  async record(words: number): Promise<Source | null> {
    const { recorder } = this.#running;
    if (recorder.sessions.storage.isFull) {
      const started = await recorder.start({ mode: 'normal', scene: 'note' }, 'button');
      if (started.ok) throw new Error('a full recorder records');
      return null;
    }
    const samples = synthesizeScript(script, spoken(words));
    const encoder = this.#opus.createEncoder();
    const packets: Uint8Array[] = [];
    for (let at = 0; at + PACKET_SAMPLES <= samples.length; at += PACKET_SAMPLES) {
      packets.push(encoder.encode(samples.slice(at, at + PACKET_SAMPLES)).slice());
    }
    encoder.free();
    const startTime = recorder.unixTime();
    const { sessionId } = await recorder.addSession(packets, {
      startTime,
      mode: 'normal',
      scene: 'note',
    });
    return {
      id: recordingId(this.sn, sessionId, startTime),
      sessionId,
      sha256: digestOf(Buffer.concat(packets)),
      words: selected(words),
      isExact: true,
    };
  }

  /**
   * Starts a recording with the button, or stops it.
   * @returns the recording that was stopped
   */
  async press(words: number): Promise<Source | null> {
    const { recorder } = this.#running;
    if (this.#pressed) return this.stopRecording();
    const name = `scene ${this.#scenes.length}`;
    const samples = synthesizeScript(script, spoken(words));
    this.#scenes.push({ name, title: name, mode: 'normal', scene: 'note', samples });
    recorder.scene = name;
    const started = await recorder.start({ mode: 'normal', scene: 'note' }, 'button');
    if (started.ok) {
      this.#pressed = { sessionId: started.value.sessionId, words: selected(words) };
      recorder.clock.speed = RECORDING_SPEED;
    }
    return null;
  }

  /** Stops the recording in progress, if any. The recorder may have ended it, because it was full. */
  async stopRecording(): Promise<Source | null> {
    if (!this.#pressed) return null;
    const { sessionId, words } = this.#pressed;
    this.#pressed = null;
    const { recorder } = this.#running;
    await recorder.stop();
    recorder.clock.speed = SPEED;
    const record = recorder.flash.session(sessionId);
    if (!record?.closed) return null;
    const { startTime, closed } = record;
    const packets = await recorder.flash.read(sessionId, 0, closed.fileSize);
    const id = recordingId(this.sn, sessionId, startTime);
    return { id, sessionId, sha256: digestOf(packets), words, isExact: false };
  }

  /**
   * Opens a link, which replaces any earlier one. Binds the recorder to the account first, unless it is bound.
   * @param offsetMs how far the phone's clock is ahead
   * @throws DeviceError
   */
  async connect(accountId: string, offsetMs: number): Promise<RecorderLink> {
    await this.disconnect();
    const { recorder } = this.#running;
    // Its network uses the same radio.
    if (!recorder.acceptsConnections) throw new DeviceError('link_lost');
    const commands = createCommandClock(recorder.clock);
    const clock: Clock = { ...commands, now: () => Date.now() + offsetMs };
    if (!this.#key) {
      const { transport } = openMemoryLink(recorder, PAYLOAD);
      const session = await openRecorderSession(transport, { clock, binding: { status: 'new' } });
      const binding = await session.bind();
      if (binding.version !== 2) throw new Error('bound under version 1');
      await session.claim(ownerTag(accountId));
      await session.close();
      await this.#untilFree();
      this.#key = binding.key;
    }
    const { transport, drop } = openMemoryLink(recorder, PAYLOAD);
    this.#link = { drop };
    const binding = { status: 'bound', key: this.#key } as const;
    return { session: await openRecorderSession(transport, { clock, binding }), drop };
  }

  /**
   * Opens the recorder's network over a link, and a link over this network, which replaces the first one.
   * @param session the session over the first link
   * @param offsetMs how far the phone's clock is ahead
   * @returns null if the phone isn't allowed to join the network
   * @throws DeviceError, TransportError
   */
  async connectOverWifi(session: RecorderSession, offsetMs: number): Promise<RecorderLink | null> {
    const { recorder } = this.#running;
    // The recorder closes its network after a minute of its time, which is too short for a busy machine.
    recorder.clock.speed = 1;
    try {
      const hotspot = await session.openHotspot([]);
      if (!recorder.wifi.join(hotspot.ssid, hotspot.password) || !this.#key) return null;
      const transport = await openWifi(hotspot, { deviceId: this.sn });
      const drop = () => void transport.close();
      this.#link = { drop };
      const clock: Clock = {
        ...createCommandClock(recorder.clock),
        now: () => Date.now() + offsetMs,
      };
      const binding = { status: 'bound', key: this.#key } as const;
      return { session: await openRecorderSession(transport, { clock, binding }), drop };
    } finally {
      recorder.clock.speed = this.#pressed ? RECORDING_SPEED : SPEED;
    }
  }

  /** Denies phones access to the recorder's network, or allows it again. */
  setWifiDenied(isDenied: boolean): void {
    this.#running.recorder.faults.wifiDenied = isDenied;
  }

  /** Ends the recorder's network after a number of bytes. Null cancels this. */
  loseWifiAfter(bytes: number | null): void {
    this.#running.recorder.faults.wifiVanishAfterBytes = bytes ?? undefined;
  }

  /** Discharges the battery, too far for updates, or charges it. */
  setDrained(isDrained: boolean): void {
    const { recorder } = this.#running;
    recorder.faults.charging = !isDrained;
    recorder.battery.set(isDrained ? battery.low : battery.full);
  }

  /**
   * Switches the recorder off and on. Links and an incomplete update are lost.
   * @returns the version that it has booted
   */
  async restart(): Promise<string> {
    await this.disconnect();
    await this.#running.stop();
    this.#running = await switchOn(this.#config, this.#scenes);
    return this.#running.recorder.firmware.version;
  }

  /** Returns whether the recorder may have booted a version. */
  isBootable(version: string): boolean {
    return version === FACTORY_VERSION || this.firmware.isValid(version);
  }

  /** Ends the current link, and resolves once the recorder is free. */
  async disconnect(): Promise<void> {
    this.#link?.drop();
    this.#link = null;
    await this.#untilFree();
  }

  /** Breaks the link after a number of bytes. Null cancels this. */
  dropAfter(bytes: number | null): void {
    this.#running.recorder.faults.dropAfterBytes = bytes ?? undefined;
  }

  /** Fills the recorder's storage, or empties it except for the sessions. */
  setFull(isFull: boolean): void {
    const { faults, flash } = this.#running.recorder;
    faults.storageBytes = isFull ? flash.usedBytes() : STORAGE_BYTES;
  }

  /** Removes the binding with the buttons. */
  async unbind(): Promise<void> {
    await this.disconnect();
    await this.#running.recorder.ownership.clear();
    this.#key = null;
  }

  /** Digests of the sessions' packets, by session id. */
  async digests(): Promise<ReadonlyMap<number, Sha256>> {
    const { flash } = this.#running.recorder;
    const digests = new Map<number, Sha256>();
    for (const { sessionId, closed } of flash.sessions()) {
      const packets = await flash.read(sessionId, 0, closed?.fileSize ?? 0);
      digests.set(sessionId, digestOf(packets));
    }
    return digests;
  }

  async stop(): Promise<void> {
    await this.disconnect();
    await this.#running.stop();
  }

  async #untilFree(): Promise<void> {
    const { recorder } = this.#running;
    while (recorder.isConnected) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function switchOn(config: Config, scenes: readonly Scene[]): Promise<RunningRecorder> {
  const running = await startRecorder(config, undefined, scenes);
  running.recorder.clock.speed = SPEED;
  running.recorder.faults.charging = true;
  return running;
}

function digestOf(bytes: Uint8Array): Sha256 {
  return sha256From(createHash('sha256').update(bytes).digest('hex'));
}

/** Returns the tag by which the recorder tells accounts apart. */
function ownerTag(accountId: string): Uint8Array {
  const digest = createHash('sha256').update(accountId).digest();
  return new Uint8Array(digest.subarray(0, OWNER_TAG_LENGTH));
}
