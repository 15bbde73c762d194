import { callsOf } from './groups.ts';

const call = callsOf('sync');

export const syncCalls = {
  'sync/apply': call(
    'syncApply',
    'Apply edits',
    'Applies edits exactly once, each with an outcome of its own. Operations name recordings by `client_flag`, not by `id`, because clients edit recordings before the server assigns an id.',
  ),
  'sync/changes': call(
    'syncChanges',
    'Get changes',
    "Returns all changes of the account since a cursor. The first call, without a cursor, returns everything. Call again while `more` is true. With `recordings_first`, all settings and recordings come before that, and again among the changes. Here, `edited` of a paragraph is present if it has earlier versions, and `words` are always those of the engine's text.",
  ),
};
