import { limits } from '@linnet/contract/limits';
import type { ObjectType } from '@linnet/contract/statuses';
import { CallError } from '../../http/failure.ts';

type Types = readonly [string, ...string[]];

export interface Kind {
  /** Key prefix of this kind. */
  readonly folder: string;
  /** Bytes. */
  readonly maxSize: number;
  /** Media types by extension. Objects are served as the first. */
  readonly types: Readonly<Record<string, Types>>;
}

/** The generic media type, used by clients that do not know the specific one. */
export const unspecific = 'application/octet-stream';

/** Limits and media types of each kind of object. */
export const kinds: Readonly<Record<ObjectType, Kind>> = {
  voice_file: {
    folder: 'voice',
    maxSize: limits.upload.voiceBytes,
    types: {
      ogg: ['audio/ogg', 'application/ogg', 'audio/opus'],
      wav: ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
    },
  },
  avatar: {
    folder: 'avatar',
    maxSize: limits.upload.avatarBytes,
    types: {
      png: ['image/png'],
      jpg: ['image/jpeg'],
      jpeg: ['image/jpeg'],
      webp: ['image/webp'],
    },
  },
  log: { folder: 'log', maxSize: limits.upload.logBytes, types: { log: ['text/plain'] } },
  converted: {
    folder: 'converted',
    maxSize: limits.upload.voiceBytes,
    types: { mp3: ['audio/mpeg', 'audio/mp3'] },
  },
};

/** Key prefix of an account's objects of a kind. */
export function prefixOf({ folder }: Kind, accountId: string): string {
  return `${folder}/${accountId}/`;
}

/** Key prefixes of all of an account's objects. */
export function ownPrefixes(accountId: string): string[] {
  return Object.values(kinds).map((kind) => prefixOf(kind, accountId));
}

/** Normalizes an extension for keys. */
export function cleanExt(ext: string): string {
  return ext.toLowerCase().replace(/^\./, '');
}

/**
 * The media types of an extension.
 * @throws CallError typeNotAccepted
 */
export function typesOf({ types }: Kind, ext: string): Types {
  const found = Object.hasOwn(types, ext) ? types[ext] : undefined;
  if (found) return found;
  const taken = Object.keys(types).join(', ');
  throw new CallError('typeNotAccepted', `This kind of file is not accepted; send ${taken}.`);
}

/** The media type an object is served as, by the extension of its key. */
export function mediaTypeOf(key: string): string {
  const ext = key.slice(key.lastIndexOf('.') + 1);
  for (const { types } of Object.values(kinds)) {
    const [standard] = types[ext] ?? [];
    if (standard) return standard;
  }
  return unspecific;
}
