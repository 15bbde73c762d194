import { z } from 'zod';
import { listOf, nothing, serial, time } from './common.ts';

/** A binding's key under version 2 of the recorder protocol: 32 bytes in hex. */
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
        "The key that the account's phones use to connect to the recorder, or null if it was bound under version 1.",
      ),
  })
  .meta({ id: 'BoundDevice', description: 'A recorder that is bound to the account.' });

export const index = { body: nothing, data: listOf(boundDevice) };

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
    description: "The recorder's signature for the account that binds it.",
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
          'The tag by which the recorder identifies the account: 16 bytes in hex, constant for each account and recorder.',
        ),
      challenge: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .describe(
          'The challenge that the recorder signs to prove this binding: 32 bytes in hex, valid for ten minutes.',
        ),
    })
    .describe(
      '`bound` is `self` if the recorder belongs to the caller. All other serial numbers get the same response, whether registered, bound or neither. Only `device/binding` reports whether a recorder can be bound.',
    ),
};

/**
 * Binds a recorder. A binding without a key is a version 1 binding, and any earlier key is deleted. A binding without
 * proof ends when another account binds the same recorder with proof.
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
