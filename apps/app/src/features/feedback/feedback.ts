import type { Client } from '@linnet/contract/client';
import { limits } from '@linnet/contract/limits';
import type { AccountState, FeedbackDraft, FeedbackService, Store } from '../../services.ts';
import { readLog } from '../log.ts';

/** Local storage: what was written and not sent. */
const KEY = '_feedback_draft';

const blank: FeedbackDraft = { kind: 'problem', content: '', contact: '' };

/** Feedback to whoever runs the server, of an owner or of somebody who is not signed in. */
export function createFeedback(
  client: Pick<Client, 'call'>,
  account: Store<AccountState>,
): FeedbackService {
  return {
    draft() {
      const kept = localStorage.getItem(KEY);
      return kept === null ? blank : { ...blank, ...(JSON.parse(kept) as Partial<FeedbackDraft>) };
    },
    keep(draft) {
      localStorage.setItem(KEY, JSON.stringify(draft));
    },
    log: async () => (await readLog()).slice(-limits.feedback.logMaxLength),
    async send(draft, log) {
      const name = account.get().status === 'signed-in' ? 'user/feedback' : 'site/feedback';
      const answer = await client.call(name, { ...draft, log });
      if (!answer.ok) return answer;
      localStorage.removeItem(KEY);
      return { ok: true, data: null };
    },
  };
}
