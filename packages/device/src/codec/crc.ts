/** Computes a frame's two checksums. Both process the most significant bit first, without a final inversion. */

/** Parameters of the CRC-16 ("CCITT-FALSE"). Its check value is 0x29B1. */
const CRC16_POLYNOMIAL = 0x1021;
const CRC16_INITIAL = 0xffff;
/** Parameters of the CRC-8. Its check value is 0xFB. */
const CRC8_POLYNOMIAL = 0x07;
const CRC8_INITIAL = 0xff;

const crc16Table = Uint16Array.from({ length: 256 }, (_, index) => {
  let remainder = index << 8;
  for (let bit = 0; bit < 8; bit++) {
    remainder = (remainder << 1) ^ (remainder & 0x8000 ? CRC16_POLYNOMIAL : 0);
  }
  return remainder & 0xffff;
});

/** Computes the CRC-16 of `bytes`, continuing from `crc`. */
export function crc16(bytes: Uint8Array, crc: number = CRC16_INITIAL): number {
  let remainder = crc;
  for (const byte of bytes) {
    remainder = ((remainder << 8) ^ (crc16Table[(remainder >> 8) ^ byte] ?? 0)) & 0xffff;
  }
  return remainder;
}

/** Computes the CRC-8 of `bytes`. */
export function crc8(bytes: Uint8Array): number {
  let remainder = CRC8_INITIAL;
  for (const byte of bytes) {
    remainder ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      remainder = ((remainder << 1) ^ (remainder & 0x80 ? CRC8_POLYNOMIAL : 0)) & 0xff;
    }
  }
  return remainder;
}
