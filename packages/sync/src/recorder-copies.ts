/** Keeps the records of a recorder's copies consistent with the recorder's session list. */
import type { SessionItem } from '@linnet/device/session';
import type { RecordStore } from './ports.ts';

/** A session on the recorder, and the id of its recording. */
export type ListedSession = { readonly item: SessionItem; readonly id: string };

/**
 * Updates the recorded copies of a recorder to its session list: unlisted ones become absent, and listed ones that were
 * absent become whole.
 * @param owner the account and the recorder's serial number
 * @throws StorageFull
 */
export async function updateListedCopies(
  records: RecordStore,
  { uid, sn }: { readonly uid: string; readonly sn: string },
  listed: readonly ListedSession[],
): Promise<void> {
  const there = new Map(listed.map(({ id, item }) => [id, item.fileSize]));
  // For example a recording that this phone downloaded from the cloud.
  for (const [id, { copies }] of await records.work([...there.keys()])) {
    if (copies.recorder.status !== 'absent') continue;
    const bytes = there.get(id) ?? 0;
    await records.update(id, { copies: { recorder: { status: 'whole', bytes } } });
  }
  const kept = await records.summaries(uid);
  const gone = kept.filter(
    (each) => each.sn === sn && each.copies.recorder.status !== 'absent' && !there.has(each.id),
  );
  for (const { id } of gone) await markLeftRecorder(records, id);
}

/**
 * Marks a recorder's copy as absent. The digest of a completely read session is kept until the phone's copy has been
 * verified against it.
 * @throws StorageFull
 */
export async function markLeftRecorder(records: RecordStore, id: string): Promise<void> {
  const copies = (await records.work([id])).get(id)?.copies;
  if (!copies || copies.recorder.status === 'absent' || copies.phone.status === 'whole') return;
  await records.update(id, { copies: { recorder: { status: 'absent' } } });
}
