/** Bytes that are kept in memory before the browser may put them on its disk. */
const PART_BYTES = 8 * 1024 * 1024;

/** Bytes as they come, as one blob in the end; few of them are in memory at a time. */
export class BlobParts {
  #blobs: Blob[] = [];
  #open: Uint8Array<ArrayBuffer>[] = [];
  #held = 0;

  /** Takes the bytes over: they must not change afterwards. */
  add(bytes: Uint8Array<ArrayBuffer>): void {
    this.#open.push(bytes);
    this.#held += bytes.length;
    if (this.#held < PART_BYTES) return;
    this.#blobs.push(new Blob(this.#open));
    this.#open = [];
    this.#held = 0;
  }

  /** All of a stream, which is called off when `signal` aborts. @param heard is told of the bytes so far */
  async take(
    stream: ReadableStream<Uint8Array<ArrayBuffer>>,
    heard: (bytes: number) => void,
    signal: AbortSignal,
  ): Promise<void> {
    // Not every browser lets streams be iterated over.
    const reader = stream.getReader();
    let bytes = 0;
    try {
      for (;;) {
        signal.throwIfAborted();
        const { done, value } = await reader.read();
        if (done) return;
        this.add(value);
        bytes += value.length;
        heard(bytes);
      }
    } catch (error) {
      // What broke is what counts, not how the rest of the stream takes it.
      void reader.cancel(error).catch(() => {});
      throw error;
    }
  }

  /** @param head goes before everything else */
  blob(type: string, head: Uint8Array<ArrayBuffer> = new Uint8Array()): Blob {
    return new Blob([head, ...this.#blobs, ...this.#open], { type });
  }
}
