import { createCallGroup } from './groups.ts';

const call = createCallGroup('sync');

export const syncCalls = {
  'sync/apply': call(
    'syncApply',
    'Apply edits',
    'Applies each edit exactly once and returns an outcome for each. Edits identify recordings by `client_flag` rather than `id`, because clients can edit recordings before the server has assigned an ID.',
  ),
  'sync/changes': call(
    'syncChanges',
    'Get changes',
    'Returns all changes to the account since a cursor. The first call, without a cursor, returns everything. Call again while `more` is true. With `recordings_first`, the first pages contain all settings and recordings, which are repeated among the changes that follow. In these changes, a paragraph has `edited` if it has earlier versions, and `words` always belongs to the original text from speech recognition.',
  ),
};
