/**
 * Records live audio from this device's microphone, or from a recorder that streams audio. The recording's database row
 * is created before any audio, and each fifth of a second is on disk before the next is recorded, so a recording can be
 * found after a crash and continued or finished.
 */

import { Mutex, type Store, writable } from '@linnet/base';
import { wholeSeconds } from '@linnet/contract/durations';
import { CHUNK_SIZE } from '@linnet/device/codec';
import type { RecordScene } from '@linnet/device/session';
import type { Clock } from '../clock.ts';
import { CopyDiffers, finishSession, removeIfDeleted, toProblem } from '../finish-session.ts';
import { isCapturedSerial, recordingId } from '../identity.ts';
import type { LiveSink } from '../live/live-sender.ts';
import type { Log } from '../log.ts';
import type { SessionAudio } from '../ports/audio.ts';
import type { RecordStore } from '../ports/records.ts';
import type { Movement, ProgressBoard } from '../progress.ts';
import type {
  CapturedAudio,
  CaptureSources,
  Microphone,
  MicrophoneErrorCode,
  OpenMicrophone,
} from './microphone.ts';
import {
  type InterruptedRecording,
  type MicrophoneRecorderState,
  type SharingState,
  SILENCE_MS,
} from './recording-state.ts';

/** Duration (ms) and size (bytes) of an Opus packet. A chunk holds ten packets (specification, section 9). */
const PACKET_MS = 20;
const PACKET_BYTES = CHUNK_SIZE / 10;

/** Highest level (0–255) that counts as silence: -42 dBFS, below quiet speech but above a muted input. */
const SILENCE_LEVEL = 2;

/** Milliseconds of audio between progress updates in the database. */
const STORE_PROGRESS_MS = 10_000;

export type MicrophoneRecorderOptions = {
  readonly microphone: Microphone;
  /** The source of the audio. A phone's operating system must know whether its own microphone is in use. */
  readonly source: Extract<Movement, { step: 'record' }>['source'];
  readonly records: RecordStore;
  readonly audio: SessionAudio;
  readonly progress: ProgressBoard;
  readonly clock: Pick<Clock, 'now'>;
  /** Returns the serial number that identifies the recorder. */
  readonly serial: () => string;
  /** Returns whether an incomplete recording with this serial number belongs to this recorder. */
  readonly owns: (serial: string) => boolean;
  /** Called when a recording is complete. */
  readonly onStored: () => void;
  /** Called with a recording's ID and the level (0–255) of each new packet. */
  readonly onLevels: (recordingId: string, levels: Uint8Array) => void;
  /** Receives the packets once they're on disk. */
  readonly live: LiveSink;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
};

type Capture = {
  readonly id: string;
  readonly microphone: OpenMicrophone;
  bytes: number;
  /** Bytes that were on disk when progress was last stored. */
  storedBytes: number;
  silentMs: number;
  sharing: SharingState;
};

/** Records live audio, one recording at a time. */
export class MicrophoneRecorder {
  readonly #options: MicrophoneRecorderOptions;
  readonly #state = writable<MicrophoneRecorderState>({ status: 'idle' });
  /** Serializes commands, because each changes the state in several asynchronous steps. */
  readonly #commands = new Mutex();
  /** The signed-in account, or null. */
  #uid: string | null = null;
  #capture: Capture | null = null;

  constructor(options: MicrophoneRecorderOptions) {
    this.#options = options;
  }

  get state(): Store<MicrophoneRecorderState> {
    return this.#state;
  }

  /** Looks for an interrupted recording of the account that has just signed in. */
  signedIn(uid: string): Promise<void> {
    return this.#commands.run(async () => {
      this.#uid = uid;
      const interrupted = await this.#options.records.interrupted(uid);
      const [latest, ...older] = interrupted.filter(({ sn }) => this.#options.owns(sn));
      // There's at most one interrupted recording, unless an earlier recovery was itself interrupted.
      for (const { id } of older) await this.#complete(id).catch(this.#options.onError);
      if (!latest) return;
      const bytes = await this.#durableBytes(latest.id);
      if (bytes === 0) {
        await this.#options.records.discard(latest.id);
        return;
      }
      this.#state.set({
        status: 'interrupted',
        recording: {
          id: latest.id,
          createDate: latest.createDate,
          recordedMs: computeDuration(bytes),
          scene: latest.scene,
          code: null,
        },
      });
    });
  }

  /** Stops and completes the recording before the account signs out. */
  async signingOut(): Promise<void> {
    await this.stop().catch(this.#options.onError);
    this.#uid = null;
    this.#state.set({ status: 'idle' });
  }

  /**
   * Starts a recording.
   * @param inputId the microphone, or null for the system's default
   * @param continues the ID of an earlier recording that the new one continues
   * @throws MicrophoneError
   * @throws StorageFull
   */
  start(scene: RecordScene, inputId: string | null, continues?: string): Promise<void> {
    return this.#commands.run(async () => {
      const uid = this.#uid;
      if (uid === null || this.#capture) return;
      await this.#completeInterrupted();
      let createdId: string | null = null;
      try {
        const sources = this.#getSources(scene, inputId);
        await this.#openAndRecord(sources, scene, { status: 'idle' }, async () => {
          const created = await this.#createRecord(uid, scene, continues);
          createdId = created.id;
          return created;
        });
      } catch (error) {
        // Nothing was recorded, so this deletes the record.
        if (createdId !== null) await this.#complete(createdId).catch(this.#options.onError);
        throw error;
      }
    });
  }

  /**
   * Continues the interrupted recording by appending new audio.
   * @throws MicrophoneError
   */
  continue(inputId: string | null): Promise<void> {
    return this.#commands.run(async () => {
      const before = this.#state.get();
      if (before.status !== 'interrupted') return;
      const { scene } = before.recording;
      const sources = this.#getSources(scene, inputId);
      await this.#openAndRecord(sources, scene, before, async () => before.recording);
    });
  }

  pause(): Promise<void> {
    return this.#commands.run(async () => {
      const now = this.#state.get();
      if (now.status !== 'recording' || now.pausedAt !== null) return;
      await this.#capture?.microphone.pause();
      this.#state.set({ ...now, pausedAt: this.#options.clock.now(), isSilent: false });
    });
  }

  resume(): Promise<void> {
    return this.#commands.run(async () => {
      const now = this.#state.get();
      if (now.status !== 'recording' || now.pausedAt === null) return;
      await this.#capture?.microphone.resume();
      const pausedMs = this.#options.clock.now() - now.pausedAt;
      this.#state.set({ ...now, startedAt: now.startedAt + pausedMs, pausedAt: null });
    });
  }

  /**
   * Ends the current or interrupted recording, and creates its files.
   * @throws MicrophoneError if the microphone fails; the recording is then interrupted, but keeps all audio up to the
   *   failure
   */
  stop(): Promise<void> {
    return this.#commands.run(async () => {
      const capture = this.#capture;
      if (!capture) return this.#completeInterrupted();
      this.#capture = null;
      this.#state.set({ status: 'finishing' });
      try {
        await capture.microphone.stop();
      } finally {
        await this.#complete(capture.id).finally(() => this.#state.set({ status: 'idle' }));
      }
    });
  }

  /** Records both sides of a call if this device can share audio. */
  #getSources(scene: RecordScene, inputId: string | null): CaptureSources {
    return {
      inputId,
      withSharedAudio: scene === 'call' && this.#options.microphone.supportsSharedAudio,
    };
  }

  async #completeInterrupted(): Promise<void> {
    const now = this.#state.get();
    if (now.status !== 'interrupted') return;
    this.#state.set({ status: 'finishing' });
    await this.#complete(now.recording.id).finally(() => this.#state.set({ status: 'idle' }));
  }

  /**
   * Opens the microphone. Once access is granted, records into the recording that `provide` returns.
   * @param stateOnFailure the state to return to after a failure
   */
  async #openAndRecord(
    sources: CaptureSources,
    scene: RecordScene,
    stateOnFailure: MicrophoneRecorderState,
    provide: () => Promise<Pick<InterruptedRecording, 'id' | 'createDate'>>,
  ): Promise<void> {
    this.#state.set({ status: 'starting' });
    try {
      const microphone = await this.#options.microphone.open(sources);
      try {
        const { id, createDate } = await provide();
        const sharing = sources.withSharedAudio ? 'active' : 'none';
        await this.#record(microphone, { id, createDate, scene, sharing });
      } catch (error) {
        await microphone.stop().catch(this.#options.onError);
        throw error;
      }
    } catch (error) {
      this.#state.set(stateOnFailure);
      throw error;
    }
  }

  /**
   * Creates the record of a new recording. The recording is identified by its start time on this device, in
   * milliseconds.
   */
  async #createRecord(
    uid: string,
    scene: RecordScene,
    continues?: string,
  ): Promise<Pick<InterruptedRecording, 'id' | 'createDate'>> {
    const { clock, records } = this.#options;
    const serial = this.#options.serial();
    for (let start = clock.now(); ; start += 1) {
      const id = recordingId(serial, start, Math.floor(start / 1000));
      const createDate = new Date(start).toISOString();
      const outcome = await records.ensure({
        ...{ id, uid, sn: serial, deviceFileId: start, createDate },
        ...{ seconds: 0, audioBytes: 0, source: 'phone' },
        scene,
        ...(continues !== undefined && { continues }),
      });
      // The ID may be taken by a recording that started in the same millisecond, or before the clock was set back.
      if (outcome === 'created') return { id, createDate };
    }
  }

  async #record(
    microphone: OpenMicrophone,
    {
      id,
      createDate,
      scene,
      sharing,
    }: Pick<InterruptedRecording, 'id' | 'createDate' | 'scene'> & {
      readonly sharing: SharingState;
    },
  ): Promise<void> {
    const { clock, progress, source } = this.#options;
    const capture: Capture = { id, microphone, bytes: 0, storedBytes: 0, silentMs: 0, sharing };
    const bytes = await microphone.record(id, {
      onAudio: (audio) => this.#onAudio(capture, audio),
      onEnded: (code) => void this.#interrupt(capture, code).catch(this.#options.onError),
      onSharingEnded: () => this.#onSharingEnded(capture),
    });
    capture.bytes = Math.max(capture.bytes, bytes);
    capture.storedBytes = bytes;
    this.#capture = capture;
    progress.set(id, { step: 'record', source });
    this.#options.log('microphone.recording', { ms: computeDuration(bytes) });
    this.#state.set({
      status: 'recording',
      id,
      createDate,
      scene,
      startedAt: clock.now() - computeDuration(bytes),
      pausedAt: null,
      isSilent: false,
      sharing: capture.sharing,
    });
  }

  #onSharingEnded(capture: Capture): void {
    capture.sharing = 'ended';
    const now = this.#state.get();
    if (now.status === 'recording' && now.id === capture.id) {
      this.#state.set({ ...now, sharing: 'ended' });
    }
  }

  #onAudio(capture: Capture, { bytes, packets, levels }: CapturedAudio): void {
    const { records, onLevels, live, onError } = this.#options;
    capture.bytes = bytes;
    onLevels(capture.id, levels);
    live.add(capture.id, bytes - packets.length, packets, true);
    const isSilent = levels.every((level) => level <= SILENCE_LEVEL);
    capture.silentMs = isSilent ? capture.silentMs + levels.length * PACKET_MS : 0;
    const now = this.#state.get();
    const isSilentNow = capture.silentMs >= SILENCE_MS;
    if (now.status === 'recording' && now.isSilent !== isSilentNow) {
      this.#state.set({ ...now, isSilent: isSilentNow });
    }
    if (computeDuration(bytes - capture.storedBytes) < STORE_PROGRESS_MS) return;
    capture.storedBytes = bytes;
    records
      .update(capture.id, {
        audioBytes: bytes,
        record_time: wholeSeconds(computeDuration(bytes) / 1000),
        copies: { phone: { status: 'partial', bytes } },
      })
      .catch(onError);
  }

  /** Handles a capture that ended unexpectedly. */
  #interrupt(capture: Capture, code: MicrophoneErrorCode): Promise<void> {
    return this.#commands.run(() => {
      if (this.#capture !== capture) return;
      this.#capture = null;
      this.#options.progress.clear(capture.id);
      this.#options.log('microphone.interrupted', { code });
      const now = this.#state.get();
      if (now.status !== 'recording') return;
      this.#state.set({
        status: 'interrupted',
        recording: {
          id: capture.id,
          createDate: now.createDate,
          recordedMs: computeDuration(capture.bytes),
          scene: now.scene,
          code,
        },
      });
    });
  }

  /**
   * Creates an ended recording's files, for example once disk space is available again after a failure. Ignores
   * recordings that came from a recorder, are already complete, or have a copy elsewhere.
   */
  complete(id: string): Promise<void> {
    return this.#commands.run(async () => {
      if (this.#capture?.id === id) return;
      const record = await this.#options.records.detail(id);
      if (!record || !isCapturedSerial(record.sn) || !this.#options.owns(record.sn)) return;
      const { phone, recorder, cloud } = record.copies;
      const isIncomplete = phone.status === 'partial' || phone.status === 'whole';
      const isOnlyHere = recorder.status === 'absent' && cloud.status === 'absent';
      if (isIncomplete && isOnlyHere) await this.#complete(id);
    });
  }

  async #complete(id: string): Promise<void> {
    const { records, audio, progress, live, log, onStored } = this.#options;
    if (await removeIfDeleted({ records, audio, log }, id)) {
      live.drop(id);
      return progress.clear(id);
    }
    const bytes = await this.#durableBytes(id);
    live.end(id, bytes);
    if (bytes === 0) {
      live.drop(id);
      await audio.remove(id);
      await records.discard(id);
      progress.clear(id);
      return;
    }
    await records.update(id, {
      audioBytes: bytes,
      record_time: wholeSeconds(computeDuration(bytes) / 1000),
      copies: { phone: { status: 'whole', bytes } },
    });
    try {
      await finishSession({ records, audio, progress, log }, id);
      if (await removeIfDeleted({ records, audio, log }, id)) live.drop(id);
      else onStored();
    } catch (error) {
      if (await removeIfDeleted({ records, audio, log }, id)) return live.drop(id);
      const code = error instanceof CopyDiffers ? 'not_audio' : toProblem(error);
      if (!code) throw error;
      await records.update(id, { problem: { step: 'fetch', code } });
    } finally {
      progress.clear(id);
    }
  }

  /** Returns the size of the complete packets in the temporary file, in bytes. */
  async #durableBytes(id: string): Promise<number> {
    const file = await this.#options.audio.openPackets(id, PACKET_BYTES);
    await file.close();
    return file.bytes;
  }
}

/** Converts a size in bytes to milliseconds of audio. */
function computeDuration(bytes: number): number {
  return (bytes / PACKET_BYTES) * PACKET_MS;
}
