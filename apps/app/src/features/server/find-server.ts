import { type CallFailure, createClient } from '@linnet/contract/client';
import type { AddressFailure, FoundServer } from '../../ports/server-address.ts';
import type { Outcome } from '../../ports/store.ts';
import { parseAddress } from './server-address.ts';

/** HTTP statuses of a proxy in front of an unavailable server. */
const gatewayErrors: ReadonlySet<number> = new Set([502, 503, 504]);

/** Checks the server at an entered address. */
export async function findServer(typed: string): Promise<Outcome<FoundServer, AddressFailure>> {
  const address = parseAddress(typed);
  if (!address) return { ok: false, failure: 'not_address' };
  const answer = await createClient({ baseUrl: address }).call('site/config');
  if (!answer.ok) return { ok: false, failure: await addressFailure(answer.failure, address) };
  // Another product may answer in the same envelope, so the contract's types are not trusted here.
  const { version, engines, agreement_version } = (answer.data ?? {}) as Partial<
    typeof answer.data
  >;
  const isLinnet =
    typeof version === 'string' &&
    typeof agreement_version === 'string' &&
    Array.isArray(engines?.transcription);
  return isLinnet ? { ok: true, data: { address, version } } : { ok: false, failure: 'not_linnet' };
}

async function addressFailure(failure: CallFailure, address: string): Promise<AddressFailure> {
  switch (failure.kind) {
    case 'http':
      return gatewayErrors.has(failure.status) ? 'unavailable' : 'not_linnet';
    case 'malformed':
    case 'server':
      return 'not_linnet';
    case 'timeout':
    case 'aborted':
      return 'no_answer';
    case 'network':
      return classifyNetworkError(address);
  }
}

/** Narrows down a network error, since browsers report the same error for every unreadable response. */
async function classifyNetworkError(address: string): Promise<AddressFailure> {
  if (!navigator.onLine) return 'offline';
  const { protocol, hostname } = new URL(address);
  const isLocalhost = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  if (location.protocol === 'https:' && protocol === 'http:' && !isLocalhost) return 'insecure';
  try {
    // An opaque response proves that the server responded.
    await fetch(address, { mode: 'no-cors', credentials: 'omit' });
    return 'blocked';
  } catch {
    // The request failed without a response.
    return 'no_answer';
  }
}
