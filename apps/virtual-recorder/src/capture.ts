/** Records from the microphone to the flash memory, one recording at a time. */
import { EventEmitter } from 'node:events';
import type { ReportOf } from '@linnet/device/codec';
import { type EndReason, PACKET_MS, PACKET_SIZE } from './device-types.ts';
import type { Flash, NewSession, SessionRecord } from './flash/flash.ts';
import type { SessionWriter } from './flash/session-writer.ts';
import { type Outcome, refused, succeeded } from './outcome.ts';
import type { Viewer } from './ownership.ts';
import type { PacedClock } from './paced-clock.ts';
import type { Microphone } from './sound/microphone.ts';

/** Microphone polling interval, in milliseconds of real time: two packets at normal speed. */
const POLL_MS = 40;

type Recording = {
  readonly status: 'recording';
  readonly record: SessionRecord;
  readonly writer: SessionWriter;
  readonly microphone: Microphone;
  /** The recent levels, one per tenth of a second, from 0 to 1, newest last. */
  readonly levels: number[];
  /** Start of the recording in recorder time, shifted by the duration of its pauses, in milliseconds. */
  readonly startedAt: number;
  /** Duration of the audio recorded before the pause, in milliseconds, or null unless paused. */
  readonly pausedMs: number | null;
  readonly polling: NodeJS.Timeout;
};
type State =
  | { readonly status: 'idle' }
  | { readonly status: 'starting' }
  | Recording
  | {
      readonly status: 'stopping';
      readonly recording: Recording;
      readonly ended: Promise<EndedRecording>;
    };

/** An active or paused recording. */
export interface CurrentRecording {
  readonly record: SessionRecord;
  readonly writer: SessionWriter;
  /** The duration of the recorded audio, excluding pauses. */
  readonly elapsedMs: number;
  readonly isPaused: boolean;
  /** The recent levels, one per tenth of a second, from 0 to 1, newest last. */
  readonly levels: readonly number[];
}
/** A recording's position. `elapsedMs` is the duration of its audio so far. */
export interface RecordingPosition {
  readonly sessionId: number;
  readonly elapsedMs: number;
}
export interface EndedRecording {
  readonly sessionId: number;
  readonly fileSize: number;
}

interface CaptureEvents {
  started: [ReportOf<'recordingStarted'>];
  paused: [RecordingPosition];
  restored: [RecordingPosition];
  /** Audio since the last poll is being written to the flash. */
  captured: [];
  /** More bytes of a session are durable. */
  durable: [sessionId: number];
  /** The session is closed and durable. */
  ended: [ReportOf<'recordingEnded'>];
}

export class Capture extends EventEmitter<CaptureEvents> {
  private state: State = { status: 'idle' };
  private readonly flash: Flash;
  private readonly clock: PacedClock;
  private readonly openMicrophone: () => Microphone;
  private readonly freeBytes: () => number;

  /**
   * @param openMicrophone opens a microphone that starts capturing immediately
   * @param freeBytes returns the free storage in bytes
   */
  constructor(
    flash: Flash,
    clock: PacedClock,
    openMicrophone: () => Microphone,
    freeBytes: () => number,
  ) {
    super();
    this.flash = flash;
    this.clock = clock;
    this.openMicrophone = openMicrophone;
    this.freeBytes = freeBytes;
  }

  get status(): State['status'] {
    return this.state.status;
  }

  get current(): CurrentRecording | undefined {
    if (this.state.status !== 'recording') return undefined;
    const { record, writer, levels, startedAt, pausedMs } = this.state;
    const elapsedMs = pausedMs ?? this.clock.elapsed() - startedAt;
    return { record, writer, elapsedMs, isPaused: pausedMs !== null, levels };
  }

  /** The number of durable bytes of the session being recorded, or 0 for any other session. */
  durableSize(sessionId: number): number {
    const writing = this.state.status === 'stopping' ? this.state.recording : this.current;
    return writing?.record.sessionId === sessionId ? writing.writer.durableSize : 0;
  }

  /**
   * Starts a recording. Must be called while idle. No other recording can start before this call resolves.
   * @param resolveOwner returns the session's owner
   * @returns a refusal, `hardware_abnormal`, if `resolveOwner` or the flash fails
   */
  async start(
    metadata: Pick<NewSession, 'startTime' | 'mode' | 'scene'>,
    resolveOwner: () => Promise<Viewer>,
  ): Promise<Outcome<{ sessionId: number; startTime: number }>> {
    this.state = { status: 'starting' };
    const { startTime } = metadata;
    try {
      const owner = await resolveOwner();
      const { record, writer } = await this.flash.createSession({ ...metadata, owner }, () =>
        this.emit('durable', record.sessionId),
      );
      this.state = {
        status: 'recording',
        record,
        writer,
        microphone: this.openMicrophone(),
        levels: [],
        startedAt: this.clock.elapsed(),
        pausedMs: null,
        polling: setInterval(() => this.poll(), POLL_MS),
      };
      const { sessionId } = record;
      this.emit('started', { sessionId, ...metadata });
      return succeeded({ sessionId, startTime });
    } catch (error) {
      this.state = { status: 'idle' };
      console.error('failed to start the recording', error);
      return refused('hardware_abnormal');
    }
  }

  /** Pauses the recording. Has no effect on a paused recording. */
  pause(): Outcome<RecordingPosition> {
    // First record the audio since the last poll. If it fills the storage, the recording stops.
    this.poll();
    if (this.state.status !== 'recording') return refused('not_recording');
    if (this.state.pausedMs === null) {
      // Pause at a packet boundary, because a partial packet can't be stored.
      const pausedMs = (this.state.writer.size / PACKET_SIZE) * PACKET_MS;
      this.state = { ...this.state, pausedMs };
      this.emit('paused', this.createPosition(this.state));
    }
    return succeeded(this.createPosition(this.state));
  }

  /** Resumes a paused recording. */
  restore(): Outcome<RecordingPosition> {
    if (this.state.status !== 'recording') return refused('not_recording');
    const { pausedMs } = this.state;
    if (pausedMs !== null) {
      this.state = { ...this.state, startedAt: this.clock.elapsed() - pausedMs, pausedMs: null };
      this.emit('restored', this.createPosition(this.state));
    }
    return succeeded(this.createPosition(this.state));
  }

  /** Resolves when the session is closed and durable. */
  async stop(because: EndReason = 'none'): Promise<Outcome<EndedRecording>> {
    // Record the audio since the last poll.
    if (because === 'none') this.poll();
    if (this.state.status === 'stopping') return succeeded(await this.state.ended);
    if (this.state.status !== 'recording') return refused('not_recording');
    const ended = this.finish(this.state, because);
    this.state = { status: 'stopping', recording: this.state, ended };
    return succeeded(await ended);
  }

  /** Records the audio that has become due since the last poll. */
  private poll(): void {
    if (this.state.status !== 'recording' || this.state.pausedMs !== null) return;
    const { writer, microphone, levels, startedAt } = this.state;
    const duePackets = Math.floor((this.clock.elapsed() - startedAt) / PACKET_MS);
    const capacity = Math.floor(this.freeBytes() / PACKET_SIZE);
    const missingPackets = duePackets - writer.size / PACKET_SIZE;
    const packets = Math.min(missingPackets, capacity);
    if (packets > 0) {
      writer.append(
        Array.from({ length: packets }, (_, n) => {
          const packet = microphone.nextPacket();
          addLevel(levels, microphone.level, writer.size / PACKET_SIZE + n);
          return packet;
        }),
      );
    }
    writer.flushed().catch((error: unknown) => {
      console.error('failed to write the flash', error);
      void this.stop('hardware_abnormal');
    });
    this.emit('captured');
    if (missingPackets > capacity) void this.stop('space_full');
  }

  private async finish(recording: Recording, because: EndReason): Promise<EndedRecording> {
    clearInterval(recording.polling);
    const { record, writer, microphone } = recording;
    // Every session needs at least one packet, because an empty file is invalid.
    if (writer.size === 0) writer.append([microphone.nextPacket()]);
    microphone.free();
    const { sessionId } = record;
    let reason = because;
    try {
      await this.flash.closeSession(sessionId, await writer.finish());
    } catch (error) {
      console.error('failed to close the session, keeping its durable part', error);
      reason = 'hardware_abnormal';
      await this.recover(sessionId);
    }
    this.state = { status: 'idle' };
    const fileSize = this.flash.session(sessionId)?.closed?.fileSize ?? 0;
    const durationMs = (fileSize / PACKET_SIZE) * PACKET_MS;
    this.emit('ended', { sessionId, fileSize, durationMs, because: reason });
    return { sessionId, fileSize };
  }

  /** Closes a session, keeping its durable part. If this fails too, the session is repaired at the next start. */
  private async recover(sessionId: number): Promise<void> {
    await this.flash
      .recover(sessionId)
      .catch((error: unknown) =>
        console.error('session repair postponed to the next start', error),
      );
  }

  private createPosition({ record }: Recording): RecordingPosition {
    return {
      sessionId: record.sessionId,
      elapsedMs: Math.floor(this.current?.elapsedMs ?? 0),
    };
  }
}

/** Number of levels shown on the screen. */
const MAX_LEVELS = 17;
const PACKETS_IN_LEVEL = 100 / PACKET_MS;

/**
 * Updates the levels with a packet's level.
 * @param packet the packet's index
 */
function addLevel(levels: number[], level: number, packet: number): void {
  if (packet % PACKETS_IN_LEVEL === 0) levels.push(0);
  levels[levels.length - 1] = Math.max(levels.at(-1) ?? 0, level);
  if (levels.length > MAX_LEVELS) levels.shift();
}
