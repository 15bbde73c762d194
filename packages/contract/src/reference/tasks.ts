import { createCallGroup } from './groups.ts';

const call = createCallGroup('tasks');

export const taskCalls = {
  'task/create': call(
    'taskCreate',
    'Transcribe a recording',
    "Queues the transcription and summary of a recording, and reserves the minutes. If the recording already has a running or completed task, returns that task, unless `again` requests a new one. Poll `task/detail` for the progress every few seconds, or register a webhook. A recording that can't be transcribed, for example because it is too short, gets a task with status 3 and an `error`.",
  ),
  'task/cancel': call(
    'taskCancel',
    'Cancel a transcription',
    'Cancels a queued or running transcription. If the task has already finished, returns it unchanged.',
  ),
  'task/merge': call(
    'taskMerge',
    'Merge transcripts',
    'Combines the transcripts of merged recordings, with all edits, into the transcript of the resulting recording, and requests a summary. Costs no minutes. If the recording already has a task, returns that task.',
  ),
  'calendar/get': call(
    'calendarGet',
    'Get the calendar URL',
    "Returns the secret URL of the account's calendar, or null if it has none. Calendar apps subscribe to the URL. The calendar contains the to-dos and dates of the latest 1000 recordings.",
  ),
  'calendar/create': call(
    'calendarCreate',
    'Create the calendar URL',
    'Creates the calendar URL, or returns the existing one. Changing the password invalidates the URL.',
  ),
  'calendar/revoke': call(
    'calendarRevoke',
    'Revoke the calendar URL',
    'Revokes the calendar URL immediately. `calendar/create` then creates a different one.',
  ),
  'live/append': call(
    'liveAppend',
    'Send audio of a recording in progress',
    'Appends audio packets of a recording in progress, and returns the text recognized so far. The transcription of the recording reuses that text. Requires a membership.',
  ),
  'live/list': call(
    'liveList',
    'List live texts',
    "Returns the live text of recordings in progress on any of the account's devices.",
  ),
  'task/price': call(
    'taskPrice',
    'Get the price of a transcription',
    'Returns the minutes that `task/create` would charge for transcribing a recording (with `again`, if it already has a transcript).',
  ),
  'live/watch': call(
    'liveWatch',
    'Wait for live text',
    "Waits for new live text. Returns the recordings in progress on the account's devices as soon as their version differs from `version`, or after `wait` seconds. Finished recordings remain listed until they are uploaded.",
  ),
  'task/drafts': call(
    'taskDraftCount',
    'Count the drafts',
    'Returns the number of draft transcripts that a better speech recognition engine can replace.',
  ),
  'task/replace-drafts': call(
    'taskReplaceDrafts',
    'Transcribe the drafts again',
    "Queues a new transcription for each draft transcript, oldest first. Costs no minutes. Idempotent: a draft that is already queued isn't queued again.",
  ),
  'task/detail': call(
    'taskDetail',
    'Get a task',
    "Returns a task's status and progress and, once its status is 2, the transcript, summary and mind map.",
  ),
  'task/index': call(
    'taskList',
    'List recordings with their tasks',
    "Returns recordings, newest first. `task` is the recording's latest task, or null if it was never transcribed. `id` is the recording's ID, and `task.id` is the task's ID. Recordings in the recycle bin are omitted unless `ids` lists them. Archived recordings are included unless `archived` excludes them.",
  ),
  'task/search': call(
    'taskSearch',
    'Search recordings',
    'Searches names, tags, keywords, speakers, summaries and transcripts. Returns recordings, newest first, each with its best matches.',
  ),
  'task/summarize': call(
    'taskSummarize',
    'Summarize again',
    "Regenerates everything derived from the transcript's current text, such as the summary, to-dos and mind map.",
  ),
  'task/modify-paragraph': call(
    'paragraphModify',
    'Edit a paragraph',
    'Changes the text or highlight of a paragraph. To undo all edits, send the `original` text from `task/paragraph-history`.',
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
