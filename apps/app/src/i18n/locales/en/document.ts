/**
 * Strings for the document itself (`scripts/document.ts`). The build writes them into `index.html`; the app never loads
 * them.
 */
export default {
  document: {
    noScript: 'Linnet needs JavaScript. Turn on JavaScript in your browser, then reload this page.',
    startFailed: 'Linnet couldn’t start. Check your network connection.',
  },
};
