import { callsOf } from './groups.ts';

const call = callsOf('shares');

export const shareCalls = {
  'share/create': call(
    'shareCreate',
    'Create a link to a recording',
    'Creates a link that shows the chosen parts of a recording to everyone who has it, until it expires or is revoked. The page shows the current names and texts. Requires a membership.',
  ),
  'share/index': call(
    'shareList',
    'List the links',
    'Returns the links of the account or of one recording, latest first, with the times of their latest views. Links are deleted a month after they expire.',
  ),
  'share/revoke': call(
    'shareRevoke',
    'Revoke a link',
    'Deletes a link with its views. Its page and audio are unavailable at once.',
  ),
};
