import { toHex } from '@linnet/base';
import type { FirmwareDescriptor } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import { limits } from '@linnet/contract/limits';
import { firmwarePath } from '@linnet/contract/routes';
import { crc16 } from '@linnet/device/codec';
import type { FirmwareImage } from '@linnet/device/session';
import type { FirmwareFailure } from '../../ports/firmware.ts';
import type { Outcome } from '../../ports/store.ts';

/** Time limit in milliseconds for downloading an image: at most a few megabytes, on a slow network. */
const IMAGE_TIMEOUT_MS = 120_000;

/** The 64 bytes of an Ed25519 signature in base64. */
const signaturePattern = /^[A-Za-z0-9+/]{86}==$/;

/**
 * Loads the server's firmware descriptor for a model; null if there is none. The timestamp bypasses all
 * caches, as specified.
 * @param server the server's origin
 */
export async function fetchDescriptor(
  server: string,
  projectCode: string,
): Promise<Outcome<FirmwareDescriptor | null, CallFailure>> {
  const address = `${server}${firmwarePath(projectCode)}?t=${Date.now()}`;
  const got = await get(address, limits.requestTimeoutMs, (response) => response.text());
  if (!got.ok) {
    const absent = got.failure.kind === 'http' && got.failure.status === 404;
    return absent ? { ok: true, data: null } : got;
  }
  const descriptor = readDescriptor(got.data, projectCode);
  return descriptor
    ? { ok: true, data: descriptor }
    : { ok: false, failure: { kind: 'malformed' } };
}

/** Downloads the image of a descriptor and verifies it. */
export async function fetchImage(
  { url, size, crc16: sum, sha256, version, signature }: FirmwareDescriptor,
  signal: AbortSignal,
): Promise<Outcome<FirmwareImage, FirmwareFailure>> {
  const got = await get(url, IMAGE_TIMEOUT_MS, (response) => response.arrayBuffer(), signal);
  if (!got.ok) return { ok: false, failure: { kind: 'server', failure: got.failure } };
  const bytes = new Uint8Array(got.data);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const isValid = bytes.length === size && toHex(digest) === sha256 && crc16(bytes) === sum;
  return isValid
    ? { ok: true, data: { bytes, crc16: sum, version, signature: fromBase64(signature) } }
    : { ok: false, failure: { kind: 'damaged' } };
}

/** Loads a file from the server. It is public, so no token is sent. */
async function get<T>(
  address: string,
  timeoutMs: number,
  read: (response: Response) => Promise<T>,
  signal?: AbortSignal,
): Promise<Outcome<T, CallFailure>> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const combined = signal ? AbortSignal.any([signal, timeout]) : timeout;
  try {
    const response = await fetch(address, { signal: combined, credentials: 'omit' });
    if (response.ok) return { ok: true, data: await read(response) };
    return { ok: false, failure: { kind: 'http', status: response.status } };
  } catch (cause) {
    if (signal?.aborted) return { ok: false, failure: { kind: 'aborted' } };
    if (timeout.aborted) return { ok: false, failure: { kind: 'timeout' } };
    return { ok: false, failure: { kind: 'network', cause } };
  }
}

/** Parses a descriptor as the contract's schema does, without adding the schema library to the app. */
export function readDescriptor(text: string, projectCode: string): FirmwareDescriptor | null {
  let json: Partial<FirmwareDescriptor> | null;
  try {
    json = JSON.parse(text) as typeof json;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  const { version, url, size, crc16: sum, sha256, signature, notes, published_at } = json ?? {};
  const isValid =
    json?.project_code === projectCode &&
    typeof version === 'string' &&
    /^\d+(\.\d+){1,3}$/.test(version) &&
    version.length <= 12 &&
    typeof url === 'string' &&
    Number.isSafeInteger(size) &&
    Number.isSafeInteger(sum) &&
    typeof sha256 === 'string' &&
    typeof signature === 'string' &&
    signaturePattern.test(signature) &&
    typeof notes === 'string' &&
    typeof published_at === 'string' &&
    !Number.isNaN(Date.parse(published_at));
  return isValid ? (json as FirmwareDescriptor) : null;
}

function fromBase64(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
