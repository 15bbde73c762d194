/** Clauses about frames, invalid bytes and the handshake. They require no authentication. */

import { crc8, crc16 } from '../../codec/crc.ts';
import {
  COMMANDS,
  encodeFrame,
  encodeRequest,
  type Frame,
  HEADER_SIZE,
  MIN_PAYLOAD_SIZE,
  VERSION_1,
  VERSION_2,
} from '../../codec/index.ts';
import { type Bench, BOTH_VERSIONS, ONLY_VERSION_1 } from '../bench.ts';
import type { Clause } from '../clause.ts';
import { describeResponse, type Probe } from '../probe.ts';
import { Broken, expectEqual, expectThat, NotTested } from '../verdict.ts';

const { handshake } = COMMANDS;
/** An undefined command number. */
const UNKNOWN_COMMAND = 0xff;
/** An undefined protocol version, as in byte 2 of a frame. */
const OTHER_VERSION = 0x30;
/** A pause after which an incomplete frame must be abandoned, in milliseconds. The limit is two seconds. */
const ABANDONED_MS = 2600;

const handshakeRequest = (sequence: number) => encodeRequest('handshake', BOTH_VERSIONS, sequence);

function changeByte(frame: Uint8Array, index: number): Uint8Array {
  const changed = frame.slice();
  changed[index] = (changed[index] ?? 0) ^ 0x10;
  return changed;
}

/** Changes a header field and updates the header checksum. */
function changeHeader(frame: Uint8Array, index: number, value: number): Uint8Array {
  const changed = frame.slice();
  changed[index] = value;
  changed[HEADER_SIZE - 1] = crc8(changed.subarray(2, HEADER_SIZE - 1));
  return changed;
}

/** Encodes a frame of the undefined kind 15. */
function encodeUnknownKind(payload: Uint8Array): Uint8Array {
  const fields = { version: VERSION_1, flags: 0, command: 1, sequence: 0 } as const;
  const frame = changeHeader(encodeFrame({ ...fields, kind: 'request', payload }), 3, 15);
  const check = crc16(frame.subarray(2, -2));
  frame.set([check & 0xff, check >> 8], frame.length - 2);
  return frame;
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

const responsesTo = (probe: Probe, sequence: number): readonly Frame[] =>
  probe.received.filter((frame) => frame.kind === 'response' && frame.sequence === sequence);

/**
 * Writes bytes that the recorder must not answer, followed by a handshake. Its response shows that the recorder has
 * read the bytes.
 * @param ignored returns the bytes, given the sequence that a response would have
 */
async function expectIgnored(
  bench: Bench,
  description: string,
  ignored: (sequence: number) => Uint8Array,
): Promise<void> {
  bench.getFacts();
  const probe = await bench.open();
  const sequence = probe.nextSequence();
  const next = probe.nextSequence();
  await probe.write(join(ignored(sequence), handshakeRequest(next)));
  const response = await probe.responseTo('handshake', next).catch((error: unknown) => {
    if (!(error instanceof Broken)) throw error;
    throw new Broken(`a response to the valid handshake after ${description}`, error.received);
  });
  expectThat(
    response.kind === 'ok',
    `result 0 to the valid handshake after ${description}`,
    describeResponse(response),
  );
  const answers = responsesTo(probe, sequence).length;
  expectThat(answers === 0, `no response to ${description}`, 'a response');
}

const hex = (byte: number) => byte.toString(16).padStart(2, '0');

const SERIAL = /^[A-Z0-9-]{1,16}$/;
const MODEL = /^[A-Z][A-Z0-9]{2,5}$/;

export const frameClauses: readonly Clause[] = [
  {
    id: 'handshake',
    section: 'handshake--0x01',
    title: 'answers a handshake with the selected version, its highest version and a payload size',
    requires: 'required',
    async check(bench) {
      const probe = await bench.open();
      const info = await probe.succeed('handshake', BOTH_VERSIONS);
      const onlyVersion1 = await (await bench.open()).request('handshake', ONLY_VERSION_1);
      bench.facts = { info, acceptsVersion1: onlyVersion1.kind === 'ok' };
      const { version, tranVersion, payloadSize } = info;
      const isKnown = version === VERSION_1 || version === VERSION_2;
      expectThat(isKnown, 'version 1 or 2', `version ${version}`);
      expectThat(tranVersion >= version, `tranVersion of at least ${version}`, `${tranVersion}`);
      expectThat(
        payloadSize >= MIN_PAYLOAD_SIZE,
        `a payloadSize of at least ${MIN_PAYLOAD_SIZE}`,
        `${payloadSize}`,
      );
    },
  },
  {
    id: 'handshake.highest-common',
    section: 'handshake--0x01',
    title: 'selects the highest common version if the phone offers more versions',
    requires: 'required',
    async check(bench) {
      const { info } = bench.getFacts();
      const request = { minVersion: 1, maxVersion: 9 };
      const { version } = await (await bench.open()).succeed('handshake', request);
      expectEqual('the version for a phone that offers 1 to 9', version, info.tranVersion);
    },
  },
  {
    id: 'handshake.none-common',
    section: 'handshake--0x01',
    title: 'refuses a phone without a common version (35)',
    requires: 'required',
    async check(bench) {
      bench.getFacts();
      const probe = await bench.open();
      const versions = { minVersion: 8, maxVersion: 9 };
      await probe.expectRefusal(
        'handshake',
        versions,
        ['version_unsupported'],
        'with versions 8 to 9',
      );
    },
  },
  {
    id: 'handshake.identity',
    section: '3-a-conversation',
    title: 'has a serial number that begins with its model code',
    requires: 'required',
    async check(bench) {
      const { sn, projectCode } = bench.getFacts().info;
      const code = 'a model code of 3 to 6 characters, A–Z and 0–9, beginning with a letter';
      expectThat(MODEL.test(projectCode), code, `"${projectCode}"`);
      expectThat(SERIAL.test(sn), 'a serial number of A–Z, 0–9 and -', `"${sn}"`);
      const expected = `a serial number that begins with ${projectCode}`;
      expectThat(sn.startsWith(projectCode), expected, `"${sn}"`);
    },
  },
  {
    id: 'frame.split',
    section: '1-the-frame',
    title: 'accepts a frame that arrives one byte at a time',
    requires: 'required',
    async check(bench) {
      bench.getFacts();
      const probe = await bench.open();
      const sequence = probe.nextSequence();
      await probe.write(handshakeRequest(sequence), 1);
      await probe.responseTo('handshake', sequence);
    },
  },
  {
    id: 'frame.sequence',
    section: '1-the-frame',
    title: "repeats a request's sequence number, even when it wraps from 65535 to 0",
    requires: 'required',
    async check(bench) {
      bench.getFacts();
      const probe = await bench.open(0xffff);
      await probe.succeed('handshake', BOTH_VERSIONS);
      await probe.succeed('handshake', BOTH_VERSIONS);
    },
  },
  {
    id: 'frame.direction',
    section: '1-the-frame',
    title: 'ignores frames in the wrong direction',
    requires: 'required',
    async check(bench) {
      await expectIgnored(bench, 'a handshake sent as a response', (sequence) =>
        encodeFrame({
          version: VERSION_1,
          flags: 0,
          kind: 'response',
          command: handshake.number,
          sequence,
          payload: Uint8Array.of(1, 2),
        }),
      );
    },
  },
  {
    id: 'frame.unknown-kind',
    section: '8-bad-bytes',
    title: 'skips a frame of an unknown kind completely',
    requires: 'required',
    async check(bench) {
      await expectIgnored(bench, 'a handshake within a frame of an unknown kind', (sequence) =>
        encodeUnknownKind(handshakeRequest(sequence)),
      );
    },
  },
  {
    id: 'frame.bad-check',
    section: '8-bad-bytes',
    title: 'ignores a frame with an invalid CRC-16',
    requires: 'required',
    async check(bench) {
      await expectIgnored(bench, 'a handshake with an invalid CRC-16', (sequence) => {
        const frame = handshakeRequest(sequence);
        return changeByte(frame, frame.length - 1);
      });
    },
  },
  {
    id: 'frame.bad-header',
    section: '8-bad-bytes',
    title:
      'ignores a frame with an invalid header check, and finds the frame that begins inside it',
    requires: 'required',
    async check(bench) {
      await expectIgnored(bench, 'a handshake with an invalid header check', (sequence) =>
        changeByte(handshakeRequest(sequence), HEADER_SIZE - 1),
      );
      // The damaged header announces more bytes than follow, so its frame would include the valid one.
      await expectIgnored(bench, 'an incomplete damaged frame', (sequence) =>
        changeByte(changeHeader(handshakeRequest(sequence), 7, 40), HEADER_SIZE - 1).subarray(
          0,
          12,
        ),
      );
    },
  },
  {
    id: 'frame.too-long',
    section: '8-bad-bytes',
    title: 'ignores a frame that announces more than 2048 bytes',
    requires: 'required',
    async check(bench) {
      await expectIgnored(bench, 'a header that announces 2049 bytes', (sequence) =>
        changeHeader(changeHeader(handshakeRequest(sequence), 7, 0x01), 8, 0x08),
      );
    },
  },
  {
    id: 'frame.abandoned',
    section: '8-bad-bytes',
    title: 'abandons a frame that is not completed within 2 s',
    requires: 'required',
    async check(bench) {
      bench.getFacts();
      if (bench.options.isQuick) throw new NotTested('takes 3 s; skipped in a quick check');
      const probe = await bench.open();
      await probe.write(changeHeader(handshakeRequest(probe.nextSequence()), 7, 200));
      await probe.pause(ABANDONED_MS);
      const response = await probe.request('handshake', BOTH_VERSIONS);
      expectThat(response.kind === 'ok', 'result 0 to a handshake', describeResponse(response));
    },
  },
  {
    id: 'order.unknown-command',
    section: '3-a-conversation',
    title: 'refuses an unknown command, even before the handshake (32)',
    requires: 'required',
    async check(bench) {
      bench.getFacts();
      const probe = await bench.open();
      const request = { command: UNKNOWN_COMMAND };
      await probe.expectRawRefusal(request, 'command_unknown', 'command 0xff before the handshake');
    },
  },
  {
    id: 'order.malformed',
    section: '3-a-conversation',
    title: 'refuses a request with missing bytes (33), without checking the order first',
    requires: 'required',
    async check(bench) {
      bench.getFacts();
      const probe = await bench.open();
      const shortRequest = { command: handshake.number, payload: Uint8Array.of(1) };
      await probe.expectRawRefusal(shortRequest, 'request_malformed', 'a handshake of one byte');
      const emptyRequest = { command: COMMANDS.syncFile.number };
      await probe.expectRawRefusal(emptyRequest, 'request_malformed', 'syncFile without fields');
    },
  },
  {
    id: 'order.before-handshake',
    section: '3-a-conversation',
    title: 'refuses every other command before the handshake (34)',
    requires: 'required',
    async check(bench) {
      bench.getFacts();
      const probe = await bench.open();
      for (const name of ['status', 'syncStop'] as const) {
        await probe.expectRefusal(name, {}, ['out_of_order'], 'before the handshake');
      }
    },
  },
  {
    id: 'order.frame-version',
    section: '3-a-conversation',
    title:
      'refuses a frame of a different version (35, unsealed), without checking the command first',
    requires: 'required',
    async check(bench) {
      bench.getFacts();
      const probe = await bench.open();
      const known = { command: handshake.number, payload: Uint8Array.of(1, 2) };
      const versionAndFlags = OTHER_VERSION;
      const unsupported = 'version_unsupported';
      await probe.expectRawRefusal(
        { ...known, versionAndFlags },
        unsupported,
        'a frame of version 3',
      );
      const unknown = { command: UNKNOWN_COMMAND, versionAndFlags };
      await probe.expectRawRefusal(unknown, unsupported, 'command 0xff in a frame of version 3');
      const others = [...probe.receivedVersionBytes].filter((byte) => byte !== 0x10);
      expectThat(others.length === 0, 'byte 2 of the responses: 10', others.map(hex).join(', '));
    },
  },
  {
    id: 'fields.longer',
    section: '5-field-types',
    title: 'ignores bytes after the known fields',
    requires: 'required',
    async check(bench) {
      bench.getFacts();
      const probe = await bench.open();
      const request = { command: handshake.number, payload: Uint8Array.of(1, 2, 0xaa, 0xbb) };
      const { result } = await probe.sendRaw(request, 'a handshake with two more bytes');
      expectEqual('the result of a handshake with two more bytes', result, 0);
    },
  },
];
