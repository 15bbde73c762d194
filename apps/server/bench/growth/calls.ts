/** The calls that are measured. */
import { randomUUID } from 'node:crypto';
import type { CallBody, CallData, CallName } from '@linnet/contract';
import { prefixes, routes } from '@linnet/contract/routes';
import { rareWord } from './library.ts';

/** Makes a call, and returns its data and the size of the response in bytes, uncompressed. */
type Call = <Name extends CallName>(
  name: Name,
  body: CallBody<Name>,
) => Promise<{ readonly data: CallData<Name>; readonly bytes: number }>;

/** Creates a client. @throws Error if a call doesn't succeed */
export function createClient(address: string, token: string): Call {
  return async (name, body) => {
    const { path, host } = routes[name];
    const response = await fetch(`${address}${prefixes[host]}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const { code, msg, data } = JSON.parse(text);
    if (code !== 0) throw new Error(`${name} returned ${code}: ${msg}`);
    return { data, bytes: Buffer.byteLength(text) };
  };
}

/** A user action, as one call. */
export interface Action {
  readonly name: string;
  /** Returns the size of the response in bytes. */
  run(round: number): Promise<number>;
}

/** Rows per page of the list. */
const pageRows = 20;

/** Returns the actions in an account with `size` recordings. */
export async function createActions(call: Call, size: number): Promise<Action[]> {
  const listPage = (page: number) => call('task/index', { limit: pageRows, page });
  const lastPage = Math.floor((await listPage(1)).data.total / pageRows);
  const { list: recordings } = (await listPage(Math.ceil(lastPage / 2))).data;
  const recordingOf = (round: number) => {
    const recording = recordings[round % recordings.length];
    if (!recording) throw new Error('the account has no recordings');
    return recording;
  };
  const details = (await call('task/detail', { id: recordingOf(0).id })).data;
  const apply = (operation: object) => {
    const head = { op_id: randomUUID(), base_rev: 0, at: new Date().toISOString() };
    const ops = [{ ...head, recording: recordingOf(0).client_flag, ...operation }];
    return call('sync/apply', { ops } as CallBody<'sync/apply'>);
  };
  // A cursor before a single change, in the form that the server issues.
  const { cursor: firstCursor } = (await call('sync/changes', { limit: 1 })).data;
  const [epoch] = Buffer.from(firstCursor, 'base64url').toString().split(' ');
  const { rev } = (await apply({ type: 'recording.tag', tag: 'birds', on: size % 2 === 0 })).data;
  const cursor = Buffer.from(`${epoch} ${rev - 1}`).toString('base64url');
  const bytes = async (response: Promise<{ readonly bytes: number }>) => (await response).bytes;
  let page = await call('task/index', { limit: pageRows, page: lastPage });
  return [
    { name: 'first page of the list', run: () => bytes(listPage(1)) },
    { name: 'last page of the list', run: () => bytes(listPage(lastPage)) },
    {
      name: 'one recording with its transcript',
      run: (round) => bytes(call('task/detail', { id: recordingOf(round).id })),
    },
    {
      name: 'changes since a cursor',
      run: () => bytes(call('sync/changes', { cursor })),
    },
    {
      name: 'first page of changes of a new phone',
      run: () => bytes(call('sync/changes', { recordings_first: true })),
    },
    {
      name: 'edit of a paragraph',
      run: (round) => {
        const paragraph = details.paragraphs[round % details.paragraphs.length]?.id;
        return bytes(apply({ type: 'paragraph.edit', paragraph, content: `An edit ${round}.` }));
      },
    },
    {
      name: 'question (its paragraphs)',
      run: (round) =>
        bytes(call('ask/passages', { question: questions[round % questions.length] as string })),
    },
    {
      name: 'search for a rare word',
      run: () => bytes(call('task/search', { keyword: rareWord, limit: pageRows, page: 1 })),
    },
    {
      name: 'history of transcriptions',
      run: () => bytes(call('radio/translateHistory', { limit: pageRows, page: 1 })),
    },
    { name: 'storage page', run: () => bytes(call('user/storage', {})) },
    {
      name: 'permanent deletion',
      run: async () => {
        page = page.data.list.length > 0 ? page : await listPage(Math.ceil(lastPage / 3));
        const recording = page.data.list.pop();
        if (!recording) throw new Error('there is no recording to delete');
        return bytes(call('radio/batchDelete', { ids: [recording.id] }));
      },
    },
  ];
}

/** Questions of several words, as people type them. */
const questions = [
  'Where does the heron wait in the morning?',
  'What did we decide about the budget of the garden?',
  'Who has the key of the office?',
  'When is the next appointment with the dentist?',
  'How much does the new kitchen cost?',
  'Which train does Anna take on Friday?',
];
