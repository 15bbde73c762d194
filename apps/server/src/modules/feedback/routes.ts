import type { DefineCall } from '../../http/calls.ts';
import type { GiveFeedback } from './service.ts';

export function feedbackRoutes(call: DefineCall, give: GiveFeedback): void {
  call('user/feedback', (body, caller) => give(caller.accountId, body));
}
