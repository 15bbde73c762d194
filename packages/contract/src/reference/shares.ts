import { createCallGroup } from './groups.ts';

const call = createCallGroup('shares');

export const shareCalls = {
  'share/create': call(
    'shareCreate',
    'Create a link to a recording',
    'Creates a link that shows the chosen parts of a recording to anyone who has the link, until it expires or is revoked. The page always shows the current names and texts. Requires a membership.',
  ),
  'share/index': call(
    'shareList',
    'List the links',
    'Returns the links of the account or of one recording, newest first, with the times of their latest views. Links are deleted one month after they expire.',
  ),
  'share/revoke': call(
    'shareRevoke',
    'Revoke a link',
    'Deletes a link and its views. The page and its audio become unavailable immediately.',
  ),
};
