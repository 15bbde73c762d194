import { createCallGroup } from './groups.ts';

const call = createCallGroup('retention');

export const retentionCalls = {
  'retention/index': call(
    'retentionList',
    'List the retention rules',
    'Returns the rules in creation order. Rules run once a day.',
  ),
  'retention/preview': call(
    'retentionPreview',
    'Preview a retention rule',
    'Returns the recordings that a rule would move to the recycle bin if it ran now, oldest first, and the number of recordings it would skip, by reason. Nothing is saved or moved.',
  ),
  'retention/save': call(
    'retentionSave',
    'Create or change a retention rule',
    "Saves a rule that moves recordings to the recycle bin once they reach a certain age. The rule never deletes them. It first runs 24 hours after it is created or changed. A recording's age is the time since it was recorded, uploaded or last restored from the recycle bin, whichever happened last. A rule skips recordings that are protected, are being transcribed, have a valid share link, or have no audio on the server. It doesn't skip archived recordings. Saving a paused rule confirms it. An account can have up to 20 rules.",
  ),
  'retention/delete': call(
    'retentionDelete',
    'Delete a retention rule',
    'Deletes a rule. Recordings it moved stay in the recycle bin.',
  ),
  'retention/runs': call(
    'retentionRuns',
    'List the runs of rules',
    'Returns the runs of the past 365 days that moved recordings, latest first.',
  ),
  'retention/moved': call(
    'retentionMoved',
    'List the recordings of a run',
    'Returns the recordings that a run moved, oldest first. Permanently deleted recordings are omitted.',
  ),
  'retention/undo': call(
    'retentionUndo',
    'Undo a run',
    'Restores the recordings of a run that have stayed in the recycle bin since the run. Their age then counts from now.',
  ),
};
