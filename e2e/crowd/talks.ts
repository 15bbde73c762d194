import { PacketEncoder } from '@linnet/audio/convert';
import { PACKET_BYTES } from '@linnet/audio/format';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { makeScript, type SpokenWord, synthesizeScript } from '@linnet/server/testing/tones';
import { normalizeWords } from '@linnet/server/word-error-rate';
import { type LoadFile, toFile } from '../bench/load/audio.ts';

/** Length of a recording in seconds. A second of silence follows. */
const SHORT_SECONDS = 6;
/** Number of different recordings. */
const SHORT_TALKS = 40;

/** The audio and the words of a recording. */
export type Talk = {
  readonly packets: Uint8Array;
  readonly words: readonly string[];
};

export type Talks = {
  /** The words of all recordings. The position of a word in this list is encoded in its audio. */
  readonly script: readonly SpokenWord[];
  readonly live: readonly Talk[];
  /** Returns a recording whose content differs from that of all other numbers. */
  recording(number: number): { readonly talk: Talk; readonly file: LoadFile };
};

/**
 * Creates the audio of all recordings.
 * @param liveTalks number of recordings with live text
 * @param liveSeconds length of these recordings
 */
export async function createTalks(liveTalks: number, liveSeconds: number): Promise<Talks> {
  const script: SpokenWord[] = [];
  const opus = await loadOpus(readOpusWasm());
  const addTalk = (seconds: number): Talk => {
    const words = makeScript(seconds, script.length + 1);
    const first = script.length;
    script.push(...words);
    // Each word has the position in the whole script, but the time in its own talk.
    const samples = synthesizeScript(
      script,
      script.map((_, index) => index >= first),
    );
    const encoder = new PacketEncoder(opus);
    const packets = Buffer.concat([encoder.push(samples), encoder.end()]);
    encoder.free();
    return { packets, words: normalizeWords(words.map(({ text }) => text).join(' ')) };
  };
  const shortTalks = Array.from({ length: SHORT_TALKS }, () => addTalk(SHORT_SECONDS));
  const live = Array.from({ length: liveTalks }, () => addTalk(liveSeconds));
  return {
    script,
    live,
    recording(number) {
      const talk = shortTalks[number % SHORT_TALKS] as Talk;
      // Recordings of the same talk differ in the length of the silence at the end.
      const silence = talk.packets.subarray(-PACKET_BYTES);
      const repetitions = Math.floor(number / SHORT_TALKS);
      const tail = Array.from({ length: repetitions }, () => silence);
      return { talk, file: toFile(Buffer.concat([talk.packets, ...tail])) };
    },
  };
}
