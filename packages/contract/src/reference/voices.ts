import { createCallGroup } from './groups.ts';

const call = createCallGroup('voices');

export const voiceCalls = {
  'voice/list': call(
    'voiceList',
    'List the stored voices',
    'Returns the voices used to recognize speakers in new recordings. Voices are stored only if the user has turned on the setting `remember` in the group `voices`.',
  ),
  'voice/rename': call(
    'voiceRename',
    'Rename a voice',
    'Renames a voice, and its speaker in all recordings the voice was stored from.',
  ),
  'voice/forget': call(
    'voiceForget',
    'Forget a voice',
    "Deletes a voice's embeddings, and the embeddings of unnamed speakers for whom the voice's name is proposed.",
  ),
  'voice/export': call(
    'voiceExport',
    'Export the voices',
    'Returns all stored data about voices, including the embeddings.',
  ),
};
