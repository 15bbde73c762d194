/** Collects the bytes received at the recorder's end of a link under test. */
export class Inbox {
  private bytes: number[] = [];
  private waiting: (() => void)[] = [];

  put(bytes: Uint8Array): void {
    for (const byte of bytes) this.bytes.push(byte);
    for (const wake of this.waiting.splice(0)) wake();
  }

  async take(count: number): Promise<Uint8Array> {
    while (this.bytes.length < count) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    return Uint8Array.from(this.bytes.splice(0, count));
  }
}
