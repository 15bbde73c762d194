import { createCallGroup } from './groups.ts';

const call = createCallGroup('upload');

export const uploadCalls = {
  'oss/config': call(
    'uploadGrant',
    'Request an upload grant',
    'Returns a short-lived grant to upload one object, either with a form or resumably with tus. After uploading audio, register it with `upload/ossFile`.',
  ),
  'upload/ossConfig': call(
    'uploadLogGrant',
    'Request an upload grant for a log',
    'Returns a grant to upload an app log, to be referenced in `user/feedback`.',
  ),
  'upload/ossFile': call(
    'uploadRegister',
    'Register an uploaded recording',
    'Registers uploaded audio as a recording. Idempotent: another call with the same `client_flag` returns the same recording.',
  ),
  'upload/checkOssFile': call(
    'uploadCheck',
    'Look up a recording',
    'Returns the recording with this `client_flag`, or null. Call it before an upload to check whether the server already has the recording.',
  ),
  'upload/radioFile': call(
    'uploadFile',
    'Upload a recording in one request',
    "Stores the file in the form field `radio` and registers it as a recording. Only the file is required. It may have up to 2 GiB, in one of the `audio_kinds` of `site/config`. The format is taken from the file name's extension or, without one, from the media type. With a `client_flag`, a repeated call returns the same recording. Without one, each call adds a recording. Transcribe it with `task/create` afterwards.",
  ),
  convert: call(
    'uploadConvert',
    'Convert a recording to MP3',
    'Converts an uploaded Ogg file to MP3 and stores the result at the URL of an upload grant.',
  ),
  'user/storage': call(
    'uploadStorage',
    'Get the storage usage',
    "Returns the total size of the account's recordings on the server, and the account's quota.",
  ),
};
