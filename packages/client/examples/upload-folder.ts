/**
 * Uploads the audio files in a folder and transcribes them:
 *
 *     LINNET_SERVER=https://linnet.example LINNET_KEY=linnet_… node upload-folder.ts <folder> [<language>]
 *
 * The key needs the scopes `read` and `write`. The server skips files that were uploaded before.
 */
import { openAsBlob } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { codes, createLinnet, LinnetError, uploadFile } from '../src/index.ts';

const [folder = '.', language = 'auto'] = process.argv.slice(2);
const { LINNET_SERVER: server = 'http://localhost:8080', LINNET_KEY: key = '' } = process.env;
const linnet = createLinnet({ server, key });

const audio = new Set(['.wav', '.ogg', '.opus', '.mp3', '.m4a', '.flac', '.webm']);
const names = (await readdir(folder)).filter((name) => audio.has(extname(name).toLowerCase()));
for (const name of names.sort()) {
  const path = join(folder, name);
  try {
    const { mtime } = await stat(path);
    const content = await openAsBlob(path);
    const recording = await uploadFile(linnet, { name, content, recordedAt: mtime });
    await transcribe(recording.id);
    console.log(`${name}: uploaded`);
  } catch (error) {
    if (!(error instanceof LinnetError)) throw error;
    console.error(`${name}: ${error.message}`);
    process.exitCode = 1;
  }
}

/** Requests a transcription, unless the recording has a transcript. */
async function transcribe(id: string): Promise<void> {
  const { list } = await linnet.call('task/index', { ids: [id] });
  if (list.some(({ task }) => task !== null)) return;
  try {
    await linnet.call('task/create', { id, language });
  } catch (error) {
    const isPoor = error instanceof LinnetError && error.code === codes.notEnoughMinutes;
    if (!isPoor) throw error;
    console.error('Not enough minutes to transcribe it.');
  }
}
