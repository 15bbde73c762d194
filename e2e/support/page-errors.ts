import type { BrowserContext } from '@playwright/test';

/** Collects pages' console errors and uncaught errors. */
export class PageErrors {
  #errors: string[] = [];
  #allowed: RegExp[] = [];

  /** Records the errors of every page in a context. */
  listenTo(context: BrowserContext): void {
    context.on('console', (message) => {
      if (message.type() !== 'error') return;
      this.#errors.push(`${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => this.#errors.push(String(error.error())));
  }

  /** Ignores errors that the test provokes. The patterns are matched against the message followed by `(<URL>)`. */
  allow(...patterns: RegExp[]): void {
    this.#allowed.push(...patterns);
  }

  /** Returns the unexpected errors since the last call, and resets the list and the allowed patterns. */
  takeUnexpected(): string[] {
    const unexpected = this.#errors.filter(
      (text) => !this.#allowed.some((pattern) => pattern.test(text)),
    );
    this.#errors = [];
    this.#allowed = [];
    return unexpected;
  }
}
