/**
 * The Debian packages that Linnet uses. A package counts as installed if its required files exist, which can be checked
 * on any system without a package manager.
 */

/**
 * @typedef {object} KnownPackage
 * @property {string} purpose shown in progress lines and hints
 * @property {readonly string[]} requiredFiles paths relative to a prefix such as `/usr`; all must exist
 * @property {string} [program] path of the program that callers start, relative to a prefix
 * @property {string} [realProgram] replaces `program` in a private folder, where Debian's start script, which contains
 *   absolute paths, would fail
 * @property {'test' | 's3' | 'load' | 'network'} [for] needed only by tests, only by tests with an S3 server, only by tests
 *   and benchmarks with a load balancer, or only by the benchmark of several machines
 */

/** @type {Readonly<Record<string, KnownPackage>>} */
export const KNOWN_PACKAGES = {
  pocketsphinx: {
    purpose: 'speech recognition',
    requiredFiles: ['bin/pocketsphinx_batch'],
    program: 'bin/pocketsphinx_batch',
  },
  'pocketsphinx-en-us': {
    purpose: 'English model of pocketsphinx',
    requiredFiles: ['share/pocketsphinx/model/en-us/en-us.lm.bin'],
  },
  bzip2: {
    purpose: 'extraction of speech models',
    // Debian installs it in /bin, not /usr/bin.
    requiredFiles: ['../bin/bzip2'],
    program: '../bin/bzip2',
  },
  chromium: {
    purpose: 'browser for end-to-end tests',
    requiredFiles: ['bin/chromium'],
    program: 'bin/chromium',
    realProgram: 'lib/chromium/chromium',
    for: 'test',
  },
  dbus: {
    purpose: 'private bus for the emulated Bluetooth radio',
    requiredFiles: ['bin/dbus-daemon'],
    program: 'bin/dbus-daemon',
    for: 'test',
  },
  'opus-tools': {
    purpose: 'independent check of Ogg Opus files',
    requiredFiles: ['bin/opusinfo'],
    program: 'bin/opusinfo',
    for: 'test',
  },
  ffmpeg: {
    purpose: 'decoder and independent check of audio files in tests',
    requiredFiles: ['bin/ffprobe'],
    program: 'bin/ffmpeg',
    for: 'test',
  },
  flite: {
    purpose: 'synthesized speech for tests',
    requiredFiles: ['bin/flite'],
    program: 'bin/flite',
    for: 'test',
  },
  'poppler-utils': {
    purpose: 'independent check of PDF files',
    requiredFiles: ['bin/pdftotext'],
    program: 'bin/pdftotext',
    for: 'test',
  },
  'apache2-bin': {
    purpose: 'WebDAV server for tests',
    requiredFiles: ['sbin/apache2', 'lib/apache2/modules/mod_dav_fs.so'],
    program: 'sbin/apache2',
    for: 'test',
  },
  unzip: {
    purpose: 'independent check of archives',
    requiredFiles: ['bin/unzip'],
    program: 'bin/unzip',
    for: 'test',
  },
  'libreoffice-writer-nogui': {
    purpose: 'independent check of Word files',
    // The package has no `program`, because the tests find it in PATH.
    requiredFiles: ['bin/soffice', 'lib/libreoffice/program/libswlo.so'],
    for: 'test',
  },
  // Without a font for the script, the text of a PDF printed by the browser can't be extracted correctly.
  'fonts-tlwg-garuda-ttf': {
    purpose: 'Thai font',
    requiredFiles: ['share/fonts/truetype/tlwg/Garuda.ttf'],
    for: 'test',
  },
  'fonts-droid-fallback': {
    purpose: 'Chinese and Japanese font',
    requiredFiles: ['share/fonts/truetype/droid/DroidSansFallbackFull.ttf'],
    for: 'test',
  },
  // Placeholder boxes are narrower than Korean letters, so the tests would miss text that doesn't fit.
  'fonts-nanum': {
    purpose: 'Korean font',
    requiredFiles: ['share/fonts/truetype/nanum/NanumGothic.ttf'],
    for: 'test',
  },
  radosgw: {
    purpose: 'S3 server for tests',
    requiredFiles: ['bin/radosgw', 'bin/radosgw-admin'],
    program: 'bin/radosgw',
    for: 's3',
  },
  'ceph-mon': {
    purpose: 'monitor of the S3 server',
    requiredFiles: ['bin/ceph-mon', 'bin/monmaptool'],
    program: 'bin/ceph-mon',
    for: 's3',
  },
  'ceph-osd': {
    purpose: 'storage of the S3 server',
    requiredFiles: ['bin/ceph-osd', 'bin/osdmaptool'],
    program: 'bin/ceph-osd',
    for: 's3',
  },
  haproxy: {
    purpose: 'load balancer of the test of rolling updates and of benchmarks',
    requiredFiles: ['sbin/haproxy'],
    program: 'sbin/haproxy',
    for: 'load',
  },
  iproute2: {
    purpose: 'network namespaces of the benchmark of several machines',
    requiredFiles: ['sbin/ip'],
    for: 'network',
  },
  python3: {
    purpose: 'delays of the network in the benchmark of several machines',
    requiredFiles: ['bin/python3'],
    for: 'network',
  },
};

const listPackagesFor = (group) =>
  Object.keys(KNOWN_PACKAGES).filter((name) => KNOWN_PACKAGES[name].for === group);

/** Packages for running Linnet. */
export const PRODUCT_PACKAGES = listPackagesFor(undefined);

/** Additional packages for the tests. */
export const TEST_PACKAGES = listPackagesFor('test');

/** Packages for the S3 server. */
export const S3_PACKAGES = listPackagesFor('s3');

/** Packages for a load balancer. */
export const LOAD_PACKAGES = listPackagesFor('load');

/** Packages for network namespaces. */
export const NETWORK_PACKAGES = listPackagesFor('network');
