import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly note?: string;
};

const dist = join(import.meta.dirname, '..', 'dist');

/** The files that a file imports statically, which the browser has to have before it runs. */
function staticImports(source: string): string[] {
  return [...source.matchAll(/(?:import|from)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)].map(
    ([, name]) => name as string,
  );
}

/**
 * JS and CSS that a first visit to sign-in loads before it can be used: the page's own, the sign-in
 * screen's and its words. Workers start beside it and are counted apart.
 */
export async function run(): Promise<Figure[]> {
  const page = readFileSync(join(dist, 'index.html'), 'utf8');
  const named = [...page.matchAll(/(?:src|href)="\/assets\/([\w.-]+\.(?:js|css))"/g)].map(
    ([, name]) => name as string,
  );
  const read = (name: string) => readFileSync(join(dist, 'assets', name));
  const main = named.find((name) => name.startsWith('main-') && name.endsWith('.js'));
  if (!main) throw new Error('index.html names no main chunk');
  // Loaded at once by it, by name: the sign-in screen, its style and the English words.
  const lazy = [
    ...read(main)
      .toString()
      .matchAll(/assets\/((?:entry|en)-[\w-]+\.(?:js|css))|\.\/((?:entry|en)-[\w-]+\.js)/g),
  ].map(([, asset, local]) => (asset ?? local) as string);
  if (lazy.length < 2) throw new Error('the sign-in screen or its words were not found');
  const files = new Set<string>();
  const queue = [...named, ...lazy];
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
