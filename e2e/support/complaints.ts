import type { BrowserContext } from '@playwright/test';

/** What pages complained of: errors in the console, and those nobody caught. */
export class Complaints {
  #heard: string[] = [];
  #expected: RegExp[] = [];

  /** Listens to every page of a context. */
  listenTo(context: BrowserContext): void {
    context.on('console', (message) => {
      if (message.type() !== 'error') return;
      this.#heard.push(`${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => this.#heard.push(String(error.error())));
  }

  /** The test provokes these; each complaint ends with its address in brackets. */
  expect(...complaints: RegExp[]): void {
    this.#expected.push(...complaints);
  }

  /** What nobody provoked since the last time; begins afresh. */
  unexpected(): string[] {
    const found = this.#heard.filter((text) => !this.#expected.some((known) => known.test(text)));
    this.#heard = [];
    this.#expected = [];
    return found;
  }
}
