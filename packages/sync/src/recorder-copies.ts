/** Updates the recorded copies of a recorder to its session list. */
import type { SessionItem } from '@linnet/device/session';
import type { RecordStore } from './ports.ts';

/** A session on the recorder, and the id of its recording. */
export type ListedSession = { readonly item: SessionItem; readonly id: string };

/**
 * Marks the copies of unlisted sessions as absent, and the absent copies of listed sessions as `whole`.
 * @param owner the account and the recorder's serial number
 * @throws StorageFull
 */
export async function updateListedCopies(
  records: RecordStore,
  { uid, sn }: { readonly uid: string; readonly sn: string },
  listed: readonly ListedSession[],
): Promise<void> {
  const listedBytes = new Map(listed.map(({ id, item }) => [id, item.fileSize]));
  // An absent copy can be listed again, for example of a recording that this phone downloaded from the cloud.
  for (const [id, { copies }] of await records.work([...listedBytes.keys()])) {
    if (copies.recorder.status !== 'absent') continue;
    const bytes = listedBytes.get(id) ?? 0;
    await records.update(id, { copies: { recorder: { status: 'whole', bytes } } });
  }
  const rows = await records.summaries(uid);
  const unlisted = rows.filter(
    (each) =>
      each.sn === sn && each.copies.recorder.status !== 'absent' && !listedBytes.has(each.id),
  );
  for (const { id } of unlisted) await markAbsent(records, id);
}

/**
 * Marks a recorder's copy as absent. Has no effect while a completely read session is unverified, because its digest is
 * still needed to verify the phone's copy.
 * @throws StorageFull
 */
export async function markAbsent(records: RecordStore, id: string): Promise<void> {
  const copies = (await records.work([id])).get(id)?.copies;
  if (!copies || copies.recorder.status === 'absent' || copies.phone.status === 'whole') return;
  await records.update(id, { copies: { recorder: { status: 'absent' } } });
}
