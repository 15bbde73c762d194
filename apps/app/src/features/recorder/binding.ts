/** Binds recorders to the account, unbinds them, and removes lost ones. */
import { fromHex, toHex } from '@linnet/base';
import type { BindingProof } from '@linnet/contract';
import type { Client } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { DeviceError, openRecorderSession, type RecorderSession } from '@linnet/device/session';
import type { RecorderCandidate } from '@linnet/device/transport';
import type { Log } from '@linnet/sync';
import type { BindStep, RecorderFailure } from '../../ports/recorder.ts';
import type { Outcome } from '../../ports/store.ts';
import { loadAccountKey } from './binding-keys.ts';
import { attempt, notConnected, serverFailure } from './failures.ts';
import { knownRecorders } from './known-recorders.ts';
import type { RecorderLink } from './recorder-link.ts';

type BindingOutcome = Outcome<null, RecorderFailure>;

const superseded = { ok: false, failure: { kind: 'device', code: 'aborted' } } as const;

/**
 * Connects to a discovered recorder, waits for the user to confirm on the recorder, and binds it on the server and this
 * phone. If binding fails, or is interrupted by another bind or a sign-out, nothing changes.
 */
export async function bindRecorder(
  { client, link, log }: { client: Client; link: RecorderLink; log: Log },
  candidate: RecorderCandidate,
  onStep: (step: BindStep) => void,
): Promise<BindingOutcome> {
  const owner = link.owner();
  if (owner === null) return notConnected;
  onStep('connecting');
  const period = await link.beginBind();
  try {
    const { signal } = period;
    const opened = await attempt(async () =>
      openRecorderSession(await candidate.connect({ signal }), {
        binding: { status: 'new' },
        signal,
      }),
    );
    if (!opened.ok) return opened;
    const session = opened.data;
    const outcome = await bindSession(client, session, { onStep, signal });
    if (!outcome.ok) {
      await session.close();
      return outcome;
    }
    const { sn } = session.info;
    const { kind, deviceId } = candidate;
    const name = candidate.advertisement.name || sn;
    const recorder = { kind, deviceId, name, sn, uid: owner, bindingKey: outcome.data };
    knownRecorders.remember(recorder);
    log('bind.done', { kind });
    const adopted = await attempt(() => period.adopt(session, recorder));
    if (!adopted.ok) return adopted;
    onStep('done');
    return { ok: true, data: null };
  } finally {
    period.end();
  }
}

/**
 * Binds on the server and the recorder. In protocol version 1, binds the recorder first and unbinds it if the server
 * refuses. In version 2, the recorder signs the binding for the server, and stores it only on the final `claim`.
 * @returns the binding key in hex; null in version 1
 */
async function bindSession(
  client: Client,
  session: RecorderSession,
  { onStep, signal }: { onStep: (step: BindStep) => void; signal: AbortSignal },
): Promise<Outcome<string | null, RecorderFailure>> {
  const { sn, protocolVersion, isBind } = session.info;
  onStep('checking');
  const check = await client.call('device/check', { sn }, { signal });
  if (!check.ok) return serverFailure(check.failure, sn);
  const isBoundToAccount = check.data.bound === 'self';
  // If another of the account's phones has bound the recorder, the account's key replaces the user's confirmation.
  const accountKey =
    isBoundToAccount && protocolVersion > 1 ? await loadAccountKey(client, sn) : null;
  const knownKey =
    accountKey?.status === 'bound' && accountKey.key ? fromHex(accountKey.key) : undefined;
  if (signal.aborted) return superseded;
  onStep(isBind && protocolVersion > 1 && !knownKey ? 'holding' : 'confirming');
  const confirmed = await attempt(() => session.bind({ signal, ...(knownKey && { knownKey }) }));
  if (!confirmed.ok) return confirmed;
  // Another account may have signed in while the recorder was waiting for confirmation.
  if (signal.aborted) return superseded;
  onStep('binding');
  if (confirmed.data.version === 1) {
    const bound = await client.call('device/binding', { sn }, { signal });
    if (bound.ok) return { ok: true, data: null };
    // Undo the binding, unless the recorder was already bound.
    if (!isBind) await attempt(() => session.unbind());
    return serverFailure(bound.failure, sn);
  }
  const ownerTag = fromHex(check.data.owner_tag);
  const signed = await attempt(() => signBinding(session, ownerTag, check.data.challenge));
  if (!signed.ok) return signed;
  const key = toHex(confirmed.data.key);
  const body = { sn, binding_key: key, ...(signed.data && { proof: signed.data }) };
  const bound = await client.call('device/binding', body, { signal });
  if (!bound.ok) return serverFailure(bound.failure, sn);
  const claimed = await attempt(() => session.claim(ownerTag));
  return claimed.ok ? { ok: true, data: key } : claimed;
}

/**
 * Has the recorder sign its binding with the account.
 * @returns null if the recorder has no signing key
 * @throws DeviceError
 */
async function signBinding(
  session: RecorderSession,
  ownerTag: Uint8Array,
  challenge: string,
): Promise<BindingProof | null> {
  try {
    return { challenge, signature: toHex(await session.attest(ownerTag, fromHex(challenge))) };
  } catch (error) {
    if (error instanceof DeviceError && error.code === 'command_unknown') return null;
    throw error;
  }
}

/**
 * Unbinds the connected recorder on the server, on the recorder and on this phone. Safe to repeat after an
 * interruption.
 */
export async function unbindRecorder(client: Client, link: RecorderLink): Promise<BindingOutcome> {
  const connection = link.current();
  const owner = link.owner();
  if (!connection || owner === null) return notConnected;
  const { sn } = connection.session.info;
  const response = await unbindOnServer(client, sn);
  if (!response.ok) return response;
  const unbound = await attempt(() => connection.session.unbind());
  if (!unbound.ok) return unbound;
  knownRecorders.forget(owner, sn);
  await link.disconnect();
  return { ok: true, data: null };
}

/** Removes a recorder from the server and this phone because it is lost or has lost its binding. */
export async function forgetRecorder(
  client: Client,
  link: RecorderLink,
  sn: string,
): Promise<BindingOutcome> {
  const owner = link.owner();
  if (owner === null) return notConnected;
  const response = await unbindOnServer(client, sn);
  if (!response.ok) return response;
  knownRecorders.forget(owner, sn);
  await link.disconnect();
  return { ok: true, data: null };
}

/** Unbinds on the server. Also succeeds if the recorder isn't bound to the account. */
async function unbindOnServer(client: Client, sn: string): Promise<BindingOutcome> {
  const response = await client.call('device/unbinding', { sn });
  if (response.ok) return { ok: true, data: null };
  const { failure } = response;
  const isUnbound = failure.kind === 'server' && failure.code === codes.deviceNotYours;
  return isUnbound ? { ok: true, data: null } : serverFailure(failure, sn);
}
