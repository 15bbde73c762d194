import { toHex } from '@linnet/audio/session-file';
import type { Client } from '@linnet/contract/client';
import { openRecorderSession, type RecorderSession } from '@linnet/device/session';
import type { RecorderCandidate } from '@linnet/device/transport';
import type { Log } from '@linnet/sync';
import type { BindStep, Outcome, RecorderFailure } from '../../services.ts';
import { fromHex, keyOfAccount } from './binding-keys.ts';
import { attempt, notConnected, serverFailure } from './failures.ts';
import type { RecorderLink } from './recorder-link.ts';
import { knownRecorders } from './remembered.ts';

type Done = Outcome<null, RecorderFailure>;

/**
 * Connects a recorder that was found, asks the server whether it may be bound, binds it there and here,
 * and remembers it. A failure leaves it as it was.
 */
export async function bindRecorder(
  { client, link, log }: { client: Client; link: RecorderLink; log: Log },
  candidate: RecorderCandidate,
  onStep: (step: BindStep) => void,
): Promise<Done> {
  const owner = link.owner();
  if (owner === null) return notConnected;
  onStep('connecting');
  await link.setAside();
  const opened = await attempt(async () =>
    openRecorderSession(await candidate.connect(), { binding: { status: 'new' } }),
  );
  if (!opened.ok) return opened;
  const session = opened.data;
  const outcome = await bindSession(client, session, onStep);
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
  const adopted = await attempt(() => link.adopt(session, owner, recorder));
  if (!adopted.ok) return adopted;
  onStep('done');
  return { ok: true, data: null };
}

/**
 * A recorder is never bound to nobody's account: the server is asked first. Under version 1 it is told last, and the
 * recorder freed again when it refuses; under version 2 the recorder keeps nothing before `claim`, which comes last.
 * @returns the binding key in hex, null under version 1
 */
async function bindSession(
  client: Client,
  session: RecorderSession,
  onStep: (step: BindStep) => void,
): Promise<Outcome<string | null, RecorderFailure>> {
  const { sn, protocolVersion } = session.info;
  onStep('checking');
  const check = await client.call('device/check', { sn });
  if (!check.ok) return serverFailure(check.failure, sn);
  const isOurs = check.data.bound === 'self';
  // The account's other phones have bound it: their key opens it without asking anybody.
  const known = isOurs && protocolVersion > 1 ? await keyOfAccount(client, sn) : null;
  onStep('confirming');
  const confirmed = await attempt(() => session.bind(known ? { knownKey: fromHex(known) } : {}));
  if (!confirmed.ok) return confirmed;
  onStep('binding');
  const key = confirmed.data.version === 2 ? toHex(confirmed.data.key) : null;
  const bound = await client.call('device/binding', { sn, ...(key && { binding_key: key }) });
  if (!bound.ok) {
    // Freed again, unless it was this account's before. Under version 2 it was not bound yet.
    if (!key && !isOurs) await attempt(() => session.unbind());
    return serverFailure(bound.failure, sn);
  }
  if (!key) return { ok: true, data: null };
  const claimed = await attempt(() => session.claim(fromHex(check.data.owner_tag)));
  return claimed.ok ? { ok: true, data: key } : claimed;
}

/** Frees the connected recorder: on the server, on itself, and here. */
export async function unbindRecorder(client: Client, link: RecorderLink): Promise<Done> {
  const connection = link.current();
  const owner = link.owner();
  if (!connection || owner === null) return notConnected;
  const { sn } = connection.session.info;
  const told = await client.call('device/unbinding', { sn });
  if (!told.ok) return serverFailure(told.failure, sn);
  const freed = await attempt(() => connection.session.unbind());
  if (!freed.ok) return freed;
  knownRecorders.forget(owner, sn);
  await link.disconnect();
  return { ok: true, data: null };
}
