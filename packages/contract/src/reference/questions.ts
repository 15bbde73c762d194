import { createCallGroup } from './groups.ts';

const call = createCallGroup('questions');

export const questionCalls = {
  'ask/question': call(
    'questionAsk',
    'Ask a question',
    'Answers a question from the latest transcripts of all recordings, or of the recordings in `ids`. `quotes` contains the paragraphs that answer the question. `answer` is empty if no paragraph matches, or if the language model found no answer in them. The question may mention a period ("in March", "last week"), a speaker, a tag or a place. The question and its answer are stored in a thread.',
  ),
  'ask/live': call(
    'questionAskLive',
    'Ask about a recording in progress',
    'Answers a question from the live text of a recording in progress and stores it in a new thread. For follow-up questions, call `ask/question` with the thread: it uses the transcript once the recording is transcribed.',
  ),
  'ask/passages': call(
    'questionPassages',
    'Find passages',
    'Returns the paragraphs that `ask/question` would quote, best first, without storing the question. Also works for keywords: unlike `task/search`, it finds paragraphs that contain only some of the words.',
  ),
  'ask/index': call(
    'questionThreads',
    'List the threads',
    'Returns the question threads, latest first. An account keeps its latest 500 threads.',
  ),
  'ask/thread': call(
    'questionThread',
    'Get a thread',
    'Returns the questions and answers of a thread, in order. Quotes from deleted recordings are omitted.',
  ),
  'ask/delete': call(
    'questionDelete',
    'Delete a thread',
    'Deletes a thread with all its questions and answers.',
  ),
};
