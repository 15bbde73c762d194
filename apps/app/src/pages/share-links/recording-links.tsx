import Share2 from 'lucide-react/icons/share-2';
import { useCallback, useMemo, useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { MembershipLink } from '../../page-kit/membership-link.tsx';
import { useServerData } from '../../page-kit/server-data.ts';
import { useMember, useServices, useStore } from '../../page-kit/services-context.ts';
import { Button } from '../../ui/button.tsx';
import { useCopy } from '../../ui/copy.ts';
import { CopyableText } from '../../ui/copyable-text.tsx';
import { LoadingPlaceholder, Notice } from '../../ui/notice.tsx';
import { CreateLinkForm } from './create-link-form.tsx';
import { LinkList } from './link-list.tsx';

/** Creates links to a recording, and lists the existing links. */
export function RecordingLinks({ id }: { id: string }) {
  const { t } = useTranslation();
  const { library } = useServices();
  const live = useStore(useMemo(() => library.record(id), [library, id]));
  if (live.status === 'loading') return <LoadingPlaceholder lines={4} />;
  if (live.status !== 'ready' || live.value === null) {
    return <Notice message={t('detail.notFound')} detail={t('detail.notFoundHint')} />;
  }
  const { server_id: serverId, copies } = live.value;
  if (serverId === null) return <Notice tone="plain" message={t('shareLinks.notUploaded')} />;
  return <ServerLinks recordingId={serverId} hasAudio={copies.cloud.status !== 'absent'} />;
}

function ServerLinks({ recordingId, hasAudio }: { recordingId: string; hasAudio: boolean }) {
  const { t } = useTranslation();
  const isMember = useMember();
  const { shareLinks } = useServices();
  const load = useCallback(() => shareLinks.list(recordingId), [shareLinks, recordingId]);
  const { data, reload } = useServerData(load);
  const copy = useCopy();
  const [url, setUrl] = useState<string | null>(null);
  const share = async (address: string) => {
    if ((await shareLinks.share(address)) === 'unable') await copy(address);
  };
  return (
    <div className="share-form">
      {!isMember && (
        <Notice tone="plain" message={t('shareLinks.forMembers')} action={<MembershipLink />} />
      )}
      {isMember && url === null && (
        <CreateLinkForm
          recordingId={recordingId}
          hasAudio={hasAudio}
          onCreated={(link) => {
            setUrl(link.url);
            void reload();
          }}
        />
      )}
      {url !== null && (
        <>
          <p role="status">{t('shareLinks.created')}</p>
          <CopyableText text={url} copyLabel={t('shareLinks.copy')} testId="share-url" />
          {shareLinks.canShare && (
            <Button wide icon={<Share2 size={18} />} onClick={() => void share(url)}>
              {t('export.share')}
            </Button>
          )}
        </>
      )}
      {data.status === 'failed' && (
        <Notice
          message={t('shareLinks.failed')}
          detail={describeFailure(t, data.failure).message}
          action={<Button onClick={() => void reload()}>{t('common.retry')}</Button>}
        />
      )}
      {data.status === 'ready' && data.value.length > 0 && (
        <>
          <h3>{t('shareLinks.existing')}</h3>
          <LinkList
            links={data.value}
            label={t('shareLinks.existing')}
            namesRecordings={false}
            onChanged={async () => {
              setUrl(null);
              await reload();
            }}
          />
        </>
      )}
    </div>
  );
}
