/**
 * Tests that files from crashed and third-party recorders are either stored unchanged or rejected before they are
 * registered.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { Readable } from 'node:stream';
import { audioKinds } from '@linnet/audio/kind';
import { createRecorderFiles, type RecorderFile } from '@linnet/audio/testing';
import { codes } from '@linnet/contract/codes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFolder } from '../../../test/folder.ts';
import { type Account, startTestServer, type TestServer } from '../../../test/server.ts';
import { postObject } from '../../../test/uploads.ts';
import { decodeToWave } from '../../audio/decode.ts';
import { type Ffmpeg, findFfmpeg } from '../../audio/ffmpeg.ts';

const files = await createRecorderFiles();
const neverAborted = new AbortController().signal;
let server: TestServer;
let account: Account;
let ffmpeg: Ffmpeg | null;
let folder: string;
beforeAll(async () => {
  [server, ffmpeg, folder] = await Promise.all([
    startTestServer({ FFMPEG: 'ffmpeg' }),
    findFfmpeg('ffmpeg'),
    makeFolder(),
  ]);
  account = await server.register();
});
afterAll(() => server.close());

/**
 * Uploads a file and registers it as a recording.
 * @returns the response to the last call
 */
async function upload({ name, bytes }: RecorderFile) {
  const token = { token: account.access };
  const ext = path.extname(name).slice(1);
  const body = { type: 'voice_file', ext, recording: true } as const;
  const { data: grant, ...refusal } = await server.call('oss/config', body, token);
  if (!grant) return { ...refusal, data: null };
  expect((await postObject(server, grant, bytes)).statusCode).toBe(204);
  const metadata = { name, source: 1, sn: '', total_time: 0, client_flag: randomUUID() };
  const file = { url: grant.url, file_size: bytes.length, ext, mime_type: '' };
  return server.call('upload/ossFile', { ...metadata, ...file }, token);
}

const isStored = ({ treatment }: RecorderFile) => treatment.as === 'stored';

it.each(files.filter(isStored))(
  '$name is stored unchanged, with the format of its content',
  async (file) => {
    const { data, msg } = await upload(file);
    if (file.treatment.as !== 'stored') throw new Error('Only stored files are expected.');
    const kind = audioKinds[file.treatment.kind];
    expect(data, msg).toMatchObject({ ext: kind.ext, mime_type: kind.mediaTypes[0] });
    const { pathname, search } = new URL(data?.url ?? '');
    const served = await server.app.inject({ url: pathname + search });
    expect(served.rawPayload.equals(file.bytes)).toBe(true);
    const input = {
      kind,
      source: Readable.from([served.rawPayload]),
      size: file.bytes.length,
      output: path.join(folder, file.name),
      maxSeconds: 60,
    };
    const { seconds, peaks } = await decodeToWave(input, ffmpeg, neverAborted);
    // Encoders pad their last frame, and begin with up to three frames of 1,024 samples at 48 kHz.
    expect(Math.abs(seconds - file.seconds)).toBeLessThan(0.15);
    expect(Math.max(...peaks)).toBeGreaterThan(20);
  },
);

it.each(files.filter((file) => !isStored(file)))(
  '$name is rejected, listing the formats to convert it to',
  async (file) => {
    const { code, msg } = await upload(file);
    expect(code).toBe(codes.typeNotAccepted);
    expect(msg).toMatch(
      /Send one of: ogg, wav, .*flac|one of these kinds .* Ogg Opus, WAV, .*FLAC/,
    );
  },
);
