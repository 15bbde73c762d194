import { callsOf } from './groups.ts';

const call = callsOf('questions');

export const questionCalls = {
  'ask/question': call(
    'questionAsk',
    'Ask a question',
    'Answers a question about all recordings, or those with the given IDs, from their latest transcripts. `quotes` are the paragraphs that answer it. `answer` is empty if there are none, and if a language model found no answer in them. The question may name a period ("in March", "last week"), a speaker, a tag or a place. It is stored in a thread.',
  ),
  'ask/live': call(
    'questionAskLive',
    'Ask about a recording in progress',
    'Answers a question from the live text of a recording, as `ask/question` does from transcripts, and stores it in a new thread. Continue the thread with `ask/question`. Once the recording is transcribed, it answers from the transcript.',
  ),
  'ask/passages': call(
    'questionPassages',
    'Find passages',
    'Returns the paragraphs that answer a question, as `ask/question` does, without storing it in a thread. It also suits keywords: unlike `task/search`, it finds paragraphs that contain only some of the words, best first.',
  ),
  'ask/index': call(
    'questionThreads',
    'List the threads of questions',
    'Returns the threads, latest first. The oldest one is deleted when an account has more than 500.',
  ),
  'ask/thread': call(
    'questionThread',
    'Questions of a thread',
    'Returns the questions of a thread with their answers, in order. Quotes of deleted recordings are left out.',
  ),
  'ask/delete': call(
    'questionDelete',
    'Delete a thread',
    'Deletes a thread with its questions and answers.',
  ),
};
