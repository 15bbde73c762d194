/** What it does while it records: from the microphone to the flash, one recording at a time. */
import { EventEmitter } from 'node:events';
import type { ReportOf } from '@linnet/device/codec';
import { type EndReason, PACKET_MS, PACKET_SIZE } from './device-types.ts';
import type { Flash, NewSession, SessionRecord } from './flash/flash.ts';
import type { SessionWriter } from './flash/session-writer.ts';
import { done, type Outcome, refused } from './outcome.ts';
import type { Viewer } from './ownership.ts';
import type { PacedClock } from './paced-clock.ts';
import type { Microphone } from './sound/microphone.ts';

/** Real milliseconds between looks at the microphone; two packets at normal speed. */
const LISTEN_MS = 40;

type Recording = {
  readonly status: 'recording';
  readonly record: SessionRecord;
  readonly writer: SessionWriter;
  readonly microphone: Microphone;
  /** How loud its last moments were, 0 to 1 for each tenth of a second, the newest last. */
  readonly levels: number[];
  /** The recorder's time when it would have begun without pauses, ms. */
  readonly since: number;
  /** How much sound there is while it is paused, ms; null while it listens. */
  readonly heldMs: number | null;
  readonly listening: NodeJS.Timeout;
};
type State =
  | { readonly status: 'idle' }
  | { readonly status: 'starting' }
  | Recording
  | { readonly status: 'stopping'; readonly recording: Recording; readonly ended: Promise<Ended> };

/** A recording that goes on or is paused. */
export interface CurrentRecording {
  readonly record: SessionRecord;
  readonly writer: SessionWriter;
  /** Of sound, pauses apart. */
  readonly elapsedMs: number;
  readonly isPaused: boolean;
  /** How loud its last moments were, 0 to 1 for each tenth of a second, the newest last. */
  readonly levels: readonly number[];
}
/** Where a recording stands; `elapsedMs` of sound. */
export interface Moment {
  readonly sessionId: number;
  readonly elapsedMs: number;
}
export interface Ended {
  readonly sessionId: number;
  readonly fileSize: number;
}

interface CaptureEvents {
  started: [ReportOf<'recordingStarted'>];
  paused: [Moment];
  restored: [Moment];
  /** What the microphone has brought since it was last looked at is on its way to the flash. */
  heard: [];
  /** More bytes of a session are durable. */
  durable: [sessionId: number];
  /** Its session is closed and durable. */
  ended: [ReportOf<'recordingEnded'>];
}

export class Capture extends EventEmitter<CaptureEvents> {
  private state: State = { status: 'idle' };
  private readonly flash: Flash;
  private readonly clock: PacedClock;
  private readonly openMicrophone: () => Microphone;
  private readonly free: () => number;

  /**
   * @param openMicrophone one that listens from now on
   * @param free bytes of the storage that are left
   */
  constructor(
    flash: Flash,
    clock: PacedClock,
    openMicrophone: () => Microphone,
    free: () => number,
  ) {
    super();
    this.flash = flash;
    this.clock = clock;
    this.openMicrophone = openMicrophone;
    this.free = free;
  }

  get status(): State['status'] {
    return this.state.status;
  }

  get current(): CurrentRecording | undefined {
    if (this.state.status !== 'recording') return undefined;
    const { record, writer, levels, since, heldMs } = this.state;
    const elapsedMs = heldMs ?? this.clock.elapsed() - since;
    return { record, writer, elapsedMs, isPaused: heldMs !== null, levels };
  }

  /** Bytes of the session being written that would survive a loss of power now; of any other, 0. */
  durableSize(sessionId: number): number {
    const writing = this.state.status === 'stopping' ? this.state.recording : this.current;
    return writing?.record.sessionId === sessionId ? writing.writer.durableSize : 0;
  }

  /**
   * To be called while it is idle; from then on nothing else starts.
   * @param whose settles whose the session will be
   * @returns refused with `hardware_abnormal` when that or the flash fails
   */
  async start(
    about: Pick<NewSession, 'startTime' | 'mode' | 'scene'>,
    whose: () => Promise<Viewer>,
  ): Promise<Outcome<{ sessionId: number; startTime: number }>> {
    this.state = { status: 'starting' };
    const { startTime } = about;
    try {
      const owner = await whose();
      const { record, writer } = await this.flash.createSession({ ...about, owner }, () =>
        this.emit('durable', record.sessionId),
      );
      this.state = {
        status: 'recording',
        record,
        writer,
        microphone: this.openMicrophone(),
        levels: [],
        since: this.clock.elapsed(),
        heldMs: null,
        listening: setInterval(() => this.listen(), LISTEN_MS),
      };
      const { sessionId } = record;
      this.emit('started', { sessionId, ...about });
      return done({ sessionId, startTime });
    } catch (error) {
      this.state = { status: 'idle' };
      console.error('recording could not start', error);
      return refused('hardware_abnormal');
    }
  }

  /** Holds the recording; one that is held stays as it is. */
  pause(): Outcome<Moment> {
    // What was said since the microphone was last looked at; the storage may be full with that, which ends it.
    this.listen();
    if (this.state.status !== 'recording') return refused('not_recording');
    if (this.state.heldMs === null) {
      // Held at the end of a packet: a part of one would be neither in the session nor after it.
      const heldMs = (this.state.writer.size / PACKET_SIZE) * PACKET_MS;
      this.state = { ...this.state, heldMs };
      this.emit('paused', this.moment(this.state));
    }
    return done(this.moment(this.state));
  }

  /** Goes on with a recording that is held. */
  restore(): Outcome<Moment> {
    if (this.state.status !== 'recording') return refused('not_recording');
    const { heldMs } = this.state;
    if (heldMs !== null) {
      this.state = { ...this.state, since: this.clock.elapsed() - heldMs, heldMs: null };
      this.emit('restored', this.moment(this.state));
    }
    return done(this.moment(this.state));
  }

  /** Resolves when the session is closed and durable. */
  async stop(because: EndReason = 'none'): Promise<Outcome<Ended>> {
    // What was said since the microphone was last looked at.
    if (because === 'none') this.listen();
    if (this.state.status === 'stopping') return done(await this.state.ended);
    if (this.state.status !== 'recording') return refused('not_recording');
    const ended = this.finish(this.state, because);
    this.state = { status: 'stopping', recording: this.state, ended };
    return done(await ended);
  }

  /** Takes from the microphone what the time since the start has brought. */
  private listen(): void {
    if (this.state.status !== 'recording' || this.state.heldMs !== null) return;
    const { writer, microphone, levels, since } = this.state;
    const due = Math.floor((this.clock.elapsed() - since) / PACKET_MS);
    const room = Math.floor(this.free() / PACKET_SIZE);
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
    this.emit('heard');
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
    this.emit('ended', { sessionId, fileSize, durationMs, because: reason });
    return { sessionId, fileSize };
  }

  /** On a flash that cannot even be repaired now, the next start does it. */
  private async salvage(sessionId: number): Promise<void> {
    await this.flash
      .recover(sessionId)
      .catch((error: unknown) => console.error('the session is left for the next start', error));
  }

  private moment({ record }: Recording): Moment {
    return {
      sessionId: record.sessionId,
      elapsedMs: Math.floor(this.current?.elapsedMs ?? 0),
    };
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
