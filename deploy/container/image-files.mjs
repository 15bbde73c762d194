/** Lists and copies the files of the container image. Plain JavaScript, because it runs before any package is installed. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The workspace that the image runs. */
const SERVER = 'apps/server';

/** Files outside the workspaces. */
const MANIFESTS = ['package.json', 'package-lock.json', '.npmrc'];
const OTHER_FILES = ['LICENSE', 'deploy/container/health.mjs'];

/** The built app, which the API serves. */
const APP = 'apps/app/dist';

const TEST = /\.test\.tsx?$/;

const readManifest = (root, folder) =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

/** Returns the folders of all workspaces, relative to the root. */
function listWorkspaces(root) {
  return readManifest(root, '.').workspaces.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -2);
    return readdirSync(join(root, parent))
      .map((name) => `${parent}/${name}`)
      .filter((folder) => existsSync(join(root, folder, 'package.json')));
  });
}

/** Returns the folders of the server and of all workspaces that it depends on at runtime. */
export function runtimeWorkspaces(root) {
  const folders = new Map(
    listWorkspaces(root).map((folder) => [readManifest(root, folder).name, folder]),
  );
  const neededFolders = new Set();
  const visit = (folder) => {
    if (neededFolders.has(folder)) return;
    neededFolders.add(folder);
    for (const name of Object.keys(readManifest(root, folder).dependencies ?? {})) {
      const dependency = folders.get(name);
      if (dependency) visit(dependency);
    }
  };
  visit(SERVER);
  return [...neededFolders];
}

/**
 * Copies the image's files: those that determine the packages to `manifests`, and all others to `files`.
 * @param {string} root the root of the repository
 * @param {string} target an empty or missing folder
 * @param {{app?: string}} [options] `app` is the folder of the built app
 */
export function copyImageFiles(root, target, { app = join(root, APP) } = {}) {
  const copy = (source, part, path) => {
    const destination = join(target, part, path);
    mkdirSync(dirname(destination), { recursive: true });
    cpSync(source, destination, {
      recursive: true,
      filter: (file) => !TEST.test(relative(source, file)),
    });
  };
  // npm checks the lockfile against the manifests of all workspaces.
  const manifests = listWorkspaces(root).map((folder) => `${folder}/package.json`);
  for (const path of [...MANIFESTS, ...manifests]) copy(join(root, path), 'manifests', path);
  const sources = runtimeWorkspaces(root).map((folder) => `${folder}/src`);
  for (const path of [...OTHER_FILES, ...sources]) copy(join(root, path), 'files', path);
  copy(app, 'files', APP);
}
