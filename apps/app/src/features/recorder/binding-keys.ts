/**
 * The account's recorder keys (protocol version 2). They are stored on this phone, and on the server for the account's
 * other phones.
 */
import { fromHex } from '@linnet/base';
import type { Client } from '@linnet/contract/client';
import { DeviceError, openRecorderSession, type RecorderSession } from '@linnet/device/session';
import { type Transport, TransportError } from '@linnet/device/transport';
import { type KnownRecorder, knownRecorders } from './known-recorders.ts';

/** The account's binding with a recorder. `key` is in hex, or null for protocol version 1. */
export type AccountKey =
  | { readonly status: 'bound'; readonly key: string | null }
  | { readonly status: 'none' }
  /** The server is unreachable. */
  | { readonly status: 'unknown' };

/** Loads the account's key for a recorder from the server. */
export async function loadAccountKey(client: Client, sn: string): Promise<AccountKey> {
  const response = await client.call('device/index');
  if (!response.ok) return { status: 'unknown' };
  const device = response.data.list.find((each) => each.sn === sn);
  return device ? { status: 'bound', key: device.binding_key } : { status: 'none' };
}

/**
 * Opens a session with a known recorder. If the recorder refuses the key stored on this phone, retries once with the
 * key stored on the server.
 * @throws DeviceError `binding_unknown` if the recorder has been bound again; otherwise the errors of
 * `openRecorderSession`
 * @throws TransportError `connect_failed` if the server is unreachable; otherwise the errors of `connect`
 */
export async function openKnownRecorder(
  client: Client,
  known: KnownRecorder,
  connect: () => Promise<Transport>,
  signal: AbortSignal,
): Promise<RecorderSession> {
  const openSession = async (key: string | null) =>
    openRecorderSession(await connect(), {
      signal,
      ...(key !== null && { binding: { status: 'bound', key: fromHex(key) } }),
    });
  try {
    return await openSession(known.bindingKey);
  } catch (cause) {
    if (!isRefusal(cause)) throw cause;
    const accountKey = await loadAccountKey(client, known.sn);
    if (accountKey.status === 'unknown') throw new TransportError('connect_failed', { cause });
    if (accountKey.status === 'none' || accountKey.key === known.bindingKey) {
      // A recorder that refuses version 1 has been bound with version 2, possibly by another account.
      throw known.bindingKey === null ? new DeviceError('binding_unknown', { cause }) : cause;
    }
    const { key } = accountKey;
    const session = await openSession(key);
    knownRecorders.remember({ ...known, bindingKey: key });
    return session;
  }
}

function isRefusal(error: unknown): boolean {
  const codes: readonly string[] = ['binding_unknown', 'version_unsupported'];
  return error instanceof DeviceError && codes.includes(error.code);
}
