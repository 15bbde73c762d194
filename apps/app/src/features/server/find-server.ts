import { type CallFailure, createClient } from '@linnet/contract/client';
import type { AddressFailure, FoundServer } from '../../ports/server-address.ts';
import type { Outcome } from '../../ports/store.ts';
import { parseAddress } from './server-address.ts';

/** HTTP statuses that a proxy returns when the server behind it is unavailable. */
const gatewayErrors: ReadonlySet<number> = new Set([502, 503, 504]);

/** Checks whether the address entered by the user belongs to a Linnet server. */
export async function findServer(input: string): Promise<Outcome<FoundServer, AddressFailure>> {
  const address = parseAddress(input);
  if (!address) return { ok: false, failure: 'not_address' };
  const response = await createClient({ baseUrl: address }).call('site/config');
  if (!response.ok)
    return { ok: false, failure: await toAddressFailure(response.failure, address) };
  // Another product may use the same response format, so the data may not conform to the contract.
  const { version, engines, agreement_version } = (response.data ?? {}) as Partial<
    typeof response.data
  >;
  const isLinnet =
    typeof version === 'string' &&
    typeof agreement_version === 'string' &&
    Array.isArray(engines?.transcription);
  return isLinnet ? { ok: true, data: { address, version } } : { ok: false, failure: 'not_linnet' };
}

async function toAddressFailure(failure: CallFailure, address: string): Promise<AddressFailure> {
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

/** Finds the cause of a network error, which browsers report the same way for every cause. */
async function classifyNetworkError(address: string): Promise<AddressFailure> {
  if (!navigator.onLine) return 'offline';
  const { protocol, hostname } = new URL(address);
  const isLocalhost = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  if (location.protocol === 'https:' && protocol === 'http:' && !isLocalhost) return 'insecure';
  try {
    // A request without CORS succeeds if the server responds at all.
    await fetch(address, { mode: 'no-cors', credentials: 'omit' });
    return 'blocked';
  } catch {
    return 'no_answer';
  }
}
