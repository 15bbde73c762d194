/** Manufacturer data of a recorder's advertisement. */
import { bool, bytes, LayoutError, readLayout, text, u8, writeLayout } from './layout.ts';

/** Bluetooth SIG company identifier reserved for internal use. It requires no registration. */
export const COMPANY_ID = 0xffff;

/** 27 bytes, the maximum that fits into a scan response of 31 bytes. */
export const advertisement = {
  tranVersion: u8,
  isBind: bool,
  version: bytes(3),
  sn: text(16),
  projectCode: text(6),
} as const;

/** Recorder information from an advertisement. */
export interface ExtendInfo {
  /** Model. */
  readonly projectCode: string;
  /** Firmware version: three numbers separated by dots. */
  readonly version: string;
  /** Serial number. */
  readonly sn: string;
  /** Whether the recorder is bound. */
  readonly isBind: boolean;
  /** The highest protocol version the recorder speaks. */
  readonly tranVersion: number;
}

/**
 * @returns the data after the company identifier
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
 * @param data manufacturer data after the company identifier
 * @returns undefined for data of another product; the company identifier is not exclusive
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
