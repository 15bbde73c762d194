import { type CallFailure, createClient } from '@linnet/contract/client';
import type { AddressFailure, FoundServer } from '../../ports/server-address.ts';
import type { Outcome } from '../../ports/store.ts';
import { parseAddress } from './server-address.ts';

/** HTTP statuses of a proxy whose server is down. */
const down: ReadonlySet<number> = new Set([502, 503, 504]);

/** Checks the server at an entered address. */
export async function findServer(typed: string): Promise<Outcome<FoundServer, AddressFailure>> {
  const address = parseAddress(typed);
  if (!address) return { ok: false, failure: 'not_address' };
  const answer = await createClient({ baseUrl: address }).call('site/config');
  if (!answer.ok) return { ok: false, failure: await reason(answer.failure, address) };
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

async function reason(failure: CallFailure, address: string): Promise<AddressFailure> {
  switch (failure.kind) {
    case 'http':
      return down.has(failure.status) ? 'unavailable' : 'not_linnet';
    case 'malformed':
    case 'server':
      return 'not_linnet';
    case 'timeout':
    case 'aborted':
      return 'no_answer';
    case 'network':
      return unreachable(address);
  }
}

/**
 * Browsers report a single error for everything that prevents reading a response; further checks narrow it
 * down.
 */
async function unreachable(address: string): Promise<AddressFailure> {
  if (!navigator.onLine) return 'offline';
  const { protocol, hostname } = new URL(address);
  const here = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  if (location.protocol === 'https:' && protocol === 'http:' && !here) return 'insecure';
  try {
    // An unreadable response still proves that something responded.
    await fetch(address, { mode: 'no-cors', credentials: 'omit' });
    return 'blocked';
  } catch {
    // No response at all.
    return 'no_answer';
  }
}
