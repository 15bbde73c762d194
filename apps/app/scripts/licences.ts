/** Lists the packages of app and server with their licenses, from the lockfile. */
import { readFileSync } from 'node:fs';

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
type Lockfile = { readonly packages: Readonly<Record<string, LockedPackage>> };

interface Licence {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

const modules = 'node_modules/';

/** Resolves a dependency as Node does: in the nearest `node_modules` folder upwards. */
function find({ packages }: Lockfile, from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder}${folder === '' ? '' : '/'}${modules}${name}`;
    if (packages[path]) return path;
    if (folder === '') return null;
  }
}

/** Collects the runtime dependencies of lockfile folders, each once, sorted by name. */
function licencesOf(lockfile: Lockfile, roots: readonly string[]): Licence[] {
  const seen = new Set<string>();
  const waiting = [...roots];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const { dependencies, optionalDependencies } = lockfile.packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = find(lockfile, path, name);
      if (found) waiting.push(found);
    }
  }
  const foreign = [...seen].filter((path) => {
    const { version, link } = lockfile.packages[path] ?? {};
    return path.includes(modules) && version !== undefined && !link;
  });
  const listed = foreign.map((path) => {
    const { version = '', license = '' } = lockfile.packages[path] ?? {};
    const name = path.slice(path.lastIndexOf(modules) + modules.length);
    return { name, version, licence: license || 'see the package' };
  });
  const unique = new Map(listed.map((one) => [`${one.name} ${one.version}`, one]));
  return [...unique.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** The third-party packages of app and server. */
export function readLicences(): Licence[] {
  const file = new URL('../../../package-lock.json', import.meta.url);
  return licencesOf(JSON.parse(readFileSync(file, 'utf8')) as Lockfile, [
    'apps/app',
    'apps/server',
  ]);
}
