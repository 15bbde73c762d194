import { callsOf } from './groups.ts';

const call = callsOf('retention');

export const retentionCalls = {
  'retention/index': call(
    'retentionList',
    'List the retention rules',
    'Returns the rules, in the order in which they were created. They act once a day.',
  ),
  'retention/preview': call(
    'retentionPreview',
    'Preview a retention rule',
    'Returns the recordings that a rule would move to the recycle bin if it acted now, oldest first, and how many it would leave alone, and why. Nothing is saved or moved.',
  ),
  'retention/save': call(
    'retentionSave',
    'Create or change a retention rule',
    "The rule moves recordings to the recycle bin, where they stay. It acts for the first time 24 hours after it was created or changed. A recording's age counts from when it was made, its audio was uploaded, or it was last restored from the recycle bin, whichever was last. A rule never moves protected recordings, recordings that are being transcribed, those with a valid link, or those whose audio the server doesn't have. Archived recordings are included. Saving a paused rule confirms it. An account has at most 20 rules.",
  ),
  'retention/delete': call(
    'retentionDelete',
    'Delete a retention rule',
    'Deletes a rule. Recordings that it has moved stay in the recycle bin.',
  ),
  'retention/runs': call(
    'retentionRuns',
    'List what the rules have moved',
    'Returns the applications of rules that moved recordings in the past 365 days, latest first.',
  ),
  'retention/moved': call(
    'retentionMoved',
    'List the recordings of a run',
    'Returns the recordings that a run moved, oldest first, except permanently deleted ones.',
  ),
  'retention/undo': call(
    'retentionUndo',
    'Undo a run',
    'Restores the recordings that a run moved and that have been in the recycle bin since. Their age counts from now on.',
  ),
};
