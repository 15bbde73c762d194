import type { Client } from '@linnet/contract/client';
import { limits } from '@linnet/contract/limits';
import type { FeedbackDraft, FeedbackService } from '../../ports/feedback.ts';
import { readLog } from '../log.ts';

/** Local storage: what was written and not sent, by whom. No name of the cache's: the server cannot tell it again. */
const keyOf = (writer: string) => `feedback_draft_${writer}`;

const blank: FeedbackDraft = { kind: 'problem', content: '', contact: '' };

/**
 * Feedback to whoever runs the server, of an owner or of somebody who is not signed in.
 * @param owner what the account is called on this phone; null for nobody
 * @param signedOut what somebody without an account is called at this server
 */
export function createFeedback(
  client: Pick<Client, 'call'>,
  owner: () => string | null,
  signedOut: string,
): FeedbackService {
  return {
    begin() {
      const key = keyOf(owner() ?? signedOut);
      const kept = localStorage.getItem(key);
      return {
        draft:
          kept === null ? blank : { ...blank, ...(JSON.parse(kept) as Partial<FeedbackDraft>) },
        keep: (draft) => localStorage.setItem(key, JSON.stringify(draft)),
        async send(draft, log) {
          const name = owner() === null ? 'site/feedback' : 'user/feedback';
          const answer = await client.call(name, { ...draft, log });
          if (!answer.ok) return answer;
          localStorage.removeItem(key);
          return { ok: true, data: null };
        },
      };
    },
    log: () => readLog(limits.feedback.logMaxLength),
  };
}

/** Takes what an account wrote and did not send off this phone. */
export function forgetFeedback(owner: string): void {
  localStorage.removeItem(keyOf(owner));
}
