import type { DefineCall } from '../../http/calls.ts';
import type { DefineForm } from '../../http/forms.ts';
import type { RecordingService } from '../recording/service.ts';
import type { Addresses } from './addresses.ts';
import type { UploadGrants } from './grants.ts';
import type { Intake, Kept } from './intake.ts';
import { cleanExt } from './kinds.ts';
import type { Quota } from './quota.ts';
import type { UploadService } from './service.ts';

export function uploadRoutes(
  call: DefineCall,
  grants: UploadGrants,
  uploads: UploadService,
  quota: Quota,
  recordings: RecordingService,
  addresses: Addresses,
): void {
  call('oss/config', ({ type, ext }, { accountId }, { origin }) => {
    // The output of /convert is not a recording.
    const converted = type === 'voice_file' && cleanExt(ext) === 'mp3';
    return grants.issue(accountId, converted ? 'converted' : type, ext, origin);
  });
  call('user/storage', (_body, { accountId }) => quota.usage(accountId));
  call('upload/ossConfig', (_body, { accountId }, { origin }) =>
    grants.issue(accountId, 'log', 'log', origin),
  );
  call('upload/ossFile', (body, { accountId, sessionId }, { origin }) =>
    uploads.register(accountId, addresses.keyOf(body.url), body, (key) =>
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

/** Uploads through the API itself. */
export function intakeRoutes(
  form: DefineForm,
  uploads: UploadService,
  intake: Intake,
  addresses: Addresses,
): void {
  form<'upload/radioFile', Kept>('upload/radioFile', {
    file: 'radio',
    keep: (file, { accountId }) => intake.keep(accountId, file),
    drop: (kept) => intake.drop(kept),
    finish: async (kept, fields, { accountId, sessionId }, { origin, request }) => {
      try {
        const facts = intake.describe(kept, fields);
        return await uploads.register(accountId, kept.key, facts, (key) =>
          addresses.sign(origin, key, sessionId),
        );
      } catch (error) {
        await uploads.discard(accountId, kept.key).catch((failure) => {
          request.log.warn({ err: failure }, 'uploaded file not discarded, left to the sweep');
        });
        throw error;
      }
    },
  });
}
