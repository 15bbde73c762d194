import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

type Measurement = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly note?: string;
};

const dist = join(import.meta.dirname, '..', 'dist');

/** Returns the static imports of a file, which the browser loads before running it. */
function staticImports(source: string): string[] {
  return [...source.matchAll(/(?:import|from)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)].map(
    ([, name]) => name as string,
  );
}

/**
 * Measures the JS and CSS that a first visit to the sign-in screen loads before it is usable, including its
 * translations. Workers start in parallel and are counted separately.
 */
export async function run(): Promise<Measurement[]> {
  const page = readFileSync(join(dist, 'index.html'), 'utf8');
  const referenced = [...page.matchAll(/(?:src|href)="\/assets\/([\w.-]+\.(?:js|css))"/g)].map(
    ([, name]) => name as string,
  );
  const read = (name: string) => readFileSync(join(dist, 'assets', name));
  const main = referenced.find((name) => name.startsWith('main-') && name.endsWith('.js'));
  if (!main) throw new Error('index.html references no main chunk');
  // Loaded immediately by the entry: the sign-in screen, its styles and the English translations.
  const lazy = [
    ...read(main)
      .toString()
      .matchAll(/assets\/((?:entry|en)-[\w-]+\.(?:js|css))|\.\/((?:entry|en)-[\w-]+\.js)/g),
  ].map(([, asset, local]) => (asset ?? local) as string);
  if (lazy.length < 2) throw new Error('the sign-in screen or its translations were not found');
  const files = new Set<string>();
  const queue = [...referenced, ...lazy];
  for (let name = queue.pop(); name; name = queue.pop()) {
    if (files.has(name)) continue;
    files.add(name);
    if (name.endsWith('.js')) queue.push(...staticImports(read(name).toString()));
  }
  const bytes = [...files].reduce(
    (sum, name) => sum + gzipSync(read(name), { level: 9 }).length,
    0,
  );
  return [{ name: 'app.initial', value: bytes / 1024, unit: 'KB gz', note: `${files.size} files` }];
}
