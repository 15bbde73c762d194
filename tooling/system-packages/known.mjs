/**
 * The Debian packages that Linnet uses, and how to see that one is there
 * without asking a package manager (so that it works on every system).
 */

/**
 * @typedef {object} KnownPackage
 * @property {string} purpose What it is for, as progress lines and hints say it.
 * @property {readonly string[]} proofs Paths below a prefix such as `/usr`; all must exist.
 * @property {string} [program] Path below a prefix of the program that callers start.
 * @property {string} [realProgram] The same, when unpacked elsewhere: Debian's start script
 *   in `program` names absolute paths.
 * @property {boolean} [test] Needed by the tests only.
 */

/** @type {Readonly<Record<string, KnownPackage>>} */
export const KNOWN_PACKAGES = {
  pocketsphinx: {
    purpose: 'speech recognition',
    proofs: ['bin/pocketsphinx_batch'],
    program: 'bin/pocketsphinx_batch',
  },
  'pocketsphinx-en-us': {
    purpose: 'its English model',
    proofs: ['share/pocketsphinx/model/en-us/en-us.lm.bin'],
  },
  chromium: {
    purpose: 'browser for end-to-end tests',
    proofs: ['bin/chromium'],
    program: 'bin/chromium',
    realProgram: 'lib/chromium/chromium',
    test: true,
  },
  dbus: {
    purpose: 'private bus for the emulated Bluetooth radio',
    proofs: ['bin/dbus-daemon'],
    program: 'bin/dbus-daemon',
    test: true,
  },
  'opus-tools': {
    purpose: 'second opinion on Ogg Opus files',
    proofs: ['bin/opusinfo'],
    program: 'bin/opusinfo',
    test: true,
  },
  ffmpeg: {
    purpose: 'second opinion on audio',
    proofs: ['bin/ffprobe'],
    program: 'bin/ffmpeg',
    test: true,
  },
  flite: {
    purpose: 'test speech',
    proofs: ['bin/flite'],
    program: 'bin/flite',
    test: true,
  },
};

const names = Object.keys(KNOWN_PACKAGES);

/** What the product itself needs. */
export const PRODUCT_PACKAGES = names.filter((name) => !KNOWN_PACKAGES[name].test);

/** What the tests need beyond the product. */
export const TEST_PACKAGES = names.filter((name) => KNOWN_PACKAGES[name].test);
