/** Appends the packets of an active recording to its file and syncs them to disk. */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

export class SessionWriter {
  private readonly file: FileHandle;
  private readonly hash = createHash('sha256');
  private pending: Uint8Array[] = [];
  private flushing: Promise<void> | undefined;
  private writtenSize = 0;
  private syncedSize = 0;
  private readonly onDurable: () => void;

  private constructor(file: FileHandle, onDurable: () => void) {
    this.file = file;
    this.onDurable = onDurable;
  }

  static async create(path: string, onDurable: () => void): Promise<SessionWriter> {
    return new SessionWriter(await open(path, 'wx', 0o600), onDurable);
  }

  /** The number of bytes synced to disk. */
  get durableSize(): number {
    return this.syncedSize;
  }

  /** The number of bytes appended, including bytes that are not yet durable. */
  get size(): number {
    return this.writtenSize;
  }

  /** Queues complete packets. Write errors reject `flushed` and `finish`. */
  append(packets: readonly Uint8Array[]): void {
    for (const packet of packets) {
      this.hash.update(packet);
      this.writtenSize += packet.length;
      this.pending.push(packet);
    }
    this.flushing ??= this.flush();
    // `flushed` and `finish` report the error.
    this.flushing.catch(() => undefined);
  }

  /** Resolves when all appended bytes are durable; rejects on a write error. */
  async flushed(): Promise<void> {
    await this.flushing;
  }

  async finish(): Promise<{ fileSize: number; sha256: string }> {
    try {
      await this.flushed();
    } finally {
      await this.file.close();
    }
    return { fileSize: this.syncedSize, sha256: this.hash.digest('hex') };
  }

  private async flush(): Promise<void> {
    while (this.pending.length > 0) {
      const batch = Buffer.concat(this.pending.splice(0));
      await this.file.appendFile(batch);
      await this.file.datasync();
      this.syncedSize += batch.length;
      this.onDurable();
    }
    this.flushing = undefined;
  }
}
