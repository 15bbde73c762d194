import { z } from 'zod';
import { limits } from '../limits.ts';
import { scenes, uploadTypes } from '../statuses.ts';
import { flag, nothing, orNumber, orText, peaks, time } from './common.ts';
import { recording } from './entities.ts';

const uploadGrant = z
  .object({
    provider: z
      .enum(['local', 's3', 'cos'])
      .describe('The kind of store. `local` accepts the same forms as Tencent COS.'),
    bucket: z.string(),
    cosRegion: z.string().describe("The bucket's region."),
    startTime: z.int().describe('Start of validity, in Unix seconds.'),
    expiredTime: z.int().describe('End of validity, in Unix seconds.'),
    expiration: time.describe('`expiredTime` in the ISO 8601 format required by the policy.'),
    credentials: z
      .object({ tmpSecretId: z.string(), tmpSecretKey: z.string(), sessionToken: z.string() })
      .optional()
      .describe(
        "Only with the providers `local` and `cos`: credentials for building and signing the policy of Tencent's *POST Object* (https://cloud.tencent.com/document/product/436/14690). The policy's conditions are q-sign-algorithm `sha1`, q-ak `tmpSecretId`, q-sign-time `startTime;expiredTime`, bucket, key and content-length-range. The form fields are key, Content-Type, policy (base64), q-sign-algorithm, q-ak, q-key-time, q-signature, x-cos-security-token `sessionToken`, success_action_status `204`, and `file` last. The signature is HMAC-SHA1(HMAC-SHA1(tmpSecretKey, q-key-time), SHA1(policy)), each in hex.",
      ),
    form: z
      .object({ url: z.string(), fields: z.record(z.string(), z.string()) })
      .optional()
      .describe(
        'Only with the provider `s3`: the signed form. POST its fields to `url`, followed by the file in the field `file`.',
      ),
    resumable: z
      .object({ url: z.string(), token: z.string() })
      .optional()
      .describe(
        "The endpoint for resumable uploads with tus 1.0 (https://tus.io), for unstable networks. Send the token as bearer token with every request. The first request may instead send it as `token` in Upload-Metadata, and later requests may send one of the account's access tokens. As after a form upload, send the grant's `url` to upload/ossFile when the upload is complete.",
      ),
    key: z.string().describe("The object's key in the bucket."),
    uploadUrl: z.string().describe('The URL to POST the form to.'),
    url: z
      .string()
      .describe('The URL of the object. Send it, unchanged, to upload/ossFile after the upload.'),
    maxSize: z.int().describe("The object's maximum size in bytes."),
  })
  .meta({
    id: 'UploadGrant',
    description:
      'A short-lived grant to upload one object. With the provider `s3`, it contains a signed form. With `local` and `cos`, it contains credentials for the client to sign the form itself.',
  });

export const ossConfig = {
  body: z
    .object({
      type: z
        .enum(uploadTypes)
        .describe("`voice_file` for audio, `avatar` for the account's picture."),
      ext: z.string().trim().min(1).max(16).describe('The file name extension, such as `ogg`.'),
      recording: flag
        .default(false)
        .describe(
          "For an mp3: true if it is a recording's audio, to be registered with upload/ossFile. Otherwise the grant is for the result of /convert.",
        ),
    })
    .describe(
      'voice_file accepts the `audio_kinds` in site/config, and mp3 from /convert. avatar accepts pictures.',
    ),
  data: uploadGrant,
};

/** Returns a grant for uploading an app log, to be referenced in user/feedback. */
export const logConfig = { body: nothing, data: uploadGrant };

const file = z.object({
  name: z.string().trim().max(limits.recording.nameMaxLength).default(''),
  source: orText(z.int().min(0).max(255))
    .default(0)
    .describe('1 is a call, any other value is a note.'),
  scene: z
    .enum(scenes)
    .optional()
    .describe("The recording's type. By default, it's derived from `source` and `sn`."),
  url: z.string().max(2048).default(''),
  file_size: orText(z.int().min(0)).default(0).describe('File size in bytes.'),
  mime_type: z.string().max(100).default(''),
  ext: z.string().max(16).default(''),
  total_time: orText(z.number().min(0).max(10_000_000))
    .default(0)
    .describe("Duration in seconds. The server prefers the duration stated in the file's header."),
  peaks: peaks.default(''),
  sn: orNumber(z.string().max(limits.serial.maxLength)).default(''),
  client_flag: orNumber(z.string().max(64))
    .default('')
    .describe(
      "The recording's ID, assigned by the client. It must be the same on every device and in every retry.",
    ),
  recorded_at: z.iso
    .datetime({ offset: true })
    .optional()
    .describe(
      "When the recording was made, including the UTC offset of the user's time zone. Summaries use it to resolve words like “tomorrow”. Defaults to the time of the call.",
    ),
});

export const ossFile = {
  body: file.extend({
    url: z.string().min(1).max(2048).describe('The `url` of the upload grant, unchanged.'),
    file_size: orText(z.int().min(0)).describe(
      'The size in bytes. It must match the stored object.',
    ),
    client_flag: orNumber(z.string().min(1).max(64)).describe(
      'The ID that the client assigns to the recording, such as a UUID. It must be the same on every device and in every retry.',
    ),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i)
      .optional()
      .describe(
        'The SHA-256 of the whole file, in hex. The server compares it with the stored object.',
      ),
    call_levels: z
      .base64()
      .max(Math.ceil(limits.recording.callLevelsBytes / 3) * 4)
      .optional()
      .describe(
        'Audio levels of a recorded call, in base64, used to distinguish speakers in the transcript: for every 100 ms, one byte for the microphone and one byte for the remote party.',
      ),
    auto_transcribe: flag
      .optional()
      .describe('True if phones may request a transcription automatically.'),
  }),
  data: recording,
};

export const checkOssFile = {
  body: file.extend({
    client_flag: orNumber(z.string().min(1).max(64)).describe(
      'The ID that the client assigned to the recording. All other fields are ignored.',
    ),
  }),
  data: recording
    .nullable()
    .describe("The recording, or null if the server doesn't know the file."),
};

/**
 * The form fields, in any order, in addition to the file (field `radio`). Without client_flag, each upload creates a
 * new recording.
 */
export const radioFile = { body: file, data: recording };

/** Converts an Ogg file to MP3. All URLs must point to the server's own store. */
export const convert = {
  body: z.object({
    fileUrl: z
      .string()
      .min(1)
      .max(4096)
      .describe("The URL of the Ogg file, such as a recording's `url`."),
    postUrl: z
      .string()
      .min(1)
      .max(4096)
      .describe('The URL to POST the MP3 to: the `uploadUrl` of an upload grant for `mp3`.'),
    iurl: z.string().min(1).max(4096).describe('The `url` of that upload grant.'),
    uploadObj: z
      .record(z.string(), z.string())
      .describe('The signed form fields for the POST request.'),
  }),
  data: z.object({
    iurl: z.string().describe('A short-lived signed URL of the MP3.'),
    file_size: z.int().describe("The MP3's size in bytes."),
  }),
};

/** An account's storage usage on the server. */
export const storage = {
  body: nothing,
  data: z.object({
    used_bytes: z.int().describe("Total size of the account's recordings, in bytes."),
    quota_bytes: z
      .int()
      .nullable()
      .describe('Maximum total size in bytes, or null if the operator has set no limit.'),
  }),
};
