/** Number of bytes buffered in memory before they are moved to a blob, which the browser may store on disk. */
const PART_BYTES = 8 * 1024 * 1024;

/** Collects bytes into a blob without holding all of them in memory. */
export class BlobParts {
  #blobs: Blob[] = [];
  #buffered: Uint8Array<ArrayBuffer>[] = [];
  #bufferedBytes = 0;

  /** Adds bytes. The caller must not modify them afterwards. */
  add(bytes: Uint8Array<ArrayBuffer>): void {
    this.#buffered.push(bytes);
    this.#bufferedBytes += bytes.length;
    if (this.#bufferedBytes < PART_BYTES) return;
    this.#blobs.push(new Blob(this.#buffered));
    this.#buffered = [];
    this.#bufferedBytes = 0;
  }

  /**
   * Adds the bytes from a stream. Cancels the stream if `signal` aborts.
   * @param onBytes called with the number of bytes read so far
   */
  async addStream(
    stream: ReadableStream<Uint8Array<ArrayBuffer>>,
    onBytes: (bytes: number) => void,
    signal: AbortSignal,
  ): Promise<void> {
    // Not all browsers support async iteration of streams, so use a reader.
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
      // If canceling fails too, the original error matters more.
      void reader.cancel(error).catch(() => {});
      throw error;
    }
  }

  /**
   * Returns all bytes as a blob.
   * @param head bytes to prepend
   */
  blob(type: string, head: Uint8Array<ArrayBuffer> = new Uint8Array()): Blob {
    return new Blob([head, ...this.#blobs, ...this.#buffered], { type });
  }
}
