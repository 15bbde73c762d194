import type { DefineCall } from '../../http/calls.ts';
import type { Addresses } from '../upload/addresses.ts';
import type { Changes } from './changes.ts';
import type { Operations } from './operations.ts';

export function syncRoutes(
  call: DefineCall,
  operations: Operations,
  changes: Changes,
  addresses: Addresses,
): void {
  call('sync/apply', ({ ops }, caller) => operations.apply(caller.accountId, ops));
  call('sync/changes', (body, caller, { origin }) =>
    changes.since(caller.accountId, body, (key) => addresses.sign(origin, key)),
  );
}
