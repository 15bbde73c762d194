import type { UploadGrant } from '@linnet/contract';
import { Upload } from 'tus-js-client';
import { resumablePath } from '../src/modules/upload/resumable-routes.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import type { Account } from './server.ts';

/**
 * Uploads a file resumably, with the usual client, over a connection that is cut repeatedly.
 * @param address the server's address
 * @param shares fractions of the file after which each connection is cut, plus up to a twentieth
 * @returns how many times the connection was cut
 */
export async function uploadOverUnreliableConnection(
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
    return line.cutCount;
  } finally {
    await line.close();
  }
}
