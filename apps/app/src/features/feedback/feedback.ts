import type { Client } from '@linnet/contract/client';
import { limits } from '@linnet/contract/limits';
import type { FeedbackDraft, FeedbackService } from '../../ports/feedback.ts';
import { readLog } from '../log.ts';

/**
 * Local storage key of an author's unsent draft. It has no underscore, so clearing the cache does not remove it.
 */
const keyOf = (writer: string) => `feedback_draft_${writer}`;

const blank: FeedbackDraft = { kind: 'problem', content: '', contact: '' };

/**
 * Feedback to the server's operator, from an account or a signed-out user.
 * @param owner key of the account on this phone; null when signed out
 * @param signedOutName key of signed-out users of this server
 */
export function createFeedback(
  client: Pick<Client, 'call'>,
  owner: () => string | null,
  signedOutName: string,
): FeedbackService {
  return {
    begin() {
      const key = keyOf(owner() ?? signedOutName);
      const stored = localStorage.getItem(key);
      return {
        draft:
          stored === null ? blank : { ...blank, ...(JSON.parse(stored) as Partial<FeedbackDraft>) },
        save: (draft) => localStorage.setItem(key, JSON.stringify(draft)),
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

/** Deletes an account's unsent draft from this phone. */
export function deleteFeedbackDraft(owner: string): void {
  localStorage.removeItem(keyOf(owner));
}
