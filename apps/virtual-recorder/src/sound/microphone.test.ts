import { loadOpus, type OpusModule } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeAll, Microphone } from './microphone.ts';

const samples = Int16Array.from({ length: 640 }, (_, n) => 9000 * Math.sin(n / 5));
const silence = new Int16Array(640);

let opus: OpusModule;
/** A scene's packets. They differ from the packets that the microphone would encode. */
let packets: Uint8Array[];
beforeAll(async () => {
  opus = await loadOpus(readOpusWasm());
  packets = encodeAll(opus, samples.toReversed());
});

/** Records four packets, twice as many as the scene has. */
function record(gain: 'normal' | 'high') {
  const microphone = new Microphone(opus, { samples, packets }, gain);
  const recorded = Array.from({ length: 4 }, () => {
    const packet = microphone.nextPacket();
    return { packet, level: microphone.level };
  });
  microphone.free();
  return recorded;
}

describe("a scene in the recorder's format", () => {
  it('is recorded unchanged with its levels, and is followed by silence', () => {
    const recorded = record('normal');
    expect(recorded.map(({ packet }) => packet)).toEqual([...packets, ...encodeAll(opus, silence)]);
    const levels = recorded.map(({ level }) => level);
    for (const level of levels.slice(0, 2)) expect(level).toBeCloseTo(9000 / 32_768, 3);
    expect(levels.slice(2)).toEqual([0, 0]);
  });

  it('is re-encoded if the gain is different', () => {
    const louder = samples.map((sample) => sample * 2);
    const encoded = encodeAll(opus, louder);
    const recorded = record('high').map(({ packet }) => packet);
    expect(recorded.slice(0, 2)).toEqual(encoded);
  });
});
