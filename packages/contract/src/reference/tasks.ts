import { callsOf } from './groups.ts';

const call = callsOf('tasks');

export const taskCalls = {
  'task/create': call(
    'taskCreate',
    'Transcribe a recording',
    "Queues the transcription and summary of a recording, and reserves its minutes. If a task is running or done, the call returns it, unless `again` requests another. Poll `task/detail` for the progress every few seconds, or register a webhook. A recording that can't be transcribed, for example because it is too short, gets a task with status 3 and an `error`.",
  ),
  'task/cancel': call(
    'taskCancel',
    'Cancel a transcription',
    'Cancels a queued or running transcription. A task that has already ended is returned unchanged.',
  ),
  'task/merge': call(
    'taskMerge',
    'Merge transcripts',
    'Gives a recording whose audio was merged from others their transcripts, with all edits, and requests a summary. It costs no minutes. If the recording already has a task, the call returns it.',
  ),
  'calendar/get': call(
    'calendarGet',
    'Address of the calendar',
    'Returns the secret address to which calendar apps subscribe, for the to-dos and dates of the latest 1000 recordings, or null if there is none.',
  ),
  'calendar/create': call(
    'calendarCreate',
    'Create the address of the calendar',
    'Creates the address, or returns the existing one. A new password makes it invalid.',
  ),
  'calendar/revoke': call(
    'calendarRevoke',
    'Revoke the address of the calendar',
    'Makes the address invalid at once. The next one is different.',
  ),
  'live/append': call(
    'liveAppend',
    'Send audio of a recording in progress',
    'Appends packets of a recording that is still in progress, and returns the text recognized so far. The transcription of the recording reuses that text. Requires a membership.',
  ),
  'live/list': call(
    'liveList',
    'List live texts',
    "Returns the text of recordings that are in progress on any of the account's devices.",
  ),
  'task/price': call(
    'taskPrice',
    'Price of a transcription',
    "Returns the minutes that a transcription of a recording's own audio would cost with `task/create` and, if the recording has a transcript, `again`.",
  ),
  'live/watch': call(
    'liveWatch',
    'Wait for live text',
    "Returns the recordings in progress on the account's devices as soon as the version differs from `version`, or after `wait` seconds. An ended recording is listed until it is uploaded.",
  ),
  'task/drafts': call(
    'taskDraftCount',
    'Count the drafts',
    'Returns the number of transcripts by the draft engine that a better engine can replace.',
  ),
  'task/replace-drafts': call(
    'taskReplaceDrafts',
    'Transcribe the drafts again',
    'Queues a new transcription for every draft, oldest first. It costs no minutes. Repeating the call queues nothing twice.',
  ),
  'task/detail': call(
    'taskDetail',
    'Get a task',
    "Returns a task's status and progress, and once its status is 2, the transcript, summary and mind map.",
  ),
  'task/index': call(
    'taskList',
    'List recordings with their tasks',
    "Returns recordings, newest first, each with its latest task, or null if it was never transcribed. Each row's `id` is the recording's id, and `task.id` is the task's. Without `ids`, the recycle bin is left out. Archived recordings are included unless `archived` says otherwise.",
  ),
  'task/search': call(
    'taskSearch',
    'Search recordings',
    'Searches names, tags, keywords, speakers, summaries and transcripts. Returns recordings, newest first, each with a few matches, best first.',
  ),
  'task/summarize': call(
    'taskSummarize',
    'Summarize again',
    "Regenerates everything that is derived from the transcript's current text, such as the summary, to-dos and mind map.",
  ),
  'task/modify-paragraph': call(
    'paragraphModify',
    'Edit a paragraph',
    'Changes the text or the highlight of a paragraph. To roll back an edit, send the `original` text from `task/paragraph-history`.',
  ),
  'task/paragraph-history': call(
    'paragraphHistory',
    "Get a paragraph's versions",
    "Returns all versions of a paragraph's text, starting with the original.",
  ),
  'task/tag': call(
    'paragraphTag',
    'Highlight a paragraph',
    'Sets or clears the highlight of a paragraph.',
  ),
};
