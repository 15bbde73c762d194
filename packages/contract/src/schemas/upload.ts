import { z } from 'zod';
import { limits } from '../limits.ts';
import { scenes, uploadTypes } from '../statuses.ts';
import { flag, nothing, orNumber, orText, peaks, time } from './common.ts';
import { recording } from './task.ts';

/** A short-lived grant to upload one object. With the provider `s3`, it contains a signed form. */
const uploadGrant = z.object({
  provider: z.enum(['local', 's3', 'cos']),
  bucket: z.string(),
  cosRegion: z.string(),
  /** Valid from, in Unix seconds. */
  startTime: z.int(),
  /** Valid until, in Unix seconds. */
  expiredTime: z.int(),
  expiration: time,
  credentials: z
    .object({ tmpSecretId: z.string(), tmpSecretKey: z.string(), sessionToken: z.string() })
    .optional(),
  form: z.object({ url: z.string(), fields: z.record(z.string(), z.string()) }).optional(),
  /**
   * The endpoint for resumable uploads with tus 1.0 (https://tus.io), for unstable networks. The first request sends
   * the token as `token` in Upload-Metadata. Later requests send that token, or one of the account's access tokens, as
   * bearer token. As with a form, the client must send `url` to ossFile at the end.
   */
  resumable: z.object({ url: z.string(), token: z.string() }).optional(),
  key: z.string(),
  /** The address to post the form to. */
  uploadUrl: z.string(),
  /** The address to send to upload/ossFile after the upload. */
  url: z.string(),
  /** The object's maximum size in bytes. */
  maxSize: z.int(),
});

export const ossConfig = {
  /** voice_file accepts the `audio_kinds` in site/config, and mp3 from /convert. avatar accepts pictures. */
  body: z.object({
    type: z.enum(uploadTypes),
    ext: z.string().trim().min(1).max(16),
    /**
     * True if an mp3 is a recording's audio, to be registered with upload/ossFile. Otherwise the grant is for /convert.
     */
    recording: flag.default(false),
  }),
  data: uploadGrant,
};

/** Returns a grant to upload an app log, which user/feedback can then refer to. */
export const logConfig = { body: nothing, data: uploadGrant };

const file = z.object({
  name: z.string().trim().max(limits.recording.nameMaxLength).default(''),
  source: orText(z.int().min(0).max(255)).default(0),
  /** The recording's type. By default, it's derived from `source` and `sn`. */
  scene: z.enum(scenes).optional(),
  url: z.string().max(2048).default(''),
  /** File size in bytes. */
  file_size: orText(z.int().min(0)).default(0),
  mime_type: z.string().max(100).default(''),
  ext: z.string().max(16).default(''),
  /** Duration in seconds. */
  total_time: orText(z.number().min(0).max(10_000_000)).default(0),
  peaks: peaks.default(''),
  sn: orNumber(z.string().max(limits.serial.maxLength)).default(''),
  /** The recording's id. It's the same on every device and in every retry. */
  client_flag: orNumber(z.string().max(64)).default(''),
  /**
   * When the recording was made, with the offset of the owner's time zone from UTC, by which a summary understands words
   * like "tomorrow". Defaults to the time of the call.
   */
  recorded_at: z.iso.datetime({ offset: true }).optional(),
});

export const ossFile = {
  body: file.extend({
    url: z.string().min(1).max(2048),
    file_size: orText(z.int().min(0)),
    client_flag: orNumber(z.string().min(1).max(64)),
    /** The whole file's SHA-256 in hex. The server compares it with the stored object. */
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i)
      .optional(),
    /**
     * A recorded call's levels, used to tell speakers apart in the transcript: for each 100 ms, one byte for the
     * microphone and one for the other participants, in base64.
     */
    call_levels: z
      .base64()
      .max(Math.ceil(limits.recording.callLevelsBytes / 3) * 4)
      .optional(),
    /** True if phones may request a transcription automatically. */
    auto_transcribe: flag.optional(),
  }),
  data: recording,
};

export const checkOssFile = {
  body: file.extend({ client_flag: orNumber(z.string().min(1).max(64)) }),
  /** The recording, or null if the server doesn't know the file. */
  data: recording.nullable(),
};

/** The fields besides the file `radio`, in any order. Without client_flag, each upload creates a new recording. */
export const radioFile = { body: file, data: recording };

/** Converts an ogg to mp3. All addresses must be in the server's own store. */
export const convert = {
  body: z.object({
    /** Where to read the ogg, such as a recording's `url`. */
    fileUrl: z.string().min(1).max(4096),
    /** Where to post the mp3: `uploadUrl` of an upload grant with ext mp3. */
    postUrl: z.string().min(1).max(4096),
    /** The `url` of that upload grant. */
    iurl: z.string().min(1).max(4096),
    /** The signed form fields of the post. */
    uploadObj: z.record(z.string(), z.string()),
  }),
  data: z.object({
    /** A short-lived signed address for reading the mp3. */
    iurl: z.string(),
    /** The mp3's size in bytes. */
    file_size: z.int(),
  }),
};

/** An account's storage usage on the server. */
export const storage = {
  body: nothing,
  data: z.object({
    /** Total size of the account's recordings, in bytes. */
    used_bytes: z.int(),
    /** Maximum total size in bytes, or null if the operator has set no limit. */
    quota_bytes: z.int().nullable(),
  }),
};
