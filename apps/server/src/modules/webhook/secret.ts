/** Webhook secrets and signatures, as specified by Standard Webhooks. */
import { createHmac, randomBytes } from 'node:crypto';
import { seal, unseal } from '../../sealed.ts';

/** Length of a secret. Standard Webhooks requires 24 to 64 bytes. */
const secretBytes = 32;
/**
 * How long deliveries are also signed with the previous secret after a rotation, so the receiver has time to switch.
 */
export const oldSecretMs = 24 * 3_600_000;

export const createSecret = (): Buffer => randomBytes(secretBytes);

/** Formats a secret as specified by Standard Webhooks. */
export const formatSecret = (secret: Uint8Array): string =>
  `whsec_${Buffer.from(secret).toString('base64')}`;

export const sealSecret = (key: Uint8Array, webhookId: string, secret: Uint8Array): Buffer =>
  seal(key, ['webhook', webhookId], secret);

/** The columns that contain a webhook's secrets. */
export interface StoredSecrets {
  readonly id: string;
  readonly secret: Uint8Array;
  readonly old_secret: Uint8Array | null;
  readonly old_secret_until: Date | null;
}

/**
 * Returns the secrets to sign with at a given time: the current secret and, for a day after a rotation, the previous
 * secret. Returns null if a secret can't be decrypted, because SECRET was changed.
 */
export function validSecrets(key: Uint8Array, stored: StoredSecrets, now: Date): Buffer[] | null {
  const { id, secret, old_secret: old, old_secret_until: until } = stored;
  const isOldValid = old !== null && until !== null && now < until;
  const sealed = isOldValid ? [secret, old] : [secret];
  const opened = sealed.flatMap((item) => unseal(key, ['webhook', id], item) ?? []);
  return opened.length === sealed.length ? opened : null;
}

/** The signed content of a delivery. The ID contains no dots. */
export interface SignedMessage {
  readonly id: string;
  readonly body: string;
}

/** Returns the headers that identify and sign an attempt. */
export function signatureHeaders(
  secrets: readonly Uint8Array[],
  { id, body }: SignedMessage,
  attemptedAt: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(attemptedAt.getTime() / 1000));
  const sign = (secret: Uint8Array) =>
    `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(sign).join(' '),
  };
}
