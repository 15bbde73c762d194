import { aiffFormat, type FormatChunk, waveFormat } from './pcm-format.ts';

/** The structure of an audio file made up of chunks. A chunk has an ID, a size and a body. */
export type ChunkLayout = {
  /** The file begins with this ID, its size, and the ID of its form. */
  readonly id: string;
  readonly forms: readonly string[];
  readonly idBytes: 4 | 16;
  readonly sizeBytes: 4 | 8;
  readonly littleEndian: boolean;
  /** True if a chunk's size includes its header (ID and size). */
  readonly sizeIncludesHeader: boolean;
  /** Chunks begin at multiples of this number of bytes. */
  readonly alignment: 2 | 8;
  readonly format: FormatChunk;
  readonly data: {
    readonly id: string;
    /** Number of bytes between the header of the data chunk and the samples. */
    readonly preambleBytes: number;
  };
};

const riff: ChunkLayout = {
  id: 'RIFF',
  forms: ['WAVE'],
  idBytes: 4,
  sizeBytes: 4,
  littleEndian: true,
  sizeIncludesHeader: false,
  alignment: 2,
  format: waveFormat,
  data: { id: 'data', preambleBytes: 0 },
};

const layouts: readonly ChunkLayout[] = [
  riff,
  // 64-bit sizes are in the `ds64` chunk (EBU Tech 3306, ITU-R BS.2088).
  { ...riff, id: 'RF64' },
  { ...riff, id: 'BW64' },
  // Sony Wave64. IDs are GUIDs that begin with the RIFF ID in lower case.
  {
    ...riff,
    id: 'riff',
    forms: ['wave'],
    idBytes: 16,
    sizeBytes: 8,
    sizeIncludesHeader: true,
    alignment: 8,
  },
  // The samples are preceded by an offset and a block size, both 0.
  {
    ...riff,
    id: 'FORM',
    forms: ['AIFF', 'AIFC'],
    littleEndian: false,
    format: aiffFormat,
    data: { id: 'SSND', preambleBytes: 8 },
  },
];

/** Number of bytes that {@link findLayout} needs. */
export const LAYOUT_BYTES = 28;

/** Returns the layout of a file from its first bytes, or null if the format isn't supported. */
export function findLayout(beginning: Uint8Array): ChunkLayout | null {
  const layout = layouts.find(({ id }) => readFourCc(beginning, 0) === id);
  const form = layout && readFourCc(beginning, layout.idBytes + layout.sizeBytes);
  return layout?.forms.includes(form ?? '') ? layout : null;
}

/** Size of a chunk's header (ID and size), in bytes. */
export const headerBytes = ({ idBytes, sizeBytes }: ChunkLayout): number => idBytes + sizeBytes;

/** Size of everything before the first chunk, in bytes. */
export const rootBytes = (layout: ChunkLayout): number => headerBytes(layout) + layout.idBytes;

/** Returns the size of a chunk's body in bytes, or of the file without its header. @param header the ID and size */
export function bodySize(layout: ChunkLayout, header: Uint8Array): number {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const size =
    layout.sizeBytes === 8
      ? Number(view.getBigUint64(layout.idBytes, layout.littleEndian))
      : view.getUint32(layout.idBytes, layout.littleEndian);
  return Math.max(0, size - (layout.sizeIncludesHeader ? headerBytes(layout) : 0));
}

/**
 * Finds the format chunk in the first bytes of a file.
 * @returns the part of its body contained in these bytes, or null if they don't contain the chunk
 */
export function findFormat(layout: ChunkLayout, beginning: Uint8Array): Uint8Array | null {
  for (let offset = rootBytes(layout); offset + headerBytes(layout) <= beginning.length; ) {
    const header = beginning.subarray(offset);
    const [size, bodyOffset] = [bodySize(layout, header), offset + headerBytes(layout)];
    if (readFourCc(header, 0) === layout.format.id) {
      return beginning.subarray(bodyOffset, bodyOffset + Math.min(size, layout.format.bytes));
    }
    offset = bodyOffset + size;
    if (!isKnownChunk(beginning, offset)) offset += padding(layout, size);
  }
  return null;
}

/**
 * Returns the number of padding bytes after a chunk whose body has `size` bytes. (Some writers don't pad chunks.)
 */
export const padding = ({ alignment }: ChunkLayout, size: number): number =>
  (alignment - (size % alignment)) % alignment;

/** The chunks that occur in practice, and the first bytes of ID3 tags appended to files. */
const KNOWN_CHUNK_ID =
  /^(?:fmt |data|LIST|INFO|id3 |ID3|TAG|bext|cue |smpl|fact|PEAK|iXML|aXML|axml|JUNK|junk|PAD |FLLR|acid|inst|plst|DISP|_PMX|chna|umid|minf|elm1|regn|afsp|cart|link|LGWV|COMM|SSND|MARK|NAME|AUTH|ANNO|COMT|APPL|FVER)/;

/** Returns whether `bytes` contains a chunk or tag at `offset`, rather than data or padding. */
export const isKnownChunk = (bytes: Uint8Array, offset = 0): boolean =>
  KNOWN_CHUNK_ID.test(readFourCc(bytes, offset));

export const readFourCc = (bytes: Uint8Array, offset: number): string =>
  String.fromCharCode(...bytes.subarray(offset, offset + 4));
