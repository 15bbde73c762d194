import type { DefineCall } from '../../http/calls.ts';
import type { Addresses } from '../upload/addresses.ts';
import type { Caller } from '../user/access.ts';
import type { RecordingService } from './service.ts';

export function recordingRoutes(
  call: DefineCall,
  recordings: RecordingService,
  addresses: Addresses,
): void {
  const signFor =
    (origin: string, { sessionId }: Caller) =>
    (key: string) =>
      addresses.sign(origin, key, sessionId);
  call('radio/rename', (body, caller, { origin }) =>
    recordings.rename(caller.accountId, body, signFor(origin, caller)),
  );
  call('radio/delete', ({ id }, caller, { origin }) =>
    recordings.bin(caller.accountId, id, signFor(origin, caller)),
  );
  call('radio/recover', async ({ ids }, caller) => ({
    ids: await recordings.recover(caller.accountId, ids),
  }));
  call('radio/batchDelete', async ({ ids }, caller) => ({
    ids: await recordings.erase(caller.accountId, ids),
  }));
  call('radio/translateHistory', (body, caller) => recordings.history(caller.accountId, body));
}
