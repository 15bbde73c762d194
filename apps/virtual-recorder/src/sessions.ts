/** The sessions as phones meet them: whose they are, how long, what room they leave, what is told of it. */
import { EventEmitter } from 'node:events';
import type { ReportOf } from '@linnet/device/codec';
import type { Capture } from './capture.ts';
import { CHUNK_SIZE } from './device-types.ts';
import type { Faults } from './faults.ts';
import type { Flash, NewSession, SessionRecord } from './flash/flash.ts';
import { done, type Outcome, refused } from './outcome.ts';
import type { Viewer } from './ownership.ts';
import { attrOf, storageOf } from './wire.ts';

/** Bytes; a session being recorded counts. */
export interface StorageSpace {
  readonly total: number;
  readonly free: number;
  readonly used: number;
  readonly isFull: boolean;
}

interface SessionsEvents {
  changed: [ReportOf<'sessionChanged'>];
  deleted: [sessionId: number];
  storage: [ReportOf<'storageChanged'>];
}

export class Sessions extends EventEmitter<SessionsEvents> {
  private readonly flash: Flash;
  private readonly faults: Faults;
  private readonly capture: Capture;
  private useRateTold: number;

  /** @param capture what adds to them */
  constructor(flash: Flash, faults: Faults, capture: Capture) {
    super();
    this.flash = flash;
    this.faults = faults;
    this.capture = capture;
    this.useRateTold = this.useRate;
  }

  /** Oldest first. Others' sessions are not there at all. */
  for(viewer: Viewer): readonly SessionRecord[] {
    return this.flash.sessions().filter(({ owner }) => owner === null || owner === viewer);
  }

  /** Whether a session is there for a phone. */
  shows(sessionId: number, viewer: Viewer): boolean {
    return this.for(viewer).some((record) => record.sessionId === sessionId);
  }

  get storage(): StorageSpace {
    const total = this.faults.storageBytes;
    const used = this.flash.usedBytes() + (this.capture.current?.writer.size ?? 0);
    const free = Math.max(0, total - used);
    return { total, used, free, isFull: free < CHUNK_SIZE };
  }

  /** Percent of the storage that is used, rounded up. */
  get useRate(): number {
    const { used, total } = this.storage;
    return Math.min(100, Math.ceil((100 * used) / Math.max(1, total)));
  }

  /** Bytes of a session that would survive a loss of power now, and whether that is all of it. */
  durable(sessionId: number): { size: number; sha256: string | undefined } | undefined {
    const record = this.flash.session(sessionId);
    if (!record) return undefined;
    if (record.closed) return { size: record.closed.fileSize, sha256: record.closed.sha256 };
    return { size: this.capture.durableSize(sessionId), sha256: undefined };
  }

  /** What it says of the length of a session, bytes: the truth, but for {@link Faults}. */
  toldSize(sessionId: number): number {
    const { size, sha256 } = this.durable(sessionId) ?? { size: 0 };
    return sha256 === undefined ? size : Math.max(0, size + this.faults.lengthLie);
  }

  /** Stores one that was recorded elsewhere. */
  async add(about: NewSession, packets: readonly Uint8Array[]): Promise<SessionRecord> {
    const record = await this.flash.storeSession(about, packets);
    this.tell(record.sessionId);
    this.tellStorage();
    return record;
  }

  /** @returns refused with `session_recording` before it is closed, and with `session_unknown` */
  async delete(sessionId: number): Promise<Outcome<undefined>> {
    const record = this.flash.session(sessionId);
    if (!record?.closed) return refused(record ? 'session_recording' : 'session_unknown');
    await this.flash.deleteSession(sessionId);
    this.emit('deleted', sessionId);
    this.tellStorage();
    return done(undefined);
  }

  tell(sessionId: number): void {
    const record = this.flash.session(sessionId);
    if (!record) return;
    const fileSize = this.durable(sessionId)?.size ?? 0;
    this.emit('changed', { sessionId, fileSize, attr: attrOf(record) });
  }

  tellStorage(): void {
    this.useRateTold = this.useRate;
    this.emit('storage', storageOf(this));
  }

  /** As {@link tellStorage}, but only what shows in percent. */
  tellGrowth(): void {
    if (this.useRate !== this.useRateTold) this.tellStorage();
  }
}
