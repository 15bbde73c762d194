/** A Vitest setup file that prepares the document of the page tests, and empties it after each test. */
import { cleanup, configure } from '@testing-library/react';
import { afterEach, expect } from 'vitest';
import { hideInputMethodKeys } from '../platform/web/input-method-keys.ts';

configure({
  // In milliseconds. Generous, because the code of a page loads on demand, which takes long on a busy machine.
  asyncUtilTimeout: 60_000,
  // Whether an element is hidden depends on styles, which the document lacks, and takes most of a query's time.
  defaultHidden: true,
  // React schedules its work as in a browser. Within `act`, the code of a dialog that an event opens would not be shown.
  eventWrapper: (dispatch) => dispatch(),
  asyncWrapper: (run) => run(),
  // The default prints the document for each attempt to find an element.
  getElementError: (message) => new Error(message ?? 'no element'),
});

// As at the start of the app.
hideInputMethodKeys(window);

// The same regional formats as in the end-to-end tests.
Object.defineProperty(navigator, 'languages', { get: () => ['en-GB', 'en'], configurable: true });

/**
 * The height of elements in pixels. The document has no layout, in which lists with virtual scrolling would render
 * nothing: a scroll container is as high as the screen, and everything else as high as a row.
 */
const rowHeight = 76;
const width = { configurable: true, get: () => window.innerWidth };
const height = {
  configurable: true,
  get(this: HTMLElement) {
    return this.matches('main, .detail-scroll') ? window.innerHeight : rowHeight;
  },
};
Object.defineProperties(HTMLElement.prototype, {
  ...{ offsetWidth: width, offsetHeight: height },
  ...{ clientWidth: width, clientHeight: height },
});

/** Errors that the app has reported. Browsers report them in their console. */
const reported: unknown[] = [];
globalThis.reportError = (error) => void reported.push(error);

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  expect(reported.splice(0)).toEqual([]);
});
