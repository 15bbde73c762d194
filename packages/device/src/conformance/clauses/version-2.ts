/** Clauses about version 2 bindings and channels. */
import { deriveBindingKey, generateKeyPair } from '../../channel/index.ts';
import {
  COMMANDS,
  decodeFrame,
  encodeFrame,
  encodeRequest,
  FIXED_TOKEN,
  FLAG_SEALED,
  KEY_LENGTH,
  OWNER_TAG_LENGTH,
  VERSION_2,
} from '../../codec/index.ts';
import { type Bench, BOTH_VERSIONS, ONLY_VERSION_1, type PendingBind } from '../bench.ts';
import type { Clause } from '../clause.ts';
import { describeResponse, type Probe } from '../probe.ts';
import { Broken, expectEqual, expectThat, NotOffered, NotTested } from '../verdict.ts';
import { CONFIRMATION_MS } from './version-1.ts';

/** A public key that yields an all-zero shared secret. */
const ZERO_KEY = new Uint8Array(KEY_LENGTH);

/** Opens a version 2 link without a channel. @throws {NotOffered | NotTested} */
async function openVersion2(bench: Bench): Promise<Probe> {
  if (bench.getFacts().info.version !== VERSION_2) {
    throw new NotOffered('the recorder supports only version 1');
  }
  return bench.openUnauthenticated();
}

/** Opens a new link with a channel. @throws {NotOffered | NotTested} */
async function openSealed(bench: Bench): Promise<Probe> {
  if (bench.getFacts().info.version !== VERSION_2) {
    throw new NotOffered('the recorder supports only version 1');
  }
  if (!bench.binding) throw new NotTested('the recorder is not bound to this check');
  await bench.close();
  return bench.getLink();
}

/** Returns the bind in progress. @throws {NotTested} if it isn't at the given step */
function getPendingBind(bench: Bench, step: PendingBind['step']): PendingBind {
  if (bench.getFacts().info.version !== VERSION_2) {
    throw new NotOffered('the recorder supports only version 1');
  }
  const { pendingBind: pending } = bench;
  if (pending?.step === step && !pending.probe.isClosed) return pending;
  throw new NotTested(
    bench.binding ? 'the recorder is already bound to this check' : 'no bind reached this step',
  );
}

/** Uses the binding of an earlier check if the recorder still has it. */
export async function findBinding(bench: Bench): Promise<void> {
  const { info } = bench.facts ?? {};
  if (info?.version !== VERSION_2) return;
  const binding = await bench.options.loadBinding(info.sn);
  if (!binding) return;
  const probe = await bench.openUnauthenticated();
  const response = await bench.tryChannel(probe, binding.key);
  if (response.kind === 'ok' && response.value.channel) bench.binding = binding;
}

function randomTag(): Uint8Array {
  return generateKeyPair().publicKey.slice(0, OWNER_TAG_LENGTH);
}

export const bindingClauses: readonly Clause[] = [
  {
    id: 'version-2.binding-unknown',
    section: 'openchannel--0x09',
    title: 'refuses a channel without a binding (44)',
    requires: 'required',
    async check(bench) {
      const probe = await openVersion2(bench);
      if (bench.getFacts().info.isBind) throw new NotTested('the recorder is bound');
      const { publicKey } = generateKeyPair();
      await probe.expectRefusal(
        'openChannel',
        { publicKey },
        ['binding_unknown'],
        'without a binding',
      );
    },
  },
  {
    id: 'version-2.order',
    section: '3-a-conversation',
    title:
      'refuses unsealed commands sent without a channel (34), and version 1 commands (34 or 32)',
    requires: 'required',
    async check(bench) {
      const probe = await openVersion2(bench);
      await probe.expectRefusal('status', {}, ['out_of_order'], 'sent unsealed');
      await probe.expectRefusal(
        'claim',
        { ownerTag: randomTag() },
        ['out_of_order'],
        'sent unsealed',
      );
      const results = ['out_of_order', 'command_unknown'] as const;
      await probe.expectRefusal('token', { token: FIXED_TOKEN }, results, 'under version 2');
      await probe.expectRefusal('bind', {}, results, 'under version 2');
    },
  },
  {
    id: 'version-2.zero-key',
    section: 'agreekey--0x08',
    title: 'refuses a public key that yields an all-zero shared secret (33)',
    requires: 'required',
    async check(bench) {
      const probe = await openVersion2(bench);
      const request = { publicKey: ZERO_KEY };
      await probe.expectRefusal('agreeKey', request, ['request_malformed'], 'with an all-zero key');
      if (!bench.binding) return;
      await probe.expectRefusal(
        'openChannel',
        request,
        ['request_malformed'],
        'with an all-zero key',
      );
    },
  },
  {
    id: 'version-2.sealed-too-early',
    section: 'failures',
    title: 'refuses a sealed frame sent without a channel (35, unsealed)',
    requires: 'required',
    async check(bench) {
      const probe = await openVersion2(bench);
      const { number } = COMMANDS.status;
      const request = { command: number, payload: new Uint8Array(20), versionAndFlags: 0x21 };
      await probe.expectRawRefusal(
        request,
        'version_unsupported',
        'a sealed frame sent without a channel',
      );
    },
  },
  {
    id: 'version-2.agree-key',
    section: 'agreekey--0x08',
    title: 'answers with a public key, and opens no channel before the user decides (7)',
    requires: 'required',
    async check(bench) {
      const probe = await openVersion2(bench);
      const { info } = bench.getFacts();
      if (bench.binding) throw new NotTested('the recorder is already bound to this check');
      if (!(await bench.mayBind())) throw new NotTested('binding was not allowed');
      const keyPair = generateKeyPair();
      const receivedBefore = probe.received.length;
      const { publicKey } = await probe.succeed('agreeKey', { publicKey: keyPair.publicKey });
      const key = deriveBindingKey({ role: 'phone', keyPair, peerKey: publicKey }, info.sn);
      if (!key) throw new Broken('a valid X25519 public key', 'one with an all-zero shared secret');
      bench.pendingBind = { step: 'agreed', probe, key };
      const earlyResponse = await probe.request('openChannel', {
        publicKey: generateKeyPair().publicKey,
      });
      // A recorder without a button may decide before this request arrives.
      const isDecided = probe.getReports('bindChanged', receivedBefore).length > 0;
      const isWaiting =
        earlyResponse.kind === 'refused' && earlyResponse.name === 'waiting_for_bind';
      expectThat(
        isWaiting || isDecided,
        'result 7 (waiting_for_bind) to openChannel before the decision',
        describeResponse(earlyResponse),
      );
    },
  },
  {
    id: 'version-2.confirmed',
    section: 'binding',
    title: 'reports the user’s decision unsealed over the requesting link (4097)',
    requires: 'required',
    async check(bench) {
      const { probe, key } = getPendingBind(bench, 'agreed');
      bench.options.requestConfirmation(bench.getFacts().info);
      const { isBind } = await probe.waitForReport('bindChanged', 0, undefined, CONFIRMATION_MS);
      if (!isBind) throw new NotTested('the bind was not confirmed on the recorder');
      bench.pendingBind = { step: 'confirmed', probe, key };
    },
  },
  {
    id: 'version-2.proof',
    section: 'openchannel--0x09',
    title: 'proves the binding key when the channel opens',
    requires: 'required',
    async check(bench) {
      const { probe, key } = getPendingBind(bench, 'confirmed');
      const { channel } = await bench.requestChannel(probe, key);
      if (!channel) throw new Broken('a proof of the agreed binding key', 'a different proof');
      probe.channel = channel;
      bench.pendingBind = { step: 'opened', probe, key };
    },
  },
  {
    id: 'version-2.before-claim',
    section: 'binding',
    title: 'accepts timeSync between openChannel and claim, and refuses other commands (34)',
    requires: 'required',
    async check(bench) {
      const { probe } = getPendingBind(bench, 'opened');
      await bench.setTime(probe);
      await probe.expectRefusal('status', {}, ['out_of_order'], 'before the claim');
    },
  },
  {
    id: 'version-2.claim',
    section: 'claim--0x0a',
    title: 'binds on claim, and reports the bind (4097)',
    requires: 'required',
    async check(bench) {
      const { probe, key } = getPendingBind(bench, 'opened');
      const { sn } = bench.getFacts().info;
      const receivedBefore = probe.received.length;
      const binding = { key, ownerTag: randomTag() };
      await probe.succeed('claim', { ownerTag: binding.ownerTag });
      // Store the binding first, because the recorder may be bound now even if a later step fails.
      await bench.options.storeBinding(sn, binding);
      bench.binding = binding;
      bench.adopt(probe);
      await probe.waitForReport('bindChanged', receivedBefore, ({ isBind }) => isBind);
      expectEqual('isBind from status', (await probe.succeed('status', {})).isBind, true);
    },
  },
];

export const channelClauses: readonly Clause[] = [
  {
    id: 'version-2.no-version-1',
    section: 'unsealed-negotiation',
    title: 'while bound under version 2, refuses a phone that offers only version 1 (35)',
    requires: 'required',
    async check(bench) {
      await openSealed(bench);
      const probe = await bench.open();
      await probe.expectRefusal(
        'handshake',
        ONLY_VERSION_1,
        ['version_unsupported'],
        'for version 1 only',
      );
    },
  },
  {
    id: 'version-2.claim-again',
    section: 'claim--0x0a',
    title: 'accepts the same claim again, and refuses one with a different owner tag (34)',
    requires: 'required',
    async check(bench) {
      const probe = await openSealed(bench);
      const { ownerTag = randomTag() } = bench.binding ?? {};
      await probe.succeed('claim', { ownerTag });
      const other = { ownerTag: randomTag() };
      await probe.expectRefusal('claim', other, ['out_of_order'], 'with a different owner tag');
    },
  },
  {
    id: 'version-2.sealed-opening',
    section: '3-a-conversation',
    title: 'refuses a sealed handshake, token, bind, agreeKey or openChannel (34)',
    requires: 'required',
    async check(bench) {
      const probe = await openSealed(bench);
      const { publicKey } = generateKeyPair();
      const results = ['out_of_order'] as const;
      const version1Results = ['out_of_order', 'command_unknown'] as const;
      await probe.expectRefusal('handshake', BOTH_VERSIONS, results, 'in a channel');
      await probe.expectRefusal('agreeKey', { publicKey }, results, 'in a channel');
      await probe.expectRefusal('openChannel', { publicKey }, results, 'in a channel');
      await probe.expectRefusal('token', { token: FIXED_TOKEN }, version1Results, 'in a channel');
      await probe.expectRefusal('bind', {}, version1Results, 'in a channel');
    },
  },
  {
    id: 'version-2.number-gap',
    section: 'a-sealed-frame',
    title: 'accepts a record after a lost record',
    requires: 'required',
    async check(bench) {
      const probe = await openSealed(bench);
      probe.encode('status', {}, probe.nextSequence());
      await probe.succeed('status', {});
    },
  },
  {
    id: 'version-2.damaged',
    section: 'a-sealed-frame',
    title: 'ignores a sealed frame that was damaged in transit',
    requires: 'required',
    async check(bench) {
      const probe = await openSealed(bench);
      const damagedFrame = probe.encode('status', {}, probe.nextSequence());
      damagedFrame[damagedFrame.length - 1] = (damagedFrame.at(-1) ?? 0) ^ 1;
      await probe.write(damagedFrame);
      await probe.succeed('status', {});
    },
  },
  {
    id: 'version-2.replay',
    section: 'a-sealed-frame',
    title: 'closes the link after a replayed record',
    requires: 'required',
    async check(bench) {
      const probe = await openSealed(bench);
      const sequence = probe.nextSequence();
      const record = probe.encode('status', {}, sequence);
      await probe.write(record);
      await probe.responseTo('status', sequence);
      await probe.write(record);
      await probe.waitForClose('the link to be closed after a replayed record');
    },
  },
  {
    id: 'version-2.forged',
    section: 'a-sealed-frame',
    title: 'closes the link after a record with an invalid tag',
    requires: 'required',
    async check(bench) {
      const probe = await openSealed(bench);
      const { payload, ...head } = decodeFrame(probe.encode('status', {}, probe.nextSequence()));
      const forgedPayload = payload.slice();
      forgedPayload[forgedPayload.length - 1] = (forgedPayload.at(-1) ?? 0) ^ 1;
      await probe.write(encodeFrame({ ...head, flags: FLAG_SEALED, payload: forgedPayload }));
      await probe.waitForClose('the link to be closed after a forged record');
    },
  },
  {
    id: 'version-2.clear',
    section: 'a-sealed-frame',
    title: 'closes the link after an unsealed frame in a channel',
    requires: 'required',
    async check(bench) {
      const probe = await openSealed(bench);
      await probe.write(encodeRequest('status', {}, probe.nextSequence()));
      await probe.waitForClose('the link to be closed after an unsealed frame');
    },
  },
  {
    id: 'version-2.other-key',
    section: 'every-other-link',
    title: 'closes the link after the first record from a phone with a different key',
    requires: 'required',
    async check(bench) {
      const probe = await openVersion2(bench);
      if (!bench.binding) throw new NotTested('the recorder is not bound to this check');
      await probe.succeed('openChannel', { publicKey: generateKeyPair().publicKey });
      const payload = generateKeyPair().publicKey;
      payload.set([1, 0, 0, 0]);
      const { number: command } = COMMANDS.timeSync;
      const head = { version: VERSION_2, flags: FLAG_SEALED, kind: 'request' } as const;
      const sequence = probe.nextSequence();
      await probe.write(encodeFrame({ ...head, command, sequence, payload }));
      await probe.waitForClose('the link to be closed after a record sealed with a different key');
    },
  },
  {
    id: 'version-2.opens-again',
    section: 'every-other-link',
    title: 'opens a new channel with the same key after each rejection',
    requires: 'required',
    async check(bench) {
      const probe = await openSealed(bench);
      await probe.succeed('status', {});
    },
  },
];
