import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { cosAlgorithm, cosFields } from '@linnet/contract/cos-post';
import type { SignedGrant } from './grant-tokens.ts';
import { deriveSecretKey, sessionToken } from './grant-tokens.ts';

/**
 * Verifies upload forms in the format of Tencent COS's POST Object. A form contains a session token, which states what
 * the server allows, and a policy signed by the client, which may restrict the upload further.
 */

/** COS error code for a rejected form. */
export type CosRefusalCode =
  | 'AccessDenied'
  | 'SignatureDoesNotMatch'
  | 'ExpiredToken'
  | 'InvalidPolicyDocument'
  | 'EntityTooLarge'
  | 'EntityTooSmall'
  | 'MalformedPOSTRequest'
  | 'InternalError';

/** Thrown when a form is rejected. */
export class CosRefusal extends Error {
  override readonly name = 'CosRefusal';
  readonly code: CosRefusalCode;
  constructor(code: CosRefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A verified form's grant and size limits. */
export interface AllowedPost {
  readonly grant: SignedGrant;
  /** Limits on the file size in bytes, inclusive. */
  readonly minSize: number;
  readonly maxSize: number;
}

/**
 * Verifies the fields of a POST Object form:
 * - The session token was issued by this server, is currently valid and covers the object's key.
 * - The policy is signed with the session's secret key.
 * - All conditions of the policy are met.
 * @param fileType the file part's media type, used if the form has no content type field
 * @throws CosRefusal
 */
export function verifyPost(
  key: Uint8Array,
  bucket: string,
  fields: ReadonlyMap<string, string>,
  fileType: string,
  now: Date,
): AllowedPost {
  const fieldValue = (name: string): string => fields.get(name) ?? '';
  const grant = sessionToken.open(key, fieldValue(cosFields.sessionToken));
  if (!grant) throw new CosRefusal('AccessDenied', 'the session token is invalid');
  const seconds = now.getTime() / 1000;
  if (seconds < grant.start || seconds > grant.end) {
    throw new CosRefusal('ExpiredToken', 'the session token has expired');
  }
  if (fieldValue(cosFields.accessKey) !== grant.secretId) {
    throw new CosRefusal('AccessDenied', 'the access key does not belong to the session');
  }
  if (fieldValue(cosFields.algorithm) !== cosAlgorithm) {
    throw new CosRefusal('AccessDenied', `the algorithm must be ${cosAlgorithm}`);
  }
  const keyTime = fieldValue(cosFields.keyTime);
  const policyText = Buffer.from(fieldValue(cosFields.policy), 'base64').toString();
  const expected = sign(deriveSecretKey(key, grant.secretId), keyTime, policyText);
  if (!isEqual(fieldValue(cosFields.signature), expected)) {
    throw new CosRefusal('SignatureDoesNotMatch', 'the policy is not signed with the session key');
  }
  const [from, to] = keyTime.split(';').map(Number);
  if (!(from !== undefined && to !== undefined && seconds >= from && seconds <= to)) {
    throw new CosRefusal('ExpiredToken', 'the signature is not valid at this time');
  }
  if (fieldValue(cosFields.key) !== grant.key) {
    throw new CosRefusal('AccessDenied', 'the session is for a different key');
  }
  const type = normalizeMediaType(fields.get(cosFields.contentType) ?? fileType);
  if (!grant.types.includes(type)) {
    throw new CosRefusal('AccessDenied', 'the session is for a different file type');
  }
  const size = checkPolicy(policyText, bucket, fields, now);
  return { grant, minSize: size.min, maxSize: Math.min(size.max, grant.maxSize) };
}

/** Conditions that every policy must contain. They bind its signature to one session. */
const requiredConditions = [cosFields.algorithm, cosFields.accessKey, cosFields.signTime] as const;

function checkPolicy(
  text: string,
  bucket: string,
  fields: ReadonlyMap<string, string>,
  now: Date,
): { min: number; max: number } {
  const policy = parsePolicy(text);
  if (!(Date.parse(policy.expiration) > now.getTime())) {
    throw new CosRefusal('ExpiredToken', 'the policy has expired');
  }
  const getCheckedValue = (name: string): string | undefined => {
    if (name === 'bucket') return bucket;
    return fields.get(name === cosFields.signTime ? cosFields.keyTime : name);
  };
  const missingConditions = new Set<string>(requiredConditions);
  let size = { min: 0, max: Number.POSITIVE_INFINITY };
  for (const condition of policy.conditions) {
    const parsed = parseCondition(condition);
    if (parsed.kind === 'size') {
      size = { min: Math.max(size.min, parsed.min), max: Math.min(size.max, parsed.max) };
      continue;
    }
    const value = getCheckedValue(parsed.name) ?? '';
    const isMet =
      parsed.kind === 'equals' ? value === parsed.value : value.startsWith(parsed.value);
    if (!isMet)
      throw new CosRefusal('AccessDenied', `the policy does not allow this ${parsed.name}`);
    if (parsed.kind === 'equals') missingConditions.delete(parsed.name);
  }
  if (missingConditions.size > 0) {
    throw new CosRefusal(
      'InvalidPolicyDocument',
      `the policy lacks ${[...missingConditions].join(', ')}`,
    );
  }
  return size;
}

function parsePolicy(text: string): { expiration: string; conditions: unknown[] } {
  try {
    const policy: unknown = JSON.parse(text);
    if (typeof policy === 'object' && policy !== null) {
      const { expiration, conditions } = policy as Record<string, unknown>;
      if (typeof expiration === 'string' && Array.isArray(conditions)) {
        return { expiration, conditions };
      }
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new CosRefusal('InvalidPolicyDocument', 'the policy is malformed');
}

type Condition =
  | { readonly kind: 'equals' | 'starts-with'; readonly name: string; readonly value: string }
  | { readonly kind: 'size'; readonly min: number; readonly max: number };

function parseCondition(condition: unknown): Condition {
  if (Array.isArray(condition)) {
    const [operator, first, second] = condition;
    if (operator === 'content-length-range' && isByteCount(first) && isByteCount(second)) {
      return { kind: 'size', min: first, max: second };
    }
    const isFieldCondition =
      typeof first === 'string' && first.startsWith('$') && typeof second === 'string';
    if (isFieldCondition && operator === 'eq')
      return { kind: 'equals', name: first.slice(1), value: second };
    if (isFieldCondition && operator === 'starts-with') {
      return { kind: 'starts-with', name: first.slice(1), value: second };
    }
  } else if (typeof condition === 'object' && condition !== null) {
    const [entry, ...excess] = Object.entries(condition);
    if (entry && excess.length === 0 && typeof entry[1] === 'string') {
      return { kind: 'equals', name: entry[0], value: entry[1] };
    }
  }
  throw new CosRefusal('InvalidPolicyDocument', 'the policy contains a malformed condition');
}

const isByteCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

function sign(secretKey: string, keyTime: string, policy: string): string {
  const hmacHex = (secret: string, text: string) =>
    createHmac('sha1', secret).update(text).digest('hex');
  return hmacHex(hmacHex(secretKey, keyTime), createHash('sha1').update(policy).digest('hex'));
}

function isEqual(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function normalizeMediaType(header: string): string {
  return (header.split(';')[0] ?? '').trim().toLowerCase();
}
