import { type BrowserContext, test as base, expect } from '@playwright/test';

/** What pages complained of: errors in the console, and those nobody caught. */
export class Complaints {
  readonly #heard: string[] = [];
  readonly #expected: RegExp[] = [];

  /** Listens to every page of a context. */
  listenTo(context: BrowserContext): void {
    context.on('console', (message) => {
      if (message.type() !== 'error') return;
      this.#heard.push(`${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => this.#heard.push(String(error.error())));
  }

  /** A test provokes these; the text ends with the address in brackets. */
  expect(...complaints: RegExp[]): void {
    this.#expected.push(...complaints);
  }

  unexpected(): string[] {
    return this.#heard.filter((text) => !this.#expected.some((known) => known.test(text)));
  }
}

/** A test at whose end no page may have complained of anything it did not provoke. */
export const test = base.extend<{ complaints: Complaints }>({
  complaints: [
    async ({ context }, use) => {
      const complaints = new Complaints();
      complaints.listenTo(context);
      await use(complaints);
      expect(complaints.unexpected()).toEqual([]);
    },
    { auto: true },
  ],
});
export { expect };
