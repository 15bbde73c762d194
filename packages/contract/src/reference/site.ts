import { createCallGroup } from './groups.ts';

const call = createCallGroup('site');

export const siteCalls = {
  'site/config': call(
    'siteConfig',
    "Get the server's configuration",
    'Returns the public configuration, such as the accepted audio formats and the languages that can be transcribed.',
  ),
  'site/feedback': call(
    'feedbackSendSignedOut',
    'Send feedback without an account',
    'Sends feedback from a signed-out user to the operator.',
  ),
  'user/feedback': call(
    'feedbackSend',
    'Send feedback',
    'Sends feedback to the operator, optionally with an uploaded log.',
  ),
};
