/** Bytes buffered in memory before they are passed to a blob, which the browser may keep on disk. */
const PART_BYTES = 8 * 1024 * 1024;

/** Collects bytes into a blob with low memory use. */
export class BlobParts {
  #blobs: Blob[] = [];
  #open: Uint8Array<ArrayBuffer>[] = [];
  #openBytes = 0;

  /** Adds bytes and takes ownership of them. */
  add(bytes: Uint8Array<ArrayBuffer>): void {
    this.#open.push(bytes);
    this.#openBytes += bytes.length;
    if (this.#openBytes < PART_BYTES) return;
    this.#blobs.push(new Blob(this.#open));
    this.#open = [];
    this.#openBytes = 0;
  }

  /** Reads a stream to its end, and cancels it when `signal` aborts. @param onBytes called with the bytes so far */
  async addStream(
    stream: ReadableStream<Uint8Array<ArrayBuffer>>,
    onBytes: (bytes: number) => void,
    signal: AbortSignal,
  ): Promise<void> {
    // Not all browsers support async iteration of streams.
    const reader = stream.getReader();
    let bytes = 0;
    try {
      for (;;) {
        signal.throwIfAborted();
        const { done, value } = await reader.read();
        if (done) return;
        this.add(value);
        bytes += value.length;
        onBytes(bytes);
      }
    } catch (error) {
      // Ignores a failed cancellation, because the original error is thrown.
      void reader.cancel(error).catch(() => {});
      throw error;
    }
  }

  /** Returns all bytes as a blob. @param head bytes prepended to it */
  blob(type: string, head: Uint8Array<ArrayBuffer> = new Uint8Array()): Blob {
    return new Blob([head, ...this.#blobs, ...this.#open], { type });
  }
}
