/**
 * Tests key derivation and records: checks the worked example in `PROTOCOL.md` against OpenSSL, and tests invalid
 * input.
 */
import {
  createCipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  sign,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeFrame,
  encodeFrame,
  encodeRequest,
  encodeResponse,
  type Frame,
  FrameDecoder,
} from '../codec/index.ts';
import { anyMessage } from '../codec/testing/any-message.ts';
import {
  attestationMessage,
  Channel,
  deriveBindingKey,
  deriveLinkKeys,
  generateKeyPair,
  hashOwnerTag,
  type KeyPair,
  openPhoneChannel,
  openRecorderChannel,
  wifiProof,
} from './index.ts';

const page = readFileSync(join(import.meta.dirname, '../../PROTOCOL.md'), 'utf8');

/** Parses an example in `PROTOCOL.md` and returns a function that looks up its values by name. */
function readExample(title: string): (name: string) => Uint8Array {
  const text = new RegExp(`\`\`\`vector ${title}\n([\\s\\S]+?)\`\`\``).exec(page)?.[1] ?? '';
  const values = new Map<string, number[]>();
  let name = '';
  for (const line of text.replaceAll(/;.*$/gm, '').split('\n')) {
    if (line.trim() && !line.startsWith(' ')) name = line.trim();
    for (const token of line.startsWith(' ') ? line.split(/\s+/).filter(Boolean) : []) {
      const [digits = '', times = '1'] = token.split('*');
      const repeated = Array(Number(times)).fill(Number.parseInt(digits, 16)) as number[];
      values.set(name, [...(values.get(name) ?? []), ...repeated]);
    }
  }
  return (expected) => Uint8Array.from(values.get(expected) ?? expect.fail(`no ${expected}`));
}

/** The labels in the document's tables, which the examples use. */
const labels = [...page.matchAll(/^\| 0 \| label \| text\[16\] \| `(.+)` \|$/gm)].map(
  ([, label = '']) => label,
);
const findLabel = (purpose: string) =>
  labels.find((label) => label.startsWith(`Linnet ${purpose} `)) ?? expect.fail(purpose);

const sn = 'LNR19514B1B6';
const transcript = { minVersion: 1, maxVersion: 2, version: 2, sn } as const;
const binding = readExample('binding');
const link = readExample('channel');
const records = readExample('records');
const attestation = readExample('attestation');
const getKeyPair = (exampleValues: typeof binding, role: 'phone' | 'recorder'): KeyPair => ({
  publicKey: exampleValues(`${role} public key`),
  secretKey: exampleValues(`${role} secret key`),
});
const phoneSide = (exampleValues: typeof binding) => ({
  keyPair: getKeyPair(exampleValues, 'phone'),
  peerKey: getKeyPair(exampleValues, 'recorder').publicKey,
});
const recorderSide = (exampleValues: typeof binding) => ({
  keyPair: getKeyPair(exampleValues, 'recorder'),
  peerKey: getKeyPair(exampleValues, 'phone').publicKey,
});
const ownerTag = Uint8Array.from({ length: 16 }, (_, offset) => 0xa0 + offset);

/** Computes the example independently, with OpenSSL through `node:crypto`. */
const openssl = {
  key(secret: Uint8Array) {
    const head = Buffer.from('302e020100300506032b656e04220420', 'hex');
    return createPrivateKey({ key: Buffer.concat([head, secret]), format: 'der', type: 'pkcs8' });
  },
  getPublicKey(secret: Uint8Array) {
    return createPublicKey(this.key(secret)).export({ format: 'der', type: 'spki' }).subarray(12);
  },
  shared(exampleValues: typeof binding) {
    const privateKey = this.key(exampleValues('phone secret key'));
    const publicKey = createPublicKey(this.key(exampleValues('recorder secret key')));
    return diffieHellman({ privateKey, publicKey });
  },
  text(value: string) {
    const field = Buffer.alloc(16);
    field.write(value, 'latin1');
    return field;
  },
  derive(
    exampleValues: typeof binding,
    salt: Uint8Array,
    head: readonly Uint8Array[],
    size: number,
  ) {
    const keys = [exampleValues('phone public key'), exampleValues('recorder public key')];
    const info = Buffer.concat([...head, this.text(sn), ...keys]);
    return Buffer.from(hkdfSync('sha256', this.shared(exampleValues), salt, info, size));
  },
  seal(key: Uint8Array, number: number, associated: Uint8Array, plain: Uint8Array) {
    const nonce = Buffer.alloc(12);
    nonce.writeUInt32LE(number);
    const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: 16 });
    cipher.setAAD(associated, { plaintextLength: plain.length });
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  },
};
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('the worked example in PROTOCOL.md', () => {
  test.each([binding, link])('matches OpenSSL’s public keys and shared secret', (exampleValues) => {
    for (const role of ['phone', 'recorder'] as const) {
      const { publicKey, secretKey } = getKeyPair(exampleValues, role);
      expect(hex(publicKey)).toBe(hex(openssl.getPublicKey(secretKey)));
    }
    expect(hex(exampleValues('shared'))).toBe(hex(openssl.shared(exampleValues)));
  });

  test('matches OpenSSL’s binding key on both sides', () => {
    const label = openssl.text(findLabel('binding'));
    const key = openssl.derive(binding, new Uint8Array(), [label], 32);
    expect(hex(binding('binding key'))).toBe(hex(key));
    const phone = deriveBindingKey({ role: 'phone', ...phoneSide(binding) }, sn);
    const recorder = deriveBindingKey({ role: 'recorder', ...recorderSide(binding) }, sn);
    expect([phone, recorder].map((each) => each && hex(each))).toEqual([hex(key), hex(key)]);
  });

  test('matches OpenSSL’s link keys and proof on both sides', () => {
    const head = [openssl.text(findLabel('channel')), Uint8Array.of(1, 2, 2)];
    const keys = openssl.derive(link, binding('binding key'), head, 64);
    expect(hex(link('phone to recorder'))).toBe(hex(keys.subarray(0, 32)));
    expect(hex(link('recorder to phone'))).toBe(hex(keys.subarray(32)));
    const proof = openssl.seal(keys.subarray(32), 0, new Uint8Array(), new Uint8Array());
    expect(hex(link('proof'))).toBe(hex(proof));
    const key = binding('binding key');
    const ourKeys = deriveLinkKeys({ role: 'phone', ...phoneSide(link) }, key, transcript);
    expect(ourKeys && hex(ourKeys.phoneToRecorder)).toBe(hex(keys.subarray(0, 32)));
    const response = openRecorderChannel(recorderSide(link), key, transcript);
    expect(response && hex(response.proof)).toBe(hex(proof));
    expect(openPhoneChannel(phoneSide(link), key, transcript, proof)).not.toBeNull();
  });

  test('matches an attestation computed with OpenSSL', () => {
    const head = Buffer.from('302e020100300506032b657004220420', 'hex');
    const der = Buffer.concat([head, attestation('device secret key')]);
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(12);
    expect(hex(attestation('device public key'))).toBe(hex(publicKey));
    const challenge = attestation('challenge');
    const label = openssl.text(findLabel('attest'));
    const message = Buffer.concat([label, openssl.text(sn), records('owner'), challenge]);
    expect(hex(attestation('signature'))).toBe(hex(sign(null, message, key)));
    expect(hex(attestationMessage(sn, hashOwnerTag(ownerTag), challenge))).toBe(hex(message));
  });

  test('matches a proof of a Wi-Fi link computed with OpenSSL', () => {
    const wifi = readExample('wifi');
    const message = Buffer.concat([openssl.text(findLabel('WiFi')), wifi('challenge')]);
    const proof = createHmac('sha256', wifi('secret')).update(message).digest('hex');
    expect(hex(wifi('proof'))).toBe(proof);
    expect(hex(wifiProof(wifi('secret'), wifi('challenge')))).toBe(proof);
  });

  test('seals and opens records identical to OpenSSL’s', () => {
    const key = binding('binding key');
    const phone = openPhoneChannel(phoneSide(link), key, transcript, link('proof'));
    const response = openRecorderChannel(recorderSide(link), key, transcript);
    if (!phone || !response) return expect.fail('no channel');
    const { channel: recorder } = response;
    const timeSync = encodeRequest('timeSync', { unixTime: 1_795_267_359, timeZone: 4 }, 3);
    const exchanged = [
      ['timeSync', phone, recorder, 'phone to recorder', 1, timeSync],
      ['answer', recorder, phone, 'recorder to phone', 1, encodeResponse('timeSync', {}, 3)],
      ['claim', phone, recorder, 'phone to recorder', 2, encodeRequest('claim', { ownerTag }, 4)],
    ] as const;
    for (const [name, from, to, direction, number, clear] of exchanged) {
      const expected = records(name);
      const sealed = openssl.seal(
        link(direction),
        number,
        expected.subarray(2, 9),
        clear.subarray(10, -2),
      );
      expect(hex(expected.subarray(14, -2))).toBe(hex(sealed));
      expect(hex(from.seal(clear))).toBe(hex(expected));
      expect(to.open(decodeOnlyFrame(expected))).toEqual(decodeFrame(clear));
    }
    const owner = createHash('sha256')
      .update(Buffer.concat([openssl.text('Linnet owner 2'), ownerTag]))
      .digest();
    expect(hex(records('owner'))).toBe(hex(owner));
    expect(hex(hashOwnerTag(ownerTag))).toBe(hex(owner));
  });
});

function decodeOnlyFrame(bytes: Uint8Array): Frame {
  const [frame, ...others] = new FrameDecoder().push(bytes);
  if (!frame || others.length > 0) throw new Error('not exactly one frame');
  return frame;
}

/** Returns the channels at both ends of a new link. */
function openLink(): { phone: Channel; recorder: Channel } {
  const keys = deriveLinkKeys(
    { role: 'phone', ...phoneSide(link) },
    generateKeyPair().publicKey,
    transcript,
  );
  if (!keys) throw new Error('no keys');
  return { phone: new Channel('phone', keys), recorder: new Channel('recorder', keys) };
}

const status = (sequence = 1) => encodeRequest('status', {}, sequence);

describe('Channel', () => {
  test('transmits every message in both directions', () => {
    const { phone, recorder } = openLink();
    fc.assert(
      fc.property(anyMessage, (clear) => {
        expect(recorder.open(decodeOnlyFrame(phone.seal(clear)))).toEqual(decodeFrame(clear));
        expect(phone.open(decodeOnlyFrame(recorder.seal(clear)))).toEqual(decodeFrame(clear));
      }),
      { numRuns: 300 },
    );
  });

  test('rejects replayed and reordered records', () => {
    const { phone, recorder } = openLink();
    const [first, second] = [
      decodeOnlyFrame(phone.seal(status(1))),
      decodeOnlyFrame(phone.seal(status(2))),
    ];
    expect(recorder.open(second)).not.toBeNull();
    expect(recorder.open(second)).toBeNull();
    expect(recorder.open(first)).toBeNull();
  });

  test('continues after a lost record', () => {
    const { phone, recorder } = openLink();
    phone.seal(status(1));
    expect(recorder.open(decodeOnlyFrame(phone.seal(status(2))))?.sequence).toBe(2);
  });

  test('rejects its own records, another link’s records, and unsealed frames', () => {
    const { phone, recorder } = openLink();
    expect(phone.open(decodeOnlyFrame(phone.seal(status())))).toBeNull();
    expect(recorder.open(decodeOnlyFrame(openLink().phone.seal(status())))).toBeNull();
    expect(recorder.open(decodeOnlyFrame(status()))).toBeNull();
  });

  test('rejects modified and truncated records', () => {
    fc.assert(
      fc.property(
        anyMessage,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (clear, position, flip) => {
          const { phone, recorder } = openLink();
          const frame = decodeOnlyFrame(phone.seal(clear));
          const payload = frame.payload.slice();
          const offset = position % payload.length;
          payload[offset] = (payload[offset] ?? 0) ^ flip;
          expect(recorder.open({ ...frame, payload })).toBeNull();
          expect(
            recorder.open({ ...frame, payload: frame.payload.subarray(0, offset) }),
          ).toBeNull();
          expect(recorder.open({ ...frame, command: frame.command ^ flip })).toBeNull();
          expect(recorder.open({ ...frame, sequence: frame.sequence ^ flip })).toBeNull();
          const kind = frame.kind === 'report' ? 'response' : 'report';
          expect(recorder.open({ ...frame, kind })).toBeNull();
          // A rejected record doesn't advance the sequence number.
          expect(recorder.open(frame)).toEqual(decodeFrame(clear));
        },
      ),
      { numRuns: 200 },
    );
  });

  test('rejects a record that is shorter than its number and tag', () => {
    const { recorder } = openLink();
    const frame = { version: 2, flags: 1, kind: 'request', command: 6, sequence: 1 } as const;
    for (let size = 0; size < 20; size++) {
      const payload = new Uint8Array(size).fill(1);
      expect(recorder.open(decodeOnlyFrame(encodeFrame({ ...frame, payload })))).toBeNull();
    }
  });

  test('adds at most 36 bytes to a chunk', () => {
    const { recorder } = openLink();
    const chunk = encodeFrame({
      ...{ version: 1, flags: 0, kind: 'stream', command: 0x24, sequence: 1 },
      payload: new Uint8Array(1604),
    });
    expect(recorder.seal(chunk).length).toBe(1636);
  });
});

describe('key derivation', () => {
  test('rejects a public key that is zero or has small order', () => {
    for (const first of [0, 1]) {
      const peerKey = new Uint8Array(32);
      peerKey[0] = first;
      const exchange = { keyPair: generateKeyPair(), peerKey };
      expect(deriveBindingKey({ role: 'phone', ...exchange }, sn)).toBeNull();
      expect(openRecorderChannel(exchange, new Uint8Array(32), transcript)).toBeNull();
    }
  });

  test('depends on the binding, the recorder and the offered versions', () => {
    const key = binding('binding key');
    const proof = link('proof');
    const side = phoneSide(link);
    expect(openPhoneChannel(side, new Uint8Array(32).fill(9), transcript, proof)).toBeNull();
    expect(openPhoneChannel(side, key, { ...transcript, sn: 'LNR100000000' }, proof)).toBeNull();
    expect(openPhoneChannel(side, key, { ...transcript, minVersion: 2 }, proof)).toBeNull();
    expect(openPhoneChannel(side, key, transcript, proof.subarray(0, 15))).toBeNull();
  });
});
