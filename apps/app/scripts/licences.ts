/** Which packages the app and the server are made of, and under which licences: as the lockfile has them. */
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

/** Where Node finds a package that another asks for: beside it, or further up. */
function find({ packages }: Lockfile, from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder}${folder === '' ? '' : '/'}${modules}${name}`;
    if (packages[path]) return path;
    if (folder === '') return null;
  }
}

/** Everything that some folders of the lockfile need to run, once each, by name. */
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

/** What the app and the server are made of besides Linnet's own code. */
export function readLicences(): Licence[] {
  const file = new URL('../../../package-lock.json', import.meta.url);
  return licencesOf(JSON.parse(readFileSync(file, 'utf8')) as Lockfile, [
    'apps/app',
    'apps/server',
  ]);
}
