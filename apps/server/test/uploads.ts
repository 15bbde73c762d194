import { randomBytes } from 'node:crypto';
import type { Recording, UploadGrant } from '@linnet/contract';
import { signCosPost } from '@linnet/contract/cos-post';
import type { LightMyRequestResponse } from 'fastify';
import { getMediaType } from '../src/modules/upload/kinds.ts';
import type { Account, TestServer } from './server.ts';

/** Posts a form as a browser would. */
export async function postForm(
  server: TestServer,
  url: string,
  entries: readonly (readonly [string, string | Blob])[],
): Promise<LightMyRequestResponse> {
  const form = new FormData();
  for (const [name, value] of entries) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, 'file');
  }
  const encoded = new Response(form);
  return server.app.inject({
    method: 'POST',
    url: new URL(url, 'http://localhost').pathname,
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
}

/** Uploads bytes under a grant, with optional changes to its form fields. */
export async function postObject(
  server: TestServer,
  grant: UploadGrant,
  bytes: Uint8Array<ArrayBuffer>,
  change: (fields: Record<string, string>) => void = () => undefined,
): Promise<LightMyRequestResponse> {
  const type = getMediaType(grant.key);
  const fields = await signCosPost(grant, { contentType: type, size: bytes.length });
  change(fields);
  return postForm(server, grant.uploadUrl, [
    ...Object.entries(fields),
    ['file', new Blob([bytes], { type })],
  ]);
}

export async function grantFor(
  server: TestServer,
  account: Account,
  ext = 'ogg',
): Promise<UploadGrant> {
  return grant(server, account, { type: 'voice_file', ext });
}

async function grant(
  server: TestServer,
  account: Account,
  body: { readonly type: 'voice_file'; readonly ext: string; readonly recording?: boolean },
): Promise<UploadGrant> {
  const { data } = await server.call('oss/config', body, { token: account.access });
  return data;
}

/** Uploads and registers a recording. */
export async function uploadRecording(
  server: TestServer,
  account: Account,
  bytes: Uint8Array<ArrayBuffer>,
  {
    ext = 'ogg',
    clientFlag = crypto.randomUUID() as string,
    totalTime = 0,
    recordedAt,
  }: {
    readonly ext?: string;
    readonly clientFlag?: string;
    readonly totalTime?: number;
    readonly recordedAt?: string;
  } = {},
): Promise<Recording> {
  const issued = await grant(server, account, { type: 'voice_file', ext, recording: true });
  const postResponse = await postObject(server, issued, bytes);
  if (postResponse.statusCode !== 204) throw new Error(`the store returned ${postResponse.body}`);
  const { data, msg } = await server.call(
    'upload/ossFile',
    {
      name: 'A recording',
      source: 1,
      url: issued.url,
      file_size: bytes.length,
      ext,
      mime_type: getMediaType(issued.key),
      client_flag: clientFlag,
      total_time: totalTime,
      sn: 'SN1',
      ...(recordedAt && { recorded_at: recordedAt }),
    },
    { token: account.access },
  );
  if (!data) throw new Error(`recording rejected: ${msg}`);
  return data;
}

/** Returns a file that starts like Ogg Opus, followed by random bytes. */
export function randomOpus(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(randomBytes(size));
  bytes.set(Buffer.from(`OggS\0\x02${'\0'.repeat(20)}\x01\x13OpusHead\x01\x01`, 'latin1'));
  return bytes;
}

/** Returns a tone without speech as a 16-bit mono WAV file. */
export function toneWave(seconds: number, rate = 16_000): Uint8Array<ArrayBuffer> {
  const count = Math.round(seconds * rate);
  const bytes = Buffer.alloc(44 + count * 2);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + count * 2, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(count * 2, 40);
  for (let n = 0; n < count; n += 1) {
    bytes.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * 440 * n) / rate)), 44 + n * 2);
  }
  return new Uint8Array(bytes);
}
