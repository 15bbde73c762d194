/** Copies the built app into the Android and iOS projects. */
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { buildApp } from '../build.mjs';
import { root, runOrExit } from '../project.mjs';

/** The app's folder, which contains both projects. */
export const appFolder = join(root, 'apps', 'app');

/** The folder for the native apps' web assets (`webDir` in capacitor.config.ts). */
export const WEB_DIR = 'dist-phone';

/** Folders that Capacitor, Gradle and Xcode generate in the projects. */
const generated = new Set(['public', 'build', '.gradle', 'DerivedData']);

/**
 * Matches build output that native apps don't need: source maps, the workbench, the files that make the web app
 * installable, and compressed copies, which Android's packager would mistake for the originals.
 */
const excluded =
  /\.(br|gz|map)$|^(sw\.js|workbox-.*\.js|workbench-.*|share-target\.js|push\.js|manifest\..*webmanifest|screenshots)$/;

/**
 * Returns the origin of the server that native apps connect to, from `LINNET_SERVER`, or '' if it isn't set.
 * @param {string} [address]
 */
export function getServerOrigin(address = process.env.LINNET_SERVER ?? '') {
  if (address === '') return '';
  const { protocol, origin } = new URL(address);
  if (protocol !== 'https:')
    throw new Error(
      "LINNET_SERVER must be an https URL, because phones don't allow other connections.",
    );
  return origin;
}

/**
 * The pages' Content Security Policy, similar to the server's (apps/server/src/plugins/security.ts). The app can use
 * any server over HTTPS, and a recorder may use any port on its own network (PROTOCOL.md, section 10).
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
 * Creates the index page for the native apps.
 * @param {string} html the web app's index page
 * @param {string} server the server's origin, or '' for none
 */
export function createPhonePage(html, server) {
  const head = `<meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="server" content="${server}" />`;
  return html
    .replace(/\s*<link rel="manifest"[^>]*>/, '')
    .replace(/<meta charset="utf-8" ?\/?>/, head);
}

/**
 * Copies both projects without generated files. The destination must be two levels below the repository root, because
 * the projects refer to `node_modules` by relative paths.
 * @param {string} destination
 */
export async function copyProjects(destination) {
  await rm(destination, { recursive: true, force: true });
  const isSource = (/** @type {string} */ path) => !generated.has(basename(path));
  for (const name of ['package.json', 'capacitor.config.ts', 'android', 'ios']) {
    await cp(join(appFolder, name), join(destination, name), { recursive: true, filter: isSource });
  }
}

/**
 * Builds the app and copies it into both projects.
 * @param {string} server the server's origin, see `getServerOrigin`
 * @param {string} projects the folder that contains both projects
 */
export async function syncPhones(server, projects = appFolder) {
  if (!server)
    console.log('LINNET_SERVER is not set, so the apps will have no server to connect to.');
  await buildApp();
  const webDir = join(projects, WEB_DIR);
  await rm(webDir, { recursive: true, force: true });
  const isIncluded = (/** @type {string} */ path) => !excluded.test(basename(path));
  await cp(join(appFolder, 'dist'), webDir, { recursive: true, filter: isIncluded });
  const page = join(webDir, 'index.html');
  await writeFile(page, createPhonePage(await readFile(page, 'utf8'), server));
  for (const platform of ['android', 'ios'])
    await runOrExit('cap', ['sync', platform], { cwd: projects });
}
