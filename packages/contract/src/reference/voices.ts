import { callsOf } from './groups.ts';

const call = callsOf('voices');

export const voiceCalls = {
  'voice/list': call(
    'voiceList',
    'List the remembered voices',
    'Returns the voices by which speakers are recognized in new recordings, if the account has agreed to this with the setting `voices`, `remember`.',
  ),
  'voice/rename': call(
    'voiceRename',
    'Rename a voice',
    'Renames the speaker in all recordings in which the voice was remembered.',
  ),
  'voice/forget': call(
    'voiceForget',
    'Forget a voice',
    'Deletes the embeddings of a voice, and those of unnamed speakers for whom its name is proposed.',
  ),
  'voice/export': call(
    'voiceExport',
    'Export the voices',
    'Returns everything that is stored about voices, including the embeddings.',
  ),
};
