/** A history's recorder: the virtual recorder, with sessions whose speech is known. */
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { PACKET_BYTES, PACKET_MS, PACKET_SAMPLES } from '@linnet/audio/format';
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
/**
 * The speed during recordings started with the button. Lower, because these recordings would become very long on a busy
 * machine.
 */
const RECORDING_SPEED = 10;
const PAYLOAD = 495;
const STORAGE_BYTES = 2 ** 30;

/** All words that can be spoken. A recording contains some of them, each at its own position. */
const vocabulary = [
  ...['harbour', 'lantern', 'meadow', 'seven', 'river', 'quiet', 'morning', 'garden', 'copper'],
  ...['winter', 'market', 'bridge', 'paper', 'silver', 'northern', 'heron'],
];
export const script: readonly SpokenWord[] = vocabulary.map((text, index) => ({
  text,
  start: 0.5 + index * (WORD_SECONDS + 0.12),
  endsSentence: index === vocabulary.length - 1,
}));

/** Returns for each word of the vocabulary whether it is selected. */
function makeSpeech(words: number): boolean[] {
  return vocabulary.map((_, index) => ((words >> index) & 1) === 1);
}

/**
 * Returns how many words ended before the end of a recording. A word that ended less than half a second earlier doesn't
 * count, because recognizers need the pause after it.
 * @param words from the vocabulary
 */
const countCompleteWords = (words: readonly string[], seconds: number) =>
  script.filter(({ text, start }) => words.includes(text) && start + WORD_SECONDS + 0.5 < seconds)
    .length;

const selectWords = (words: number) => vocabulary.filter((_, index) => makeSpeech(words)[index]);

/** A finished session. */
export type Source = {
  readonly id: string;
  readonly sessionId: number;
  /** Digest of its packets. */
  readonly sha256: Sha256;
  /** The words that were spoken. The recording may have ended before the last ones. */
  readonly words: readonly string[];
  /** Number of words that ended before the recording did. */
  readonly completeWords: number;
};

/** A link between a phone and the recorder. */
export type RecorderLink = { readonly session: RecorderSession; drop(): void };

/** The firmware version of new recorders. */
const FACTORY_VERSION = '1.0.0';
/** Battery levels in percent. Firmware updates need 20. */
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
    const runningRecorder = await switchOn(config, scenes);
    return new FaultRecorder(runningRecorder, { config, firmware }, scenes, opus);
  }

  get sn(): string {
    return this.#running.recorder.flash.state.sn;
  }

  /**
   * Records a session.
   * @param words bit set that selects words from the vocabulary
   * @returns null if the recorder refuses because it is full
   */
  async record(words: number): Promise<Source | null> {
    const { recorder } = this.#running;
    if (recorder.sessions.storage.isFull) {
      const started = await recorder.start({ mode: 'normal', scene: 'note' }, 'button');
      if (started.ok) throw new Error('a full recorder records');
      return null;
    }
    const samples = synthesizeScript(script, makeSpeech(words));
    const encoder = this.#opus.createEncoder();
    const packets: Uint8Array[] = [];
    for (let offset = 0; offset + PACKET_SAMPLES <= samples.length; offset += PACKET_SAMPLES) {
      packets.push(encoder.encode(samples.slice(offset, offset + PACKET_SAMPLES)).slice());
    }
    encoder.free();
    const startTime = recorder.unixTime();
    const { sessionId } = await recorder.addSession(packets, {
      startTime,
      mode: 'normal',
      scene: 'note',
    });
    const spokenWords = selectWords(words);
    return {
      id: recordingId(this.sn, sessionId, startTime),
      sessionId,
      sha256: computeDigest(Buffer.concat(packets)),
      words: spokenWords,
      completeWords: spokenWords.length,
    };
  }

  /** Starts or stops a recording with the button. @returns the recording that was stopped */
  async press(words: number): Promise<Source | null> {
    const { recorder } = this.#running;
    if (this.#pressed) return this.stopRecording();
    const name = `scene ${this.#scenes.length}`;
    const samples = synthesizeScript(script, makeSpeech(words));
    this.#scenes.push({ name, title: name, mode: 'normal', scene: 'note', samples });
    recorder.scene = name;
    const started = await recorder.start({ mode: 'normal', scene: 'note' }, 'button');
    if (started.ok) {
      this.#pressed = { sessionId: started.value.sessionId, words: selectWords(words) };
      recorder.clock.speed = RECORDING_SPEED;
    }
    return null;
  }

  /** Stops the recording in progress, if any. A full recorder may already have stopped it. */
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
    const seconds = (packets.length / PACKET_BYTES) * (PACKET_MS / 1000);
    const completeWords = countCompleteWords(words, seconds);
    return { id, sessionId, sha256: computeDigest(packets), words, completeWords };
  }

  /**
   * Opens a link, replacing any earlier one. Binds the recorder to the account first if it is unbound.
   * @param offsetMs how far the phone's clock is ahead
   * @throws DeviceError
   */
  async connect(accountId: string, offsetMs: number): Promise<RecorderLink> {
    await this.disconnect();
    const { recorder } = this.#running;
    // The recorder's network uses the same radio.
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
      await this.#waitUntilFree();
      this.#key = binding.key;
    }
    const { transport, drop } = openMemoryLink(recorder, PAYLOAD);
    this.#link = { drop };
    const binding = { status: 'bound', key: this.#key } as const;
    return { session: await openRecorderSession(transport, { clock, binding }), drop };
  }

  /**
   * Opens the recorder's network, and a link over it that replaces the Bluetooth link.
   * @param session the session over the Bluetooth link
   * @param offsetMs how far the phone's clock is ahead
   * @returns null if the phone may not join the network
   * @throws DeviceError, TransportError
   */
  async connectOverWifi(session: RecorderSession, offsetMs: number): Promise<RecorderLink | null> {
    const { recorder } = this.#running;
    // The recorder closes its network after a minute of recorder time, which is too short on a busy machine.
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

  /** Denies or allows phones access to the recorder's network. */
  setWifiDenied(isDenied: boolean): void {
    this.#running.recorder.faults.wifiDenied = isDenied;
  }

  /** Takes down the recorder's network after a number of bytes. Null cancels the fault. */
  loseWifiAfter(bytes: number | null): void {
    this.#running.recorder.faults.wifiVanishAfterBytes = bytes ?? undefined;
  }

  /** Discharges the battery below the minimum for updates, or charges it. */
  setDrained(isDrained: boolean): void {
    const { recorder } = this.#running;
    recorder.faults.charging = !isDrained;
    recorder.battery.set(isDrained ? battery.low : battery.full);
  }

  /** Turns the recorder off and on. Loses links and any incomplete update. @returns the version that it booted */
  async restart(): Promise<string> {
    await this.disconnect();
    await this.#running.stop();
    this.#running = await switchOn(this.#config, this.#scenes);
    return this.#running.recorder.firmware.version;
  }

  /** True if the recorder may have booted a version. */
  isBootable(version: string): boolean {
    return version === FACTORY_VERSION || this.firmware.isValid(version);
  }

  /** Drops the current link, and resolves once the recorder accepts another. */
  async disconnect(): Promise<void> {
    this.#link?.drop();
    this.#link = null;
    await this.#waitUntilFree();
  }

  /** Breaks the link after a number of bytes. Null cancels the fault. */
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

  /** Returns the digests of the sessions' packets, keyed by session ID. */
  async digests(): Promise<ReadonlyMap<number, Sha256>> {
    const { flash } = this.#running.recorder;
    const digests = new Map<number, Sha256>();
    for (const { sessionId, closed } of flash.sessions()) {
      const packets = await flash.read(sessionId, 0, closed?.fileSize ?? 0);
      digests.set(sessionId, computeDigest(packets));
    }
    return digests;
  }

  async stop(): Promise<void> {
    await this.disconnect();
    await this.#running.stop();
  }

  async #waitUntilFree(): Promise<void> {
    const { recorder } = this.#running;
    while (recorder.isConnected) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function switchOn(config: Config, scenes: readonly Scene[]): Promise<RunningRecorder> {
  const runningRecorder = await startRecorder(config, undefined, scenes);
  runningRecorder.recorder.clock.speed = SPEED;
  runningRecorder.recorder.faults.charging = true;
  return runningRecorder;
}

function computeDigest(bytes: Uint8Array): Sha256 {
  return sha256From(createHash('sha256').update(bytes).digest('hex'));
}

/** Returns the tag that identifies the account to the recorder. */
function ownerTag(accountId: string): Uint8Array {
  const digest = createHash('sha256').update(accountId).digest();
  return new Uint8Array(digest.subarray(0, OWNER_TAG_LENGTH));
}
