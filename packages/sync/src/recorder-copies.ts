/** What the phone's records say of a recorder's copies, and what the recorder says itself. */
import type { SessionItem } from '@linnet/device/session';
import type { RecordStore } from './ports.ts';

/** A session on the recorder and the recording it is. */
export type ListedSession = { readonly item: SessionItem; readonly id: string };

/**
 * Brings what is known of a recorder's copies in line with what it lists: those it has no more are absent, and
 * those that were taken to be and lie there are whole again.
 * @param owner the account and the recorder's serial number
 * @throws NoRoom
 */
export async function copiesAsListed(
  records: RecordStore,
  { uid, sn }: { readonly uid: string; readonly sn: string },
  listed: readonly ListedSession[],
): Promise<void> {
  const there = new Map(listed.map(({ id, item }) => [id, item.fileSize]));
  // Such as one that came to this phone from the cloud.
  for (const [id, { copies }] of await records.work([...there.keys()])) {
    if (copies.recorder.status !== 'absent') continue;
    const bytes = there.get(id) ?? 0;
    await records.update(id, { copies: { recorder: { status: 'whole', bytes } } });
  }
  const kept = await records.summaries(uid);
  const gone = kept.filter(
    (each) => each.sn === sn && each.copies.recorder.status !== 'absent' && !there.has(each.id),
  );
  for (const { id } of gone) await leftRecorder(records, id);
}

/**
 * A recorder has a session no more. What it said of one that was read whole is kept until the phone's copy was
 * checked against it.
 * @throws NoRoom
 */
export async function leftRecorder(records: RecordStore, id: string): Promise<void> {
  const copies = (await records.work([id])).get(id)?.copies;
  if (!copies || copies.recorder.status === 'absent' || copies.phone.status === 'whole') return;
  await records.update(id, { copies: { recorder: { status: 'absent' } } });
}
