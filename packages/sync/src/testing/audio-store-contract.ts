import { toHex } from '@linnet/base';
import { type AudioStore, AudioStoreError } from '../ports/audio.ts';
import { check, equal } from './check.ts';

/** A session, and the files that the store must create from it. */
export type SampleSession = {
  /** Several complete chunks of {@link chunkBytes} bytes, followed by a few packets. */
  readonly packets: Uint8Array<ArrayBuffer>;
  readonly chunkBytes: number;
  /** The expected master. */
  readonly master: Uint8Array<ArrayBuffer>;
  /** The expected WAV. */
  readonly wave: Uint8Array<ArrayBuffer>;
  readonly peaks: Uint8Array<ArrayBuffer>;
  readonly seconds: number;
  /** Invalid packets with the same total length. The decoder accepts some before it rejects one. */
  readonly garbage: Uint8Array<ArrayBuffer>;
};

/** The interface to the test runner. The suite runs in Node and in a browser page. */
export type AudioStoreHarness = {
  test(name: string, run: () => Promise<void>): void;
  /**
   * Opens the store, which is empty on the first call. Later calls open the same store as if after a crash, without
   * closing the previous instance's files.
   */
  open(): Promise<AudioStore>;
  sample(): Promise<SampleSession>;
};

export type FullAudioStoreHarness = AudioStoreHarness & {
  /** Limits free disk space to about `bytes`. @returns a function that removes the limit */
  limit(bytes: number): Promise<() => Promise<void>>;
};

function assertSameBytes(actual: Uint8Array, expected: Uint8Array, label: string): void {
  equal(actual.length, expected.length, `length of ${label}`);
  const differingIndex = actual.findIndex((byte, index) => byte !== expected[index]);
  equal(differingIndex, -1, `first differing byte of ${label}`);
}

async function catchErrorCode(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
    return 'none';
  } catch (error) {
    return error instanceof AudioStoreError ? error.code : `not an AudioStoreError: ${error}`;
  }
}

async function readBytes(blob: Blob | null): Promise<Uint8Array> {
  if (!blob) throw new Error('the file is missing');
  return new Uint8Array(await blob.arrayBuffer());
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return toHex(digest);
}

/** Stores packets chunk by chunk, as they are received from a recorder. */
async function storePackets(
  audio: AudioStore,
  id: string,
  { chunkBytes }: SampleSession,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const file = await audio.openPackets(id, chunkBytes);
  for (let offset = 0; offset < bytes.length; offset += chunkBytes) {
    await file.append(bytes.slice(offset, offset + chunkBytes));
  }
  equal(file.bytes, bytes.length, 'reported durable bytes');
  await file.close();
}

/** Returns exactly how many bytes of a temporary file are durable. */
async function storedBytes(audio: AudioStore, id: string): Promise<number> {
  const file = await audio.openPackets(id, 1);
  const { bytes } = file;
  await file.close();
  return bytes;
}

/** Tests that an {@link AudioStore} fulfills its contract. */
export function audioStoreContract({ test, open, sample }: AudioStoreHarness): void {
  test('retains appended data, and resumes at a complete chunk after a crash', async () => {
    const session = await sample();
    const { packets, chunkBytes } = session;
    const audio = await open();
    const file = await audio.openPackets('resumed', chunkBytes);
    equal(file.bytes, 0, 'bytes of a new file');
    await file.append(packets.slice(0, chunkBytes));
    // Append part of the next chunk, as if the app crashed during the write.
    await file.append(packets.slice(chunkBytes, chunkBytes + 7));
    equal(file.bytes, chunkBytes + 7, 'reported durable bytes');

    const reopenedStore = await open();
    const reopened = await reopenedStore.openPackets('resumed', chunkBytes);
    equal(reopened.bytes, chunkBytes, 'bytes after the crash');
    await reopened.append(packets.slice(chunkBytes));
    const read = (from: number, to: number) => reopenedStore.readPackets('resumed', from, to);
    const middle = await read(7, chunkBytes + 7);
    check(middle !== null, 'the open file can be read');
    if (middle) assertSameBytes(middle, packets.slice(7, chunkBytes + 7), 'bytes of the open file');
    equal(await read(0, packets.length + 1), null, 'bytes after the end');
    equal(await reopenedStore.readPackets('never', 0, 1), null, 'bytes of a missing file');
    await reopened.close();
    const finished = await reopenedStore.finish('resumed');
    equal(finished.sha256, await sha256(packets), 'hash over both parts');
  });

  test('creates master, WAV, hash and peaks, and retains the packets', async () => {
    const session = await sample();
    const audio = await open();
    await storePackets(audio, 'whole', session, session.packets);
    const progress: number[] = [];
    const finished = await audio.finish('whole', (fraction) => void progress.push(fraction));
    equal(finished.sha256, await sha256(session.packets), 'hash');
    equal(finished.bytes, session.packets.length, 'bytes');
    equal(finished.seconds, session.seconds, 'seconds');
    check(finished.localfile.endsWith('whole.wav'), 'localfile names the WAV');
    assertSameBytes(finished.peaks, session.peaks, 'peaks');
    assertSameBytes(await readBytes(await audio.master('whole')), session.master, 'the master');
    assertSameBytes(await readBytes(await audio.wave('whole')), session.wave, 'the WAV');
    equal((await audio.master('whole'))?.type, 'audio/ogg', 'type of the master');
    equal((await audio.wave('whole'))?.type, 'audio/wav', 'type of the WAV');
    equal(await storedBytes(audio, 'whole'), session.packets.length, 'retained bytes');
    check(progress.length > 0, 'progress is reported');
    check(
      progress.every((fraction, index) => fraction > (progress[index - 1] ?? 0) && fraction <= 1),
      'progress grows up to 1',
    );
    equal(progress.at(-1), 1, 'last progress');
  });

  test('finishes repeatedly with the same result, even after a crash', async () => {
    const session = await sample();
    const audio = await open();
    await storePackets(audio, 'twice', session, session.packets);
    const first = await audio.finish('twice');
    const reopenedStore = await open();
    const second = await reopenedStore.finish('twice');
    const withoutPeaks = ({ sha256, bytes, seconds, localfile }: typeof first) =>
      [sha256, bytes, seconds, localfile].join();
    equal(withoutPeaks(second), withoutPeaks(first), 'result');
    assertSameBytes(second.peaks, first.peaks, 'peaks');
    assertSameBytes(
      await readBytes(await reopenedStore.master('twice')),
      session.master,
      'the master',
    );
    assertSameBytes(await readBytes(await reopenedStore.wave('twice')), session.wave, 'the WAV');
  });

  test('creates the same files from a session that was received in several parts', async () => {
    const session = await sample();
    const { packets, chunkBytes } = session;
    const parts = [0, chunkBytes, chunkBytes * 3, packets.length];
    const audio = await open();
    for (const [index, end] of parts.slice(1).entries()) {
      const file = await audio.openPackets('parts', chunkBytes);
      equal(file.bytes, parts[index], 'bytes of the parts before');
      for (let offset = file.bytes; offset < end; offset += chunkBytes) {
        await file.append(packets.slice(offset, Math.min(end, offset + chunkBytes)));
      }
      await file.close();
    }
    equal((await audio.finish('parts')).sha256, await sha256(packets), 'hash');
    assertSameBytes(await readBytes(await audio.master('parts')), session.master, 'the master');
    assertSameBytes(await readBytes(await audio.wave('parts')), session.wave, 'the WAV');
  });

  test('creates no files before the packets are complete, nor from discarded packets', async () => {
    const session = await sample();
    const { packets, chunkBytes } = session;
    const audio = await open();
    const file = await audio.openPackets('again', chunkBytes);
    await file.append(packets.slice(chunkBytes, chunkBytes * 2));
    equal([await audio.master('again'), await audio.wave('again')], [null, null], 'files');
    await file.close();
    await audio.discardPackets('again');
    await storePackets(audio, 'again', session, packets);
    await audio.finish('again');
    assertSameBytes(await readBytes(await audio.master('again')), session.master, 'the master');
    assertSameBytes(await readBytes(await audio.wave('again')), session.wave, 'the WAV');
  });

  test('reports file_missing for a session that was never stored', async () => {
    const audio = await open();
    equal(await catchErrorCode(audio.finish('never')), 'file_missing', 'code');
    equal([await audio.master('never'), await audio.wave('never')], [null, null], 'files');
  });

  test('reports not_audio for undecodable packets, retains them, and creates no files', async () => {
    const session = await sample();
    const audio = await open();
    await storePackets(audio, 'noise', session, session.garbage);
    equal(await catchErrorCode(audio.finish('noise')), 'not_audio', 'code');
    equal([await audio.master('noise'), await audio.wave('noise')], [null, null], 'files');
    equal(await storedBytes(audio, 'noise'), session.garbage.length, 'retained bytes');
  });

  test('discards only the temporary file, and ignores a missing one', async () => {
    const session = await sample();
    const audio = await open();
    await storePackets(audio, 'discarded', session, session.packets);
    await audio.finish('discarded');
    await audio.discardPackets('discarded');
    await audio.discardPackets('discarded');
    equal(await catchErrorCode(audio.finish('discarded')), 'file_missing', 'code');
    assertSameBytes(await readBytes(await audio.master('discarded')), session.master, 'the master');
    assertSameBytes(await readBytes(await audio.wave('discarded')), session.wave, 'the WAV');
  });

  test('resumes a download, and creates the same recording as from its packets', async () => {
    const { packets, master } = await sample();
    const half = Math.floor(master.length / 2);
    const first = await (await open()).openDownload('loaded');
    equal(first.bytes, 0, 'bytes of a new download');
    await first.append(master.slice(0, half));
    // Reopen the store without closing the file, as after a crash.
    const audio = await open();
    const file = await audio.openDownload('loaded');
    equal(file.bytes, half, 'bytes after the crash');
    await file.append(master.slice(half));
    await file.close();
    assertSameBytes(await readBytes(await audio.download('loaded')), master, 'the download');
    await audio.unpack('loaded');
    equal((await audio.finish('loaded')).sha256, await sha256(packets), 'hash');
    assertSameBytes(await readBytes(await audio.master('loaded')), master, 'the master');
    await audio.discardDownload('loaded');
    await audio.discardDownload('loaded');
    equal(await audio.download('loaded'), null, 'the download afterwards');
    equal(await catchErrorCode(audio.unpack('loaded')), 'file_missing', 'code');
  });

  test('reports not_audio for a download that is incomplete or in a different format', async () => {
    const { master, garbage } = await sample();
    const audio = await open();
    for (const bytes of [garbage, master.slice(0, -7)]) {
      const file = await audio.openDownload('odd');
      await file.append(bytes);
      await file.close();
      equal(await catchErrorCode(audio.unpack('odd')), 'not_audio', 'code');
      await audio.discardDownload('odd');
    }
  });

  test('removes all files of a recording, but none of another recording', async () => {
    const session = await sample();
    const audio = await open();
    for (const id of ['gone', 'stays']) {
      await storePackets(audio, id, session, session.packets);
      await audio.finish(id);
    }
    // Open the recording's files so that they're removed while in use.
    await audio.openPackets('gone', session.chunkBytes);
    await audio.openDownload('gone');
    await audio.remove('gone');
    await audio.remove('gone');
    equal([await audio.master('gone'), await audio.wave('gone')], [null, null], 'files');
    equal(await catchErrorCode(audio.finish('gone')), 'file_missing', 'code');
    equal(await audio.download('gone'), null, 'download');
    assertSameBytes(await readBytes(await audio.wave('stays')), session.wave, 'the other WAV');
    equal(await storedBytes(audio, 'stays'), session.packets.length, 'the other bytes');
  });
}

/** Tests that an {@link AudioStore} handles a full disk, on a platform where tests can limit the disk space. */
export function fullAudioStoreContract(harness: FullAudioStoreHarness): void {
  const { test, open, sample, limit } = harness;
  /** Number of writes a platform may still accept past the limit. */
  const MAX_ACCEPTED_WRITES = 64;

  test('reports storage_full on a full disk, retains the data, and resumes once space is free', async () => {
    const session = await sample();
    const { packets, chunkBytes } = session;
    const wholeChunks = packets.slice(0, packets.length - (packets.length % chunkBytes));
    const audio = await open();
    const file = await audio.openPackets('full', chunkBytes);
    await file.append(wholeChunks);
    const removeLimit = await limit(0);
    let writes = 1;
    let code = 'none';
    // A platform may have reserved disk space for the open file, so the first writes can still succeed.
    while (code === 'none' && writes < MAX_ACCEPTED_WRITES) {
      code = await catchErrorCode(file.append(wholeChunks));
      if (code === 'none') writes += 1;
    }
    equal(code, 'storage_full', 'code');
    equal(file.bytes, writes * wholeChunks.length, 'reported durable bytes');
    await file.close();
    equal(await storedBytes(audio, 'full'), writes * wholeChunks.length, 'retained bytes');

    await removeLimit();
    const reopened = await audio.openPackets('full', chunkBytes);
    await reopened.append(wholeChunks);
    await reopened.close();
    const all = new Uint8Array((writes + 1) * wholeChunks.length);
    for (let offset = 0; offset < all.length; offset += wholeChunks.length)
      all.set(wholeChunks, offset);
    equal((await audio.finish('full')).sha256, await sha256(all), 'hash over all packets');
    await audio.remove('full');
  });

  test('reports storage_full if the files do not fit, retains the packets, and leaves no incomplete file', async () => {
    const session = await sample();
    const audio = await open();
    // Leave enough disk space for the packets and the master, but not for the much larger WAV.
    const removeLimit = await limit(session.packets.length + session.master.length * 2);
    await storePackets(audio, 'tight', session, session.packets);
    equal(await catchErrorCode(audio.finish('tight')), 'storage_full', 'code');
    equal([await audio.master('tight'), await audio.wave('tight')], [null, null], 'files');
    equal(await storedBytes(audio, 'tight'), session.packets.length, 'retained bytes');
    await removeLimit();
    await audio.finish('tight');
    assertSameBytes(await readBytes(await audio.wave('tight')), session.wave, 'the WAV');
  });
}
