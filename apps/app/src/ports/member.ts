import type { AccountState, Membership } from './account.ts';

/**
 * Returns whether an account is a member. While the server is unreachable, the membership it last reported applies
 * until it expires.
 */
export function isMember(membership: Membership | null, account: AccountState, now: Date): boolean {
  if (membership) return membership.isVip;
  const member = account.status === 'signed-in' ? account.user.member : null;
  if (!member) return false;
  return member.until === null || Date.parse(member.until) > now.getTime();
}
