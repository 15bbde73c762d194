import { toHex } from '@linnet/base';

/** Returns the SHA-256 of a file's content in hex. */
export async function computeDigest(content: Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', content)));
}
