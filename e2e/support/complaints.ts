import type { BrowserContext } from '@playwright/test';

/** Collects console errors and uncaught errors of pages. */
export class Complaints {
  #heard: string[] = [];
  #expected: RegExp[] = [];

  /** Subscribes to every page of a context. */
  listenTo(context: BrowserContext): void {
    context.on('console', (message) => {
      if (message.type() !== 'error') return;
      this.#heard.push(`${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => this.#heard.push(String(error.error())));
  }

  /** Declares errors that the test provokes. The matched text ends with the URL in brackets. */
  expect(...complaints: RegExp[]): void {
    this.#expected.push(...complaints);
  }

  /** Returns the unexpected errors since the last call, and resets the list. */
  unexpected(): string[] {
    const found = this.#heard.filter((text) => !this.#expected.some((known) => known.test(text)));
    this.#heard = [];
    this.#expected = [];
    return found;
  }
}
