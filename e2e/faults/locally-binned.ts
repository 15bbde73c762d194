import type { World } from './world.ts';

/**
 * Returns the IDs of the recordings that were moved to the recycle bin before their upload, on each phone that has them.
 * Such recordings aren't uploaded until they are restored, so neither the server nor other phones know them.
 */
export async function findLocallyBinned({
  phones,
  server,
  account,
}: Pick<World, 'phones' | 'server' | 'account'>): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const known = new Set<string>();
  for (const { records } of phones) {
    for (const { id } of await records.binned(account.id)) {
      const isUnknown = (await records.detail(id))?.server_id === null;
      (isUnknown ? found : known).add(id);
    }
    for (const { id } of await records.summaries(account.id)) known.add(id);
  }
  const rows = await server.rows<{ client_flag: string }>(
    'select client_flag from recordings where account_id = $1',
    [account.id],
  );
  for (const { client_flag } of rows) known.add(client_flag);
  return new Set([...found].filter((id) => !known.has(id)));
}
