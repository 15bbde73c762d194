import { createCallGroup } from './groups.ts';

const call = createCallGroup('recordings');

export const recordingCalls = {
  'radio/rename': call(
    'recordingsRename',
    'Rename a recording',
    'Changes the name of a recording and returns the recording.',
  ),
  'radio/delete': call(
    'recordingsMoveToBin',
    'Move a recording to the recycle bin',
    'Moves a recording to the recycle bin and cancels its transcription. `radio/recover` restores the recording. To delete permanently, use `radio/batchDelete`.',
  ),
  'radio/batchDelete': call(
    'recordingsDeletePermanently',
    'Delete recordings permanently',
    'Permanently deletes recordings with their audio and transcripts, whether or not they are in the recycle bin. This cannot be undone. To move a recording to the recycle bin, use `radio/delete`.',
  ),
  'radio/recover': call(
    'recordingsRecover',
    'Restore recordings',
    'Restores recordings from the recycle bin.',
  ),
  'radio/translateHistory': call(
    'recordingsTranscriptionHistory',
    'List past transcriptions',
    'Returns transcriptions and their cost, newest first, including transcriptions of deleted recordings.',
  ),
};
