import { z } from 'zod';
import { time } from './common.ts';

/** A model's project code, as the recorder's handshake tells it (at most 8 characters). */
export const projectCode = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,7}$/);
/** Numbers apart by dots, at most 12 characters, as the handshake tells it. */
export const firmwareVersion = z
  .string()
  .regex(/^\d+(\.\d+){1,3}$/)
  .max(12);

/** What `firmwarePath` answers with: a model's newest firmware. */
export const firmwareDescriptor = z.object({
  version: firmwareVersion,
  project_code: projectCode,
  /** Where the image is; it never changes. */
  url: z.string(),
  /** Bytes. */
  size: z.int(),
  /** Of the image, initial value 65535, for the radio. */
  crc16: z.int(),
  sha256: z.hash('sha256'),
  /** Ed25519, base64, over `Linnet firmware\n`, project code, `\n`, version, `\n` and the image. */
  signature: z.base64(),
  notes: z.string(),
  published_at: time,
});
export type FirmwareDescriptor = z.infer<typeof firmwareDescriptor>;
