import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { cosAlgorithm, cosFields } from '@linnet/contract/cos-post';
import type { SignedGrant } from './grant-tokens.ts';
import { secretKeyOf, session } from './grant-tokens.ts';

/** COS error code of a refused form. */
export type CosRefusalCode =
  | 'AccessDenied'
  | 'SignatureDoesNotMatch'
  | 'ExpiredToken'
  | 'InvalidPolicyDocument'
  | 'EntityTooLarge'
  | 'EntityTooSmall'
  | 'MalformedPOSTRequest'
  | 'InternalError';

export class CosRefusal extends Error {
  override readonly name = 'CosRefusal';
  readonly code: CosRefusalCode;
  constructor(code: CosRefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}

export interface AllowedPost {
  readonly grant: SignedGrant;
  /** Bytes, both included. */
  readonly minSize: number;
  readonly maxSize: number;
}

/**
 * Verifies the fields of a POST Object form: the session token is ours, in time and for this key; the
 * policy is signed with the key that belongs to it, and every condition of it holds.
 * @param fileType the media type of the file part, where the form names none
 * @throws CosRefusal
 */
export function verifyPost(
  key: Uint8Array,
  bucket: string,
  fields: ReadonlyMap<string, string>,
  fileType: string,
  now: Date,
): AllowedPost {
  const field = (name: string): string => fields.get(name) ?? '';
  const grant = session.open(key, field(cosFields.sessionToken));
  if (!grant) throw new CosRefusal('AccessDenied', 'no session token of this store');
  const seconds = now.getTime() / 1000;
  if (seconds < grant.start || seconds > grant.end) {
    throw new CosRefusal('ExpiredToken', 'the session token has expired');
  }
  if (field(cosFields.accessKey) !== grant.secretId) {
    throw new CosRefusal('AccessDenied', 'the access key is not the one of the session');
  }
  if (field(cosFields.algorithm) !== cosAlgorithm) {
    throw new CosRefusal('AccessDenied', `the algorithm is not ${cosAlgorithm}`);
  }
  const keyTime = field(cosFields.keyTime);
  const policyText = Buffer.from(field(cosFields.policy), 'base64').toString();
  const expected = sign(secretKeyOf(key, grant.secretId), keyTime, policyText);
  if (!equal(field(cosFields.signature), expected)) {
    throw new CosRefusal('SignatureDoesNotMatch', 'the policy is not signed with the session key');
  }
  const [from, to] = keyTime.split(';').map(Number);
  if (!(from !== undefined && to !== undefined && seconds >= from && seconds <= to)) {
    throw new CosRefusal('ExpiredToken', 'the signature is out of its time');
  }
  if (field(cosFields.key) !== grant.key) {
    throw new CosRefusal('AccessDenied', 'the session is for another key');
  }
  const type = mediaType(fields.get(cosFields.contentType) ?? fileType);
  if (!grant.types.includes(type)) {
    throw new CosRefusal('AccessDenied', 'the session is for another type of file');
  }
  const size = checkPolicy(policyText, bucket, fields, now);
  return { grant, minSize: size.min, maxSize: Math.min(size.max, grant.maxSize) };
}

/** Conditions that every policy must have. They bind a signature to one session. */
const required = [cosFields.algorithm, cosFields.accessKey, cosFields.signTime] as const;

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
  const fieldOf = (name: string): string | undefined => {
    if (name === 'bucket') return bucket;
    return fields.get(name === cosFields.signTime ? cosFields.keyTime : name);
  };
  const missing = new Set<string>(required);
  let size = { min: 0, max: Number.POSITIVE_INFINITY };
  for (const condition of policy.conditions) {
    const parsed = parseCondition(condition);
    if (parsed.kind === 'size') {
      size = { min: Math.max(size.min, parsed.min), max: Math.min(size.max, parsed.max) };
      continue;
    }
    const value = fieldOf(parsed.name) ?? '';
    const holds =
      parsed.kind === 'equals' ? value === parsed.value : value.startsWith(parsed.value);
    if (!holds)
      throw new CosRefusal('AccessDenied', `the policy does not allow this ${parsed.name}`);
    if (parsed.kind === 'equals') missing.delete(parsed.name);
  }
  if (missing.size > 0) {
    throw new CosRefusal('InvalidPolicyDocument', `the policy lacks ${[...missing].join(', ')}`);
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
  throw new CosRefusal('InvalidPolicyDocument', 'the policy cannot be read');
}

type Condition =
  | { readonly kind: 'equals' | 'starts-with'; readonly name: string; readonly value: string }
  | { readonly kind: 'size'; readonly min: number; readonly max: number };

function parseCondition(condition: unknown): Condition {
  if (Array.isArray(condition)) {
    const [operator, first, second] = condition;
    if (operator === 'content-length-range' && isSize(first) && isSize(second)) {
      return { kind: 'size', min: first, max: second };
    }
    const named = typeof first === 'string' && first.startsWith('$') && typeof second === 'string';
    if (named && operator === 'eq') return { kind: 'equals', name: first.slice(1), value: second };
    if (named && operator === 'starts-with') {
      return { kind: 'starts-with', name: first.slice(1), value: second };
    }
  } else if (typeof condition === 'object' && condition !== null) {
    const [entry, ...more] = Object.entries(condition);
    if (entry && more.length === 0 && typeof entry[1] === 'string') {
      return { kind: 'equals', name: entry[0], value: entry[1] };
    }
  }
  throw new CosRefusal('InvalidPolicyDocument', 'the policy has a condition that cannot be read');
}

const isSize = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

function sign(secretKey: string, keyTime: string, policy: string): string {
  const hmacHex = (secret: string, text: string) =>
    createHmac('sha1', secret).update(text).digest('hex');
  return hmacHex(hmacHex(secretKey, keyTime), createHash('sha1').update(policy).digest('hex'));
}

function equal(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function mediaType(header: string): string {
  return (header.split(';')[0] ?? '').trim().toLowerCase();
}
