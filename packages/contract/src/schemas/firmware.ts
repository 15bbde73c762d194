import { z } from 'zod';
import { time } from './common.ts';

/** A model's project code, as sent in the recorder's handshake (at most 8 characters). */
export const projectCode = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,7}$/);
/** A firmware version, as sent in the handshake: numbers separated by dots, at most 12 characters. */
export const firmwareVersion = z
  .string()
  .regex(/^\d+(\.\d+){1,3}$/)
  .max(12);

/** A model's newest firmware, as served at `firmwarePath`. */
export const firmwareDescriptor = z.object({
  version: firmwareVersion,
  project_code: projectCode,
  url: z.string().describe("The image's URL. It never changes."),
  size: z.int().describe("The image's size in bytes."),
  crc16: z
    .int()
    .describe("The image's CRC-16 (initial value 65535), needed for the transfer to the recorder."),
  sha256: z.hash('sha256'),
  signature: z
    .base64()
    .describe(
      'The Ed25519 signature, in base64, of the concatenation of `Linnet firmware\\n`, project code, `\\n`, version, `\\n` and the image.',
    ),
  notes: z.string(),
  published_at: time,
});
export type FirmwareDescriptor = z.infer<typeof firmwareDescriptor>;
