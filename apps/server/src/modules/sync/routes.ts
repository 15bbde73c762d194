import type { DefineCall } from '../../http/calls.ts';
import { CallError } from '../../http/failure.ts';
import type { RateLimiter } from '../../http/rate-limit.ts';
import type { MindMapFiles } from '../task/mind-map-files.ts';
import type { Addresses } from '../upload/addresses.ts';
import type { Changes } from './changes.ts';
import type { Operations } from './operations.ts';

/** Limits the bytes of operations stored per account and day, to about a hundred times a busy day of editing. */
const bytesPerDay = { name: 'sync-bytes', count: 100_000_000, seconds: 86_400 };

export function syncRoutes(
  call: DefineCall,
  limiter: RateLimiter,
  operations: Operations,
  changes: Changes,
  addresses: Addresses,
  mindMaps: MindMapFiles,
): void {
  call('sync/apply', async ({ ops }, { accountId, keyId }) => {
    if (keyId !== null && ops.some(({ type }) => type === 'setting.set')) {
      throw new CallError('keyNotAllowed', 'API keys cannot change settings.');
    }
    await limiter.take(bytesPerDay, accountId, Buffer.byteLength(JSON.stringify(ops)));
    return operations.apply(accountId, ops);
  });
  call('sync/changes', (body, caller, { origin }) =>
    changes.since(
      caller.account,
      body,
      (key) => addresses.sign(origin, key, caller.sessionId),
      mindMaps.signer(origin, caller.sessionId),
    ),
  );
}
