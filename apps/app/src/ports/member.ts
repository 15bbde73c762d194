import type { AccountState, Membership } from './account.ts';

/**
 * Whether an account is a member: as reported by the server, or while it is unreachable, as last reported
 * unless that has expired.
 */
export function isMember(membership: Membership | null, account: AccountState, now: Date): boolean {
  if (membership) return membership.isVip;
  const member = account.status === 'signed-in' ? account.user.member : null;
  if (!member) return false;
  return member.until === null || Date.parse(member.until) > now.getTime();
}
