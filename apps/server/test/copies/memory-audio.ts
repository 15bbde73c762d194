import { AudioFailure } from '@linnet/audio/failure';
import { CHUNK_BYTES, secondsOfPackets } from '@linnet/audio/format';
import type { OpusModule } from '@linnet/audio/opus';
import { SessionFileBuilder } from '@linnet/audio/session-file';
import { PacketUnpacker } from '@linnet/audio/unpack';
import {
  type AudioStore,
  AudioStoreError,
  type DurableFile,
  type Sha256,
  type StoredFile,
  sha256From,
} from '@linnet/sync';

type Kind = 'packets' | 'download' | 'ogg' | 'wav';
type Bytes = Uint8Array<ArrayBuffer>;

/** A phone's audio files, in memory. They survive simulated app restarts. */
export class MemoryAudio implements AudioStore {
  readonly #opus: OpusModule;
  readonly #files = new Map<string, Bytes>();
  /**
   * Digests of the packets in each recording's master, which is the Ogg file with the recorder's packets as received.
   */
  readonly #digests = new Map<string, Sha256>();

  constructor(opus: OpusModule) {
    this.#opus = opus;
  }

  /** Returns the digest of the audio in a recording's master, or null if it has none. */
  digest(id: string): Sha256 | null {
    return this.#digests.get(id) ?? null;
  }

  /** IDs of the recordings that have a master. */
  get masters(): ReadonlySet<string> {
    return new Set(this.#digests.keys());
  }

  list(): readonly StoredFile[] {
    return [...this.#files].map(([name, { length }]) => {
      const [id = '', kind = ''] = name.split('.');
      return { id, kind, bytes: length };
    });
  }

  async openPackets(id: string, chunkBytes: number): Promise<DurableFile> {
    return this.#open(id, 'packets', chunkBytes);
  }

  async openDownload(id: string): Promise<DurableFile> {
    return this.#open(id, 'download', 1);
  }

  async download(id: string): Promise<Blob | null> {
    return this.#blob(id, 'download');
  }

  async master(id: string): Promise<Blob | null> {
    return this.#blob(id, 'ogg');
  }

  async oggOpus(id: string): Promise<Blob | null> {
    return this.#blob(id, 'ogg');
  }

  async wave(id: string): Promise<Blob | null> {
    return this.#blob(id, 'wav');
  }

  async unpack(id: string): Promise<void> {
    const unpacker = new PacketUnpacker();
    try {
      const packets = unpacker.push(this.#read(id, 'download'));
      unpacker.end();
      this.#files.set(`${id}.packets`, new Uint8Array(packets));
    } catch (cause) {
      if (cause instanceof AudioFailure) throw new AudioStoreError('not_audio', { cause });
      throw cause;
    }
  }

  async finish(id: string) {
    const packets = this.#read(id, 'packets');
    const [ogg, wave]: [Uint8Array[], Uint8Array[]] = [[], []];
    const write = (piece: { readonly ogg: Uint8Array; readonly wave: Uint8Array }) => {
      ogg.push(piece.ogg.slice());
      wave.push(piece.wave.slice());
    };
    try {
      const maker = new SessionFileBuilder(this.#opus);
      write(maker.begin());
      for (let offset = 0; offset < packets.length; offset += CHUNK_BYTES) {
        write(maker.push(packets.subarray(offset, offset + CHUNK_BYTES)));
      }
      const { facts, ...last } = maker.end();
      wave[0] = last.waveHeader;
      this.#files.set(`${id}.ogg`, concatenate([...ogg, last.ogg]));
      this.#files.set(`${id}.wav`, concatenate(wave));
      this.#digests.set(id, sha256From(facts.sha256));
      return {
        sha256: facts.sha256,
        bytes: packets.length,
        seconds: secondsOfPackets(packets.length),
        peaks: facts.peaks,
        localfile: `${id}.wav`,
      };
    } catch (cause) {
      if (cause instanceof AudioFailure) throw new AudioStoreError('not_audio', { cause });
      throw cause;
    }
  }

  async readPackets(id: string, from: number, to: number): Promise<Uint8Array | null> {
    const bytes = this.#files.get(`${id}.packets`);
    return bytes && bytes.length >= to ? bytes.slice(from, to) : null;
  }

  async callLevels(): Promise<null> {
    return null;
  }

  async discardPackets(id: string): Promise<void> {
    this.#files.delete(`${id}.packets`);
  }

  async discardDownload(id: string): Promise<void> {
    this.#files.delete(`${id}.download`);
  }

  async remove(id: string): Promise<void> {
    for (const kind of ['packets', 'download', 'ogg', 'wav']) this.#files.delete(`${id}.${kind}`);
    this.#digests.delete(id);
  }

  #open(id: string, kind: Kind, unitBytes: number): DurableFile {
    const name = `${id}.${kind}`;
    const files = this.#files;
    const existingBytes = files.get(name) ?? new Uint8Array();
    files.set(
      name,
      existingBytes.slice(0, existingBytes.length - (existingBytes.length % unitBytes)),
    );
    return {
      get bytes() {
        return files.get(name)?.length ?? 0;
      },
      async append(bytes) {
        const known = files.get(name);
        if (!known) throw new AudioStoreError('io_failed');
        files.set(name, concatenate([known, bytes]));
      },
      close: async () => {},
    };
  }

  #read(id: string, kind: Kind): Bytes {
    const bytes = this.#files.get(`${id}.${kind}`);
    if (!bytes) throw new AudioStoreError('file_missing');
    return bytes;
  }

  #blob(id: string, kind: Kind): Blob | null {
    const bytes = this.#files.get(`${id}.${kind}`);
    return bytes ? new Blob([bytes]) : null;
  }
}

function concatenate(parts: readonly Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
