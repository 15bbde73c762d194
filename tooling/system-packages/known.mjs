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
 * @property {'test' | 's3'} [for] Needed by the tests only, or by those that want an S3 server.
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
  bzip2: {
    purpose: 'unpacking of speech models',
    // Debian packs it below /bin, not /usr/bin.
    proofs: ['../bin/bzip2'],
    program: '../bin/bzip2',
  },
  chromium: {
    purpose: 'browser for end-to-end tests',
    proofs: ['bin/chromium'],
    program: 'bin/chromium',
    realProgram: 'lib/chromium/chromium',
    for: 'test',
  },
  dbus: {
    purpose: 'private bus for the emulated Bluetooth radio',
    proofs: ['bin/dbus-daemon'],
    program: 'bin/dbus-daemon',
    for: 'test',
  },
  'opus-tools': {
    purpose: 'second opinion on Ogg Opus files',
    proofs: ['bin/opusinfo'],
    program: 'bin/opusinfo',
    for: 'test',
  },
  ffmpeg: {
    purpose: 'second opinion on audio',
    proofs: ['bin/ffprobe'],
    program: 'bin/ffmpeg',
    for: 'test',
  },
  flite: {
    purpose: 'test speech',
    proofs: ['bin/flite'],
    program: 'bin/flite',
    for: 'test',
  },
  'poppler-utils': {
    purpose: 'second opinion on PDF files',
    proofs: ['bin/pdftotext'],
    program: 'bin/pdftotext',
    for: 'test',
  },
  unzip: {
    purpose: 'second opinion on archives',
    proofs: ['bin/unzip'],
    program: 'bin/unzip',
    for: 'test',
  },
  'libreoffice-writer-nogui': {
    purpose: 'second opinion on Word files',
    // Started by the tests alone: unpacked elsewhere it wants to be told where it is.
    proofs: ['bin/soffice', 'lib/libreoffice/program/libswlo.so'],
    for: 'test',
  },
  // Where a script has no face, browsers print text from which its first letter cannot be read again.
  'fonts-tlwg-garuda-ttf': {
    purpose: 'a face for Thai',
    proofs: ['share/fonts/truetype/tlwg/Garuda.ttf'],
    for: 'test',
  },
  'fonts-droid-fallback': {
    purpose: 'a face for Chinese and Japanese',
    proofs: ['share/fonts/truetype/droid/DroidSansFallbackFull.ttf'],
    for: 'test',
  },
  // Boxes in place of letters are narrower than these: what does not fit would fit.
  'fonts-nanum': {
    purpose: 'a face for Korean',
    proofs: ['share/fonts/truetype/nanum/NanumGothic.ttf'],
    for: 'test',
  },
  radosgw: {
    purpose: 'S3 server for tests',
    proofs: ['bin/radosgw', 'bin/radosgw-admin'],
    program: 'bin/radosgw',
    for: 's3',
  },
  'ceph-mon': {
    purpose: 'its monitor',
    proofs: ['bin/ceph-mon', 'bin/monmaptool'],
    program: 'bin/ceph-mon',
    for: 's3',
  },
  'ceph-osd': {
    purpose: 'its storage',
    proofs: ['bin/ceph-osd', 'bin/osdmaptool'],
    program: 'bin/ceph-osd',
    for: 's3',
  },
};

const neededFor = (group) =>
  Object.keys(KNOWN_PACKAGES).filter((name) => KNOWN_PACKAGES[name].for === group);

/** What the product itself needs. */
export const PRODUCT_PACKAGES = neededFor(undefined);

/** What the tests need beyond the product. */
export const TEST_PACKAGES = neededFor('test');

/** What an S3 server is made of. */
export const S3_PACKAGES = neededFor('s3');
