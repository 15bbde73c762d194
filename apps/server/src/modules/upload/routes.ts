import type { DefineCall } from '../../http/calls.ts';
import type { RecordingService } from '../recording/service.ts';
import type { Addresses } from './addresses.ts';
import type { UploadService } from './service.ts';

export function uploadRoutes(
  call: DefineCall,
  uploads: UploadService,
  recordings: RecordingService,
  addresses: Addresses,
): void {
  call('oss/config', (body, caller, { origin }) => uploads.leave(caller.accountId, body, origin));
  call('upload/ossFile', (body, caller, { origin }) =>
    uploads.register(caller.accountId, body, (key) => addresses.sign(origin, key)),
  );
  call('upload/checkOssFile', (body, caller, { origin }) =>
    recordings.findByFlag(caller.accountId, body.client_flag, (key) => addresses.sign(origin, key)),
  );
}
