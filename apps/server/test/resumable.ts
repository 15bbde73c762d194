import type { UploadGrant } from '@linnet/contract';
import { Upload } from 'tus-js-client';
import { resumablePath } from '../src/modules/upload/resumable-routes.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import type { Account } from './server.ts';

/**
 * Uploads in parts with the usual client, over a line that is cut again and again.
 * @param address where the server listens
 * @param shares of the bytes, which the connections carry until they are cut, and up to a twentieth more
 * @returns how often the line was cut
 */
export async function uploadOverBadLine(
  address: URL,
  { access }: Account,
  grant: UploadGrant,
  bytes: Buffer,
  shares: readonly number[],
): Promise<number> {
  const line = await startCuttingProxy(
    address,
    shares.map((share) => Math.ceil((share + Math.random() / 20) * bytes.length)),
  );
  try {
    await new Promise<void>((resolve, reject) => {
      new Upload(bytes, {
        endpoint: `${line.url}${resumablePath}`,
        metadata: { token: grant.resumable?.token ?? '' },
        headers: { Authorization: `Bearer ${access}` },
        retryDelays: [10, 10, 10, 10],
        onSuccess: () => resolve(),
        onError: reject,
      }).start();
    });
    return line.cuts;
  } finally {
    await line.close();
  }
}
