import { toHex } from '@linnet/base';
import { type AudioStore, AudioStoreError } from '../ports.ts';
import { check, equal } from './check.ts';

/** A session, and what has to become of it. */
export type SampleSession = {
  /** A whole number of chunks of {@link chunkBytes}, and some packets more. */
  readonly packets: Uint8Array<ArrayBuffer>;
  readonly chunkBytes: number;
  /** The master that belongs to the packets, byte for byte. */
  readonly master: Uint8Array<ArrayBuffer>;
  /** The WAV, likewise. */
  readonly wave: Uint8Array<ArrayBuffer>;
  readonly peaks: Uint8Array<ArrayBuffer>;
  readonly seconds: number;
  /** As long as the packets, and refused by the decoder somewhere behind its beginning. */
  readonly garbage: Uint8Array<ArrayBuffer>;
};

/** What a runner of tests has to offer, so that the suite runs in Node and in a page alike. */
export type AudioStoreHarness = {
  test(name: string, run: () => Promise<void>): void;
  /**
   * Opens the same, initially empty store at each call; whatever the one before had open is let go of as
   * by a crash.
   */
  open(): Promise<AudioStore>;
  sample(): Promise<SampleSession>;
};

export type FullAudioStoreHarness = AudioStoreHarness & {
  /** From now on the platform refuses more than about `bytes` more. @returns takes that back */
  limit(bytes: number): Promise<() => Promise<void>>;
};

function sameBytes(actual: Uint8Array, expected: Uint8Array, what: string): void {
  equal(actual.length, expected.length, `length of ${what}`);
  const at = actual.findIndex((byte, index) => byte !== expected[index]);
  equal(at, -1, `first byte of ${what} that differs`);
}

async function codeOf(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
    return 'none';
  } catch (error) {
    return error instanceof AudioStoreError ? error.code : `not an AudioStoreError: ${error}`;
  }
}

async function bytesOf(blob: Blob | null): Promise<Uint8Array> {
  if (!blob) throw new Error('the file is not there');
  return new Uint8Array(await blob.arrayBuffer());
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return toHex(digest);
}

/** Stores packets chunk by chunk, as a transfer does. */
async function store(
  audio: AudioStore,
  id: string,
  { chunkBytes }: SampleSession,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const file = await audio.openPackets(id, chunkBytes);
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    await file.append(bytes.slice(at, at + chunkBytes));
  }
  equal(file.bytes, bytes.length, 'bytes said to be durable');
  await file.close();
}

/** Durable bytes of a temporary file, to the byte. */
async function storedBytes(audio: AudioStore, id: string): Promise<number> {
  const file = await audio.openPackets(id, 1);
  const { bytes } = file;
  await file.close();
  return bytes;
}

/** What every {@link AudioStore} must do. */
export function audioStoreContract({ test, open, sample }: AudioStoreHarness): void {
  test('keeps what was appended, and goes on after a crash at a whole chunk', async () => {
    const session = await sample();
    const { packets, chunkBytes } = session;
    const audio = await open();
    const file = await audio.openPackets('resumed', chunkBytes);
    equal(file.bytes, 0, 'bytes of a new file');
    await file.append(packets.slice(0, chunkBytes));
    // A chunk, and a part of the next one that a crash may leave.
    await file.append(packets.slice(chunkBytes, chunkBytes + 7));
    equal(file.bytes, chunkBytes + 7, 'bytes said to be durable');

    const later = await open();
    const again = await later.openPackets('resumed', chunkBytes);
    equal(again.bytes, chunkBytes, 'bytes after the crash');
    await again.append(packets.slice(chunkBytes));
    await again.close();
    const made = await later.finish('resumed');
    equal(made.sha256, await sha256(packets), 'hash over both parts');
  });

  test('makes master, WAV, hash and peaks of what was stored, and keeps it', async () => {
    const session = await sample();
    const audio = await open();
    await store(audio, 'whole', session, session.packets);
    const heard: number[] = [];
    const made = await audio.finish('whole', (fraction) => void heard.push(fraction));
    equal(made.sha256, await sha256(session.packets), 'hash');
    equal(made.bytes, session.packets.length, 'bytes');
    equal(made.seconds, session.seconds, 'seconds');
    check(made.localfile.endsWith('whole.wav'), 'localfile names the WAV');
    sameBytes(made.peaks, session.peaks, 'peaks');
    sameBytes(await bytesOf(await audio.master('whole')), session.master, 'the master');
    sameBytes(await bytesOf(await audio.wave('whole')), session.wave, 'the WAV');
    equal((await audio.master('whole'))?.type, 'audio/ogg', 'type of the master');
    equal((await audio.wave('whole'))?.type, 'audio/wav', 'type of the WAV');
    equal(await storedBytes(audio, 'whole'), session.packets.length, 'bytes still there');
    check(heard.length > 0, 'progress was told');
    check(
      heard.every((fraction, index) => fraction > (heard[index - 1] ?? 0) && fraction <= 1),
      'progress grows up to 1',
    );
    equal(heard.at(-1), 1, 'last progress');
  });

  test('finishes again with the same outcome, after a crash too', async () => {
    const session = await sample();
    const audio = await open();
    await store(audio, 'twice', session, session.packets);
    const first = await audio.finish('twice');
    const later = await open();
    const second = await later.finish('twice');
    const told = ({ sha256, bytes, seconds, localfile }: typeof first) =>
      [sha256, bytes, seconds, localfile].join();
    equal(told(second), told(first), 'outcome');
    sameBytes(second.peaks, first.peaks, 'peaks');
    sameBytes(await bytesOf(await later.master('twice')), session.master, 'the master');
    sameBytes(await bytesOf(await later.wave('twice')), session.wave, 'the WAV');
  });

  test('says file_missing for what was never stored, and has no files of it', async () => {
    const audio = await open();
    equal(await codeOf(audio.finish('never')), 'file_missing', 'code');
    equal([await audio.master('never'), await audio.wave('never')], [null, null], 'files');
  });

  test('says not_audio for what cannot be decoded, keeps it, and makes nothing of it', async () => {
    const session = await sample();
    const audio = await open();
    await store(audio, 'noise', session, session.garbage);
    equal(await codeOf(audio.finish('noise')), 'not_audio', 'code');
    equal([await audio.master('noise'), await audio.wave('noise')], [null, null], 'files');
    equal(await storedBytes(audio, 'noise'), session.garbage.length, 'bytes still there');
  });

  test('discards the temporary file alone, and one that is not there too', async () => {
    const session = await sample();
    const audio = await open();
    await store(audio, 'discarded', session, session.packets);
    await audio.finish('discarded');
    await audio.discardPackets('discarded');
    await audio.discardPackets('discarded');
    equal(await codeOf(audio.finish('discarded')), 'file_missing', 'code');
    sameBytes(await bytesOf(await audio.master('discarded')), session.master, 'the master');
    sameBytes(await bytesOf(await audio.wave('discarded')), session.wave, 'the WAV');
  });

  test('resumes a download, and makes the same recording of it as of its packets', async () => {
    const { packets, master } = await sample();
    const half = Math.floor(master.length / 2);
    const first = await (await open()).openDownload('loaded');
    equal(first.bytes, 0, 'bytes of a new download');
    await first.append(master.slice(0, half));
    // As after a crash, and in a store that is open still.
    const audio = await open();
    const file = await audio.openDownload('loaded');
    equal(file.bytes, half, 'bytes after the crash');
    await file.append(master.slice(half));
    await file.close();
    sameBytes(await bytesOf(await audio.download('loaded')), master, 'the download');
    await audio.unpack('loaded');
    equal((await audio.finish('loaded')).sha256, await sha256(packets), 'hash');
    sameBytes(await bytesOf(await audio.master('loaded')), master, 'the master');
    await audio.discardDownload('loaded');
    await audio.discardDownload('loaded');
    equal(await audio.download('loaded'), null, 'the download afterwards');
    equal(await codeOf(audio.unpack('loaded')), 'file_missing', 'code');
  });

  test('says not_audio for a download that is no master, or a part of one', async () => {
    const { master, garbage } = await sample();
    const audio = await open();
    for (const bytes of [garbage, master.slice(0, -7)]) {
      const file = await audio.openDownload('odd');
      await file.append(bytes);
      await file.close();
      equal(await codeOf(audio.unpack('odd')), 'not_audio', 'code');
      await audio.discardDownload('odd');
    }
  });

  test('removes everything of a recording and nothing of another', async () => {
    const session = await sample();
    const audio = await open();
    for (const id of ['gone', 'stays']) {
      await store(audio, id, session, session.packets);
      await audio.finish(id);
    }
    // Removed in the middle of being read, too.
    await audio.openPackets('gone', session.chunkBytes);
    await audio.openDownload('gone');
    await audio.remove('gone');
    await audio.remove('gone');
    equal([await audio.master('gone'), await audio.wave('gone')], [null, null], 'files');
    equal(await codeOf(audio.finish('gone')), 'file_missing', 'code');
    equal(await audio.download('gone'), null, 'download');
    sameBytes(await bytesOf(await audio.wave('stays')), session.wave, 'the other WAV');
    equal(await storedBytes(audio, 'stays'), session.packets.length, 'the other bytes');
  });
}

/** What an {@link AudioStore} must do on a platform that can run out of room. */
export function fullAudioStoreContract(harness: FullAudioStoreHarness): void {
  const { test, open, sample, limit } = harness;
  /** Sessions that a platform without any room left may still take, at the very most. */
  const MOST_THAT_FITS = 64;

  test('says storage_full where no more fits, keeps what was there, and goes on later', async () => {
    const session = await sample();
    const { packets, chunkBytes } = session;
    const whole = packets.slice(0, packets.length - (packets.length % chunkBytes));
    const audio = await open();
    const file = await audio.openPackets('full', chunkBytes);
    await file.append(whole);
    const free = await limit(0);
    let [fitted, code] = [1, 'none'];
    // A platform may have set room aside for a file that is open: some more may fit.
    while (code === 'none' && fitted < MOST_THAT_FITS) {
      code = await codeOf(file.append(whole));
      if (code === 'none') fitted += 1;
    }
    equal(code, 'storage_full', 'code');
    equal(file.bytes, fitted * whole.length, 'bytes said to be durable');
    await file.close();
    equal(await storedBytes(audio, 'full'), fitted * whole.length, 'bytes still there');

    await free();
    const again = await audio.openPackets('full', chunkBytes);
    await again.append(whole);
    await again.close();
    const all = new Uint8Array((fitted + 1) * whole.length);
    for (let at = 0; at < all.length; at += whole.length) all.set(whole, at);
    equal((await audio.finish('full')).sha256, await sha256(all), 'hash over all of it');
    await audio.remove('full');
  });

  test('says storage_full where the files do not fit, keeps the packets, and makes no half file', async () => {
    const session = await sample();
    const audio = await open();
    await store(audio, 'tight', session, session.packets);
    // Room for the master, none for the WAV, which is larger by far.
    const free = await limit(session.master.length * 2);
    equal(await codeOf(audio.finish('tight')), 'storage_full', 'code');
    equal([await audio.master('tight'), await audio.wave('tight')], [null, null], 'files');
    equal(await storedBytes(audio, 'tight'), session.packets.length, 'bytes still there');
    await free();
    await audio.finish('tight');
    sameBytes(await bytesOf(await audio.wave('tight')), session.wave, 'the WAV');
  });
}
