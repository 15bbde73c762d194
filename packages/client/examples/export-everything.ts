/**
 * Exports all recordings to a folder: the audio, the transcript as text, and all data as JSON.
 *
 *     LINNET_SERVER=https://linnet.example LINNET_KEY=linnet_… node export-everything.ts <folder>
 *
 * The key needs the `read` scope. Existing files are kept, so an interrupted export can be resumed.
 */
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLinnet, type Recording } from '../src/index.ts';

const [folder = 'linnet'] = process.argv.slice(2);
const { LINNET_SERVER: server = 'http://localhost:8080', LINNET_KEY: key = '' } = process.env;
const linnet = createLinnet({ server, key });

await mkdir(folder, { recursive: true });
for (let page = 1, pages = 1; page <= pages; page += 1) {
  const { list, total, limit } = await linnet.call('task/index', { page, limit: 100 });
  pages = Math.ceil(total / limit);
  for (const recording of list) {
    const name = join(folder, fileName(recording));
    const task = recording.task && (await linnet.call('task/detail', { id: recording.task.id }));
    await save(`${name}.json`, JSON.stringify({ recording, task }, null, 2));
    if (task !== null) {
      await save(`${name}.txt`, task.paragraphs.map(({ content }) => content).join('\n\n'));
    }
    if (recording.url && !existsSync(`${name}.${recording.ext}`)) {
      const response = await fetch(new URL(recording.url, server));
      if (!response.ok) throw new Error(`${recording.id}: HTTP status ${response.status}`);
      await save(`${name}.${recording.ext}`, new Uint8Array(await response.arrayBuffer()));
    }
    console.log(name);
  }
}

/** Returns a file name that is valid on all systems. The recording's ID makes it unique. */
function fileName({ id, name, ai_title, recorded_at }: Recording): string {
  const title = (name || ai_title).replaceAll(/[^\p{L}\p{M}\p{N} ._-]/gu, ' ').trim();
  return `${recorded_at.slice(0, 10)} ${title.slice(0, 60)} ${id.slice(-8)}`.replace(/ +/g, ' ');
}

/** Writes a file atomically. */
async function save(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(`${path}.part`, content);
  await rename(`${path}.part`, path);
}
