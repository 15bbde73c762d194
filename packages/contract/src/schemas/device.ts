import { z } from 'zod';
import { nothing, pageSchema, serial, time } from './common.ts';

/** The key of a version 2 binding (recorder protocol), as 32 bytes in hex. */
const bindingKey = z.string().regex(/^[0-9a-f]{64}$/, 'not 32 bytes in hex');

export const boundDevice = z
  .object({
    sn: z.string(),
    name: z.string(),
    project_code: z.string().describe("The recorder's firmware family."),
    bound_at: time,
    binding_key: bindingKey
      .nullable()
      .describe(
        "The key that the account's phones use to connect to the recorder, or null for a version 1 binding.",
      ),
  })
  .meta({ id: 'BoundDevice', description: 'A recorder bound to the account.' });

export const index = { body: nothing, data: pageSchema(boundDevice) };

export const bindingProof = z
  .object({
    challenge: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'not 32 bytes in hex')
      .describe('The challenge from `device/check`.'),
    signature: z
      .string()
      .regex(/^[0-9a-f]{128}$/, 'not 64 bytes in hex')
      .describe("The Ed25519 signature, 64 bytes in hex (the recorder's `attest`)."),
  })
  .meta({
    id: 'BindingProof',
    description:
      'A signature by which the recorder confirms that it is being bound to this account.',
  });

export const check = {
  body: z.object({ sn: serial }),
  data: z
    .object({
      sn: z.string(),
      name: z
        .string()
        .describe("The recorder's name. Empty unless the recorder belongs to the caller."),
      bound: z.enum(['none', 'self']),
      owner_tag: z
        .string()
        .regex(/^[0-9a-f]{32}$/)
        .describe(
          'Identifies the account to the recorder: 16 bytes in hex, always the same for an account and recorder.',
        ),
      challenge: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .describe(
          'The challenge for the recorder to sign as proof of the binding: 32 bytes in hex, valid for ten minutes.',
        ),
    })
    .describe(
      '`bound` is `self` if the recorder belongs to the caller. The response is the same for all other serial numbers, whether or not they are registered or bound. Only `device/binding` reports whether a recorder can be bound.',
    ),
};

/**
 * Binds a recorder. Without `binding_key`, creates a version 1 binding and deletes any earlier key. A binding without
 * `proof` is removed when another account binds the same recorder with proof.
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
