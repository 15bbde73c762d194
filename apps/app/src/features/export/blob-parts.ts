/** Bytes buffered in memory before they are passed to a blob, which the browser may keep on disk. */
const PART_BYTES = 8 * 1024 * 1024;

/** Collects bytes into one blob with little memory use. */
export class BlobParts {
  #blobs: Blob[] = [];
  #open: Uint8Array<ArrayBuffer>[] = [];
  #held = 0;

  /** Takes ownership: the bytes must not change afterwards. */
  add(bytes: Uint8Array<ArrayBuffer>): void {
    this.#open.push(bytes);
    this.#held += bytes.length;
    if (this.#held < PART_BYTES) return;
    this.#blobs.push(new Blob(this.#open));
    this.#open = [];
    this.#held = 0;
  }

  /** Reads a whole stream, and cancels it when `signal` aborts. @param onBytes called with the bytes so far */
  async take(
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
      // The original error matters, not the stream's reaction to the cancellation.
      void reader.cancel(error).catch(() => {});
      throw error;
    }
  }

  /** @param head goes before everything else */
  blob(type: string, head: Uint8Array<ArrayBuffer> = new Uint8Array()): Blob {
    return new Blob([head, ...this.#blobs, ...this.#open], { type });
  }
}
