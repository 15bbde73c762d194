import { fromBase64, toHex } from '@linnet/base';
import type { FirmwareDescriptor } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import { limits } from '@linnet/contract/limits';
import { firmwarePath } from '@linnet/contract/routes';
import { crc16 } from '@linnet/device/codec';
import type { FirmwareImage } from '@linnet/device/session';
import type { FirmwareFailure } from '../../ports/firmware.ts';
import type { Outcome } from '../../ports/store.ts';

/** Timeout in milliseconds for downloading an image: a few megabytes over a slow network. */
const IMAGE_TIMEOUT_MS = 120_000;

/** Matches an Ed25519 signature: 64 bytes in base64. */
const signaturePattern = /^[A-Za-z0-9+/]{86}==$/;

/**
 * Fetches the server's firmware descriptor for a model. A timestamp in the URL bypasses all caches, as specified.
 * @param server the server's origin
 * @returns null if the server publishes no firmware for this model
 */
export async function fetchDescriptor(
  server: string,
  projectCode: string,
): Promise<Outcome<FirmwareDescriptor | null, CallFailure>> {
  const url = `${server}${firmwarePath(projectCode)}?t=${Date.now()}`;
  const result = await get(url, limits.requestTimeoutMs, (response) => response.text());
  if (!result.ok) {
    const isNotFound = result.failure.kind === 'http' && result.failure.status === 404;
    return isNotFound ? { ok: true, data: null } : result;
  }
  const descriptor = parseDescriptor(result.data, projectCode);
  return descriptor
    ? { ok: true, data: descriptor }
    : { ok: false, failure: { kind: 'malformed' } };
}

/** Downloads a descriptor's image and verifies it. */
export async function fetchImage(
  { url, size, crc16: checksum, sha256, version, signature }: FirmwareDescriptor,
  signal: AbortSignal,
): Promise<Outcome<FirmwareImage, FirmwareFailure>> {
  const result = await get(url, IMAGE_TIMEOUT_MS, (response) => response.arrayBuffer(), signal);
  if (!result.ok) return { ok: false, failure: { kind: 'server', failure: result.failure } };
  const bytes = new Uint8Array(result.data);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const isValid = bytes.length === size && toHex(digest) === sha256 && crc16(bytes) === checksum;
  return isValid
    ? { ok: true, data: { bytes, crc16: checksum, version, signature: fromBase64(signature) } }
    : { ok: false, failure: { kind: 'damaged' } };
}

/** Fetches a public file from the server without sending credentials. */
async function get<T>(
  url: string,
  timeoutMs: number,
  read: (response: Response) => Promise<T>,
  signal?: AbortSignal,
): Promise<Outcome<T, CallFailure>> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const combined = signal ? AbortSignal.any([signal, timeout]) : timeout;
  try {
    const response = await fetch(url, { signal: combined, credentials: 'omit' });
    if (response.ok) return { ok: true, data: await read(response) };
    return { ok: false, failure: { kind: 'http', status: response.status } };
  } catch (cause) {
    if (signal?.aborted) return { ok: false, failure: { kind: 'aborted' } };
    if (timeout.aborted) return { ok: false, failure: { kind: 'timeout' } };
    return { ok: false, failure: { kind: 'network', cause } };
  }
}

/** Parses a descriptor by the contract's schema rules, without pulling the schema library into the app bundle. */
export function parseDescriptor(text: string, projectCode: string): FirmwareDescriptor | null {
  let json: Partial<FirmwareDescriptor> | null;
  try {
    json = JSON.parse(text) as typeof json;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  const {
    version,
    url,
    size,
    crc16: checksum,
    sha256,
    signature,
    notes,
    published_at,
  } = json ?? {};
  const isValid =
    json?.project_code === projectCode &&
    typeof version === 'string' &&
    /^\d+(\.\d+){1,3}$/.test(version) &&
    version.length <= 12 &&
    typeof url === 'string' &&
    Number.isSafeInteger(size) &&
    Number.isSafeInteger(checksum) &&
    typeof sha256 === 'string' &&
    typeof signature === 'string' &&
    signaturePattern.test(signature) &&
    typeof notes === 'string' &&
    typeof published_at === 'string' &&
    !Number.isNaN(Date.parse(published_at));
  return isValid ? (json as FirmwareDescriptor) : null;
}
