import type { DefineCall } from '../../http/calls.ts';
import { getNetwork } from '../../http/network.ts';
import type { Feedback } from './service.ts';

export function feedbackRoutes(call: DefineCall, feedback: Feedback): void {
  call('user/feedback', (body, caller) => feedback.submit(caller.accountId, body));
  call('site/feedback', (body, _none, { request }) =>
    feedback.submitSignedOut(getNetwork(request.ip), body),
  );
}
