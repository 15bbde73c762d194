/** The manufacturer data of an advertisement: what a recorder says of itself before a link exists. */
import { bool, bytes, LayoutError, readLayout, text, u8, writeLayout } from './layout.ts';

/** What the Bluetooth SIG leaves to those who have no number of their own ("for internal use"). */
export const COMPANY_ID = 0xffff;

/** 27 bytes, which is all that a scan response of 31 bytes has room for. */
export const advertisement = {
  tranVersion: u8,
  isBind: bool,
  version: bytes(3),
  sn: text(16),
  projectCode: text(6),
} as const;

/** What an advertisement tells of a recorder. */
export interface ExtendInfo {
  /** Model. */
  readonly projectCode: string;
  /** Firmware version: three numbers apart by dots. */
  readonly version: string;
  /** Serial number. */
  readonly sn: string;
  /** Whether anybody has bound it. */
  readonly isBind: boolean;
  /** The highest protocol version the recorder speaks. */
  readonly tranVersion: number;
}

/**
 * @returns the data behind the company identifier
 * @throws {LayoutError} when a text is too long, or the version is not three numbers up to 255
 */
export function encodeAdvertisement(info: ExtendInfo): Uint8Array {
  const version = info.version.split('.').map(Number);
  if (!version.every((number) => Number.isInteger(number) && number >= 0 && number <= 0xff)) {
    throw new LayoutError('version', 'out_of_range');
  }
  return writeLayout(advertisement, { ...info, version: Uint8Array.from(version) });
}

/**
 * @param data behind the company identifier
 * @returns undefined for data that is not ours: the identifier is nobody's
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
