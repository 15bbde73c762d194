import type { AccountState, Membership } from './account.ts';

/**
 * Whether an account is a member's: as the server says; until it has answered, offline for example, as it
 * said last, if that has not run out.
 */
export function isMember(membership: Membership | null, account: AccountState, now: Date): boolean {
  if (membership) return membership.isVip;
  const member = account.status === 'signed-in' ? account.user.member : null;
  if (!member) return false;
  return member.until === null || Date.parse(member.until) > now.getTime();
}
