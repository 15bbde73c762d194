import type { Database } from '../../db/database.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Finds an account by an email address or ID entered by the operator.
 * @returns the ID, or null if there is no such account or it is being deleted
 */
export async function findAccount(db: Database, name: string): Promise<string | null> {
  const account = await db
    .selectFrom('accounts')
    .select('id')
    .where('closed_at', 'is', null)
    .where(uuid.test(name) ? 'id' : 'email', '=', name.toLowerCase())
    .executeTakeFirst();
  return account?.id ?? null;
}
