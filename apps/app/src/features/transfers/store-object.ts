import type { UploadGrant } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import { signCosPost } from '@linnet/contract/cos-post';
import type { CloudResult } from '@linnet/sync';
import { type PostOutcome, postForm } from '../../runtime/post-form.ts';

/**
 * Uploads a file to the server's object storage.
 * @param onProgress called with the fraction of the file sent so far, 0–1
 * @returns the object's URL
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
  // The file must be the last field, because the storage may ignore any fields after it.
  form.append('file', file, name);
  const outcome = await postForm(preparedForm?.url ?? uploadUrl, form, onProgress, signal);
  return outcome.status === 204
    ? { ok: true, data: url }
    : { ok: false, failure: toCallFailure(outcome) };
}

function toCallFailure({ status }: PostOutcome): CallFailure {
  if (typeof status === 'number') return { kind: 'http', status };
  if (status === 'network') return { kind: 'network', cause: 'upload' };
  return { kind: status };
}
