import type { DefineCall } from '../../http/calls.ts';
import type { DefineForm } from '../../http/forms.ts';
import type { RecordingService } from '../recording/service.ts';
import type { Addresses } from './addresses.ts';
import type { UploadGrants } from './grants.ts';
import type { Intake, ReceivedFile } from './intake.ts';
import { normalizeExtension } from './kinds.ts';
import type { Quota } from './quota.ts';
import type { UploadService } from './service.ts';

/** Registers the calls for direct uploads: grants, registration of the stored object, and storage usage. */
export function uploadRoutes(
  call: DefineCall,
  grants: UploadGrants,
  uploads: UploadService,
  quota: Quota,
  recordings: RecordingService,
  addresses: Addresses,
): void {
  call('oss/config', ({ type, ext, recording }, { accountId }, { origin }) => {
    const isConverted = type === 'voice_file' && normalizeExtension(ext) === 'mp3' && !recording;
    return grants.issue(accountId, isConverted ? 'converted' : type, ext, origin);
  });
  call('user/storage', (_body, { accountId }) => quota.usage(accountId));
  call('upload/ossConfig', (_body, { accountId }, { origin }) =>
    grants.issue(accountId, 'log', 'log', origin),
  );
  call('upload/ossFile', (body, { accountId, sessionId }, { origin }) =>
    uploads.register(accountId, addresses.parseKey(body.url), body, (key) =>
      addresses.sign(origin, key, sessionId),
    ),
  );
  call('upload/checkOssFile', (body, { accountId, sessionId }, { origin }) =>
    recordings.findByFlag(
      accountId,
      body.client_flag,
      (key) => addresses.sign(origin, key, sessionId),
      uploads.inspect,
    ),
  );
}

/** Registers the call that uploads a file through the API, instead of directly to the store. */
export function intakeRoutes(
  form: DefineForm,
  uploads: UploadService,
  intake: Intake,
  addresses: Addresses,
): void {
  form<'upload/radioFile', ReceivedFile>('upload/radioFile', {
    file: 'radio',
    storeFile: (file, { accountId }) => intake.receive(accountId, file),
    discardFile: (received) => intake.drop(received),
    finish: async (received, fields, { accountId, sessionId }, { origin, request }) => {
      try {
        const metadata = intake.completeMetadata(received, fields);
        return await uploads.register(accountId, received.key, metadata, (key) =>
          addresses.sign(origin, key, sessionId),
        );
      } catch (error) {
        await uploads.discard(accountId, received.key).catch((failure) => {
          request.log.warn(
            { err: failure },
            'failed to discard uploaded file, leaving it to the sweep',
          );
        });
        throw error;
      }
    },
  });
}
