import { z } from 'zod';
import { listOf, nothing, serial, time } from './common.ts';

/** Of a binding under version 2 of the recorder's protocol: 32 bytes in hex. */
const bindingKey = z.string().regex(/^[0-9a-f]{64}$/, 'not 32 bytes in hex');

export const boundDevice = z.object({
  sn: z.string(),
  name: z.string(),
  /** Which firmware family it takes. */
  project_code: z.string(),
  bound_at: time,
  /** What the account's phones speak to it with; null when it was bound under version 1. */
  binding_key: bindingKey.nullable(),
});

export const index = { body: nothing, data: listOf(boundDevice) };

/** What the recorder signed for the account that binds it. */
export const bindingProof = z.object({
  /** As `device/check` gave it. */
  challenge: z.string().regex(/^[0-9a-f]{64}$/, 'not 32 bytes in hex'),
  /** Ed25519, 64 bytes in hex (the recorder's `attest`). */
  signature: z.string().regex(/^[0-9a-f]{128}$/, 'not 64 bytes in hex'),
});

export const check = {
  body: z.object({ sn: serial }),
  /**
   * bound: `self` is yours. Of every other serial, registered or not, bound or free, the answer is the same: whether
   * it can be bound is told by `device/binding`.
   */
  data: z.object({
    sn: z.string(),
    /** Empty unless the recorder is yours. */
    name: z.string(),
    bound: z.enum(['none', 'self']),
    /** What the recorder knows its owner by: 16 bytes in hex, always the same for this account and recorder. */
    owner_tag: z.string().regex(/^[0-9a-f]{32}$/),
    /** What the recorder signs to prove this binding: 32 bytes in hex, for ten minutes. */
    challenge: z.string().regex(/^[0-9a-f]{64}$/),
  }),
};

/**
 * Without a key, the recorder was bound under version 1, and a key from before is forgotten. A binding without proof
 * lasts until somebody binds the same recorder with one.
 */
export const binding = {
  body: z.object({
    sn: serial,
    binding_key: bindingKey.optional(),
    proof: bindingProof.optional(),
  }),
  data: boundDevice,
};
export const unbinding = { body: z.object({ sn: serial }), data: z.object({ sn: z.string() }) };
