/** Computes the CRC-16 checksum that the recorder verifies: polynomial 0x1021, initial value 0xffff, not reflected. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1;
    }
  }
  return crc;
}
