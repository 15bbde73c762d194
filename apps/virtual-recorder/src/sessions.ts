/** The sessions as seen by phones: owners, sizes, storage and change reports. */
import { EventEmitter } from 'node:events';
import type { ReportOf } from '@linnet/device/codec';
import type { Capture } from './capture.ts';
import { CHUNK_SIZE } from './device-types.ts';
import type { Faults } from './faults.ts';
import type { Flash, NewSession, SessionRecord } from './flash/flash.ts';
import { type Outcome, refused, succeeded } from './outcome.ts';
import type { Viewer } from './ownership.ts';
import { createSessionAttr, createStorageReport } from './wire.ts';

/** The storage in bytes, including the session that is being recorded. */
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
  private reportedUsedPercent: number;

  /** @param capture the source of the session that is being recorded */
  constructor(flash: Flash, faults: Faults, capture: Capture) {
    super();
    this.flash = flash;
    this.faults = faults;
    this.capture = capture;
    this.reportedUsedPercent = this.usedPercent;
  }

  /** Returns the sessions visible to an account, oldest first. */
  visibleTo(viewer: Viewer): readonly SessionRecord[] {
    return this.flash.sessions().filter(({ owner }) => owner === null || owner === viewer);
  }

  /** Whether a session is visible to an account. */
  isVisible(sessionId: number, viewer: Viewer): boolean {
    return this.visibleTo(viewer).some((record) => record.sessionId === sessionId);
  }

  get storage(): StorageSpace {
    const total = this.faults.storageBytes;
    const usedBytes = this.flash.usedBytes() + (this.capture.current?.writer.size ?? 0);
    const free = Math.max(0, total - usedBytes);
    return { total, used: usedBytes, free, isFull: free < CHUNK_SIZE };
  }

  /** The percentage of storage used, rounded up. */
  get usedPercent(): number {
    const { used, total } = this.storage;
    return Math.min(100, Math.ceil((100 * used) / Math.max(1, total)));
  }

  /** Returns the size of a session's durable part in bytes, and its hash once it is closed. */
  durablePart(sessionId: number): { size: number; sha256: string | undefined } | undefined {
    const record = this.flash.session(sessionId);
    if (!record) return undefined;
    if (record.closed) return { size: record.closed.fileSize, sha256: record.closed.sha256 };
    return { size: this.capture.durableSize(sessionId), sha256: undefined };
  }

  /** Returns the session length reported to phones, in bytes. {@link Faults} can falsify it. */
  reportedSize(sessionId: number): number {
    const { size, sha256 } = this.durablePart(sessionId) ?? { size: 0 };
    return sha256 === undefined ? size : Math.max(0, size + this.faults.lengthLie);
  }

  /** Stores an imported session. */
  async add(metadata: NewSession, packets: readonly Uint8Array[]): Promise<SessionRecord> {
    const record = await this.flash.storeSession(metadata, packets);
    this.reportSession(record.sessionId);
    this.reportStorage();
    return record;
  }

  /**
   * Deletes a session.
   * @returns the outcome, refused with `session_recording` if the session is being recorded, or `session_unknown` if it
   *   doesn't exist
   */
  async delete(sessionId: number): Promise<Outcome<undefined>> {
    const record = this.flash.session(sessionId);
    if (!record?.closed) return refused(record ? 'session_recording' : 'session_unknown');
    await this.flash.deleteSession(sessionId);
    this.emit('deleted', sessionId);
    this.reportStorage();
    return succeeded(undefined);
  }

  reportSession(sessionId: number): void {
    const record = this.flash.session(sessionId);
    if (!record) return;
    const fileSize = this.durablePart(sessionId)?.size ?? 0;
    this.emit('changed', { sessionId, fileSize, attr: createSessionAttr(record) });
  }

  reportStorage(): void {
    this.reportedUsedPercent = this.usedPercent;
    this.emit('storage', createStorageReport(this));
  }

  /** Reports the storage usage if the percentage has changed. */
  reportGrowth(): void {
    if (this.usedPercent !== this.reportedUsedPercent) this.reportStorage();
  }
}
