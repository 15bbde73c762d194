import type { DefineCall } from '../../http/calls.ts';
import type { Feedback } from './service.ts';

export function feedbackRoutes(call: DefineCall, feedback: Feedback): void {
  call('user/feedback', (body, caller) => feedback.ofAccount(caller.accountId, body));
  call('site/feedback', (body, _none, { request }) => feedback.ofVisitor(request.ip, body));
}
