import { findPhoneCopySurvivor } from '@linnet/sync';
import CircleCheck from 'lucide-react/icons/circle-check';
import { useState } from 'react';
import { formatCount, formatSize } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { joinSentences } from '../../i18n/joined.ts';
import { recordingName } from '../../i18n/record-name.ts';
import { vibrate } from '../../page-kit/media.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { Section } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useStorageSetting } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { PhoneSpace, RetainedCopy } from '../../ports/phone-space.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { ListedRecord } from '../files/row-state.ts';

/** Number of rows shown initially. */
const STEP = 20;

/**
 * Returns the translation key for a recording's location. A recording that isn't in the list is in the bin or unknown.
 */
function locationKey(record: ListedRecord | undefined, isKnown: boolean) {
  if (!isKnown) return 'storage.space.unnamed';
  if (!record) return 'storage.space.inBin';
  return record.copies.cloud.status === 'verified'
    ? 'storage.space.inCloud'
    : 'storage.space.notInCloud';
}

/** Lists the largest recordings on this phone, with a button that removes local copies that are safe in the cloud. */
export function FreeSection({
  space,
  records,
}: {
  space: PhoneSpace;
  records: readonly ListedRecord[];
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { phoneSpace, library } = useServices();
  const setting = useStorageSetting();
  const bin = useStore(library.bin);
  const show = useToast();
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const [shownCount, setShownCount] = useState(STEP);
  const [isConfirming, setConfirming] = useState(false);
  const [isBusy, setBusy] = useState(false);

  const byId = new Map(records.map((record) => [record.id, record]));
  const binned = new Map(
    bin.status === 'ready' ? bin.value.map((record) => [record.id, record]) : [],
  );
  const isFreeable = (record: ListedRecord | undefined) =>
    record !== undefined &&
    setting !== null &&
    findPhoneCopySurvivor(record.copies, setting) !== null;
  const rows = space.recordings.map(({ id, bytes }) => {
    const record = byId.get(id);
    const namedRecord = record ?? binned.get(id);
    const name = namedRecord ? recordingName(namedRecord, t, language) : t('storage.space.unnamed');
    return {
      id,
      bytes,
      name,
      locationKey: locationKey(record, namedRecord !== undefined),
      isSafe: isFreeable(record),
    } as const;
  });
  const safeRows = rows.filter(({ isSafe }) => isSafe);
  // Recordings freed after their selection no longer count as selected.
  const selected = safeRows.filter(({ id }) => selectedIds.has(id));
  const bytes = selected.reduce((sum, row) => sum + row.bytes, 0);

  const freeSpace = async () => {
    setBusy(true);
    vibrate('delete');
    const result = await phoneSpace.free(selected.map(({ id }) => id));
    setBusy(false);
    setConfirming(false);
    setSelectedIds(new Set());
    if (!result.ok) {
      const messageKey =
        result.code === 'server' ? 'storage.space.notFreed' : 'storage.space.notNoted';
      show({ message: t(messageKey), kind: 'error' });
    } else if (result.retained.length === 0) {
      show({ message: t('storage.space.freed', { size: formatSize(result.bytes, language) }) });
    } else {
      show({ message: retainedText(result.retained), kind: 'error' });
    }
  };
  const retainedText = (retained: readonly RetainedCopy[]) => {
    const countBy = (...reasons: RetainedCopy['reason'][]) =>
      retained.filter(({ reason }) => reasons.includes(reason)).length;
    const unsafe = countBy('not_safe', 'differs');
    const sentences = [
      unsafe > 0 &&
        t('storage.space.stays', { count: unsafe, formatted: formatCount(unsafe, language) }),
      countBy('in_use') > 0 && t('storage.space.staysInUse'),
      countBy('failed') > 0 && t('storage.space.staysFailed'),
    ];
    return joinSentences(
      sentences.filter((sentence) => sentence !== false),
      language,
    );
  };
  const others = space.others > 0 && (
    <p className="page-note" data-testid="of-others">
      {t('storage.space.others', { size: formatSize(space.others, language) })}
    </p>
  );
  if (rows.length === 0) {
    return others || <p className="page-note">{t('storage.space.nothing')}</p>;
  }
  return (
    <>
      {setting?.cloudSave === 0 && (
        <Notice
          tone="plain"
          message={t('storage.space.cloudOff')}
          action={
            <PageLink to={paths.storageLocation} className="button" data-look="plain">
              {t('storage.location.title')}
            </PageLink>
          }
        />
      )}
      <Section title={t('storage.space.largest')}>
        <ul>
          {rows.slice(0, shownCount).map(({ id, bytes: taken, name, locationKey: key, isSafe }) => (
            <li key={id} data-testid="on-phone" data-record-id={id} data-safe={isSafe}>
              <label className="line space-row">
                <input
                  type="checkbox"
                  aria-label={t('storage.space.choose', { name })}
                  disabled={!isSafe}
                  checked={isSafe && selectedIds.has(id)}
                  onChange={(event) => {
                    const next = new Set(selectedIds);
                    if (event.currentTarget.checked) next.add(id);
                    else next.delete(id);
                    setSelectedIds(next);
                  }}
                />
                <span className="line-words">
                  <span dir="auto">{name}</span>
                  <span>{t(key)}</span>
                </span>
                <span className="line-end tabular">
                  <bdi>{formatSize(taken, language)}</bdi>
                </span>
              </label>
            </li>
          ))}
        </ul>
        {rows.length > shownCount && (
          <button type="button" className="line" onClick={() => setShownCount(shownCount + STEP)}>
            <span className="line-words">{t('storage.space.more')}</span>
          </button>
        )}
      </Section>
      {others}
      {safeRows.length > 0 && (
        <div className="space-actions">
          <Button
            variant="quiet"
            icon={<CircleCheck size={18} aria-hidden="true" />}
            data-testid="choose-safe"
            onClick={() => setSelectedIds(new Set(safeRows.map(({ id }) => id)))}
          >
            {t('storage.space.chooseSafe')}
          </Button>
          <Button
            variant="primary"
            wide
            disabled={selected.length === 0}
            data-testid="free"
            onClick={() => setConfirming(true)}
          >
            {selected.length === 0
              ? t('storage.space.freeNone')
              : t('storage.space.free', { size: formatSize(bytes, language) })}
          </Button>
        </div>
      )}
      {isConfirming && (
        <Confirm
          title={t('storage.space.freeTitle')}
          confirmLabel={t('storage.space.free', { size: formatSize(bytes, language) })}
          danger
          busy={isBusy}
          onCancel={() => setConfirming(false)}
          onConfirm={() => void freeSpace()}
        >
          {t('storage.space.freeText', {
            count: selected.length,
            formatted: formatCount(selected.length, language),
            size: formatSize(bytes, language),
          })}
        </Confirm>
      )}
    </>
  );
}
