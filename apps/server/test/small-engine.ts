import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findPocketSphinx } from '../src/providers/speech/pocketsphinx/installation.ts';

const scenes = new URL('../../virtual-recorder/scenes/', import.meta.url);

/** The small dictionary contains one in this many words of the full one. */
const SPARSITY = 10;

/**
 * Creates an `ENGINES_DIR` with the installed PocketSphinx and a dictionary of about 13,000 words, including all words
 * in the virtual recorder's scenes. The engine starts and recognizes four times as fast as with the full dictionary,
 * which the accuracy tests use.
 * @returns the folder, or null if PocketSphinx isn't installed on the system
 */
export async function makeSmallEngine(folder: string): Promise<string | null> {
  const search = await findPocketSphinx(undefined);
  if (search.status === 'missing') return null;
  const { program, acousticModel, dictionary, languageModel } = search.installation;
  const programs = path.join(folder, 'usr/bin');
  const model = path.join(folder, 'usr/share/pocketsphinx/model/en-us');
  await mkdir(programs, { recursive: true });
  await mkdir(model, { recursive: true });
  await symlink(program, path.join(programs, path.basename(program)));
  await symlink(acousticModel, path.join(model, path.basename(acousticModel)));
  await symlink(languageModel, path.join(model, path.basename(languageModel)));
  const entries = reduce(await readFile(dictionary, 'utf8'), await sceneWords());
  await writeFile(path.join(model, path.basename(dictionary)), entries);
  return folder;
}

async function sceneWords(): Promise<ReadonlySet<string>> {
  const names = (await readdir(scenes)).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, scenes), 'utf8')));
  return new Set(texts.flatMap((text) => text.toLowerCase().match(/[a-z']+/g) ?? []));
}

/** Returns the dictionary entries for the given words, and for one in `SPARSITY` of all other words. */
function reduce(dictionary: string, words: ReadonlySet<string>): string {
  let count = 0;
  let isKept = false;
  const keptLines = dictionary.split('\n').filter((line) => {
    const [word = ''] = line.split(' ', 1);
    // A word's alternative pronunciations, such as `read(2)`, follow the first one.
    if (word.endsWith(')')) return isKept;
    count += 1;
    isKept = words.has(word) || count % SPARSITY === 0;
    return isKept;
  });
  return `${keptLines.join('\n')}\n`;
}
