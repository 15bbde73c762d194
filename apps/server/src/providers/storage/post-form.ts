import { openAsBlob } from 'node:fs';
import type { FileToPost } from './port.ts';
import { StorageFailure } from './port.ts';

/** Upload timeout, enough for two gigabytes at two megabytes per second. */
const timeoutMs = 20 * 60_000;

/**
 * Posts a form whose last field is a file, as browsers do. Redirects aren't followed.
 * @param address the store's URL, as configured
 * @throws StorageFailure refused, too-large
 */
export async function postForm(
  address: string,
  fields: Readonly<Record<string, string>>,
  { path, mediaType }: FileToPost,
): Promise<void> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', await openAsBlob(path, { type: mediaType }), 'file');
  const response = await fetch(address, {
    method: 'POST',
    body: form,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.ok) return;
  const code = /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? 'no code';
  if (code === 'EntityTooLarge') throw new StorageFailure('too-large', code);
  if (response.status < 500) throw new StorageFailure('refused', `${response.status} ${code}`);
  throw new Error(`the store responded to a form with ${response.status} ${code}`);
}
