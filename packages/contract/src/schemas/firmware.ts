import { z } from 'zod';
import { time } from './common.ts';

/** Project code of a model, as in the recorder's handshake (at most 8 characters). */
export const projectCode = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,7}$/);
/** Numbers separated by dots, at most 12 characters, as in the handshake. */
export const firmwareVersion = z
  .string()
  .regex(/^\d+(\.\d+){1,3}$/)
  .max(12);

/** The newest firmware of a model, as `firmwarePath` returns it. */
export const firmwareDescriptor = z.object({
  version: firmwareVersion,
  project_code: projectCode,
  /** The address of the image, which never changes. */
  url: z.string(),
  /** Bytes. */
  size: z.int(),
  /** CRC-16 of the image, initial value 65535, for the radio transfer. */
  crc16: z.int(),
  sha256: z.hash('sha256'),
  /** Ed25519, base64, over `Linnet firmware\n`, project code, `\n`, version, `\n` and the image. */
  signature: z.base64(),
  notes: z.string(),
  published_at: time,
});
export type FirmwareDescriptor = z.infer<typeof firmwareDescriptor>;
