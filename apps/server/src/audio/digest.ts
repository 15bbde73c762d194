import { createHash } from 'node:crypto';
import { type AudioDigest, AudioDigester } from '@linnet/audio/digest';

export type { AudioDigest };

/**
 * Computes both digests in one pass, with constant memory.
 * @throws any error from `file`
 */
export async function digestAudio(file: AsyncIterable<Uint8Array>): Promise<AudioDigest> {
  const digester = new AudioDigester(() => createHash('sha256'));
  for await (const bytes of file) digester.push(bytes);
  return digester.end();
}
