/** Encodes and decodes the manufacturer data of a recorder's Bluetooth advertisement. */
import { bool, bytes, LayoutError, readLayout, text, u8, writeLayout } from './layout.ts';

/** The Bluetooth SIG company identifier for internal use, which requires no registration. */
export const COMPANY_ID = 0xffff;

/** The layout of the manufacturer data. Its 27 bytes are the most that fit in a 31-byte scan response. */
export const advertisement = {
  tranVersion: u8,
  isBind: bool,
  version: bytes(3),
  sn: text(16),
  projectCode: text(6),
} as const;

/** The information in a recorder's advertisement. */
export interface ExtendInfo {
  /** The recorder's model code. */
  readonly projectCode: string;
  /** The firmware version: three numbers separated by dots. */
  readonly version: string;
  /** The serial number. */
  readonly sn: string;
  /** True if the recorder is bound. */
  readonly isBind: boolean;
  /** The highest protocol version that the recorder supports. */
  readonly tranVersion: number;
}

/**
 * Encodes the data after the company identifier.
 * @throws {LayoutError} if a string is too long, or the version isn't three numbers up to 255
 */
export function encodeAdvertisement(info: ExtendInfo): Uint8Array {
  const version = info.version.split('.').map(Number);
  if (!version.every((number) => Number.isInteger(number) && number >= 0 && number <= 0xff)) {
    throw new LayoutError('version', 'out_of_range');
  }
  return writeLayout(advertisement, { ...info, version: Uint8Array.from(version) });
}

/**
 * Decodes the manufacturer data after the company identifier.
 * @returns undefined for another product's data, since the company identifier isn't exclusive to recorders
 */
export function decodeAdvertisement(data: Uint8Array): ExtendInfo | undefined {
  try {
    const { version, ...info } = readLayout(advertisement, data);
    return { ...info, version: version.join('.') };
  } catch (error) {
    if (error instanceof LayoutError) return undefined;
    throw error;
  }
}
