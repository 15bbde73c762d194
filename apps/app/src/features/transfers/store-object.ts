import type { UploadGrant } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import { signCosPost } from '@linnet/contract/cos-post';
import type { CloudResult } from '@linnet/sync';
import { type PostOutcome, postForm } from '../../runtime/post-form.ts';

/**
 * Stores a file in the server's object store.
 * @param grant the upload grant
 * @param onProgress 0–1 of the bytes sent
 * @returns the file's address
 */
export async function storeObject(
  grant: UploadGrant,
  file: Blob,
  { name, contentType }: { readonly name: string; readonly contentType: string },
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<CloudResult<string>> {
  const { form: preparedForm, uploadUrl, url } = grant;
  const fields =
    preparedForm?.fields ?? (await signCosPost(grant, { contentType, size: file.size }));
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  // The file is the last field, because a store may ignore fields after it.
  form.append('file', file, name);
  const posted = await postForm(preparedForm?.url ?? uploadUrl, form, onProgress, signal);
  return posted.status === 204
    ? { ok: true, data: url }
    : { ok: false, failure: postFailure(posted) };
}

function postFailure({ status }: PostOutcome): CallFailure {
  if (typeof status === 'number') return { kind: 'http', status };
  if (status === 'network') return { kind: 'network', cause: 'upload' };
  return { kind: status };
}
