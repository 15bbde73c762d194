import type { Client } from '@linnet/contract/client';
import { limits } from '@linnet/contract/limits';
import type { FeedbackDraft, FeedbackService } from '../../ports/feedback.ts';
import { readLog } from '../log.ts';

/**
 * Returns the local storage key of an author's unsent draft. It has no leading underscore, so clearing the cache
 * doesn't remove the draft.
 */
const draftKey = (author: string) => `feedback_draft_${author}`;

const emptyDraft: FeedbackDraft = { kind: 'problem', content: '', contact: '' };

/**
 * Creates the service that sends feedback to the server's operator.
 * @param owner returns the signed-in account's key; null while signed out
 * @param signedOutName the key to use while signed out
 */
export function createFeedback(
  client: Pick<Client, 'call'>,
  owner: () => string | null,
  signedOutName: string,
): FeedbackService {
  return {
    begin() {
      const key = draftKey(owner() ?? signedOutName);
      const storedDraft = localStorage.getItem(key);
      return {
        draft: {
          ...emptyDraft,
          ...(storedDraft === null ? null : (JSON.parse(storedDraft) as Partial<FeedbackDraft>)),
        },
        save: (draft) => localStorage.setItem(key, JSON.stringify(draft)),
        async send(draft, log) {
          const name = owner() === null ? 'site/feedback' : 'user/feedback';
          const result = await client.call(name, { ...draft, log });
          if (!result.ok) return result;
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
  localStorage.removeItem(draftKey(owner));
}
