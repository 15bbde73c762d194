import { openEmulatedLink } from '@linnet/device/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type OmiCodec, omiCodecs } from './codecs.ts';
import { type AudioItem, PacketAssembler } from './packets.ts';
import { openOmiSession } from './session.ts';
import { EmulatedOmi } from './testing/emulated-omi.ts';

/** Returns a packet whose bytes depend on its index. */
function makePacket({ bytes }: OmiCodec, index: number): Uint8Array {
  const length = bytes ?? 20 + ((index * 37) % 61);
  return Uint8Array.from({ length }, (_, at) => (index * 31 + at * 7) & 0xff);
}

async function connect(omi: EmulatedOmi): Promise<AudioItem[]> {
  const session = await openOmiSession(openEmulatedLink(omi), () => 0);
  const items: AudioItem[] = [];
  await session.startAudio((next) => items.push(...next));
  return items;
}

/**
 * Compares one connection's items with the sent notifications: each packet whose parts all arrived must be present,
 * with exactly the lost notifications and packets reported in between.
 */
function expectExactly(items: readonly AudioItem[], sent: EmulatedOmi['sent'], codec: OmiCodec) {
  const indexes = [...new Set(sent.map(({ packet }) => packet))];
  const isWhole = (index: number) =>
    sent.every(({ packet, isLost }) => packet !== index || !isLost);
  // The items begin with the first packet whose first part arrives.
  const isBegun = (index: number) => sent.find(({ packet }) => packet === index)?.isLost === false;
  const first = indexes.findIndex(isBegun);
  // Losses after the last received notification are unknown.
  const lastArrived = sent.findLast(({ isLost }) => !isLost)?.packet ?? -1;
  const known = first === -1 ? [] : indexes.slice(first).filter((index) => index <= lastArrived);
  const expected: (Uint8Array | number)[] = [];
  for (const index of known) {
    if (isWhole(index)) expected.push(makePacket(codec, index));
    else if (typeof expected.at(-1) === 'number') expected.push((expected.pop() as number) + 1);
    else expected.push(1);
  }
  const actualPackets: (Uint8Array | number)[] = [];
  for (const item of items) {
    if (item.type === 'packet') actualPackets.push(item.bytes);
    else if (typeof actualPackets.at(-1) === 'number') {
      actualPackets.push((actualPackets.pop() as number) + item.packets);
    } else if (item.packets > 0) actualPackets.push(item.packets);
  }
  expect(actualPackets).toEqual(expected);
  const arrived = sent.slice(
    sent.findIndex(({ packet, isLost }) => !isLost && isBegun(packet)),
    sent.findLastIndex(({ isLost }) => !isLost) + 1,
  );
  const lostCount = items.reduce(
    (sum, item) => sum + (item.type === 'gap' ? item.notifications : 0),
    0,
  );
  expect(lostCount).toBe(first === -1 ? 0 : arrived.filter(({ isLost }) => isLost).length);
}

it('reports the exact losses, for 1,000 recordings with random losses and cuts', async () => {
  let losses = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...omiCodecs),
      fc.constantFrom(100, 163, 244, 495),
      fc.oneof(fc.constantFrom(0, 65_530), fc.integer({ min: 0, max: 65_535 })),
      fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.constantFrom('cut', 'reboot'),
      async (codec, notificationBytes, firstNumber, connections, end) => {
        const omi = new EmulatedOmi({
          model: 'devkit1',
          codec: codec.id,
          notificationBytes,
          firstNumber,
        });
        let index = 0;
        for (const arrivals of connections) {
          const items = await connect(omi);
          omi.sent.length = 0;
          let part = 0;
          omi.dropsNotification = () => !arrivals[part++ % arrivals.length];
          for (let count = 0; count < arrivals.length; count += 1) {
            omi.capture(makePacket(codec, index));
            index += 1;
          }
          omi[end]();
          losses += omi.sent.filter(({ isLost }) => isLost).length;
          expectExactly(items, omi.sent, codec);
        }
      },
    ),
    { numRuns: 1000 },
  );
  expect(losses).toBeGreaterThan(1000);
});

it('reassembles Opus packets from several notifications, and never returns a damaged one', () => {
  const codec = omiCodecs.find(({ id }) => id === 21) as OmiCodec;
  const fullSize = 40;
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 160 }), { minLength: 1, maxLength: 40 }),
      fc.array(fc.boolean(), { minLength: 160, maxLength: 160 }),
      (sizes, arrivals) => {
        const packets = sizes.map((length, index) => new Uint8Array(length).fill(index + 1));
        const assembler = new PacketAssembler(codec, fullSize);
        const parts = packets.flatMap((packet) =>
          Array.from({ length: Math.ceil(packet.length / fullSize) }, (_, part) => ({
            part,
            bytes: packet.subarray(part * fullSize, (part + 1) * fullSize),
          })),
        );
        const items = parts.flatMap(({ part, bytes }, number) =>
          arrivals[number % arrivals.length]
            ? assembler.push(Uint8Array.of(number, 0, part, ...bytes))
            : [],
        );
        items.push(...assembler.end());
        for (const item of items) {
          if (item.type === 'packet') expect(packets).toContainEqual(item.bytes);
        }
      },
    ),
    { numRuns: 1000 },
  );
});

it('ignores notifications without audio', () => {
  const assembler = new PacketAssembler(omiCodecs[0] as OmiCodec);
  for (const bytes of [[], [1], [1, 0], [1, 0, 0]]) {
    expect(assembler.push(Uint8Array.from(bytes))).toEqual([]);
  }
});
