/** Puts the built app into the projects for Android and iOS. */
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { buildApp } from '../build.mjs';
import { must, root } from '../project.mjs';

/** The folder of the app, with both projects. */
export const app = join(root, 'apps', 'app');

/** What the phones' apps carry, beside the projects; `webDir` of capacitor.config.ts. */
export const CARRIED = 'dist-phone';

/** What is made within the projects, by Capacitor, Gradle and Xcode. */
const made = new Set(['public', 'build', '.gradle', 'DerivedData']);

/**
 * What a phone has no use for: compressed copies, which Android's packager would take for the files themselves, maps,
 * the workbench, and the parts of a web app that the phone's own app is.
 */
const left =
  /\.(br|gz|map)$|^(sw\.js|workbox-.*\.js|workbench-.*|share-target\.js|manifest\.webmanifest|screenshots)$/;

/**
 * Where the server answers that the phones' apps talk to: its origin, from `LINNET_SERVER`. '' reaches none.
 * @param {string} [address]
 */
export function serverOrigin(address = process.env.LINNET_SERVER ?? '') {
  if (address === '') return '';
  const { protocol, origin } = new URL(address);
  if (protocol !== 'https:') throw new Error('LINNET_SERVER: phones allow https alone.');
  return origin;
}

/**
 * What the pages may do, as a server says it of its own (apps/server/src/plugins/security.ts): the app may be pointed
 * at any server, over HTTPS, and a recorder on its own network serves on whatever port (PROTOCOL.md, section 10).
 */
const policy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob: https:",
  "media-src 'self' blob: https:",
  "worker-src 'self' blob:",
  "connect-src 'self' https: http://192.168.4.1:* ws://192.168.4.1:*",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

/**
 * The page as phones carry it.
 * @param {string} html the web app's
 * @param {string} server its origin; '' for none
 */
export function phonePage(html, server) {
  const told = `<meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="server" content="${server}" />`;
  return html
    .replace(/\s*<link rel="manifest"[^>]*>/, '')
    .replace(/<meta charset="utf-8" ?\/?>/, told);
}

/**
 * Copies both projects as they come, without what was made in them. Paths that lead out of them, to `node_modules`,
 * are right only two folders below the project's root.
 * @param {string} into
 */
export async function copyProjects(into) {
  await rm(into, { recursive: true, force: true });
  const isGiven = (/** @type {string} */ path) => !made.has(basename(path));
  for (const name of ['package.json', 'capacitor.config.ts', 'android', 'ios']) {
    await cp(join(app, name), join(into, name), { recursive: true, filter: isGiven });
  }
}

/**
 * Builds what is not built, and brings both projects up to date with it.
 * @param {string} server what `serverOrigin` gives
 * @param {string} projects the folder with both
 */
export async function syncPhones(server, projects = app) {
  if (!server) console.log('LINNET_SERVER is not set: the apps made of this reach no server.');
  await buildApp();
  const carried = join(projects, CARRIED);
  await rm(carried, { recursive: true, force: true });
  const isCarried = (/** @type {string} */ path) => !left.test(basename(path));
  await cp(join(app, 'dist'), carried, { recursive: true, filter: isCarried });
  const page = join(carried, 'index.html');
  await writeFile(page, phonePage(await readFile(page, 'utf8'), server));
  for (const platform of ['android', 'ios'])
    await must('cap', ['sync', platform], { cwd: projects });
}
