/** Lists the app's and the server's third-party packages with their licenses, as recorded in the lockfile. */
import { readFileSync } from 'node:fs';

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
type Lockfile = { readonly packages: Readonly<Record<string, LockedPackage>> };

interface License {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

const MODULES = 'node_modules/';

/**
 * Resolves a dependency the way Node does, in the nearest `node_modules` directory.
 * @returns its path in the lockfile
 */
function resolveDependency({ packages }: Lockfile, from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder}${folder === '' ? '' : '/'}${MODULES}${name}`;
    if (packages[path]) return path;
    if (folder === '') return null;
  }
}

/** Collects the runtime dependencies of the given packages, deduplicated and sorted by name. */
function collectLicenses(lockfile: Lockfile, roots: readonly string[]): License[] {
  const visited = new Set<string>();
  const pendingPackages = [...roots];
  for (let path = pendingPackages.pop(); path !== undefined; path = pendingPackages.pop()) {
    if (visited.has(path)) continue;
    visited.add(path);
    const { dependencies, optionalDependencies } = lockfile.packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const dependency = resolveDependency(lockfile, path, name);
      if (dependency) pendingPackages.push(dependency);
    }
  }
  const thirdParty = [...visited].filter((path) => {
    const { version, link } = lockfile.packages[path] ?? {};
    return path.includes(MODULES) && version !== undefined && !link;
  });
  const licenses = thirdParty.map((path) => {
    const { version = '', license = '' } = lockfile.packages[path] ?? {};
    const name = path.slice(path.lastIndexOf(MODULES) + MODULES.length);
    return { name, version, license: license || 'see the package' };
  });
  const unique = new Map(
    licenses.map((license) => [`${license.name} ${license.version}`, license]),
  );
  return [...unique.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** Returns the licenses of all third-party packages in the app and the server. */
export function readLicenses(): License[] {
  const file = new URL('../../../package-lock.json', import.meta.url);
  const lockfile = JSON.parse(readFileSync(file, 'utf8')) as Lockfile;
  return collectLicenses(lockfile, ['apps/app', 'apps/server']);
}
