import { z } from 'zod';
import { limits } from '../limits.ts';
import { uploadTypes } from '../statuses.ts';
import { nothing, peaks, time } from './common.ts';
import { recording } from './task.ts';

/** Scoped, short-lived leave to store one object. With `s3` a ready form comes instead. */
const uploadLeave = z.object({
  provider: z.enum(['local', 's3', 'cos']),
  bucket: z.string(),
  cosRegion: z.string(),
  /** Unix seconds. */
  startTime: z.int(),
  /** Unix seconds. */
  expiredTime: z.int(),
  expiration: time,
  credentials: z
    .object({ tmpSecretId: z.string(), tmpSecretKey: z.string(), sessionToken: z.string() })
    .optional(),
  form: z.object({ url: z.string(), fields: z.record(z.string(), z.string()) }).optional(),
  /**
   * For unsteady networks: where an upload in parts is begun, as tus 1.0 has it (https://tus.io), with
   * the token as `token` in Upload-Metadata. Every later request of it carries that token, or an access
   * token of the account, as bearer. It ends as a posted form does: ossFile is told `url`.
   */
  resumable: z.object({ url: z.string(), token: z.string() }).optional(),
  key: z.string(),
  /** Where the form is posted. */
  uploadUrl: z.string(),
  /** What upload/ossFile is then told. */
  url: z.string(),
  /** Bytes. */
  maxSize: z.int(),
});

export const ossConfig = {
  /** voice_file takes ogg and wav, and mp3 for what /convert makes; avatar takes pictures. */
  body: z.object({ type: z.enum(uploadTypes), ext: z.string().trim().min(1).max(16) }),
  data: uploadLeave,
};

/** Leave to upload a log of the app, which user/feedback then names. */
export const logConfig = { body: nothing, data: uploadLeave };

const file = z.object({
  name: z.string().trim().max(limits.recording.nameMaxLength).default(''),
  source: z.int().min(0).max(255).default(0),
  url: z.string().max(2048).default(''),
  /** Bytes. */
  file_size: z.int().min(0).default(0),
  mime_type: z.string().max(100).default(''),
  ext: z.string().max(16).default(''),
  /** Seconds. */
  total_time: z.number().min(0).max(10_000_000).default(0),
  peaks: peaks.default(''),
  sn: z.string().max(limits.serial.maxLength).default(''),
  /** The recording's identity everywhere: every retry of the same recording sends the same. */
  client_flag: z.string().max(64).default(''),
  /** When it was recorded; the time of the call if absent. */
  recorded_at: z.iso.datetime({ offset: true }).optional(),
});

export const ossFile = {
  body: file.extend({
    url: z.string().min(1).max(2048),
    file_size: z.int().min(0),
    client_flag: z.string().min(1).max(64),
    /** Of the whole file, hex; checked against what is stored. */
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i)
      .optional(),
    /** Whether phones may have it transcribed without being asked. */
    auto_transcribe: z.boolean().optional(),
  }),
  data: recording,
};

export const checkOssFile = {
  body: file.extend({ client_flag: z.string().min(1).max(64) }),
  /** The recording, or null for a file the server does not know. */
  data: recording.nullable(),
};

/** The fields beside the file `radio`; any order. Without client_flag each upload is a new recording. */
export const radioFile = { body: file, data: recording };

/** Makes an mp3 of an ogg. Every address has to be in this server's own store. */
export const convert = {
  body: z.object({
    /** Readable address of the ogg, as a recording's `url` gives it. */
    fileUrl: z.string().min(1).max(4096),
    /** Where the mp3 is posted: `uploadUrl` of a leave with ext mp3. */
    postUrl: z.string().min(1).max(4096),
    /** `url` of that leave. */
    iurl: z.string().min(1).max(4096),
    /** The signed form fields of the post. */
    uploadObj: z.record(z.string(), z.string()),
  }),
  data: z.object({
    /** Readable address of the mp3, short-lived and signed. */
    iurl: z.string(),
    /** Bytes. */
    file_size: z.int(),
  }),
};

/** How much of its storage on the server an account uses. */
export const storage = {
  body: nothing,
  data: z.object({
    /** Bytes of the account's recordings. */
    used_bytes: z.int(),
    /** Bytes that they may have together; null where the operator set no limit. */
    quota_bytes: z.int().nullable(),
  }),
};
