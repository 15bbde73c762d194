/** Updates records after a recorder has listed its sessions. */
import type { SessionItem } from '@linnet/device/session';
import type { RecordStore } from './ports/records.ts';

/** A session on the recorder, and its recording's ID. */
export type ListedSession = { readonly item: SessionItem; readonly id: string };

/**
 * Brings the recorder's copies in line with its list: copies of unlisted sessions become absent, and absent copies of
 * listed sessions become `whole`.
 * @param owner the account and the recorder's serial number
 * @throws StorageFull
 */
export async function updateListedCopies(
  records: RecordStore,
  { uid, sn }: { readonly uid: string; readonly sn: string },
  listed: readonly ListedSession[],
): Promise<void> {
  const listedBytes = new Map(listed.map(({ id, item }) => [id, item.fileSize]));
  // The record of a listed session may lack the recorder's copy, for example if this phone downloaded the recording
  // from the cloud.
  for (const [id, { copies }] of await records.work([...listedBytes.keys()])) {
    if (copies.recorder.status !== 'absent') continue;
    const bytes = listedBytes.get(id) ?? 0;
    await records.update(id, { copies: { recorder: { status: 'whole', bytes } } });
  }
  const rows = await records.summaries(uid);
  const unlisted = rows.filter(
    (row) => row.sn === sn && row.copies.recorder.status !== 'absent' && !listedBytes.has(row.id),
  );
  for (const { id } of unlisted) await markAbsent(records, id);
}

/**
 * Marks a recorder's copy as absent. Does nothing while the phone's complete copy is unverified, because the recorder's
 * digest is still needed to verify it.
 * @throws StorageFull
 */
export async function markAbsent(records: RecordStore, id: string): Promise<void> {
  const copies = (await records.work([id])).get(id)?.copies;
  if (!copies || copies.recorder.status === 'absent' || copies.phone.status === 'whole') return;
  await records.update(id, { copies: { recorder: { status: 'absent' } } });
}
