import { toHex } from '@linnet/audio/session-file';
import type { Client } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { openRecorderSession, type RecorderSession } from '@linnet/device/session';
import type { RecorderCandidate } from '@linnet/device/transport';
import type { Log } from '@linnet/sync';
import type { BindStep, Outcome, RecorderFailure } from '../../services.ts';
import { fromHex, keyOfAccount } from './binding-keys.ts';
import { attempt, notConnected, serverFailure } from './failures.ts';
import type { RecorderLink } from './recorder-link.ts';
import { knownRecorders } from './remembered.ts';

type Done = Outcome<null, RecorderFailure>;

const superseded = { ok: false, failure: { kind: 'device', code: 'aborted' } } as const;

/**
 * Connects a recorder that was found, asks the server whether it may be bound, binds it there and here,
 * and remembers it. A failure leaves it as it was; so does another bind, or signing out, meanwhile.
 */
export async function bindRecorder(
  { client, link, log }: { client: Client; link: RecorderLink; log: Log },
  candidate: RecorderCandidate,
  onStep: (step: BindStep) => void,
): Promise<Done> {
  const owner = link.owner();
  if (owner === null) return notConnected;
  onStep('connecting');
  const turn = await link.beginBind();
  try {
    const { signal } = turn;
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
    const adopted = await attempt(() => turn.adopt(session, recorder));
    if (!adopted.ok) return adopted;
    onStep('done');
    return { ok: true, data: null };
  } finally {
    turn.end();
  }
}

/**
 * A recorder is never bound to nobody's account: the server is asked first. Under version 1 it is told last, and the
 * recorder freed again when it refuses; under version 2 the recorder keeps nothing before `claim`, which comes last.
 * @returns the binding key in hex, null under version 1
 */
async function bindSession(
  client: Client,
  session: RecorderSession,
  { onStep, signal }: { onStep: (step: BindStep) => void; signal: AbortSignal },
): Promise<Outcome<string | null, RecorderFailure>> {
  const { sn, protocolVersion } = session.info;
  onStep('checking');
  const check = await client.call('device/check', { sn }, { signal });
  if (!check.ok) return serverFailure(check.failure, sn);
  const isOurs = check.data.bound === 'self';
  // The account's other phones have bound it: their key opens it without asking anybody.
  const asked = isOurs && protocolVersion > 1 ? await keyOfAccount(client, sn) : null;
  const knownKey = asked?.status === 'bound' && asked.key ? fromHex(asked.key) : undefined;
  if (signal.aborted) return superseded;
  onStep('confirming');
  const confirmed = await attempt(() => session.bind({ signal, ...(knownKey && { knownKey }) }));
  if (!confirmed.ok) return confirmed;
  // Whoever signed in meanwhile has nothing to do with it.
  if (signal.aborted) return superseded;
  onStep('binding');
  const key = confirmed.data.version === 2 ? toHex(confirmed.data.key) : null;
  const about = { sn, ...(key && { binding_key: key }) };
  const bound = await client.call('device/binding', about, { signal });
  if (!bound.ok) {
    // Freed again, unless it was this account's before. Under version 2 it was not bound yet.
    if (!key && !isOurs) await attempt(() => session.unbind());
    return serverFailure(bound.failure, sn);
  }
  if (!key) return { ok: true, data: null };
  const claimed = await attempt(() => session.claim(fromHex(check.data.owner_tag)));
  return claimed.ok ? { ok: true, data: key } : claimed;
}

/** Frees the connected recorder: on the server, on itself, and here. What broke half-way can be repeated. */
export async function unbindRecorder(client: Client, link: RecorderLink): Promise<Done> {
  const connection = link.current();
  const owner = link.owner();
  if (!connection || owner === null) return notConnected;
  const { sn } = connection.session.info;
  const told = await freeAtServer(client, sn);
  if (!told.ok) return told;
  const freed = await attempt(() => connection.session.unbind());
  if (!freed.ok) return freed;
  knownRecorders.forget(owner, sn);
  await link.disconnect();
  return { ok: true, data: null };
}

/** Forgets a recorder that knows this account no more, or is gone: at the server, and here. */
export async function forgetRecorder(
  client: Client,
  link: RecorderLink,
  sn: string,
): Promise<Done> {
  const owner = link.owner();
  if (owner === null) return notConnected;
  const told = await freeAtServer(client, sn);
  if (!told.ok) return told;
  knownRecorders.forget(owner, sn);
  await link.disconnect();
  return { ok: true, data: null };
}

/** A recorder that is the account's no more is free, as far as it goes. */
async function freeAtServer(client: Client, sn: string): Promise<Done> {
  const told = await client.call('device/unbinding', { sn });
  if (told.ok) return { ok: true, data: null };
  const { failure } = told;
  const isFree = failure.kind === 'server' && failure.code === codes.deviceNotYours;
  return isFree ? { ok: true, data: null } : serverFailure(failure, sn);
}
