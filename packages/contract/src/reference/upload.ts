import { callsOf } from './groups.ts';

const call = callsOf('upload');

export const uploadCalls = {
  'oss/config': call(
    'uploadGrant',
    'Request an upload grant',
    'Returns a short-lived grant to upload one object with a form or resumably with tus. Afterwards, register audio with `upload/ossFile`.',
  ),
  'upload/ossConfig': call(
    'uploadLogGrant',
    'Request an upload grant for a log',
    'Returns a grant to upload an app log, to which `user/feedback` can then refer.',
  ),
  'upload/ossFile': call(
    'uploadRegister',
    'Register an uploaded recording',
    'Registers uploaded audio as a recording. A repeated call with the same `client_flag` returns the same recording.',
  ),
  'upload/checkOssFile': call(
    'uploadCheck',
    'Look up a recording',
    'Returns the recording with this `client_flag`, or null. Use it before an upload to find out whether the server has the recording.',
  ),
  'upload/radioFile': call(
    'uploadFile',
    'Upload a recording in one request',
    'Stores the file in the form field `radio` and registers it as a recording. Only the file is required, of up to 2 GiB and in one of the `audio_kinds` of site/config; its name has an extension, or else its media type says the format. With a `client_flag`, a repeated call returns the same recording; without one, each call adds a recording. Transcribe it with `task/create` afterwards.',
  ),
  convert: call(
    'uploadConvert',
    'Convert a recording to MP3',
    'Converts an Ogg file in the store to MP3 and stores it at the address of an upload grant.',
  ),
  'user/storage': call(
    'uploadStorage',
    'Get the storage usage',
    "Returns the size of the account's recordings on the server, and its quota.",
  ),
};
