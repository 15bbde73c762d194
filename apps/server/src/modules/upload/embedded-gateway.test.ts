import { cosFields, signCosPost } from '@linnet/contract/cos-post';
import { afterAll, beforeAll } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { postForm } from '../../../test/uploads.ts';
import { uploadPolicyContract } from '../../providers/storage/policy-suite.ts';
import type { UploadTerms } from '../../providers/storage/port.ts';
import { loadKeys } from '../../secrets.ts';
import { createEmbeddedGateway, storePath } from './embedded-gateway.ts';

let server: TestServer;
let account: Account;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.register();
});
afterAll(() => server.close());

uploadPolicyContract('the embedded store', async () => {
  const gateway = createEmbeddedGateway(server.store, await loadKeys(server.config));
  return {
    signature: cosFields.signature,
    stat: (key) => server.store.stat(key),
    sign: async (terms) => {
      await insertGrant(terms);
      return formFor(terms, await gateway.permitUpload(terms));
    },
    post: async (fields, file) =>
      (await postForm(server, storePath, [...Object.entries(fields), ['file', file]])).statusCode,
  };

  /** Inserts a grant, because the store only accepts objects under keys with a grant. */
  async function insertGrant({ key, maxSize, end }: UploadTerms): Promise<void> {
    await server.db
      .insertInto('upload_leaves')
      .values({
        key,
        account_id: account.id,
        type: 'voice_file',
        ext: 'ogg',
        max_size: maxSize,
        created_at: server.now(),
        expires_at: new Date(end * 1000),
      })
      .execute();
  }

  /** Signs a form like a COS client. */
  function formFor({ key, maxSize, types, start, end }: UploadTerms, permission: object) {
    const grant = {
      provider: 'local' as const,
      bucket: gateway.bucket,
      cosRegion: gateway.region,
      key,
      maxSize,
      startTime: start,
      expiredTime: end,
      expiration: new Date(end * 1000).toISOString(),
      uploadUrl: '',
      url: '',
      ...permission,
    };
    return signCosPost(grant, { contentType: types[0], size: maxSize });
  }
});
