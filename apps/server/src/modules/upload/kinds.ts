import { type AudioKind, audioKinds } from '@linnet/audio/kind';
import { limits } from '@linnet/contract/limits';
import type { ObjectType } from '@linnet/contract/statuses';
import { CallError } from '../../http/failure.ts';

type MediaTypes = readonly [string, ...string[]];

export interface ObjectKind {
  /** First segment of this kind's object keys. */
  readonly folder: string;
  /** Maximum size in bytes. */
  readonly maxSize: number;
  /** Accepted media types by extension. Objects are served with the first media type. */
  readonly types: Readonly<Record<string, MediaTypes>>;
}

/** The generic media type, sent by clients that don't know the specific type. Accepted for every kind of object. */
export const genericMediaType = 'application/octet-stream';

/** The size limit and accepted media types of each kind of object. */
export const kinds: Readonly<Record<ObjectType, ObjectKind>> = {
  voice_file: {
    folder: 'voice',
    maxSize: limits.upload.voiceBytes,
    types: Object.fromEntries(
      // Reverse the order, so the first of several kinds with the same extension wins. It accepts all their media
      // types.
      Object.values(audioKinds)
        .toReversed()
        .map(({ ext, mediaTypes }) => [ext, mediaTypes]),
    ),
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

/** Returns the prefix shared by all of an account's object keys of one kind. */
export function keyPrefix({ folder }: ObjectKind, accountId: string): string {
  return `${folder}/${accountId}/`;
}

/** Returns the prefixes of an account's object keys, one per kind. */
export function keyPrefixesOfAccount(accountId: string): string[] {
  return Object.values(kinds).map((kind) => keyPrefix(kind, accountId));
}

/** Maps alternative extensions to the extension that files are stored with. */
const storedExtensions: ReadonlyMap<string, string> = new Map(
  Object.values<AudioKind>(audioKinds).flatMap(({ ext, otherExts = [] }) =>
    otherExts.map((other) => [other, ext] as const),
  ),
);

/**
 * Converts an extension to the form that files are stored with: lower case, without a leading dot, and `ogg` for
 * `opus`.
 */
export function normalizeExtension(ext: string): string {
  const name = ext.toLowerCase().replace(/^\./, '');
  return storedExtensions.get(name) ?? name;
}

/**
 * Returns the media types accepted for an extension.
 * @param decoded the kinds of audio that the server can decode; other voice files aren't accepted
 * @throws CallError typeNotAccepted
 */
export function mediaTypesFor(
  type: ObjectType,
  ext: string,
  decoded: readonly AudioKind[],
): MediaTypes {
  const { types } = kinds[type];
  const extensions =
    type === 'voice_file' ? new Set(decoded.map((kind) => kind.ext)) : new Set(Object.keys(types));
  const mediaTypes = extensions.has(ext) ? types[ext] : undefined;
  if (mediaTypes) return mediaTypes;
  const accepted = [...extensions].join(', ');
  throw new CallError(
    'typeNotAccepted',
    `This file type isn't accepted. Send one of: ${accepted}.`,
  );
}

/** Returns the media type an object is served with, derived from its key's extension. */
export function getMediaType(key: string): string {
  const ext = key.slice(key.lastIndexOf('.') + 1);
  for (const { types } of Object.values(kinds)) {
    const [preferred] = types[ext] ?? [];
    if (preferred) return preferred;
  }
  return genericMediaType;
}
